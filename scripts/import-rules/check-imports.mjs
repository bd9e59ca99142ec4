// Checks every import of the repository against the rules.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { IMPORT_RULES } from './rules.mjs';
import { isSource, listRepositoryFiles } from './source-files.mjs';

/**
 * `to` is a path relative to the root for a file of this repository, otherwise the specifier as it
 * is written. `request` is always the specifier. `typeOnly` imports vanish when types are stripped.
 * @typedef {{ from: string, to: string, request: string, typeOnly: boolean }} Import
 * @typedef {Pick<Import, 'request' | 'typeOnly'>} Request
 */

/**
 * @param {string} root @param {string[]} [files] relative to the root; all source files by default
 * @returns {string[]} one sentence per violation
 */
export function checkImports(root, files = listRepositoryFiles(root)) {
  const names = readPublicNames(root, files);
  const imports = files.filter(isSource).flatMap((from) =>
    listRequests(from, readFileSync(join(root, from), 'utf8')).map((request) => ({
      ...request,
      from,
      to: resolve(from, request.request, names),
    })),
  );
  return imports.flatMap((edge) =>
    IMPORT_RULES.filter((rule) => rule.isBroken(edge)).map(
      (rule) => `${rule.name}: ${edge.from} imports ${edge.request} (${rule.because})`,
    ),
  );
}

/** @param {string} from @param {string} request @param {Map<string, string>} names */
const resolve = (from, request, names) =>
  request.startsWith('.')
    ? normalize(join(dirname(from), request))
    : (names.get(request) ?? request);

/**
 * The names under which workspaces can be imported, such as `@muster/contract`, with their files.
 * @param {string} root @param {string[]} files @returns {Map<string, string>}
 */
function readPublicNames(root, files) {
  const manifests = files.filter((file) => file.endsWith('/package.json'));
  return new Map(
    manifests.flatMap((file) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, file), 'utf8'));
      return Object.entries(exports)
        .filter(([, target]) => typeof target === 'string')
        .map(([entry, target]) => [
          `${name}${entry.slice(1)}`,
          normalize(join(dirname(file), target)),
        ]);
    }),
  );
}

/** A computed specifier cannot be followed and is left out. @param {string} file @param {string} text @returns {Request[]} */
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
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, , request] = /^(['"`])([^'"`$]*)\1$/.exec(text.slice(start, end).trim()) ?? [];
      return request === undefined ? [] : { request, typeOnly: false };
    }),
  ];
}
