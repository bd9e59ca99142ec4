// Reads current records. SQL where Prisma cannot express it: row-wise keysets, LIKE with an escape, the join by
// position.
import type { RecordWhere } from '@muster/contract';
import type { Database, Prisma } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { RecordState } from '../edits/edit-rules.ts';
import type { Statement } from '../history/history-sql.ts';
import { isCustomSort } from '../lists/custom-sort-sql.ts';
import type { MatchedRecords, RecordFilter, SortValue } from '../lists/record-list-query.ts';
import type { RecordListQuery } from '../lists/record-list-sql.ts';
import {
  COUNT_LIMIT,
  countStatement,
  FEW,
  idsStatement,
  isFiltered,
  listStatement,
  MATCH_LIMIT,
  matchStatement,
  SORT_BY_NAME,
} from '../lists/record-list-sql.ts';
import type { RecordKind } from './record.ts';

type Kind = RecordKind['kind'];

/** The snapshot is null for rows that do not fit into the page: all from the first of them on. */
type ListedRecord = Omit<RecordState, 'snapshot'> & {
  snapshot: string | null;
  /** The sorted value, as in a cursor. */
  sortValue: SortValue;
};

export type RecordStore = {
  findRecord(sandboxId: string, kind: Kind, recordId: string): Promise<RecordState | null>;
  /** In the order of the sort, then of the folded name and of the id. */
  listRecords(query: RecordListQuery): Promise<ListedRecord[]>;
  /** All matches of a filter by value, which a list of them needs. */
  matchRecords(filter: RecordFilter & { where: RecordWhere }): Promise<MatchedRecords>;
  /** The number of matches without a limit and without a filter by value; undefined when there are too many to count. */
  countRecords(filter: RecordFilter): Promise<number | undefined>;
  hasSandbox(sandboxId: string): Promise<boolean>;
};

export const createRecordStore = ({
  pool,
  prisma,
}: Pick<Database, 'pool' | 'prisma'>): RecordStore => {
  /** Returns at most one more than the limit. */
  const count = async (filter: RecordFilter, limit: number): Promise<number> => {
    const statement = countStatement(filter, limit);
    const [row] = await runPrepared<{ total: number }>(pool, statement, statement.values);
    return row?.total ?? 0;
  };
  return {
    async findRecord(sandboxId, kind, recordId) {
      const [state] = await findRecords(prisma, [sandboxId, kind, [recordId], []]);
      return state ?? null;
    },

    async listRecords(query) {
      const isCustom = isCustomSort(query.sort);
      // A walk along the values of a key also reads those of other types.
      const few = isCustom ? MATCH_LIMIT : FEW;
      const isFew = query.matched
        ? query.matched.total <= (isCustom ? FEW : MATCH_LIMIT)
        : isFiltered(query) && (await count(query, few)) <= few;
      const statement = listStatement(query, NARROW_COLUMNS, isFew ? 'few' : 'many');
      const rows = await runPrepared<Row<ListedRecord>>(pool, statement, statement.values);
      return rows.map(toState);
    },

    async matchRecords(filter) {
      const statement = matchStatement(filter);
      const [row] = await runPrepared<MatchedRecords>(pool, statement, statement.values);
      return row ?? { total: 0, ids: '{}' };
    },

    async countRecords(filter) {
      const total = await count(filter, COUNT_LIMIT);
      return total <= COUNT_LIMIT ? total : undefined;
    },

    hasSandbox: (sandboxId) => hasSandbox(prisma, sandboxId),
  };
};

/** As many as a change set can have, and one more. */
const MAX_MATCHING = 50_000;

/** The ids of all matching records, in the order of their names. */
export const findMatchingIds = async (
  database: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  { where, ...filter }: RecordFilter,
): Promise<string[]> => {
  const run = <Row>({ text, values }: Statement) =>
    database.$queryRawUnsafe<Row[]>(text, ...values);
  const statement = idsStatement({ ...filter, where }, MAX_MATCHING);
  const [matched] = await run<{ ids: string }>(statement);
  const sorted = await database.$queryRawUnsafe<{ id: string }[]>(
    SORT_BY_NAME,
    filter.sandboxId,
    filter.kind,
    matched?.ids ?? '{}',
  );
  return sorted.map(({ id }) => id);
};

/** False for a deleted one. */
export const hasSandbox = async (
  prisma: Pick<Prisma.TransactionClient, 'sandbox'>,
  sandboxId: string,
): Promise<boolean> => (await prisma.sandbox.count({ where: { sandboxId, deletedAt: null } })) > 0;

/** Records with one of these ids or legacy ids, including deleted ones. */
export const findRecords = async (
  database: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  values: [sandboxId: string, kind: Kind, recordIds: string[], legacyIds: number[]],
): Promise<RecordState[]> => {
  const rows = await database.$queryRawUnsafe<Row<RecordState>[]>(FIND_RECORDS, ...values);
  return rows.map(toState);
};

type Row<State extends Omit<ListedRecord, 'sortValue'>> = Omit<
  State,
  'legacyId' | 'legacySeq' | 'version' | 'headSeq'
> & {
  legacyId: bigint | null;
  legacySeq: bigint | null;
  version: bigint;
  headSeq: bigint;
};

const toState = <State extends Omit<ListedRecord, 'sortValue'>>(row: Row<State>) => ({
  ...row,
  legacyId: row.legacyId === null ? undefined : Number(row.legacyId),
  legacySeq: row.legacySeq === null ? undefined : Number(row.legacySeq),
  version: Number(row.version),
  headSeq: Number(row.headSeq),
});

export const NARROW_COLUMNS = `r.record_id AS "recordId", r.legacy_id AS "legacyId", r.legacy_seq AS "legacySeq", r.name,
  r.deleted, r.version, r.head_seq AS "headSeq", v.version_id AS "versionId",
  v.transaction_id AS "transactionId", r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const NEWEST_VERSION = 'JOIN catalogue_version v ON v.sandbox_id = $1::uuid AND v.seq = r.head_seq';

/** $1 sandbox, $2 kind, $3 record ids, $4 legacy ids. */
const HAS_ID = `r.kind = $2
  AND (r.record_id = ANY ($3::uuid[]) OR r.legacy_id = ANY ($4::bigint[]))`;

const FIND_RECORDS = `SELECT ${NARROW_COLUMNS}, r.snapshot
FROM catalogue_record r ${NEWEST_VERSION}
WHERE r.sandbox_id = $1::uuid AND ${HAS_ID}`;
