// The SQL of the histories. Texts only depend on which filters are set, so that each is parsed and planned once.

import type { PageRange, SortOrder } from '../pagination.ts';
import { hasRoom } from '../pagination.ts';
import { toContainsPattern } from '../records/record.ts';
import type { HistoryFilter, HistoryScope } from './history-query.ts';

/** Names and legacy ids set after `asOf` do not count. */
export type HistoryRange = PageRange & { asOf: number };

/** Names the statement in metrics and traces, independent of its filters. */
export type Statement = { name: string; label?: string; text: string; values: unknown[] };

/**
 * An unnamed statement is planned for its values each time. A page by a common name needs that: the limit decides which
 * index is best, and a plan without the value may read all rows.
 */
const UNNAMED = '';

/** Numbers the values of a statement in the order of its text. */
const bindValues = ({ sandboxId, kind }: HistoryScope, name: string) => {
  const values: unknown[] = [sandboxId, kind];
  const bind = (value: unknown, type: string) => {
    const parameter = `$${values.push(value)}::${type}`;
    return name === UNNAMED ? parameter : opaqueParameter(parameter, type);
  };
  // The frequency of the kind must not change the plan. The sandbox stays visible: Citus finds the shard by it.
  const kindValue = name === UNNAMED ? '$2::text' : opaqueParameter('$2::text', 'text');
  return { values, bind, ofKind: { sandbox: '$1::uuid', kind: kindValue } };
};
type Bind = ReturnType<typeof bindValues>['bind'];

/**
 * A plan for the values of one request looks cheaper than the generic plan, so PostgreSQL would plan each request,
 * which costs about as much as the page. It does not see values inside a subquery. So both plans have the same cost,
 * and it keeps the generic plan after five requests. Limits are part of the text, since a good plan needs them.
 */
const opaqueParameter = (parameter: string, type: string): string =>
  type.endsWith('[]') ? `ARRAY(SELECT unnest(${parameter}))` : `(SELECT ${parameter})`;

const IN_SCOPE = (table: string) => `${table}.sandbox_id = $1::uuid AND ${table}.kind = $2`;

/** pg_trgm needs three letters in a row: shorter filters read the names of the sandbox instead. */
const hasTrigram = (folded: string): boolean => /[\p{L}\p{N}]{3}/u.test(folded);

const nameContains = (folded: string, bind: Bind): string =>
  hasTrigram(folded)
    ? `n.folded_name LIKE ${bind(toContainsPattern(folded), 'text')}`
    : `strpos(n.folded_name, ${bind(folded, 'text')}) > 0`;

/** Without `asOf` it reads the current state, in one snapshot with the head of the sandbox. */
const namesMatching = (folded: string, bind: Bind, asOf: number | undefined): string =>
  `catalogue_name n WHERE ${IN_SCOPE('n')} AND ${nameContains(folded, bind)}${
    asOf === undefined ? '' : ` AND n.first_seq <= ${bind(asOf, 'bigint')}`
  }`;

/**
 * Checks the names of one record. A scalar subquery, since the planner turns EXISTS into a join that reads every
 * matching name first.
 */
const hasName = (names: string, table: string): string =>
  `(SELECT true FROM ${names} AND n.record_id = ${table}.record_id LIMIT 1)`;

/**
 * Reads the names once, into an array. With a join, the planner would read them again for each record when it does not
 * know their number, as in tables without current statistics.
 */
const recordsMatching = (filter: HistoryFilter, bind: Bind, asOf: number | undefined): string => {
  const predicates = [IN_SCOPE('r')];
  if (filter.recordIds) predicates.push(`r.record_id = ANY (${bind(filter.recordIds, 'uuid[]')})`);
  if (filter.legacyIds) {
    predicates.push(`r.legacy_id = ANY (${bind(filter.legacyIds, 'bigint[]')})`);
    if (asOf !== undefined) predicates.push(`r.legacy_seq <= ${bind(asOf, 'bigint')}`);
  }
  if (filter.foldedName !== undefined) {
    const names = namesMatching(filter.foldedName, bind, asOf);
    const isGiven = filter.recordIds || filter.legacyIds;
    predicates.push(
      isGiven ? hasName(names, 'r') : `r.record_id = ANY (ARRAY(SELECT n.record_id FROM ${names}))`,
    );
  }
  return `catalogue_record r WHERE ${predicates.join(' AND ')}`;
};

