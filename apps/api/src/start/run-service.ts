// The life of the process around the start: progress, failures, signals, and one orderly stop.
import { ConfigError } from '../config/index.ts';
import type { Logger } from '../observability/index.ts';
import { stopOnSignals } from './signals.ts';
import { StartError } from './start-error.ts';
import type { StopSequence } from './stop-sequence.ts';
import { createStopSequence } from './stop-sequence.ts';

export type Life = {
  /** Tells the person at the terminal what is going on, on standard error. */
  report: (sentence: string) => void;
  useLogger: (logger: Logger) => void;
  onStop: StopSequence['add'];
  /** One step of the start. A stop that was asked for meanwhile ends the start after it. */
  step: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export type RunOptions = {
  /** True for errors that explain themselves in one sentence. */
  isExplained: (error: Error) => boolean;
};

/** The start was interrupted: what has started is being stopped by whoever interrupted it. */
class InterruptedError extends Error {}

export const runService = async (
  start: (life: Life) => Promise<void>,
  { isExplained }: RunOptions,
): Promise<void> => {
  let logger: Logger | undefined;
  let interrupted = false;
  const report = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const parts = createStopSequence((name, error) => report(`Could not stop ${name}: ${error}`));
  const step: Life['step'] = async (work) => {
    if (interrupted) throw new InterruptedError();
    return work();
  };
  const starting = start({
    report,
    useLogger: (created) => {
      logger = created;
    },
    onStop: parts.add,
    step,
  });
  stopOnSignals({
    logger: () => logger,
    stop: async () => {
      interrupted = true;
      await starting.catch(() => {});
      await parts.run();
    },
    exit: (code) => process.exit(code),
  });
  await starting.catch(async (error: unknown) => {
    if (error instanceof InterruptedError) return;
    for (const line of explain(error, isExplained)) report(line);
    await parts.run();
    process.exit(1);
  });
};

const explain = (error: unknown, isExplained: RunOptions['isExplained']): readonly string[] => {
  if (error instanceof ConfigError) return error.problems;
  if (error instanceof StartError || (error instanceof Error && isExplained(error))) {
    return [error.message];
  }
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
};
