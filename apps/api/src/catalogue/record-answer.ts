import { readSnapshot } from './record-kind.ts';
import type { RecordState } from './record-state.ts';

/** The record's fields, and where it stands in its history. */
export type RecordAnswer<R> = R & {
  /** Number of the newest version: what the next edit names as `expected_version`. */
  version: number;
  version_id: string;
  /** The transaction that made the newest version. */
  transaction_id: string;
  /** RFC 3339, of the first version. */
  created: string;
  /** RFC 3339, of the newest version. */
  updated: string;
  /** Absent unless deleted. */
  deleted?: true;
};

/** Snapshots are written from validated fields only, so that reading one back needs no second validation. */
export const toAnswer = <R extends object>(state: RecordState): RecordAnswer<R> => ({
  ...(readSnapshot(state.snapshot) as R),
  version: state.version,
  version_id: state.versionId,
  transaction_id: state.transactionId,
  created: state.createdAt.toISOString(),
  updated: state.updatedAt.toISOString(),
  ...(state.deleted && { deleted: true as const }),
});
