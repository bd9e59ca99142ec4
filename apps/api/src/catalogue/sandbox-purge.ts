// Deletes what deleted sandboxes held, once their retention has passed: records, names and versions, a batch at a time, then
// the sandbox itself. The audit records about it stay.
import { repeat } from '../platform/index.ts';
import type { SandboxPurgeStore } from './sandbox-purge-store.ts';

type SandboxPurgeOptions = {
  store: SandboxPurgeStore;
  /** For how many days a deleted sandbox is kept; absent: for ever. */
  keptDays: number | undefined;
  /** Called for each sandbox that is gone. */
  onPurged(purged: { sandboxId: string; rows: number }): void;
  onFailure(error: unknown): void;
  now?: () => Date;
  rowsPerBatch?: number;
};

type SandboxPurge = {
  /** Runs once. False when another process is at it. */
  run(signal?: AbortSignal): Promise<boolean>;
  /** Runs every hour. Call what it returns to stop. */
  start(): () => Promise<void>;
};

const INTERVAL_MS = 60 * 60_000;
const FIRST_AFTER_MS = 90_000;
const DAY_MS = 24 * 60 * 60_000;
const ROWS_PER_BATCH = 2_000;

export const createSandboxPurge = (options: SandboxPurgeOptions): SandboxPurge => {
  const { store, keptDays, onPurged, onFailure, now = () => new Date() } = options;
  const { rowsPerBatch = ROWS_PER_BATCH } = options;

  const purge = async (sandboxId: string, before: Date, signal: AbortSignal): Promise<void> => {
    if (!(await store.begin(sandboxId, before, now()))) return;
    let rows = 0;
    for (const what of store.held) {
      for (let batch = rowsPerBatch; batch === rowsPerBatch; ) {
        if (signal.aborted) return;
        batch = await store.deleteBatch(what, sandboxId, rowsPerBatch);
        rows += batch;
      }
    }
    await store.deleteSandbox(sandboxId);
    onPurged({ sandboxId, rows });
  };

  const run = (signal: AbortSignal = new AbortController().signal) =>
    store.runAlone(async () => {
      // Where sandboxes are kept for ever, only what has begun is finished.
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
