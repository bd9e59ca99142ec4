// Writes a whole sandbox at once; what the docstring of the catalogue promises of its tables is derived here.
import { hashVersion } from '@muster/database';
import { foldName, ITEM, listChangedFields, XP } from '../catalogue/index.ts';
import type { DemoSandbox } from './demo-catalogue.ts';
import type { DemoVersion } from './demo-record.ts';
import type { DemoTransaction } from './demo-transaction.ts';

/**
 * One statement, so that the next sandbox can be made up while PostgreSQL works on this one. Foreign keys are checked
 * when it ends. Each parameter is the rows of one table as JSON.
 */
const INSERT_SANDBOX = `
  WITH the_sandbox AS (
    INSERT INTO sandbox (sandbox_id, name, created_at, protected, head_seq, head_hash, item_versions,
      xp_versions)
    SELECT sandbox_id, name, created_at, protected, head_seq, decode(head_hash, 'hex'), item_versions,
      xp_versions
    FROM json_to_record($1::json) AS s(sandbox_id uuid, name text, created_at timestamptz,
      protected boolean, head_seq bigint, head_hash text, item_versions bigint, xp_versions bigint)
    RETURNING sandbox_id
  ), records AS (
    INSERT INTO catalogue_record (sandbox_id, kind, record_id, legacy_id, legacy_seq, name,
      folded_name, deleted, version, head_seq, snapshot, created_at, updated_at)
    SELECT s.sandbox_id, r.* FROM the_sandbox s, json_to_recordset($2::json) AS r(kind text,
      record_id uuid, legacy_id bigint, legacy_seq bigint, name text, folded_name text,
      deleted boolean, version bigint, head_seq bigint, snapshot text, created_at timestamptz,
      updated_at timestamptz)
  ), names AS (
    INSERT INTO catalogue_name (sandbox_id, kind, record_id, folded_name, first_seq)
    SELECT s.sandbox_id, n.* FROM the_sandbox s, json_to_recordset($3::json) AS n(kind text,
      record_id uuid, folded_name text, first_seq bigint)
  )
  INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id,
    transaction_id, operation, account_id, reason, issued_at, version_name, snapshot, hash,
    changed_fields)
  SELECT s.sandbox_id, v.seq, v.kind, v.record_id, v.version, v.version_id, v.transaction_id,
    v.operation, v.account_id, v.reason, v.issued_at, v.version_name, v.snapshot,
    decode(v.hash, 'hex'), v.changed_fields
  FROM the_sandbox s, json_to_recordset($4::json) AS v(seq bigint, kind text, record_id uuid,
    version bigint, version_id uuid, transaction_id uuid, operation text, account_id text,
    reason text, issued_at timestamptz, version_name text, snapshot text, hash text,
    changed_fields text[])`;

/** A version with its place in the sandbox and in the chain. */
type Placed = DemoVersion & { seq: number; hash: string; changedFields: string[] };

/** In the caller's transaction, into tables without this sandbox. The statement is sent before this returns. */
export const insertDemoSandbox = (
  transaction: DemoTransaction,
  sandbox: DemoSandbox,
): Promise<unknown> => {
  const placed = placeVersions(sandbox);
  const rows = [
    toSandboxRow(sandbox, placed),
    toRecordRows(placed),
    toNameRows(placed),
    placed.map(toVersionRow),
  ];
  return transaction.query(
    INSERT_SANDBOX,
    rows.map((table) => JSON.stringify(table)),
  );
};

const placeVersions = ({ sandboxId, versions }: DemoSandbox): Placed[] => {
  let previousHash: Buffer | null = null;
  const snapshots = new Map<string, string>();
  return versions.map((version, index) => {
    const seq = index + 1;
    const { reason = null, version: recordVersion } = version;
    const hash = hashVersion({ ...version, sandboxId, seq, previousHash, reason, recordVersion });
    previousHash = hash;
    const kind = version.kind === 'item' ? ITEM : XP;
    const before = snapshots.get(version.recordId);
    snapshots.set(version.recordId, version.snapshot);
    const changedFields = listChangedFields(kind, before, version.snapshot);
    return { ...version, seq, hash: hash.toString('hex'), changedFields };
  });
};

const toSandboxRow = (sandbox: DemoSandbox, placed: readonly Placed[]) => ({
  sandbox_id: sandbox.sandboxId,
  name: sandbox.name,
  created_at: sandbox.createdAt,
  protected: sandbox.protected,
  head_seq: placed.length,
  head_hash: placed.at(-1)?.hash,
  item_versions: placed.filter(({ kind }) => kind === 'item').length,
  xp_versions: placed.filter(({ kind }) => kind === 'xp').length,
});

/** One row per record: as its newest version left it. */
const toRecordRows = (placed: readonly Placed[]) => {
  const rows = new Map<string, ReturnType<typeof toRecordRow>>();
  for (const version of placed) {
    rows.set(version.recordId, toRecordRow(version, rows.get(version.recordId)));
  }
  return [...rows.values()];
};

type Before = { created_at: Date; legacy_seq: number | undefined } | undefined;

const toRecordRow = (version: Placed, before: Before) => ({
  kind: version.kind,
  record_id: version.recordId,
  legacy_id: version.legacyId,
  legacy_seq: version.legacyId === undefined ? undefined : (before?.legacy_seq ?? version.seq),
  name: version.name,
  folded_name: foldName(version.name),
  deleted: version.operation === 'delete',
  version: version.version,
  head_seq: version.seq,
  snapshot: version.snapshot,
  created_at: before?.created_at ?? version.issuedAt,
  updated_at: version.issuedAt,
});

/** Each name that a record has had, with the position that it first came at. */
const toNameRows = (placed: readonly Placed[]) => {
  const rows = new Map<string, object>();
  for (const { kind, recordId, name, seq } of placed) {
    const foldedName = foldName(name);
    const key = `${recordId} ${foldedName}`;
    if (rows.has(key)) continue;
    rows.set(key, { kind, record_id: recordId, folded_name: foldedName, first_seq: seq });
  }
  return [...rows.values()];
};

const toVersionRow = (version: Placed) => ({
  seq: version.seq,
  kind: version.kind,
  record_id: version.recordId,
  version: version.version,
  version_id: version.versionId,
  transaction_id: version.transactionId,
  operation: version.operation,
  account_id: version.accountId,
  reason: version.reason,
  issued_at: version.issuedAt,
  version_name: version.name,
  snapshot: version.snapshot,
  hash: version.hash,
  changed_fields: version.changedFields,
});
