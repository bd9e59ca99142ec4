import type { HistoryOperation } from '@muster/contract';

/** A record as it stands: stored, or as the operations before it in the same transaction left it. */
export type RecordState = {
  recordId: string;
  legacyId: number | undefined;
  /** Position that the legacy id was given at: a walk that began before it does not see it. */
  legacySeq: number | undefined;
  name: string;
  deleted: boolean;
  /** Number of the newest version, from 1: also how many there are. */
  version: number;
  /** Position of the newest version in the sandbox. */
  headSeq: number;
  snapshot: string;
  versionId: string;
  transactionId: string;
  createdAt: Date;
  updatedAt: Date;
};

/** A version about to be written: the state that it makes, and how. */
export type NewVersion = {
  operation: HistoryOperation;
  reason: string | undefined;
  state: RecordState;
  /** Against the version before; derived, so that no hash covers it. */
  changedFields: string[];
};
