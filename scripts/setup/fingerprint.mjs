// Decides whether work was already done: a stamp holds the digest of everything the work depends on.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './repository.mjs';

/** Stamps lie inside node_modules, so that removing or reinstalling it removes them too.
 * @param {string} name */
function stampPath(name) {
  return join(ROOT, 'node_modules', '.muster', `${name}.stamp`);
}

/**
 * The digest of the named files (relative to the root; a missing one counts as empty) and words.
 * @param {string[]} files @param {string[]} [words]
 */
export function fingerprint(files, words = []) {
  const hash = createHash('sha256');
  for (const word of words) hash.update(`${word}\0`);
  for (const file of files) hash.update(`${file}\0`).update(readIfPresent(join(ROOT, file)));
  return hash.digest('hex');
}

/** @param {string} path */
export function readIfPresent(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return '';
    throw error;
  }
}

/** @param {string} name @param {string} digest */
export function isStamped(name, digest) {
  return readIfPresent(stampPath(name)) === digest;
}

/** Written in one step, so that an interrupted run never leaves half a stamp.
 * @param {string} name @param {string} digest */
export function writeStamp(name, digest) {
  const path = stampPath(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, digest);
  renameSync(`${path}.${process.pid}`, path);
}

/** @param {string} name */
export function removeStamp(name) {
  rmSync(stampPath(name), { force: true });
}
