// The first page of a sandbox: what is in it, what happened last, and whether all is well.
import { permits } from '@muster/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { ChangeRow, OverviewStore, SandboxCounts } from './overview-store.ts';

export type Change = Omit<ChangeRow, 'previous_version_id' | 'reason' | 'issued_at'> & {
  previous_version_id?: string;
  reason?: string;
  issued_at: string;
};

export type Overview = {
  counts: SandboxCounts;
  head_seq: number;
  /** Hexadecimal; absent before the first version. */
  head_hash?: string;
  /** The ten newest versions, as `versions.list` shows them. */
  last_changes: Change[];
  /** Of the whole service; absent for callers that may not view sessions. */
  live_sessions?: number;
  health: { database_ms: number };
};

export type OverviewService = {
  /** Errors: sandbox_not_found. */
  get(permissions: readonly string[], sandboxId: string): Promise<Overview>;
};

const MAX_CHANGES = 10;

export const createOverviewService = (store: OverviewStore): OverviewService => ({
  async get(permissions, sandboxId) {
    const startedAt = performance.now();
    const sandbox = await store.findSandbox(sandboxId);
    const databaseMs = performance.now() - startedAt;
    if (!sandbox) throw new ServiceError('sandbox_not_found');
    const maySeeSessions = permits(permissions, ['session:view']);
    const [counts, changes, liveSessions] = await Promise.all([
      store.countRecords(sandboxId),
      store.listChanges(sandboxId, MAX_CHANGES),
      maySeeSessions ? store.countLiveSessions() : undefined,
    ]);
    return {
      counts,
      head_seq: sandbox.headSeq,
      ...(sandbox.headHash && { head_hash: sandbox.headHash.toString('hex') }),
      last_changes: changes.map(toChange),
      ...(liveSessions !== undefined && { live_sessions: liveSessions }),
      health: { database_ms: Math.round(databaseMs * 100) / 100 },
    };
  },
});

const toChange = ({ previous_version_id, reason, issued_at, ...change }: ChangeRow): Change => ({
  ...change,
  ...(previous_version_id !== null && { previous_version_id }),
  ...(reason !== null && { reason }),
  issued_at: issued_at.toISOString(),
});
