// Installs packages that have a lockfile of their own, because one command alone needs them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { fingerprint, readIfPresent } from './fingerprint.mjs';
import { ROOT, report, SetupError } from './repository.mjs';
import { machineEnvironment } from './runtime.mjs';

/**
 * Installs into a folder with a manifest and a lockfile when these have changed since the last time. `npmArguments` are added to those of
 * `npm ci`. Throws SetupError when npm fails.
 * @param {{ folder: string, what: string, npmArguments?: string[] }} installation the folder below the root, and its name in messages
 */
export async function installApart({ folder, what, npmArguments = [] }) {
  const digest = fingerprint([`${folder}/package.json`, `${folder}/package-lock.json`]);
  const cwd = join(ROOT, folder);
  // Inside node_modules, so that removing the folder also removes the stamp, as `npm ci` does first.
  const stamp = join(cwd, 'node_modules/.installed');
  if (readIfPresent(stamp) === digest) return;
  report(`Installing ${what} (half a minute the first time) …`);
  const args = ['ci', ...npmArguments, '--loglevel=error', '--no-audit', '--no-fund'];
  const program = { command: 'npm', args, cwd, env: machineEnvironment() };
  const code = await runProgram({ ...program, stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new SetupError(`Installing ${what} failed: npm ci ended with ${code}.`);
  writeFileSync(stamp, digest);
}
