#!/usr/bin/env node
// The `muster` command of the installed package: checks the runtime, gives V8 and the allocator the service's options, and runs the program.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { allocatorEnvironment, HEAP_OPTIONS } from '../dist/memory-options.mjs';

const OLDEST = [22, 18];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isNode = !process.versions.bun && !process.versions.deno;
const isTooOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);

if (isNode && isTooOld) {
  process.stderr.write(
    `Muster needs Node.js ${OLDEST.join('.')} or newer, Bun or Deno; this is Node.js ${process.versions.node}.\n`,
  );
  process.exit(1);
}

if (isNode && isService(process.argv[2]) && !process.execArgv.includes(HEAP_OPTIONS[0])) {
  restart([...HEAP_OPTIONS, ...process.execArgv]);
} else {
  // What the next start need not compile again. The default folder is one that other users of the machine can write to.
  if (isNode) module.enableCompileCache(join(cacheFolder(), 'muster', 'compiled'));
  await import('../dist/muster.js');
}

/** @param {string | undefined} command */
function isService(command) {
  return command === undefined || command === 'serve';
}

function cacheFolder() {
  return process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
}

/**
 * Most of these options are read before the first line of a program. Where the system can, the process replaces itself: no second
 * process, the same id, and signals reach the service directly.
 * @param {string[]} options
 */
function restart(options) {
  const args = [...options, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const env = { ...process.env, ...allocatorEnvironment() };
  if (process.platform !== 'win32' && process.execve) {
    process.execve(process.execPath, [process.execPath, ...args], env);
  }
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.once('close', (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
  });
}
