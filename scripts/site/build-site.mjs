// Builds the documentation as a site: docs/.vitepress/dist. Its packages have a lockfile of their own and are installed here only.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { fingerprint, readIfPresent } from '../setup/fingerprint.mjs';
import { ROOT, report } from '../setup/repository.mjs';
import { findRuntime, projectEnvironment } from '../setup/runtime.mjs';

const FOLDER = join(ROOT, 'docs');
const INSTALLED = join(FOLDER, 'node_modules/.installed');

/** @param {string} command @param {string[]} args */
const run = (command, args) =>
  runProgram({ command, args, cwd: FOLDER, env: projectEnvironment() });

/** @param {string[]} args `--reference` writes the generated pages and builds nothing; `--dev` serves the site and follows changes */
export async function buildSite(args) {
  const reference = ['scripts/site/write-reference.ts'];
  const written = await runProgram({
    command: findRuntime(),
    args: reference,
    cwd: ROOT,
    env: projectEnvironment(),
  });
  if (written !== 0 || args.includes('--reference')) return written;
  const installed = await install();
  if (installed !== 0) return installed;
  const action = args.includes('--dev') ? 'dev' : 'build';
  const code = await run(findRuntime(), ['node_modules/vitepress/bin/vitepress.js', action]);
  if (code === 0 && action === 'build') report('The site is in docs/.vitepress/dist.');
  return code;
}

/** None of its packages needs an install script. @returns {Promise<number>} */
async function install() {
  const digest = fingerprint(['docs/package.json', 'docs/package-lock.json'], []);
  if (readIfPresent(INSTALLED) === digest) return 0;
  rmSync(INSTALLED, { force: true });
  report('Installing the packages of the site …');
  const code = await run('npm', [
    'ci',
    '--ignore-scripts',
    '--no-workspaces',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ]);
  if (code === 0) writeFileSync(INSTALLED, digest);
  return code;
}
