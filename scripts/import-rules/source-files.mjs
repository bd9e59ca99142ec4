// Lists the hand-written source files of a repository, as git sees them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tracked files and new ones that are not ignored; a file deleted but not yet committed is left out. Without git, or outside of a
 * repository: every file that is not installed or built.
 * @param {string} root @returns {string[]} paths relative to the root, sorted
 */
export function listRepositoryFiles(root) {
  const files = new Set(listByGit(root) ?? listFolder(root));
  return [...files].filter((file) => existsSync(join(root, file))).sort();
}

const NO_REPOSITORY = 128;

/** @param {string} root @returns {string[] | null} null without git or a repository */
function listByGit(root) {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { error, status, stdout, stderr } = spawnSync('git', listing, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === NO_REPOSITORY || isMissing(error)) return null;
  if (error || status !== 0) throw error ?? new Error(`git ls-files failed: ${stderr}`);
  return stdout.split('\0').filter((file) => file !== '');
}

/** @param {NodeJS.ErrnoException | undefined} error */
function isMissing(error) {
  return error?.code === 'ENOENT';
}

/** Folders of packages and of builds, and those whose names begin with a dot, except for three that have files of the repository. */
const OTHERS = /^(?:node_modules|dist|\.(?!(?:ci|github|vitepress)$).*)$/;

/** @param {string} root @param {string} [folder] @returns {string[]} */
function listFolder(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return OTHERS.test(entry.name) ? [] : listFolder(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** @param {string} file */
export function isSource(file) {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(file) && !file.endsWith('.d.ts');
}
