import type { Database, Prisma } from '@muster/database';
import { runPrepared } from '@muster/database';
import { afterId, hasRoom, PAGE_BYTES } from '../pagination.ts';

export type Pair = { target: string; source: string; kind: 'item' | 'xp' };

export type StatusCounts = Record<Difference | 'same', number>;

/** The last record of a page, and the counts of the first page. */
export type ComparePosition = { recordId: string; counts: StatusCounts };

/** A missing record is null. */
export type ComparedRow = {
  record_id: string;
  /** False when the snapshots do not fit into the page; they are null then. */
  fits: boolean;
  status: Difference;
  source_snapshot: string | null;
  source_version: number | null;
  source_version_id: string | null;
  target_snapshot: string | null;
  target_version: number | null;
  target_version_id: string | null;
};

/** In which a comparison is read; without one, each statement reads the newest state. */
type Transaction = Pick<Prisma.TransactionClient, '$queryRawUnsafe' | 'sandbox'>;

export type CompareStore = {
  /** How many of these sandboxes exist. */
  countSandboxes(sandboxIds: string[]): Promise<number>;
  countStatuses(pair: Pair): Promise<StatusCounts>;
  /** Records that differ, sorted by id. */
  readPage(
    pair: Pair,
    status: Difference | undefined,
    after: string | null,
    limit: number,
    transaction?: Transaction,
  ): Promise<ComparedRow[]>;
  /** Null when there is no such sandbox. */
  findSource(
    sandboxId: string,
    transaction: Transaction,
  ): Promise<{ name: string; headSeq: bigint } | null>;
};

export const NO_COUNTS: StatusCounts = { only_source: 0, only_target: 0, different: 0, same: 0 };

export const createCompareStore = ({
  pool,
  prisma,
  shards,
}: Pick<Database, 'pool' | 'prisma' | 'shards'>): CompareStore => {
  const [countText, textOfPage] =
    shards > 1 ? [COUNT_ACROSS, pageAcross] : [COUNT_STATUSES, pageStatement];
  /** Unnamed, so that it is planned for its values: small and large sandboxes need different plans. */
  const run = <Row>(text: string, values: unknown[], transaction?: Transaction) =>
    transaction
      ? transaction.$queryRawUnsafe<Row[]>(text, ...values)
      : runPrepared<Row>(pool, { name: '', text }, values);
  return {
    countSandboxes: (sandboxIds) =>
      prisma.sandbox.count({ where: { sandboxId: { in: sandboxIds }, deletedAt: null } }),

    async countStatuses({ target, source, kind }) {
      type Row = { status: keyof StatusCounts; count: number };
      const rows = await run<Row>(countText, [target, source, kind]);
      const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
      return { ...NO_COUNTS, ...counts };
    },

    readPage: ({ target, source, kind }, status, after, limit, transaction) =>
      run<ComparedRow>(
        textOfPage(status, after),
        [target, source, kind, limit, after].filter((value) => value !== null),
        transaction,
      ),

    findSource: (sandboxId, transaction) =>
      transaction.sandbox.findUnique({
        where: { sandboxId, deletedAt: null },
        select: { name: true, headSeq: true },
      }),
  };
};

// The SQL of the comparison. Records match by id; deleted ones count as absent. In all statements: $1 target, $2
// source, $3 kind.

export type Difference = 'only_source' | 'only_target' | 'different';

/** Texts that differ may have equal values, since the order of keys is irrelevant. */
const STATUS = `CASE WHEN t.record_id IS NULL THEN 'only_source'
  WHEN t.snapshot = s.snapshot OR t.snapshot::jsonb = s.snapshot::jsonb THEN 'same' ELSE 'different' END`;

const live = (alias: 's' | 't') =>
  `${alias}.sandbox_id = ${alias === 't' ? '$1' : '$2'}::uuid AND ${alias}.kind = $3 AND NOT ${alias}.deleted`;

const FROM_SOURCE = `FROM catalogue_record s
LEFT JOIN catalogue_record t ON ${live('t')} AND t.record_id = s.record_id WHERE ${live('s')}`;

const ONLY_IN_TARGET = `FROM catalogue_record t
LEFT JOIN catalogue_record s ON ${live('s')} AND s.record_id = t.record_id
WHERE ${live('t')} AND s.record_id IS NULL`;

const COUNT_STATUSES = `SELECT status, count(*) AS count FROM (
  SELECT ${STATUS} AS status ${FROM_SOURCE} UNION ALL SELECT 'only_target' ${ONLY_IN_TARGET}
) compared GROUP BY status`;

/** The other side's record, looked up one by one: a join would read both sides completely for any page. */
const lookUp = (alias: 's' | 't', other: 's' | 't' | 'page'): string =>
  `LEFT JOIN LATERAL (SELECT * FROM catalogue_record ${alias} WHERE ${live(alias)}
  AND ${alias}.record_id = ${other}.record_id LIMIT 1) ${alias} ON true`;

/**
 * Written so that the planner can estimate it: it expects a comparison with the whole status to match rarely and reads
 * too much.
 */
const OF_STATUS = {
  only_source: 't.record_id IS NULL',
  different: 't.snapshot <> s.snapshot AND t.snapshot::jsonb <> s.snapshot::jsonb',
  any: `(t.record_id IS NULL OR t.snapshot <> s.snapshot) AND ${STATUS} <> 'same'`,
};