/** The name of a filter without other conditions: only such a filter may match any number of records. */
export const nameOnlyFilter = ({
  recordIds,
  legacyIds,
  foldedName,
}: HistoryFilter): string | null => (recordIds || legacyIds ? null : (foldedName ?? null));

const isUnfiltered = ({ recordIds, legacyIds, foldedName }: HistoryFilter): boolean =>
  !recordIds && !legacyIds && foldedName === undefined;

/** True when at most one record matches. */
const isOneRecord = ({ recordIds, legacyIds }: HistoryFilter): boolean =>
  recordIds?.length === 1 || legacyIds?.length === 1;

/** Pages of these sizes have prepared statements; there are too many other sizes. One extra row is read. */
const COMMON_LIMITS = new Set([10, 20, 25, 50, 100, 200, 500, 1000].map((size) => size + 1));

const namePage = (purpose: string, scope: HistoryScope, { order, limit }: HistoryRange): string =>
  COMMON_LIMITS.has(limit) ? nameStatement(purpose, scope, `${order}_${limit}`) : UNNAMED;

const nameStatement = (purpose: string, { filter }: HistoryScope, shape?: string): string =>
  [
    'history',
    purpose,
    shape,
    filter.recordIds && 'ids',
    filter.legacyIds && 'legacy',
    filter.foldedName !== undefined && (hasTrigram(filter.foldedName) ? 'name' : 'short'),
  ]
    .filter(Boolean)
    .join('_');

/** As-of and the exact total in one snapshot, from counters; no row when there is no such sandbox. */
export const startStatement = (scope: HistoryScope): Statement => {
  // A name may match one record or all, and no plan is right for both.
  const name = nameOnlyFilter(scope.filter) !== null ? UNNAMED : nameStatement('start', scope);
  const { values, bind } = bindValues(scope, name);
  const total = isUnfiltered(scope.filter)
    ? `CASE $2 WHEN 'item' THEN s.item_versions ELSE s.xp_versions END`
    : `(SELECT COALESCE(sum(r.version), 0) FROM ${recordsMatching(scope.filter, bind, undefined)})`;
  const text = `SELECT s.head_seq AS "asOf", (${total})::bigint AS total
FROM sandbox s WHERE s.sandbox_id = $1::uuid`;
  return { name, label: 'history_start', text, values };
};

const NARROW_COLUMNS =
  'v.seq, v.account_id, v.transaction_id, v.issued_at, v.operation, v.version_id, v.version_name';

/** Rows that no longer fit have no snapshot. */
const fillPage = (rows: string, order: SortOrder): string =>
  `SELECT ${NARROW_COLUMNS},
CASE WHEN ${hasRoom('octet_length(v.snapshot)', `v.seq ${order}`)} THEN v.snapshot END AS snapshot
FROM ${rows}
ORDER BY v.seq ${order}`;

/** Reads the wide rows after the limit, by primary key: `page` has their positions. */
const readVersions = (page: string, order: SortOrder): string =>
  fillPage(
    `(${page}) page JOIN catalogue_version v ON v.sandbox_id = $1::uuid AND v.seq = page.seq`,
    order,
  );

/** A page of the whole kind, or of the matching records: the first few of each, merged by position. */
export const pageStatement = (scope: HistoryScope, range: HistoryRange): Statement => {
  const { order } = range;
  const isWhole = isUnfiltered(scope.filter);
  const isOne = isOneRecord(scope.filter);
  const name = namePage(isOne ? 'one' : 'page', scope, range);
  const { values, bind, ofKind } = bindValues(scope, name);
  const { low, high, limit } = bindRange(range, bind);
  const page = (columns: string): string =>
    isWhole
      ? `SELECT ${columns} FROM ${versionsOfKind(ofKind, { low, high }, order)} LIMIT ${limit}`
      : `SELECT v.* FROM (${matchingIds(scope.filter, bind, range.asOf)}) records
CROSS JOIN LATERAL (SELECT ${columns} FROM ${versionsOfRecord(low, high, order)} LIMIT ${limit}) v
ORDER BY v.seq ${order} LIMIT ${limit}`;
  // For one record, or all, an index provides the rows of the page in order, so that no others are read.
  const text =
    isWhole || isOne
      ? fillPage(`(${page(`${NARROW_COLUMNS}, v.snapshot`)}) v`, order)
      : readVersions(page('v.seq'), order);
  return { name, label: 'history_page', text, values };
};

