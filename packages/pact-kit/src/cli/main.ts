#!/usr/bin/env node
// The program muster-pact: streams, signals and exit code around its commands.
import { constants } from 'node:os';
import { Problem, sentenceOf } from '../findings.ts';
import { runCommand } from './commands.ts';
import type { Terminal } from './options.ts';

const interruption = new AbortController();
let signalled: NodeJS.Signals | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second signal ends the process at once. The service notices that, and ends by itself.
    if (signalled) process.exit(128 + constants.signals[signal]);
    signalled = signal;
    interruption.abort(new Problem('Interrupted.'));
  });
}

/** A reader that went away, as `| head` does, wanted no more; a full disk loses a report, which is no success. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 2;
    if (stream === process.stdout) {
      process.stderr.write(`The output cannot be written: ${sentenceOf(error)}.\n`);
    }
  });
}

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
  rewrites: process.stderr.isTTY === true,
  env: process.env,
  signal: interruption.signal,
};

try {
  const code = await runCommand(process.argv.slice(2), terminal);
  process.exitCode = Math.max(code, Number(process.exitCode ?? 0));
} catch (error) {
  // Whatever goes wrong is said in sentences, never in a stack trace; only the kit's own mistakes may be reported.
  const own = 'Something went wrong in muster-pact itself, please report it: ';
  terminal.err(`${error instanceof Problem ? error.message : own + sentenceOf(error)}\n`);
  if (process.env.MUSTER_PACT_DEBUG && error instanceof Error) terminal.err(`${error.stack}\n`);
  process.exitCode = 2;
}
if (signalled) process.exitCode = 128 + constants.signals[signalled];
