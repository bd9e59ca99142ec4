// Where things are in this repository, and how its scripts speak to the person at the terminal.
// Everything in scripts/setup and scripts/run uses Node's own modules only and runs on Node 20.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A failure that one sentence explains; it is printed without a stack trace. */
export class SetupError extends Error {}

/** @param {string} path relative to the root @returns {unknown} */
function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/**
 * @typedef {{ name?: string, private?: boolean, workspaces?: string[], scripts?: Record<string, string>,
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   overrides?: Record<string, unknown> }} Manifest
 */

/** @param {string} folder relative to the root, '' for the root itself @returns {Manifest} */
export function readManifest(folder) {
  return /** @type {Manifest} */ (readJson(join(folder, 'package.json')));
}

/** @returns {string[]} the folders of all workspaces, relative to the root, sorted */
export function listWorkspaces() {
  const patterns = readManifest('').workspaces ?? [];
  return patterns.flatMap((pattern) => expandPattern(pattern)).sort();
}

/** @param {string} pattern a folder, or a folder followed by a star */
function expandPattern(pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(join(ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${parent}/${entry.name}`)
    .filter((folder) => readdirSync(join(ROOT, folder)).includes('package.json'));
}

/** Progress goes to stderr, so that stdout holds only what was asked for. @param {string} sentence */
export function report(sentence) {
  process.stderr.write(`${sentence}\n`);
}

/** Runs a script's main function and turns its failure into one sentence and an exit code.
 * @param {() => Promise<number>} main */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (cause) {
    const error = /** @type {NodeJS.ErrnoException} */ (cause);
    const isUsage = error.code?.startsWith('ERR_PARSE_ARGS_') ?? false;
    report(isUsage || error instanceof SetupError ? error.message : String(error.stack));
    process.exitCode = isUsage ? 2 : 1;
  }
}
