/** A version as it is stored, with the row of its record where it is the newest version of it. */
export type StoredVersion = {
  seq: number;
  kind: 'item' | 'xp';
  recordId: string;
  version: number;
  versionId: string;
  transactionId: string;
  operation: string;
  accountId: string;
  reason: string | null;
  issuedAt: Date;
  versionName: string;
  changedFields: string[];
  snapshot: string;
  /** Of the version before of the same record; null for its first. */
  previousSnapshot: string | null;
  hash: Buffer;
  /** What the hash should be, after the stored hash of the version before. */
  expectedHash: Buffer;
  /** False when a later version of the same record follows. */
  isNewest: boolean;
  record: StoredRecord;
};

export type StoredRecord = {
  headSeq: number;
  version: number;
  name: string;
  foldedName: string;
  deleted: boolean;
  legacyId: number | null;
  snapshot: string;
};

export type StoredSandbox = {
  headSeq: number;
  headHash: Buffer | null;
  itemVersions: number;
  xpVersions: number;
};

/** The first thing that is not as it was written. */
export type Broken = {
  /** The position where it shows. */
  seq: number;
  version_id?: string;
  /**
   * `position` (a version is missing or too many), `hash` (a version was changed), `version_name`, `changed_fields`, `record.<field>` (the
   * record is not its newest version), `record` (it has none), `head_seq`, `head_hash`, `item_versions`, `xp_versions`.
   */
  what: string;
  expected?: string;
  found?: string;
};
