// Lists the hand-written source files of a repository, as git sees them.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tracked files and new ones that are not ignored; a file deleted but not yet committed is left out.
 * @param {string} root @returns {string[]} paths relative to the root, sorted
 */
export function listRepositoryFiles(root) {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const output = execFileSync('git', listing, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const files = new Set(output.split('\0').filter((file) => file !== ''));
  return [...files].filter((file) => existsSync(join(root, file))).sort();
}

/** @param {string} file */
export function isSource(file) {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(file) && !file.endsWith('.d.ts');
}
