// Holds every import of the repository against the rules.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { IMPORT_RULES } from './rules.mjs';
import { isSource, listRepositoryFiles } from './source-files.mjs';

/** Its types name each other in circles. */
const GENERATED_BY_PRISMA = 'packages/database/src/generated/';

/**
 * @param {string} root @param {string[]} [files] relative to the root; all source files by default
 * @returns {string[]} one sentence per violation
 */
export function checkImports(root, files = listRepositoryFiles(root)) {
  const names = listPublicNames(readWorkspaces(root, files));
  const sources = files.filter((file) => isSource(file) && !file.startsWith(GENERATED_BY_PRISMA));
  const imports = sources.flatMap((file) => readImports(root, file, names));
  const cycles = findCycles(imports).map((cycle) => `no-circular-imports: ${cycle.join(' → ')}`);
  return [...findViolations(imports), ...cycles];
}

/** @param {string} root @param {string[]} files */
function readWorkspaces(root, files) {
  const manifests = files.filter((file) => file.endsWith('/package.json'));
  return manifests.map((file) => ({
    folder: file.slice(0, -'/package.json'.length),
    manifest: JSON.parse(readFileSync(join(root, file), 'utf8')),
  }));
}

/** @param {Import[]} imports */
function findViolations(imports) {
  return imports.flatMap((edge) =>
    IMPORT_RULES.filter((rule) => rule.isBroken(edge)).map(
      (rule) => `${rule.name}: ${edge.from} imports ${edge.request} (${rule.because})`,
    ),
  );
}

/**
 * Files that import each other, types included. Removing one circle may uncover another.
 * @param {Import[]} imports @returns {string[][]} each a path of files that ends where it began
 */
function findCycles(imports) {
  /** @type {Map<string, string[]>} */
  const targets = new Map();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set();
  /** @type {string[][]} */
  const cycles = [];
  /** @param {string} file @param {string[]} trail */
  const visit = (file, trail) => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}

/**
 * `to` is a path relative to the root for a file of this repository, otherwise the specifier as it
 * is written. `request` is always the specifier. `typeOnly` imports vanish when types are stripped.
 * @typedef {{ from: string, to: string, request: string, typeOnly: boolean }} Import
 * @typedef {{ request: string, typeOnly: boolean }} Request
 * @typedef {Map<string, string>} PublicNames specifier → path, e.g. `@muster/contract` → its index
 */

/** @param {string} root @param {string} file @param {PublicNames} names @returns {Import[]} */
function readImports(root, file, names) {
  return listRequests(file, readFileSync(join(root, file), 'utf8')).map((request) => ({
    ...request,
    from: file,
    to: request.request.startsWith('.')
      ? normalize(join(dirname(file), request.request))
      : (names.get(request.request) ?? request.request),
  }));
}

/** @param {string} file @param {string} text @returns {Request[]} */
function listRequests(file, text) {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      request: moduleRequest.value,
      typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? { request: moduleRequest.value, typeOnly: isType } : [],
      ),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) =>
      describeDynamicImport(text.slice(moduleRequest.start, moduleRequest.end)),
    ),
  ];
}

/** A computed specifier cannot be followed and is left out.
 * @param {string} expression @returns {Request[]} */
function describeDynamicImport(expression) {
  const literal = /^(['"`])([^'"`$]*)\1$/.exec(expression.trim());
  return literal?.[2] === undefined ? [] : [{ request: literal[2], typeOnly: false }];
}

/**
 * The names under which workspaces can be imported, from the `exports` of their manifests.
 * @param {{ folder: string, manifest: { name?: string, exports?: unknown } }[]} workspaces
 * @returns {PublicNames}
 */
function listPublicNames(workspaces) {
  return new Map(
    workspaces.flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports ?? {})
        .filter(([, target]) => typeof target === 'string')
        .map(([name, target]) => [
          `${manifest.name}${name.slice(1)}`,
          normalize(join(folder, target)),
        ]),
    ),
  );
}