const bindRange = ({ low, high, limit }: HistoryRange, bind: Bind) => ({
  low: bind(low, 'bigint'),
  high: bind(high, 'bigint'),
  limit: Math.trunc(limit),
});

/**
 * The same page when many records match, or they have many versions. Only those `limit` records whose own first
 * versions come first can be on the page, and no version on it is after the last of these. The cost is one probe per
 * record, plus the page.
 */
export const mergeStatement = (scope: HistoryScope, range: HistoryRange): Statement => {
  const { order, asOf } = range;
  const name = namePage('merge', scope, range);
  const { values, bind } = bindValues(scope, name);
  const { low, high, limit } = bindRange(range, bind);
  const isLast = order === 'desc' ? `min(h.seq) ELSE ${low}` : `max(h.seq) ELSE ${high}`;
  const last = `(SELECT CASE count(*) WHEN ${limit} THEN ${isLast} END FROM heads h)`;
  const [from, to] = order === 'desc' ? [last, high] : [low, last];
  const page = `WITH heads AS MATERIALIZED (
SELECT records.record_id, head.seq FROM (${matchingIds(scope.filter, bind, asOf)}) records
CROSS JOIN LATERAL (SELECT v.seq FROM ${versionsOfRecord(low, high, order)} LIMIT 1) head
ORDER BY head.seq ${order} LIMIT ${limit})
SELECT v.seq FROM heads records
CROSS JOIN LATERAL (SELECT v.seq FROM ${versionsOfRecord(from, to, order)} LIMIT ${limit}) v
ORDER BY v.seq ${order} LIMIT ${limit}`;
  return { name, label: 'history_merge', text: readVersions(page, order), values };
};

/** The number of matching names, up to `most`: for a common name it reads a few, whatever the size of the sandbox. */
export const countNamesStatement = (
  scope: HistoryScope,
  foldedName: string,
  asOf: number,
  most: number,
): Statement => {
  const { values, bind } = bindValues(scope, UNNAMED);
  const names = `SELECT FROM ${namesMatching(foldedName, bind, asOf)} LIMIT ${bind(most, 'int')}`;
  const text = `SELECT count(*) AS names FROM (${names}) found`;
  return { name: UNNAMED, label: 'history_names', text, values };
};

/**
 * Compares and sorts by (kind, seq), though the kind is fixed: only the index of the kind supports that. Without the
 * values, the planner may otherwise read all versions to find the rare kind.
 */
const versionsOfKind = (
  { sandbox, kind }: { sandbox: string; kind: string },
  { low, high }: { low: string; high: string },
  order: SortOrder,
): string =>
  `catalogue_version v WHERE v.sandbox_id = ${sandbox}
AND (v.kind, v.seq) >= (${kind}, ${low}) AND (v.kind, v.seq) <= (${kind}, ${high})
ORDER BY v.kind ${order}, v.seq ${order}`;

const versionsOfRecord = (low: string, high: string, order: SortOrder): string =>
  `catalogue_version v WHERE ${IN_SCOPE('v')} AND v.record_id = records.record_id
AND v.seq BETWEEN ${low} AND ${high} ORDER BY v.seq ${order}`;

const matchingIds = (filter: HistoryFilter, bind: Bind, asOf: number): string => {
  const name = nameOnlyFilter(filter);
  if (name !== null) return `SELECT DISTINCT n.record_id FROM ${namesMatching(name, bind, asOf)}`;
  return `SELECT r.record_id FROM ${recordsMatching(filter, bind, asOf)}`;
};

/**
 * A page by a name that many records have: reads up to `window` versions of the kind until the page is full. Cheaper
 * than probing each of many records, but may find too few.
 */
export const scanStatement = (
  scope: HistoryScope,
  foldedName: string,
  range: HistoryRange,
  window: number,
): Statement => {
  const { values, bind, ofKind } = bindValues(scope, UNNAMED);
  const { order, asOf } = range;
  const { low, high, limit } = bindRange(range, bind);
  const scanned = `SELECT v.kind, v.seq, v.record_id FROM ${versionsOfKind(ofKind, { low, high }, order)}
LIMIT ${bind(window, 'int')}`;
  // In the order of the index, so that nothing is sorted and the scan stops with the page.
  const page = `SELECT w.seq FROM (${scanned}) w WHERE ${hasName(namesMatching(foldedName, bind, asOf), 'w')}
ORDER BY w.kind ${order}, w.seq ${order} LIMIT ${limit}`;
  return { name: UNNAMED, label: 'history_scan', text: readVersions(page, order), values };
};
