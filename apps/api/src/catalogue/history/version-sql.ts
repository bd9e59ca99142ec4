// The SQL of versions in the admin API: lists, exports, single versions, and records as of a position. Texts depend on
// which filters are set. Statements are unnamed, since the best index depends on the values: an editor with ten
// versions and one with a million need different plans.
import type { RecordWhere } from '@muster/contract';
import { wherePredicate } from '../lists/where-sql.ts';
import type { PageRange, SortOrder } from '../pagination.ts';
import { afterId, hasRoom } from '../pagination.ts';
import { foldName, toContainsPattern } from '../records/record.ts';
import type { VersionFilter } from '../records/record-inputs.ts';
import type { HistoryRange, Statement } from './history-sql.ts';

type Kind = 'item' | 'xp';

/** An Item and an Xp table may have the same id. */
export type NamedRecord = { kind: Kind; record_id: string };

export type VersionScope = {
  sandboxId: string;
  filter: VersionFilter;
  /** The records whose names match, when few enough to probe one by one. */
  namedRecords?: readonly NamedRecord[] | undefined;
};

/** Beyond this number a list shows "more than" instead of counting for seconds. */
export const COUNT_LIMIT = 10_000;
/** Beyond this number of records a name is so common that scanning the versions finds it soon. */
export const NAMED_RECORDS_LIMIT = 2_000;

/** Planned for its values each time. */
const UNNAMED = '';

const bindValues = (sandboxId: string) => {
  const values: unknown[] = [sandboxId];
  return { values, bind: (value: unknown, type: string) => `$${values.push(value)}::${type}` };
};
type Bind = ReturnType<typeof bindValues>['bind'];

/** The head and the ends of the time range, in one snapshot. Times never decrease with positions. */
export const startStatement = (
  sandboxId: string,
  { from, to }: Pick<VersionFilter, 'from' | 'to'>,
): Statement => {
  const { values, bind } = bindValues(sandboxId);
  const nearest = (condition: string, order: SortOrder) =>
    `(SELECT v.seq FROM catalogue_version v WHERE v.sandbox_id = $1::uuid AND ${condition}
ORDER BY v.issued_at ${order}, v.seq ${order} LIMIT 1)`;
  const first = (at: string) => nearest(`v.issued_at >= ${bind(at, 'timestamptz')}`, 'asc');
  const last = (at: string) => nearest(`v.issued_at < ${bind(at, 'timestamptz')}`, 'desc');
  const low = from === undefined ? '1' : `COALESCE(${first(from)}, s.head_seq + 1)`;
  const high = to === undefined ? 's.head_seq' : `COALESCE(${last(to)}, 0)`;
  const text = `SELECT (${low})::bigint AS low, (${high})::bigint AS high, s.item_versions AS item,
  s.xp_versions AS xp, s.name FROM sandbox s WHERE s.sandbox_id = $1::uuid`;
  return { name: UNNAMED, text, values };
};

/**
 * The records that have, or had, a name that contains this by the position `high`; at most one more than the limit.
 * Distinct by kind as well, like the primary key: a name that all records have is then found without reading all of
 * them.
 */
export const namedRecordsStatement = (
  { sandboxId, filter }: VersionScope,
  high: number,
): Statement => {
  const { values, bind } = bindValues(sandboxId);
  const ofKind = filter.kind === undefined ? '' : `AND n.kind = ${bind(filter.kind, 'text')}`;
  const text = `SELECT DISTINCT n.kind, n.record_id FROM catalogue_name n WHERE n.sandbox_id = $1::uuid ${ofKind}
AND ${nameMatches(filter, high, bind)} LIMIT ${NAMED_RECORDS_LIMIT + 1}`;
  return { name: UNNAMED, text, values };
};

const nameMatches = ({ name = '' }: VersionFilter, high: number, bind: Bind): string =>
  `n.folded_name LIKE ${bind(toContainsPattern(foldName(name)), 'text')}
AND n.first_seq <= ${bind(high, 'bigint')}`;

export const pageStatement = (scope: VersionScope, range: PageRange): Statement => {
  const { values, bind } = bindValues(scope.sandboxId);
  const limit = `LIMIT ${bind(range.limit, 'int')}`;
  const branches = listBranches(scope, range, limit, bind).join('\nUNION ALL\n');
  const page = `SELECT b.seq FROM (${branches}) b ORDER BY b.seq ${range.order} ${limit}`;
  const text = `${readSummaries(page)} ORDER BY page.seq ${range.order}`;
  return { name: UNNAMED, text, values };
};

