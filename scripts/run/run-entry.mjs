// Sets the repository up, then runs one of its TypeScript programs: on the project's own Node.js, or on the Bun or Deno that started it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/repository.mjs';
import { findPackageManager, findRuntimeCommand, projectEnvironment } from '../setup/runtime.mjs';
import { setUp } from '../setup/set-up.mjs';
import { runProgram } from './run-program.mjs';

/**
 * The next step is started from here and not by the shell (`a && b`): the shell remembers which
 * `node` it found first, which on a fresh clone is the machine's old one.
 * @param {{ file: string, args: string[], nodeOptions?: string[],
 *   scope?: import('../setup/install-dependencies.mjs').Scope, prepare?: () => Promise<void>,
 *   env?: NodeJS.ProcessEnv, onStarted?: (child: import('node:child_process').ChildProcess) => void }} entry
 *   file is relative to the root; what is prepared comes after the set-up
 */
export async function runEntry({
  file,
  args,
  nodeOptions = [],
  scope = 'runtime',
  prepare,
  env,
  onStarted,
}) {
  await setUp(scope);
  await prepare?.();
  const runtime = findRuntimeCommand();
  const ownOptions = findPackageManager() === 'npm' ? nodeOptions : [];
  const program = {
    command: runtime.command,
    args: [...runtime.args, ...listEnvFileOptions(), ...ownOptions, file, ...args],
    env: { ...projectEnvironment(), ...env },
  };
  return runProgram(program, onStarted);
}

/** Node's own `--env-file-if-exists` prints a message on every start without such a file. */
export function listEnvFileOptions() {
  const file = join(ROOT, '.env');
  return existsSync(file) ? [`--env-file=${file}`] : [];
}
