// Starts a program, hands signals on to it once each, and gives its exit code back.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT, report, SetupError } from '../setup/repository.mjs';

/** @type {NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Ctrl-C reaches every process of the terminal's group, and npm hands it on as well: the same
 * signal within this time is the same wish. A later one is new, and lets the program force itself.
 */
const SAME_WISH_MS = 1000;

/**
 * @typedef {{ command: string, args: string[], env?: NodeJS.ProcessEnv, cwd?: string,
 *   stdio?: import('node:child_process').StdioOptions }} Program
 */

/**
 * The program stays in this process group: a signal to the group reaches it even when this
 * process can no longer hand anything on.
 * @param {Program} program
 * @param {(child: import('node:child_process').ChildProcess) => void} [onStarted]
 * @returns {Promise<number>} the exit code; 128 + the signal's number when a signal ended it
 */
export function runProgram({ command, args, env, cwd = ROOT, stdio = 'inherit' }, onStarted) {
  const child = spawn(command, args, { cwd, env, stdio });
  onStarted?.(child);
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      stopForwarding();
      reject(new SetupError(`Could not start ${command}: ${error.message}.`));
    });
    child.once('close', (code, signal) => {
      stopForwarding();
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

/**
 * The same for a program whose output matters only when it fails; throws a SetupError then.
 * @param {string} what it does, as a message names it
 * @param {Omit<Program, 'stdio'>} program
 */
export async function runQuietly(what, program) {
  report(`${what} …`);
  let output = '';
  const code = await runProgram({ ...program, stdio: ['ignore', 'pipe', 'pipe'] }, (child) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
  });
  if (code === 0) return;
  process.stderr.write(output);
  throw new SetupError(`${what} failed (see above).`);
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  let lastAt = Number.NEGATIVE_INFINITY;
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    const now = performance.now();
    if (now - lastAt < SAME_WISH_MS) return;
    lastAt = now;
    child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return () => {
    for (const signal of FORWARDED) process.off(signal, forward);
  };
}