/** Stops at one more than the limit. */
export const countStatement = (scope: VersionScope, low: number, high: number): Statement => {
  const { values, bind } = bindValues(scope.sandboxId);
  const limit = `LIMIT ${bind(COUNT_LIMIT + 1, 'int')}`;
  const range: PageRange = { order: 'desc', low, high, limit: COUNT_LIMIT + 1 };
  const branches = listBranches(scope, range, limit, bind).join('\nUNION ALL\n');
  const text = `SELECT count(*) AS count FROM (SELECT 1 FROM (${branches}) b ${limit}) counted`;
  return { name: UNNAMED, text, values };
};

/**
 * One branch per kind, each the first few entries of an index: the indexes of the frequent filters have the kind before
 * the position. When the named records are known, one branch probes each of them.
 */
const listBranches = (scope: VersionScope, range: PageRange, limit: string, bind: Bind) =>
  kindsOf(scope).map((kind) => {
    const { predicates, columns } = matchVersions(scope, kind, range, bind);
    const order = `ORDER BY ${orderBy(columns, range.order)} ${limit}`;
    const versions = `SELECT v.seq FROM catalogue_version v WHERE ${predicates.join(' AND ')}`;
    if (!scope.namedRecords) return `(${versions} ${order})`;
    const kinds = scope.namedRecords.map((record) => record.kind);
    const ids = scope.namedRecords.map(({ record_id }) => record_id);
    const records = `unnest(${bind(kinds, 'text[]')}, ${bind(ids, 'uuid[]')}) AS r(kind, record_id)`;
    return `(SELECT v.seq FROM ${records}
CROSS JOIN LATERAL (${versions} AND v.kind = r.kind AND v.record_id = r.record_id ${order}) v)`;
  });

const orderBy = (columns: readonly string[], order: SortOrder): string =>
  columns.map((name) => `v.${name} ${order}`).join(', ');

/** Both kinds when the index begins with the kind; undefined for any kind. */
const kindsOf = ({ filter, namedRecords }: VersionScope): (Kind | undefined)[] => {
  const { kind, record_id, account_id, operation, changed_field, transaction_id } = filter;
  if (kind !== undefined) return [kind];
  if (namedRecords !== undefined || transaction_id !== undefined) return [undefined];
  const asksKinds = record_id ?? account_id ?? operation ?? changed_field;
  return asksKinds === undefined ? [undefined] : ['item', 'xp'];
};

/** The predicates on a version, and the columns that order its index. */
const matchVersions = (
  scope: VersionScope,
  kind: Kind | undefined,
  { low, high }: PageRange,
  bind: Bind,
): { predicates: string[]; columns: string[] } => {
  const [from, to] = [bind(low, 'bigint'), bind(high, 'bigint')];
  const equal = listEqual(scope.filter, kind).map(([column, value, type]) => {
    return { column, bound: bind(value, type) };
  });
  const others = [IN_SANDBOX, ...listOthers(scope, high, bind)];
  const columns = [...equal.map(({ column }) => column), 'seq'];
  if (isAnsweredByOneIndex(columns) && others.length === 1 && !scope.namedRecords) {
    // Compared as a row, which only that index supports. With equality the planner may scan all versions, expecting a
    // frequent value soon, even when there are none for a long range.
    const row = `(${columns.map((column) => `v.${column}`).join(', ')})`;
    const values = equal.map(({ bound }) => `${bound}, `).join('');
    others.push(`${row} >= (${values}${from}) AND ${row} <= (${values}${to})`);
    return { predicates: others, columns };
  }
  const equalities = equal.map(({ column, bound }) => `v.${column} = ${bound}`);
  const range = `v.seq BETWEEN ${from} AND ${to}`;
  return { predicates: [...others, ...equalities, range], columns: ['seq'] };
};

const IN_SANDBOX = 'v.sandbox_id = $1::uuid';

const isAnsweredByOneIndex = (columns: readonly string[]): boolean =>
  ['kind,seq', 'kind,account_id,seq', 'kind,operation,seq'].includes(columns.join());

