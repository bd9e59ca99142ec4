// One write of a catalogue: a transaction that holds the lock of the sandbox and appends versions to its chain.
import type { Database, Prisma } from '@muster/database';
import { hashVersion, isStatementCancelled } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { appendToOutbox } from '../../events/index.ts';
import type { Actor, AuditEntry } from '../../platform/index.ts';
import { appendAudit } from '../../platform/index.ts';
import type { ChangeSetAccess } from '../change-sets/change-set-store.ts';
import { createChangeSetAccess } from '../change-sets/change-set-store.ts';
import type { ItemSchemaAccess } from '../item-schemas/item-schema-store.ts';
import { createItemSchemaAccess } from '../item-schemas/item-schema-store.ts';
import type { RecordKind } from '../records/record.ts';
import { foldName } from '../records/record.ts';
import { findRecords } from '../records/record-store.ts';
import { lockSandbox } from '../sandboxes/sandbox-lock-store.ts';
import type { ProtectedState } from '../sandboxes/sandbox-rules.ts';
import type { NewVersion, RecordState } from './edit-rules.ts';
import type { ReferenceStore } from './reference-store.ts';
import { createReferenceStore } from './reference-store.ts';

type Kind = RecordKind['kind'];

type SandboxHead = {
  /** Position of the newest version; 0 before the first. */
  seq: number;
  hash: Uint8Array | null;
  /** When the newest version was issued. Times never decrease as positions increase. */
  issuedAt: Date | undefined;
};

/** Reads a sandbox within one transaction. */
export type CatalogueReads = {
  head: SandboxHead;
  /** Records with one of these ids or legacy ids, including deleted ones. */
  findRecords(kind: Kind, recordIds: string[], legacyIds: number[]): Promise<RecordState[]>;
  references: ReferenceStore;
  findVersions(
    kind: Kind,
    versionIds: string[],
  ): Promise<{ recordId: string; versionId: string; snapshot: string }[]>;
  changeSets: ChangeSetAccess;
  itemSchemas: ItemSchemaAccess;
};

/** The sandbox row is locked until the transaction ends, so that writers take positions in order. */
export type CatalogueTransaction = CatalogueReads & {
  /** Changes with every append. */
  head: SandboxHead;
  sandbox: ProtectedState & { archived: boolean; requiredApprovals: number };
  /** At least one version, in the order of their positions, which continue the head's without a gap. */
  append(versions: readonly NewVersion[]): Promise<void>;
  /** For long writes to a young database, after the first appends. */
  refreshStatistics(): Promise<void>;
  audit(actor: Actor, entry: AuditEntry, now: Date): Promise<void>;
};

type OpenedSandbox = CatalogueTransaction & {
  /** Adds the edit to the feed, when versions were appended. */
  announce(): Promise<void>;
};

export type CatalogueStore = {
  /**
   * Returns null, without calling `work`, when there is no such sandbox. An error of `work` rolls everything back.
   * Errors: sandbox_busy after `waitMs` for the lock.
   */
  write<T>(
    sandboxId: string,
    work: (transaction: CatalogueTransaction) => Promise<T>,
    limits?: { waitMs?: number; timeoutMs?: number | undefined },
  ): Promise<{ result: T } | null>;
  /** Reads the sandbox as of one moment, without locking it. Null when there is no such sandbox, or it is deleted. */
  read<T>(
    sandboxId: string,
    work: (reads: CatalogueReads) => Promise<T>,
    timeoutMs: number,
  ): Promise<{ result: T } | null>;
};

export const createCatalogueStore = ({ prisma }: Pick<Database, 'prisma'>): CatalogueStore => ({
  write: (sandboxId, work, { waitMs, timeoutMs } = {}) =>
    prisma.$transaction(
      async (transaction) => {
        const opened = await openSandbox(transaction, sandboxId, waitMs);
        if (!opened) return null;
        const result = await work(opened);
        await opened.announce();
        return { result };
      },
      timeoutMs === undefined ? {} : { timeout: timeoutMs },
    ),

  read: (sandboxId, work, timeoutMs) =>
    prisma.$transaction(
      async (transaction) => {
        const where = { sandboxId, deletedAt: null };
        const found = await transaction.sandbox.findUnique({ where, select: { headSeq: true } });
        if (!found) return null;
        const head = { seq: Number(found.headSeq), hash: null, issuedAt: undefined };
        return { result: await work({ ...openReads(transaction, sandboxId), head }) };
      },
      { isolationLevel: 'RepeatableRead', timeout: timeoutMs },
    ),
});

const openReads = (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
): Omit<CatalogueReads, 'head'> => ({
  findRecords: (kind, recordIds, legacyIds) =>
    findRecords(transaction, [sandboxId, kind, recordIds, legacyIds]),
  references: createReferenceStore(transaction, sandboxId),
  findVersions: (kind, versionIds) =>
    versionIds.length === 0
      ? Promise.resolve([])
      : transaction.catalogueVersion.findMany({
          where: { sandboxId, kind, versionId: { in: versionIds } },
          select: { recordId: true, versionId: true, snapshot: true },
        }),
  changeSets: createChangeSetAccess(transaction, sandboxId),
  itemSchemas: createItemSchemaAccess(transaction, sandboxId),
});

