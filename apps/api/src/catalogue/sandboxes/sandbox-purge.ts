// Deletes the contents of deleted sandboxes after their retention, in batches: records, names and versions, then the
// sandbox itself. Its audit records are kept.
import { deleteInBatches, repeat } from '../../platform/index.ts';
import type { SandboxPurgeStore } from './sandbox-purge-store.ts';

type SandboxPurgeOptions = {
  store: SandboxPurgeStore;
  /** For how many days a deleted sandbox is kept; absent: for ever. */
  keptDays: number | undefined;
  /** Called for each purged sandbox. */
  onPurged(purged: { sandboxId: string; rows: number }): void;
  onFailure(error: unknown): void;
  now?: () => Date;
};

type SandboxPurge = {
  /** Runs once. Returns false when another process is running it. */
  run(signal?: AbortSignal): Promise<boolean>;
  /** Runs every hour. Returns a function that stops it. */
  start(): () => Promise<void>;
};

const INTERVAL_MS = 60 * 60_000;
const FIRST_AFTER_MS = 90_000;
const DAY_MS = 24 * 60 * 60_000;
const ROWS_PER_BATCH = 2_000;

export const createSandboxPurge = (options: SandboxPurgeOptions): SandboxPurge => {
  const { store, keptDays, onPurged, onFailure, now = () => new Date() } = options;

  const purge = async (sandboxId: string, before: Date, signal: AbortSignal): Promise<void> => {
    if (!(await store.begin(sandboxId, before, now()))) return;
    let rows = 0;
    for (const what of store.held) {
      const deleteBatch = (limit: number) => store.deleteBatch(what, sandboxId, limit);
      rows += await deleteInBatches(ROWS_PER_BATCH, deleteBatch, signal);
      if (signal.aborted) return;
    }
    await store.deleteSandbox(sandboxId);
    onPurged({ sandboxId, rows });
  };

  const run = (signal: AbortSignal = new AbortController().signal) =>
    store.runAlone(async () => {
      // With unlimited retention, only started purges are finished.
      const before = new Date(keptDays === undefined ? 0 : now().getTime() - keptDays * DAY_MS);
      for (const sandboxId of await store.listDue(before)) {
        if (signal.aborted) return;
        await purge(sandboxId, before, signal);
      }
    });

  return {
    run,
    start: () => repeat(run, { intervalMs: INTERVAL_MS, firstAfterMs: FIRST_AFTER_MS, onFailure }),
  };
};