const listEqual = (filter: VersionFilter, kind: Kind | undefined) => {
  const { record_id, account_id, operation, transaction_id } = filter;
  const all: [column: string, value: string | undefined, type: string][] = [
    ['kind', kind, 'text'],
    ['record_id', record_id, 'uuid'],
    ['account_id', account_id, 'text'],
    ['operation', operation, 'text'],
    ['transaction_id', transaction_id, 'uuid'],
  ];
  return all.filter(([, value]) => value !== undefined);
};

const listOthers = ({ filter, namedRecords }: VersionScope, high: number, bind: Bind): string[] => {
  const { name, changed_field } = filter;
  const predicates: string[] = [];
  // A literal from a fixed list: a partial index only supports its own condition.
  if (changed_field !== undefined) predicates.push(`v.changed_fields @> '{${changed_field}}'`);
  if (name && !namedRecords) {
    // A scalar subquery: the planner turns EXISTS into a join that reads every matching name first.
    predicates.push(`(SELECT true FROM catalogue_name n WHERE n.sandbox_id = $1::uuid AND n.kind = v.kind
AND n.record_id = v.record_id AND ${nameMatches(filter, high, bind)} LIMIT 1)`);
  }
  return predicates;
};

const SUMMARY = `v.seq, v.version_id, previous.version_id AS previous_version_id, v.transaction_id, v.kind, v.record_id,
  v.version, v.operation, v.account_id, v.reason, v.issued_at, v.version_name AS name, v.changed_fields`;

const PREVIOUS = `LEFT JOIN LATERAL (SELECT p.version_id FROM catalogue_version p WHERE p.sandbox_id = v.sandbox_id
  AND p.kind = v.kind AND p.record_id = v.record_id AND p.seq < v.seq ORDER BY p.seq DESC LIMIT 1) previous ON true`;

/** Reads the wide rows after the limit, by primary key, and never their snapshots. */
const readSummaries = (page: string): string =>
  `SELECT ${SUMMARY} FROM (${page}) page
JOIN catalogue_version v ON v.sandbox_id = $1::uuid AND v.seq = page.seq ${PREVIOUS}`;

/** Whole versions, unordered. */
export const findStatement = (sandboxId: string, versionIds: readonly string[]): Statement => ({
  name: 'versions_by_id',
  text: `SELECT ${SUMMARY}, v.snapshot, v.hash FROM catalogue_version v ${PREVIOUS}
WHERE v.sandbox_id = $1::uuid AND v.version_id = ANY ($2::uuid[])`,
  values: [sandboxId, versionIds],
});

/** The records of an export: those that changed after the position, and those whose newest state matches. */
export type ExportQuery = {
  sandboxId: string;
  kind: Kind;
  asOf: number;
  pattern: string;
  where: RecordWhere | undefined;
  after: string | null;
  limit: number;
};

/**
 * A part of an export of records. Versions are read only for records that changed after the position, so an export of
 * the newest state reads none.
 */
export const exportRecordsStatement = (query: ExportQuery): Statement => {
  const { sandboxId, kind, asOf, pattern, where, after, limit } = query;
  const values: unknown[] = [
    sandboxId,
    kind,
    asOf,
    pattern,
    limit,
    ...(after === null ? [] : [after]),
  ];
  const add = (value: unknown) => `$${values.push(value)}`;
  const matches = where ? `AND ${wherePredicate(where, kind, add)}` : '';
  const name = after === null ? 'export_first_records' : 'export_records';
  return { name: where ? UNNAMED : name, text: writeExport(after, matches), values };
};

/** $1 sandbox, $2 kind, $3 position, $4 pattern, $5 limit, $6 the last id. */
const writeExport = (
  after: string | null,
  matches: string,
): string => `SELECT r.record_id, r.created_at,
  CASE WHEN r.head_seq <= $3::bigint THEN r.version ELSE v.version END AS version,
  CASE WHEN r.head_seq <= $3::bigint THEN r.updated_at ELSE v.issued_at END AS updated_at,
  CASE WHEN r.head_seq <= $3::bigint THEN r.snapshot ELSE v.snapshot END AS snapshot,
  CASE WHEN r.head_seq <= $3::bigint THEN r.deleted ELSE v.operation = 'delete' END AS deleted
FROM (
  SELECT * FROM catalogue_record
  WHERE sandbox_id = $1::uuid AND kind = $2 ${afterId('record_id', '$6', after)}
    AND (head_seq > $3::bigint OR folded_name LIKE $4 ${matches})
  ORDER BY record_id LIMIT $5::int
) r
LEFT JOIN LATERAL (
  SELECT o.snapshot, o.operation, o.version, o.issued_at FROM catalogue_version o
  WHERE r.head_seq > $3::bigint AND o.sandbox_id = $1::uuid AND o.kind = r.kind AND o.record_id = r.record_id
    AND o.seq <= $3::bigint
  ORDER BY o.seq DESC LIMIT 1
) v ON true
ORDER BY r.record_id`;

