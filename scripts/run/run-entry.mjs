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
 * @param {{ file: string, nodeOptions?: string[], args?: string[],
 *   scope?: import('../setup/install-dependencies.mjs').Scope, prepare?: () => Promise<void> }} entry
 *   file is relative to the root; what is prepared comes after the set-up
 */
export async function runEntry({ file, nodeOptions = [], args, scope, prepare }) {
  await setUp(scope ?? 'runtime');
  await prepare?.();
  const runtime = findRuntimeCommand();
  const ownOptions = findPackageManager() === 'npm' ? nodeOptions : [];
  return runProgram({
    command: runtime.command,
    args: [
      ...runtime.args,
      ...environmentFile(),
      ...ownOptions,
      file,
      ...(args ?? process.argv.slice(2)),
    ],
    env: {
      ...projectEnvironment(),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILED,
    },
  });
}

/**
 * What Node.js keeps of a program from one run to the next: its JavaScript without types, compiled. The next start is shorter by a
 * third, and its process smaller by the compiler that took the types out.
 */
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');

/** Node's own `--env-file-if-exists` says so on every start when there is no such file. */
function environmentFile() {
  return existsSync(join(ROOT, '.env')) ? ['--env-file=.env'] : [];
}

/**
 * How the service's heap grows, and who tidies it. On a machine with much memory, V8 lets a heap grow to several times what is in use
 * before it collects it, and gives new objects 32 MB twice: half a gigabyte for 120 MB in use. With these, the process stays at half of
 * that under load, at no cost in joins per second. They bound the growth and not the size: what is needed is still given.
 *
 * V8 collects on four threads beside the one that answers. On two cores they took both from the service and from PostgreSQL for tens of
 * milliseconds: with one thread, p99 at half load was 18 ms instead of 60.
 *
 * V8 allocates among the old what has often grown old before. One burst is enough for that, and then each request leaves something old that points
 * at its young objects, which the collector of these takes for alive: without this guess, joins per second were 22 % more.
 */
export const HEAP_OPTIONS = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=40',
  '--v8-pool-size=1',
  '--no-allocation-site-pretenuring',
];
