// Reads records as they stand now. SQL where Prisma cannot say it: row-wise keysets, LIKE with an escape, the join by position.
import type { Database, Prisma } from '@muster/database';
import type { RecordState } from './edit-rules.ts';
import type { ListPosition } from './pagination.ts';
import { hasRoom } from './pagination.ts';
import type { RecordKind } from './record.ts';
import { foldName, toContainsPattern } from './record.ts';

type Kind = RecordKind['kind'];

export type RecordListQuery = {
  after: ListPosition | undefined;
  name: string | undefined;
  /** Which states of `deleted` are wanted. */
  deleted: boolean[];
  limit: number;
};

/** The snapshot is null for those that the page has no room for: all from the first of them on. */
export type ListedRecord = Omit<RecordState, 'snapshot'> & { snapshot: string | null };

export type RecordStore = {
  findRecord(sandboxId: string, kind: Kind, recordId: string): Promise<RecordState | null>;
  /** In the order of the folded name, then of the id. */
  listRecords(sandboxId: string, kind: Kind, query: RecordListQuery): Promise<ListedRecord[]>;
  /** How many `listRecords` would list without a limit; undefined when they are too many to be counted. */
  countRecords(
    sandboxId: string,
    kind: Kind,
    query: Pick<RecordListQuery, 'name' | 'deleted'>,
  ): Promise<number | undefined>;
  hasSandbox(sandboxId: string): Promise<boolean>;
};

export const createRecordStore = ({ prisma }: Pick<Database, 'prisma'>): RecordStore => ({
  async findRecord(sandboxId, kind, recordId) {
    const [state] = await findRecords(prisma, [sandboxId, kind, [recordId], []]);
    return state ?? null;
  },

  async listRecords(sandboxId, kind, { after, name, deleted, limit }) {
    const pattern = toContainsPattern(foldName(name ?? ''));
    const position = after ? [after.name, after.id] : [];
    const values = [sandboxId, kind, pattern, deleted, limit, ...position];
    const rows = await prisma.$queryRawUnsafe<Row<ListedRecord>[]>(listStatement(after), ...values);
    return rows.map(toState);
  },

  async countRecords(sandboxId, kind, { name, deleted }) {
    const values = [sandboxId, kind, toContainsPattern(foldName(name ?? '')), deleted];
    const [row] = await prisma.$queryRawUnsafe<{ total: number }[]>(COUNT_RECORDS, ...values);
    return row && row.total <= COUNT_LIMIT ? row.total : undefined;
  },

  hasSandbox: async (sandboxId) => (await prisma.sandbox.count({ where: { sandboxId } })) > 0,
});

/** Those with one of these ids or legacy ids, deleted ones too. */
export const findRecords = async (
  database: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  values: [sandboxId: string, kind: Kind, recordIds: string[], legacyIds: number[]],
): Promise<RecordState[]> => {
  const rows = await database.$queryRawUnsafe<Row<RecordState>[]>(FIND_RECORDS, ...values);
  return rows.map(toState);
};

type Row<State extends ListedRecord> = Omit<
  State,
  'legacyId' | 'legacySeq' | 'version' | 'headSeq'
> & {
  legacyId: bigint | null;
  legacySeq: bigint | null;
  version: bigint;
  headSeq: bigint;
};

const toState = <State extends ListedRecord>(row: Row<State>) => ({
  ...row,
  legacyId: row.legacyId === null ? undefined : Number(row.legacyId),
  legacySeq: row.legacySeq === null ? undefined : Number(row.legacySeq),
  version: Number(row.version),
  headSeq: Number(row.headSeq),
});

const NARROW_COLUMNS = `r.record_id AS "recordId", r.legacy_id AS "legacyId", r.legacy_seq AS "legacySeq", r.name,
  r.deleted, r.version, r.head_seq AS "headSeq", v.version_id AS "versionId",
  v.transaction_id AS "transactionId", r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const NEWEST_VERSION = 'JOIN catalogue_version v ON v.sandbox_id = $1::uuid AND v.seq = r.head_seq';

/** $1 sandbox, $2 kind, $3 record ids, $4 legacy ids. */
const FIND_RECORDS = `SELECT ${NARROW_COLUMNS}, r.snapshot
FROM catalogue_record r ${NEWEST_VERSION}
WHERE r.sandbox_id = $1::uuid AND r.kind = $2
  AND (r.record_id = ANY ($3::uuid[]) OR r.legacy_id = ANY ($4::bigint[]))`;

/** What no longer fits on the page comes without its snapshot. */
const LISTED_COLUMNS = `${NARROW_COLUMNS},
  CASE WHEN ${hasRoom('octet_length(r.snapshot)', 'r.folded_name, r.record_id')} THEN r.snapshot END AS snapshot`;

/** $1 sandbox, $2 kind, $3 pattern, $4 live ones, deleted ones or both, $5 limit; then the last folded name and id. */
const listStatement = (after: ListPosition | undefined): string => `SELECT ${LISTED_COLUMNS}
FROM (
  SELECT * FROM catalogue_record
  WHERE sandbox_id = $1::uuid AND kind = $2 ${after ? 'AND (folded_name, record_id) > ($6, $7::uuid)' : ''}
    AND folded_name LIKE $3 AND deleted = ANY ($4::boolean[])
  ORDER BY folded_name, record_id LIMIT $5::int
) r ${NEWEST_VERSION}
ORDER BY r.folded_name, r.record_id`;

/** Counting stops here: an exact number beyond it is of no use, and the list would wait for it. */
const COUNT_LIMIT = 100_000;

/** $1 sandbox, $2 kind, $3 pattern, $4 live ones, deleted ones or both. */
const COUNT_RECORDS = `SELECT count(*)::int AS total FROM (
  SELECT FROM catalogue_record
  WHERE sandbox_id = $1::uuid AND kind = $2 AND folded_name LIKE $3 AND deleted = ANY ($4::boolean[])
  LIMIT ${COUNT_LIMIT + 1}
) r`;
