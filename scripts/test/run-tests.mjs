// Runs tests of the whole repository, and ends with one line that counts them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, SetupError } from '../setup/repository.mjs';
import { findRuntime, projectEnvironment } from '../setup/runtime.mjs';

/** What `npm test` runs: everything but the long proofs. */
export const EVERYDAY = '--project=!proof*';
/** What `npm run test:proofs` runs. */
export const PROOFS = '--project=proof*';

/**
 * @param {string[]} vitestArgs
 * @param {NodeJS.ProcessEnv} [env] besides that of this process
 * @returns {Promise<number>} the exit code
 */
export function runTests(vitestArgs, env = {}) {
  const args = ['scripts/test/main.ts', ...vitestArgs];
  return runReaped({ command: findRuntime(), args, env: { ...projectEnvironment(), ...env } });
}

// Runs a program so that nothing of it is left when it is over, however it ends: by itself, by Ctrl-C, by SIGTERM, or because
// this process was killed.

const REAPER = fileURLToPath(new URL('reaper.mjs', import.meta.url));

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PARENT_CHECK_MS = 500;

/**
 * The program gets a session and a temporary folder of its own: by these the reaper, a process that outlives this one, knows what
 * belongs to it.
 * @param {{ command: string, args: string[], env: NodeJS.ProcessEnv }} program
 * @returns {Promise<number>} the exit code; 128 + the signal's number when a signal ended it
 */
export async function runReaped({ command, args, env }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'muster-run-'));
  // Root runs PostgreSQL as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const reaper = spawn(process.execPath, [REAPER, folder], {
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const reaped = once(reaper, 'exit');
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...env, TMPDIR: folder },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  reaper.stdin.write(`${child.pid}\n`);
  const interruption = listenForEnd();
  const code = await Promise.race([exitOf(command, child), interruption.signalled]);
  // To the reaper, the end of its input is the end of the run.
  reaper.stdin.end();
  await reaped;
  interruption.ignore();
  return code;
}

/** @param {string} command @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
function exitOf(command, child) {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new SetupError(`Could not start ${command}: ${error.message}.`));
    });
    child.once('exit', (code, signal) => {
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

/** A signal, or the end of the npm that started this process and can no longer hand a signal on. */
function listenForEnd() {
  const parent = process.ppid;
  /** @type {(code: number) => void} */
  let resolveCode = () => {};
  /** @type {Promise<number>} */
  const signalled = new Promise((resolve) => {
    resolveCode = resolve;
  });
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => resolveCode(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const watch = setInterval(() => {
    const isOrphan = process.env.npm_lifecycle_event !== undefined && process.ppid !== parent;
    if (isOrphan) onSignal('SIGHUP');
  }, PARENT_CHECK_MS);
  const ignore = () => {
    clearInterval(watch);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return { signalled, ignore };
}
