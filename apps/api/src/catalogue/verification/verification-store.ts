// Reads a chain for its verification in one snapshot, so that concurrent edits are no finding.
import type { Database } from '@muster/database';
import { hashVersion, inReadSnapshot, runPrepared } from '@muster/database';

type Client = Parameters<typeof runPrepared>[0];

/** A stored version, with its record when it is the newest version of it. */
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
  /** The previous version of the same record; null for its first. */
  previousSnapshot: string | null;
  hash: Buffer;
  /** The expected hash, from the stored hash of the previous version. Computed with each call. */
  computeHash: () => Buffer;
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

export type ChainSnapshot = {
  /** Null when there is no such sandbox. */
  readSandbox(): Promise<StoredSandbox | null>;
  /** The hash stored at this position; null before the first version, undefined for a missing one. */
  readHash(seq: number): Promise<Buffer | null | undefined>;
  /** The next versions after the position, sorted; `previousHash` is the hash stored there. */
  readVersions(after: number, previousHash: Buffer | null, limit: number): Promise<StoredVersion[]>;
  countVersions(): Promise<{ item: number; xp: number }>;
  /** A record whose newest position has no version of it. */
  findRecordWithoutVersion(): Promise<{ recordId: string; headSeq: number } | null>;
};

export type VerificationStore = {
  inSnapshot<T>(sandboxId: string, work: (chain: ChainSnapshot) => Promise<T>): Promise<T>;
};

export const createVerificationStore = ({
  pool,
  shards,
}: Pick<Database, 'pool' | 'shards'>): VerificationStore => ({
  inSnapshot: (sandboxId, work) =>
    inReadSnapshot(pool, (client) => work(openSnapshot(client, sandboxId, shards))),
});

const openSnapshot = (client: Client, sandboxId: string, shards: number): ChainSnapshot => {
  const run = <Row>(name: string, text: string, ...values: unknown[]) =>
    runPrepared<Row>(client, { name: `verify_${name}`, text }, [sandboxId, ...values]);
  return {
    readSandbox: async () => (await run<StoredSandbox>('sandbox', READ_SANDBOX))[0] ?? null,

    async readHash(seq) {
      if (seq === 0) return null;
      const [row] = await run<{ hash: Buffer }>('hash', READ_HASH, seq);
      return row?.hash;
    },

    async readVersions(after, previousHash, limit) {
      const rows = await run<VersionRow>('versions', readVersions(shards), after, limit);
      let previous = previousHash;
      return rows.map((row) => {
        const version = toVersion(row, sandboxId, previous);
        previous = row.hash;
        return version;
      });
    },

    async countVersions() {
      const rows = await run<{ kind: 'item' | 'xp'; count: number }>('count', COUNT_VERSIONS);
      return { item: 0, xp: 0, ...Object.fromEntries(rows.map((row) => [row.kind, row.count])) };
    },

    findRecordWithoutVersion: async () =>
      (await run<{ recordId: string; headSeq: number }>('orphan', FIND_ORPHAN))[0] ?? null,
  };
};

type VersionRow = Omit<StoredVersion, 'computeHash' | 'record'> & {
  [Field in keyof StoredRecord as `record${Capitalize<Field>}`]: StoredRecord[Field];
};

const toVersion = (row: VersionRow, sandboxId: string, previousHash: Buffer | null) => ({
  ...row,
  computeHash: () => hashVersion({ ...row, sandboxId, recordVersion: row.version, previousHash }),
  record: {
    headSeq: row.recordHeadSeq,
    version: row.recordVersion,
    name: row.recordName,
    foldedName: row.recordFoldedName,
    deleted: row.recordDeleted,
    legacyId: row.recordLegacyId,
    snapshot: row.recordSnapshot,
  },
});

const READ_SANDBOX = `SELECT head_seq AS "headSeq", head_hash AS "headHash", item_versions AS "itemVersions",
  xp_versions AS "xpVersions"
FROM sandbox WHERE sandbox_id = $1::uuid`;

const READ_HASH = `SELECT hash FROM catalogue_version WHERE sandbox_id = $1::uuid AND seq = $2::bigint`;

/**
 * The limit comes before the join: otherwise the planner may read every record of the sandbox. The joins compare and
 * sort by whole keys, which only the right index supports, also without statistics. On Citus each part names the
 * sandbox, which selects the shard.
 */
const readVersions = (shards: number): string => {
  const within = (alias: string) => (shards > 1 ? `${alias}.sandbox_id = $1::uuid AND` : '');
  return `SELECT v.seq, v.kind, v.record_id AS "recordId", v.version, v.version_id AS "versionId",
  v.transaction_id AS "transactionId", v.operation, v.account_id AS "accountId", v.reason, v.issued_at AS "issuedAt",
  v.version_name AS "versionName", v.changed_fields AS "changedFields", v.snapshot, v.hash,
  CASE WHEN (earlier.sandbox_id, earlier.kind, earlier.record_id) = (v.sandbox_id, v.kind, v.record_id)
    THEN earlier.snapshot END AS "previousSnapshot",
  (later.sandbox_id, later.kind, later.record_id) IS DISTINCT FROM (v.sandbox_id, v.kind, v.record_id) AS "isNewest",
  r.head_seq AS "recordHeadSeq", r.version AS "recordVersion", r.name AS "recordName",
  r.folded_name AS "recordFoldedName", r.deleted AS "recordDeleted", r.legacy_id AS "recordLegacyId",
  r.snapshot AS "recordSnapshot"
FROM (
  SELECT * FROM catalogue_version WHERE sandbox_id = $1::uuid AND seq > $2::bigint ORDER BY seq LIMIT $3::int
) v
CROSS JOIN LATERAL (
  SELECT * FROM catalogue_record r
  WHERE ${within('r')} (r.sandbox_id, r.kind, r.record_id) >= (v.sandbox_id, v.kind, v.record_id)
  ORDER BY r.sandbox_id, r.kind, r.record_id LIMIT 1
) r
LEFT JOIN LATERAL (
  SELECT n.sandbox_id, n.kind, n.record_id FROM catalogue_version n
  WHERE ${within('n')} (n.sandbox_id, n.kind, n.record_id, n.seq) > (v.sandbox_id, v.kind, v.record_id, v.seq)
  ORDER BY n.sandbox_id, n.kind, n.record_id, n.seq LIMIT 1
) later ON true
LEFT JOIN LATERAL (
  SELECT p.sandbox_id, p.kind, p.record_id, p.snapshot FROM catalogue_version p
  WHERE ${within('p')} (p.sandbox_id, p.kind, p.record_id, p.seq) < (v.sandbox_id, v.kind, v.record_id, v.seq)
  ORDER BY p.sandbox_id DESC, p.kind DESC, p.record_id DESC, p.seq DESC LIMIT 1
) earlier ON true
ORDER BY v.seq`;
};

const COUNT_VERSIONS = `SELECT kind, count(*) FROM catalogue_version WHERE sandbox_id = $1::uuid GROUP BY kind`;

const FIND_ORPHAN = `SELECT r.record_id AS "recordId", r.head_seq AS "headSeq"
FROM catalogue_record r
LEFT JOIN catalogue_version v ON v.sandbox_id = r.sandbox_id AND v.seq = r.head_seq AND v.kind = r.kind
  AND v.record_id = r.record_id
WHERE r.sandbox_id = $1::uuid AND v.seq IS NULL LIMIT 1`;
