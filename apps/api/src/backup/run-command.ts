// The life of a program that does one thing: progress on standard error, one sentence for a failure, an end by signal.
import { constants } from 'node:os';
import { ConfigError } from '../config/index.ts';
import { BackupUsageError } from './backup-command.ts';

export type Command = {
  /** Aborted when somebody wants the program to end: what it has begun is taken back. */
  signal: AbortSignal;
  report: (sentence: string) => void;
};

type CommandFrame = {
  /** What --help prints, whatever else is given. */
  usage: string;
  /** Errors whose message says it all. */
  isExplained: (error: Error) => boolean;
};

export const runCommand = async (
  work: (command: Command) => Promise<void>,
  { usage, isExplained }: CommandFrame,
): Promise<void> => {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      process.exitCode = 128 + constants.signals[name];
      ending.abort(new BackupUsageError('Ended early: nothing is left of it.'));
    });
  }
  const report = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  try {
    await work({ signal: ending.signal, report });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isKnown = [ConfigError, BackupUsageError].some((kind) => error instanceof kind);
    report(isKnown || isExplained(error) ? error.message : (error.stack ?? error.message));
    process.exitCode ??= error instanceof BackupUsageError ? 2 : 1;
  }
};