/** The changed field may be any text; a field that no version has matches nothing. */
export type ExportFilter = Omit<VersionFilter, 'kind' | 'changed_field'> & {
  kind: Kind;
  changed_field?: string | undefined;
};

/** A part of an export. It scans all matching versions, so the names are read once, into a hash. */
export const exportVersionsStatement = (
  sandboxId: string,
  { name, changed_field, ...filter }: ExportFilter,
  range: HistoryRange,
): Statement => {
  const { values, bind } = bindValues(sandboxId);
  const { predicates, columns } = matchVersions({ sandboxId, filter }, filter.kind, range, bind);
  if (changed_field !== undefined) {
    predicates.push(`${bind(changed_field, 'text')} = ANY (v.changed_fields)`);
  }
  if (name) {
    predicates.push(`v.record_id IN (SELECT n.record_id FROM catalogue_name n WHERE n.sandbox_id = $1::uuid
AND n.kind = ${bind(filter.kind, 'text')} AND ${nameMatches({ name }, range.asOf, bind)})`);
  }
  const text = `SELECT v.seq, v.version_id, v.transaction_id, v.operation, v.version, v.account_id, v.reason, v.issued_at,
  v.changed_fields, v.snapshot
FROM catalogue_version v WHERE ${predicates.join(' AND ')}
ORDER BY ${orderBy(columns, range.order)} LIMIT ${bind(range.limit, 'int')}`;
  return { name: UNNAMED, text, values };
};

/** $1 sandbox, $2 time, $3 position. Times never decrease with positions: the newest by time is the newest. */
export const FIND_POSITION = `SELECT COALESCE(v.seq, 0)::bigint AS seq, v.issued_at AS "issuedAt"
FROM sandbox s LEFT JOIN LATERAL (
  (SELECT t.seq, t.issued_at FROM catalogue_version t WHERE $2::timestamptz IS NOT NULL
    AND t.sandbox_id = $1::uuid AND t.issued_at <= $2 ORDER BY t.issued_at DESC, t.seq DESC LIMIT 1)
  UNION ALL
  (SELECT p.seq, p.issued_at FROM catalogue_version p WHERE $2::timestamptz IS NULL
    AND p.sandbox_id = $1::uuid AND p.seq = LEAST(s.head_seq, COALESCE($3::bigint, s.head_seq)))
) v ON true
WHERE s.sandbox_id = $1::uuid`;

/**
 * $1 sandbox, $2 kind, $3 position, $4 its time, $5 pattern, $6 limit; then the last id. Reads one index entry per
 * record; later records are skipped by their time, without searching for versions.
 */
export const asOfStatement = (
  after: string | null,
): string => `SELECT record_id, version, version_id, operation, version_name AS name, current_version, deleted,
  CASE WHEN ${hasRoom('octet_length(snapshot)', 'record_id')} THEN snapshot END AS snapshot
FROM (
SELECT r.record_id, r.version AS current_version, r.deleted,
  v.version, v.version_id, v.operation, v.version_name, v.snapshot
FROM catalogue_record r CROSS JOIN LATERAL (
  SELECT * FROM catalogue_version v WHERE v.sandbox_id = $1::uuid AND v.kind = $2 AND v.record_id = r.record_id
    AND v.seq <= $3::bigint ORDER BY v.seq DESC LIMIT 1
) v
WHERE r.sandbox_id = $1::uuid AND r.kind = $2 ${afterId('r.record_id', '$7', after)} AND r.created_at <= $4::timestamptz
  AND v.operation <> 'delete'
  AND ($5 = '%%' OR r.record_id IN (SELECT n.record_id FROM catalogue_name n WHERE n.sandbox_id = $1::uuid
    AND n.kind = $2 AND n.folded_name LIKE $5 AND n.first_seq <= $3))
ORDER BY r.record_id LIMIT $6::int
) page ORDER BY record_id`;
