// Builds the documentation as a site: docs/.vitepress/dist. Its packages have a lockfile of their own and are installed here only.
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { installApart } from '../setup/install-apart.mjs';
import { ROOT, report } from '../setup/repository.mjs';
import { findRuntime, projectEnvironment } from '../setup/runtime.mjs';

const FOLDER = join(ROOT, 'docs');

/** @param {string} cwd @param {string[]} args */
const runNode = (cwd, args) =>
  runProgram({ command: findRuntime(), args, cwd, env: projectEnvironment() });

/** @param {string[]} args `--reference` writes the generated pages and builds nothing; `--dev` serves the site and follows changes */
export async function buildSite(args) {
  const written = await runNode(ROOT, ['scripts/site/write-reference.ts']);
  if (written !== 0 || args.includes('--reference')) return written;
  // None of its packages needs an install script.
  const npmArguments = ['--ignore-scripts', '--no-workspaces'];
  await installApart({ folder: 'docs', what: 'the packages of the site', npmArguments });
  const action = args.includes('--dev') ? 'dev' : 'build';
  const code = await runNode(FOLDER, ['node_modules/vitepress/bin/vitepress.js', action]);
  if (code === 0 && action === 'build') report('The site is in docs/.vitepress/dist.');
  return code;
}