/** The versions of one write. */
type Edit = { last: NewVersion | undefined; items: number; xp: number };

/** Locks the sandbox until the transaction ends; null when there is none. */
export const openSandbox = async (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
  waitMs?: number,
): Promise<OpenedSandbox | null> => {
  const locked = await lockLiving(transaction, sandboxId, waitMs);
  if (!locked) return null;
  const edit: Edit = { last: undefined, items: 0, xp: 0 };
  const opened: OpenedSandbox = {
    ...openReads(transaction, sandboxId),
    ...locked,
    append: async (versions) => {
      opened.head = await appendVersions(transaction, sandboxId, opened.head, versions);
      for (const version of versions) {
        edit[version.kind === 'item' ? 'items' : 'xp'] += 1;
        edit.last = version;
      }
    },
    refreshStatistics: () => refreshStatistics(transaction, sandboxId),
    audit: (actor, entry, now) => appendAudit(transaction, actor, entry, now),
    announce: async () => {
      const { last, items, xp } = edit;
      if (!last) return;
      const event = {
        event_id: uuidv7({ msecs: last.state.updatedAt.getTime() }),
        occurred_at: last.state.updatedAt,
        account_id: last.accountId,
        kind: 'catalogue_edited',
        sandbox_id: sandboxId,
        transaction_id: last.state.transactionId,
        items,
        xp,
      } as const;
      await appendToOutbox(transaction, sandboxId, [event]);
    },
  };
  return opened;
};

/**
 * Without statistics the planner considers any index that begins with the sandbox as good as the primary key. Each new
 * version then searches all records: 3,000 of them took ten seconds. A verification right after the import searches
 * versions in the same way. A table that was analysed once needs nothing.
 *
 * The analysis must not block the write: it skips tables that another import has locked, and is aborted when it takes
 * too long (on Citus it analyses every shard). The lock is held until the end of the transaction, since rolling back to
 * the savepoint would discard the statistics. Autovacuum skips the table during that time; a young one has little to
 * clean.
 */
const refreshStatistics = async (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
): Promise<void> => {
  const [table] = await transaction.$queryRawUnsafe<{ isYoung: boolean }[]>(IS_YOUNG, sandboxId);
  if (!table?.isYoung) return;
  await transaction.$executeRawUnsafe('SAVEPOINT before_analysis');
  try {
    await transaction.$executeRawUnsafe(
      'ANALYZE (SKIP_LOCKED) catalogue_record, catalogue_version',
    );
  } catch (error) {
    if (!isStatementCancelled(error)) throw error;
    await transaction.$executeRawUnsafe('ROLLBACK TO SAVEPOINT before_analysis');
  }
};

/** The number of records at the last analysis. Read through a row: on Citus only the row's shard knows it. */
const IS_YOUNG = `SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < 10000 AS "isYoung"
FROM catalogue_record WHERE sandbox_id = $1::uuid LIMIT 1`;

const lockLiving = async (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
  waitMs: number | undefined,
): Promise<Pick<CatalogueTransaction, 'head' | 'sandbox'> | null> => {
  const row = await lockSandbox(transaction, sandboxId, waitMs);
  if (!row || row.deleted) return null;
  // A separate statement: one that waited for the lock would not see versions committed during its wait.
  const newest = await transaction.catalogueVersion.findUnique({
    where: { sandboxId_seq: { sandboxId, seq: row.headSeq } },
    select: { issuedAt: true },
  });
  return {
    head: { seq: Number(row.headSeq), hash: row.headHash, issuedAt: newest?.issuedAt },
    sandbox: {
      name: row.name,
      protected: row.protected,
      archived: row.archived,
      requiredApprovals: row.requiredApprovals,
    },
  };
};

/** Writes the chain, the records, their names and the counters, in four statements for any number. Returns the new head. */
const appendVersions = async (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
  head: SandboxHead,
  versions: readonly NewVersion[],
): Promise<SandboxHead> => {
  const hashes = chainHashes(sandboxId, head.hash, versions);
  const run = (statement: string, rows: object[]) =>
    transaction.$executeRawUnsafe(statement, sandboxId, JSON.stringify(rows));
  await run(UPSERT_RECORDS, newestOfEach(versions).map(toRecordRow));
  await run(
    INSERT_VERSIONS,
    versions.map((version, index) => toVersionRow(version, hashes[index])),
  );
  await run(INSERT_NAMES, toNameRows(versions));
  const items = versions.filter(({ kind }) => kind === 'item').length;
  const next = {
    seq: head.seq + versions.length,
    hash: hashes.at(-1) ?? head.hash,
    issuedAt: versions.at(-1)?.state.updatedAt,
  };
  await transaction.sandbox.update({
    where: { sandboxId },
    data: {
      headSeq: next.seq,
      headHash: next.hash && Uint8Array.from(next.hash),
      itemVersions: { increment: items },
      xpVersions: { increment: versions.length - items },
    },
    select: { sandboxId: true },
  });
  return next;
};

