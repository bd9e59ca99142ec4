import type { Database, Prisma } from '@muster/database';
import type { Actor, AuditEntry } from '../audit/index.ts';
import { appendAudit } from '../audit/index.ts';
import type { Append, SandboxHead } from './append-versions-store.ts';
import { appendVersions } from './append-versions-store.ts';
import { foldName, toContainsPattern } from './fold-name.ts';
import type { ListPosition } from './list-cursor.ts';
import type { ProtectedState } from './protected-sandbox.ts';
import type { RecordKind } from './record-kind.ts';
import type { RecordState } from './record-state.ts';
import {
  COUNT_LIMIT,
  COUNT_RECORDS,
  FIND_RECORDS,
  FIND_VERSIONS,
  LOCK_SANDBOX,
  listStatement,
} from './record-statements.ts';

export type CatalogueDatabase = Pick<Database, 'prisma'>;
type Kind = RecordKind['kind'];

export type StoredVersion = { recordId: string; versionId: string; snapshot: string };

export type RecordListQuery = {
  after: ListPosition | undefined;
  name: string | undefined;
  /** Which states of `deleted` are wanted. */
  deleted: boolean[];
  limit: number;
};

/** One write: the sandbox row is locked until it ends, so its writers take positions one after the other. */
export type CatalogueTransaction = {
  /** Moves with every append. */
  head: SandboxHead;
  sandbox: ProtectedState;
  /** Records with one of these ids or legacy ids, deleted ones too. */
  findRecords(kind: Kind, recordIds: string[], legacyIds: number[]): Promise<RecordState[]>;
  findVersions(kind: Kind, versionIds: string[]): Promise<StoredVersion[]>;
  append(append: Omit<Append, 'sandboxId'>): Promise<void>;
  /** For long writes into a young database, after the first appends. */
  refreshStatistics(): Promise<void>;
  audit(actor: Actor, entry: AuditEntry, now: Date): Promise<void>;
};

export type CatalogueStore = {
  /** Null, without calling `work`, when there is no such sandbox. Whatever `work` throws undoes all of it. */
  write<T>(
    sandboxId: string,
    work: (transaction: CatalogueTransaction) => Promise<T>,
    timeoutMs?: number,
  ): Promise<{ result: T } | null>;
  findRecord(sandboxId: string, kind: Kind, recordId: string): Promise<RecordState | null>;
  /** In the order of the folded name, then of the id. */
  listRecords(sandboxId: string, kind: Kind, query: RecordListQuery): Promise<RecordState[]>;
  /** How many `listRecords` would list without a limit; undefined when they are too many to be counted. */
  countRecords(
    sandboxId: string,
    kind: Kind,
    query: Pick<RecordListQuery, 'name' | 'deleted'>,
  ): Promise<number | undefined>;
  hasSandbox(sandboxId: string): Promise<boolean>;
};

export const createCatalogueStore = ({ prisma }: CatalogueDatabase): CatalogueStore => ({
  write: (sandboxId, work, timeout) =>
    prisma.$transaction(
      async (transaction) => {
        const locked = await lockSandbox(transaction, sandboxId);
        return locked && { result: await work(openTransaction(transaction, sandboxId, locked)) };
      },
      timeout === undefined ? {} : { timeout },
    ),

  async findRecord(sandboxId, kind, recordId) {
    const [state] = await findRecords(prisma, [sandboxId, kind, [recordId], []]);
    return state ?? null;
  },

  async listRecords(sandboxId, kind, { after, name, deleted, limit }) {
    const pattern = toContainsPattern(foldName(name ?? ''));
    const position = after ? [after.name, after.id] : [];
    const values = [sandboxId, kind, pattern, deleted, limit, ...position];
    const rows = await prisma.$queryRawUnsafe<RecordRow[]>(listStatement(after), ...values);
    return rows.map(toState);
  },

  async countRecords(sandboxId, kind, { name, deleted }) {
    const values = [sandboxId, kind, toContainsPattern(foldName(name ?? '')), deleted];
    const [row] = await prisma.$queryRawUnsafe<{ total: number }[]>(COUNT_RECORDS, ...values);
    return row && row.total <= COUNT_LIMIT ? row.total : undefined;
  },

  hasSandbox: async (sandboxId) =>
    (await prisma.sandbox.findUnique({ where: { sandboxId }, select: { sandboxId: true } })) !==
    null,
});

const openTransaction = (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
  locked: LockedSandbox,
): CatalogueTransaction => {
  const opened: CatalogueTransaction = {
    ...locked,
    findRecords: (kind, recordIds, legacyIds) =>
      findRecords(transaction, [sandboxId, kind, recordIds, legacyIds]),
    findVersions: (kind, versionIds) =>
      versionIds.length === 0
        ? Promise.resolve([])
        : transaction.$queryRawUnsafe(FIND_VERSIONS, sandboxId, kind, versionIds),
    append: async (append) => {
      opened.head = await appendVersions(transaction, opened.head, { sandboxId, ...append });
    },
    refreshStatistics: () => refreshStatistics(transaction),
    audit: (actor, entry, now) => appendAudit(transaction, actor, entry, now),
  };
  return opened;
};

/**
 * Without statistics the planner takes any index that begins with the sandbox for as good as the primary key, and each
 * new version then looks for its record among all records: 3,000 of them took ten seconds. A table that was analysed
 * once needs nothing.
 */
const refreshStatistics = async (transaction: Prisma.TransactionClient): Promise<void> => {
  const [table] = await transaction.$queryRawUnsafe<{ isYoung: boolean }[]>(
    `SELECT reltuples < 10000 AS "isYoung" FROM pg_class WHERE oid = 'catalogue_record'::regclass`,
  );
  if (table?.isYoung)
    await transaction.$executeRawUnsafe('ANALYZE catalogue_record, catalogue_version');
};

type LockedSandbox = Pick<CatalogueTransaction, 'head' | 'sandbox'>;

const lockSandbox = async (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
): Promise<LockedSandbox | null> => {
  type Row = ProtectedState & { headSeq: bigint; headHash: Uint8Array | null };
  const [row] = await transaction.$queryRawUnsafe<Row[]>(LOCK_SANDBOX, sandboxId);
  if (!row) return null;
  // A statement of its own: one that waited for the lock would still see the versions from before its wait.
  const newest = await transaction.catalogueVersion.findUnique({
    where: { sandboxId_seq: { sandboxId, seq: row.headSeq } },
    select: { issuedAt: true },
  });
  return {
    head: { seq: Number(row.headSeq), hash: row.headHash, issuedAt: newest?.issuedAt },
    sandbox: { name: row.name, protected: row.protected },
  };
};

type RecordRow = Omit<RecordState, 'legacyId' | 'legacySeq' | 'version' | 'headSeq'> & {
  legacyId: bigint | null;
  legacySeq: bigint | null;
  version: bigint;
  headSeq: bigint;
};

const findRecords = async (
  database: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  values: [sandboxId: string, kind: Kind, recordIds: string[], legacyIds: number[]],
): Promise<RecordState[]> => {
  const rows = await database.$queryRawUnsafe<RecordRow[]>(FIND_RECORDS, ...values);
  return rows.map(toState);
};

const toState = (row: RecordRow): RecordState => ({
  ...row,
  legacyId: row.legacyId === null ? undefined : Number(row.legacyId),
  legacySeq: row.legacySeq === null ? undefined : Number(row.legacySeq),
  version: Number(row.version),
  headSeq: Number(row.headSeq),
});