const pageOf = (alias: 's' | 't', after: string | null): string =>
  `${afterId(`${alias}.record_id`, '$5', after)} ORDER BY ${alias}.record_id LIMIT $4::int`;

const inSource = (after: string | null, wanted: string): string =>
  `SELECT s.record_id, ${STATUS} AS status FROM catalogue_record s ${lookUp('t', 's')}
WHERE ${live('s')} AND ${wanted} ${pageOf('s', after)}`;

const onlyInTarget = (after: string | null, upTo = ''): string =>
  `SELECT t.record_id, 'only_target' AS status FROM catalogue_record t ${lookUp('s', 't')}
WHERE ${live('t')} AND s.record_id IS NULL ${upTo} ${pageOf('t', after)}`;

/** Bounded by the last record of a full page of the source; without it a page would search all of the target. */
const inBoth = (after: string | null): string =>
  `WITH in_source AS MATERIALIZED (${inSource(after, OF_STATUS.any)})
SELECT * FROM in_source UNION ALL (${onlyInTarget(
    after,
    `AND t.record_id <= COALESCE(
  (SELECT i.record_id FROM in_source i ORDER BY i.record_id OFFSET $4::int - 1 LIMIT 1),
  'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`,
  )})`;

/** $4 limit; then the last id. Walks primary keys, so that a page stops at its limit. */
export const pageStatement = (status: Difference | undefined, after: string | null): string => {
  const found =
    status === undefined
      ? inBoth(after)
      : status === 'only_target'
        ? onlyInTarget(after)
        : inSource(after, OF_STATUS[status]);
  const bytes = 'COALESCE(octet_length(s.snapshot), 0) + COALESCE(octet_length(t.snapshot), 0)';
  return `SELECT record_id, status, fits, source_version, source_version_id, target_version, target_version_id,
  CASE WHEN fits THEN source_snapshot END AS source_snapshot,
  CASE WHEN fits THEN target_snapshot END AS target_snapshot
FROM (SELECT page.record_id, page.status,
  ${hasRoom(bytes, 'page.record_id', COMPARED_BYTES)} AS fits, ${side('s', 'source')}, ${side('t', 'target')}
FROM (SELECT * FROM (${found}) b ORDER BY b.record_id LIMIT $4::int) page
${lookUp('s', 'page')}
LEFT JOIN catalogue_version sv ON sv.sandbox_id = $2::uuid AND sv.seq = s.head_seq
${lookUp('t', 'page')}
LEFT JOIN catalogue_version tv ON tv.sandbox_id = $1::uuid AND tv.seq = t.head_seq) compared
ORDER BY record_id`;
};

/** A response contains both records and, when they differ, their differences. */
export const COMPARED_BYTES = PAGE_BYTES / 2;

const side = (alias: 's' | 't', name: 'source' | 'target'): string =>
  `${alias}.snapshot AS ${name}_snapshot, ${alias}.version AS ${name}_version,
  ${alias}v.version_id AS ${name}_version_id`;

// On Citus the two sandboxes may be on two nodes: each is read on its node, and the coordinator merges them. A page
// costs as much as the remaining records of both.

const wholeSide = (alias: 's' | 't', after: string | null): string => {
  const sandbox = alias === 't' ? '$1::uuid' : '$2::uuid';
  return `${alias} AS MATERIALIZED (
  SELECT r.record_id, r.snapshot, r.version, v.version_id FROM catalogue_record r
  LEFT JOIN catalogue_version v ON v.sandbox_id = ${sandbox} AND v.seq = r.head_seq
  WHERE r.sandbox_id = ${sandbox} AND r.kind = $3 AND NOT r.deleted ${afterId('r.record_id', '$5', after)}
)`;
};

const across = (
  after: string | null,
): string => `WITH ${wholeSide('s', after)}, ${wholeSide('t', after)},
compared AS (
  SELECT record_id, CASE WHEN s.record_id IS NULL THEN 'only_target' ELSE ${STATUS} END AS status,
    s.snapshot AS source_snapshot, s.version AS source_version, s.version_id AS source_version_id,
    t.snapshot AS target_snapshot, t.version AS target_version, t.version_id AS target_version_id
  FROM s FULL JOIN t USING (record_id)
)`;

const COUNT_ACROSS = `${across(null)} SELECT status, count(*) AS count FROM compared GROUP BY status`;

const pageAcross = (status: Difference | undefined, after: string | null): string => {
  const bytes =
    'COALESCE(octet_length(source_snapshot), 0) + COALESCE(octet_length(target_snapshot), 0)';
  return `${across(after)}
SELECT record_id, status, fits, source_version, source_version_id, target_version, target_version_id,
  CASE WHEN fits THEN source_snapshot END AS source_snapshot,
  CASE WHEN fits THEN target_snapshot END AS target_snapshot
FROM (SELECT *, ${hasRoom(bytes, 'record_id', COMPARED_BYTES)} AS fits FROM (
  SELECT * FROM compared WHERE ${status ? `status = '${status}'` : `status <> 'same'`}
  ORDER BY record_id LIMIT $4::int) page) sized
ORDER BY record_id`;
};
