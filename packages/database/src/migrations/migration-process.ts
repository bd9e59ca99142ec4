// The process that migrates for another one: reads its job from standard input, writes events to standard output.
// Standard input stays open as long as the other process lives; without it nobody is left to migrate for.
import { createInterface } from 'node:readline';
import { applyMissing } from './apply-missing.ts';
import { MigrationHistoryError } from './migration-history.ts';
import type { MigrationEvent, MigrationJob } from './migration-job.ts';

const send = (event: MigrationEvent): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify(event)}\n`, () => resolve()));

const obey = async (job: MigrationJob): Promise<MigrationEvent> => {
  try {
    const onProgress = (message: string) => void send({ kind: 'progress', message });
    return { kind: 'applied', names: await applyMissing({ ...job, onProgress }) };
  } catch (error) {
    const unknown = error instanceof MigrationHistoryError ? error.migrations : undefined;
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', message, ...(unknown && { unknown }) };
  }
};

// The signals of a terminal reach this process, too: how the start ends is decided by the one that asked.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const input = createInterface({ input: process.stdin });
input.once('line', async (line) => {
  await send(await obey(JSON.parse(line)));
  process.exit();
});
input.once('close', () => process.exit(1));
