// `npm run check -- --staged`, which the hook in .githooks runs before each commit: formats the staged files, and runs the checks that
// take seconds.
import { spawnSync } from 'node:child_process';
import { checkImports } from '../import-rules/check-imports.mjs';
import { ROOT } from '../setup/repository.mjs';
import { projectEnvironment } from '../setup/runtime.mjs';
import { checkDocumentedPaths, checkPinnedVersions } from './repository-files.mjs';

/** Biome reads every file of the repository for these rules, which takes seconds. `npm run check` includes them. */
const SLOW_RULES = ['correctness/useImportExtensions', 'suspicious/noImportCycles'];

/** @returns {number} the exit code */
export function checkStaged() {
  const code = formatStaged(ROOT);
  const problems = [...checkImports(ROOT), ...checkPinnedVersions(), ...checkDocumentedPaths()];
  for (const problem of problems) console.log(`  ${problem}`);
  return problems.length > 0 ? 1 : code;
}

/**
 * Formats, fixes and stages again each file that is staged as it is in the folder. A file with further changes is only checked, so that
 * the commit does not include them.
 * @param {string} root @returns {number} the exit code
 */
export function formatStaged(root) {
  const staged = listChanges(root, '--cached', '--diff-filter=ACMR');
  const changedSince = new Set(listChanges(root));
  const whole = staged.filter((file) => !changedSince.has(file));
  const partial = staged.filter((file) => changedSince.has(file));
  const codes = [runBiome(root, ['--write'], whole), runBiome(root, [], partial)];
  if (whole.length > 0) runGit(root, ['add', '--', ...whole]);
  return Math.max(...codes);
}

/** @param {string} root @param {string[]} options @returns {string[]} paths relative to the root */
function listChanges(root, ...options) {
  const paths = runGit(root, ['diff', '--name-only', '--no-renames', '-z', ...options]);
  return paths.split('\0').filter((path) => path !== '');
}

/** @param {string} root @param {string[]} args */
function runGit(root, args) {
  const { error, status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (error || status !== 0) throw error ?? new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}

/** @param {string} root @param {string[]} options @param {string[]} files */
function runBiome(root, options, files) {
  if (files.length === 0) return 0;
  const skipped = SLOW_RULES.map((rule) => `--skip=${rule}`);
  const args = ['check', ...options, '--error-on-warnings', ...skipped];
  const lenient = ['--no-errors-on-unmatched', '--files-ignore-unknown=true'];
  const { error, status } = spawnSync('biome', [...args, ...lenient, '--', ...files], {
    cwd: root,
    env: projectEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error) throw error;
  return status ?? 1;
}
