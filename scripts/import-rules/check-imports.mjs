// Holds every import of the repository against the rules.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCycles } from './find-cycles.mjs';
import { listPublicNames, readImports } from './read-imports.mjs';
import { IMPORT_RULES } from './rules.mjs';
import { isSource, listRepositoryFiles } from './source-files.mjs';

/**
 * @param {string} root @param {string[]} [files] relative to the root; all source files by default
 * @returns {string[]} one sentence per violation
 */
export function checkImports(root, files = listRepositoryFiles(root)) {
  const names = listPublicNames(readWorkspaces(root, files));
  const sources = files.filter((file) => isSource(file));
  const imports = sources.flatMap((file) => readImports(root, file, names));
  return [...findViolations(imports), ...findCycles(imports).map(describeCycle)];
}

/** @param {string} root @param {string[]} files */
function readWorkspaces(root, files) {
  const manifests = files.filter((file) => file.endsWith('/package.json'));
  return manifests.map((file) => ({
    folder: file.slice(0, -'/package.json'.length),
    manifest: JSON.parse(readFileSync(join(root, file), 'utf8')),
  }));
}

/** @param {import('./read-imports.mjs').Import[]} imports */
export function findViolations(imports) {
  return imports.flatMap((edge) =>
    IMPORT_RULES.filter((rule) => rule.isBroken(edge)).map(
      (rule) => `${rule.name}: ${edge.from} imports ${edge.request} (${rule.because})`,
    ),
  );
}

/** @param {string[]} cycle */
function describeCycle(cycle) {
  return `no-circular-imports: ${cycle.join(' → ')}`;
}