const chainHashes = (
  sandboxId: string,
  headHash: Uint8Array | null,
  versions: readonly NewVersion[],
): Buffer[] => {
  let previousHash = headHash;
  return versions.map(({ kind, accountId, operation, reason = null, state }) => {
    const hash = hashVersion({
      previousHash,
      sandboxId,
      kind,
      accountId,
      operation,
      reason,
      seq: state.headSeq,
      recordId: state.recordId,
      recordVersion: state.version,
      versionId: state.versionId,
      transactionId: state.transactionId,
      issuedAt: state.updatedAt,
      snapshot: state.snapshot,
    });
    previousHash = hash;
    return hash;
  });
};

/** A record that a bulk edits twice has two versions but is written once, in its final state. */
const newestOfEach = (versions: readonly NewVersion[]): NewVersion[] => [
  ...new Map(
    versions.map((version) => [`${version.kind} ${version.state.recordId}`, version]),
  ).values(),
];

const toRecordRow = ({ kind, state }: NewVersion) => ({
  kind,
  record_id: state.recordId,
  legacy_id: state.legacyId,
  legacy_seq: state.legacySeq,
  name: state.name,
  folded_name: foldName(state.name),
  deleted: state.deleted,
  version: state.version,
  head_seq: state.headSeq,
  snapshot: state.snapshot,
  created_at: state.createdAt,
  updated_at: state.updatedAt,
});

const toVersionRow = (
  { kind, accountId, operation, reason, state, changedFields }: NewVersion,
  hash: Buffer | undefined,
) => ({
  kind,
  operation,
  reason,
  account_id: accountId,
  issued_at: state.updatedAt,
  seq: state.headSeq,
  record_id: state.recordId,
  version: state.version,
  version_id: state.versionId,
  transaction_id: state.transactionId,
  version_name: state.name,
  snapshot: state.snapshot,
  hash: hash?.toString('hex'),
  changed_fields: changedFields,
});

const toNameRows = (versions: readonly NewVersion[]) => {
  const rows = new Map<string, object>();
  for (const { kind, state } of versions) {
    const folded_name = foldName(state.name);
    const key = `${kind} ${state.recordId} ${folded_name}`;
    if (rows.has(key)) continue;
    rows.set(key, { kind, record_id: state.recordId, folded_name, first_seq: state.headSeq });
  }
  return [...rows.values()];
};

// Many rows per statement, as JSON: Prisma Client binds each value separately and cannot upsert many. $1 sandbox, $2
// rows.

const UPSERT_RECORDS = `INSERT INTO catalogue_record (sandbox_id, kind, record_id, legacy_id, legacy_seq, name,
  folded_name, deleted, version, head_seq, snapshot, created_at, updated_at)
SELECT $1::uuid, r.* FROM json_to_recordset($2::json) AS r (kind text, record_id uuid, legacy_id bigint,
  legacy_seq bigint, name text, folded_name text, deleted boolean, version bigint, head_seq bigint, snapshot text,
  created_at timestamptz, updated_at timestamptz)
ON CONFLICT (sandbox_id, kind, record_id) DO UPDATE SET legacy_id = excluded.legacy_id,
  legacy_seq = excluded.legacy_seq, name = excluded.name, folded_name = excluded.folded_name,
  deleted = excluded.deleted, version = excluded.version, head_seq = excluded.head_seq,
  snapshot = excluded.snapshot, updated_at = excluded.updated_at`;

/** The hashes are hexadecimal. */
const INSERT_VERSIONS = `INSERT INTO catalogue_version (sandbox_id, kind, account_id, issued_at, seq, record_id,
  version, version_id, transaction_id, operation, reason, version_name, snapshot, hash, changed_fields)
SELECT $1::uuid, v.kind, v.account_id, v.issued_at, v.seq, v.record_id, v.version, v.version_id, v.transaction_id,
  v.operation, v.reason, v.version_name, v.snapshot, decode(v.hash, 'hex'), v.changed_fields
FROM json_to_recordset($2::json) AS v (kind text, account_id text, issued_at timestamptz, seq bigint, record_id uuid,
  version bigint, version_id uuid, transaction_id uuid, operation text, reason text, version_name text, snapshot text,
  hash text, changed_fields text[])`;

/** A name keeps the position of its first use. */
const INSERT_NAMES = `INSERT INTO catalogue_name (sandbox_id, kind, record_id, folded_name, first_seq)
SELECT $1::uuid, n.* FROM json_to_recordset($2::json) AS n (kind text, record_id uuid, folded_name text,
  first_seq bigint)
ON CONFLICT (sandbox_id, kind, record_id, folded_name) DO NOTHING`;
