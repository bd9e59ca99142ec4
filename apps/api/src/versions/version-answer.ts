import type { HistoryOperation, Item, Xp } from '@muster/contract';
import type { VersionSummary, WholeVersion } from './version-store.ts';

export type VersionAnswer = {
  /** Position in the sandbox. */
  seq: number;
  version_id: string;
  /** Of the version before of the same record; absent for its first. */
  previous_version_id?: string;
  transaction_id: string;
  kind: 'item' | 'xp';
  record_id: string;
  /** The number of the version within its record, from 1. */
  version: number;
  operation: HistoryOperation;
  account_id: string;
  reason?: string;
  /** RFC 3339. */
  issued_at: string;
  name: string;
  changed_fields: string[];
};

export type WholeVersionAnswer = VersionAnswer & {
  /** The whole record at that version; for a delete, its last state. */
  record: Item | Xp;
  /** In hexadecimal. */
  hash: string;
};

export const toVersionAnswer = (row: VersionSummary): VersionAnswer => ({
  seq: row.seq,
  version_id: row.version_id,
  ...(row.previous_version_id !== null && { previous_version_id: row.previous_version_id }),
  transaction_id: row.transaction_id,
  kind: row.kind,
  record_id: row.record_id,
  version: row.version,
  operation: row.operation,
  account_id: row.account_id,
  ...(row.reason !== null && { reason: row.reason }),
  issued_at: row.issued_at.toISOString(),
  name: row.name,
  changed_fields: row.changed_fields,
});

/** Snapshots are written from validated fields only, so that reading one back needs no second validation. */
export const toWholeVersionAnswer = (row: WholeVersion): WholeVersionAnswer => ({
  ...toVersionAnswer(row),
  record: JSON.parse(row.snapshot),
  hash: row.hash.toString('hex'),
});
