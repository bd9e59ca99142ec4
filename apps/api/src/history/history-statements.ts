// The SQL of the histories. Texts vary only by which filters are set, so that each is parsed and planned once.
import { toContainsPattern } from '../catalogue/index.ts';
import type { HistoryFilter, SortOrder } from './history-filter.ts';

export type HistoryScope = { sandboxId: string; kind: 'item' | 'xp'; filter: HistoryFilter };

export type PageRange = {
  order: SortOrder;
  /** First and last position of the walk that the page may hold, both included. */
  low: number;
  high: number;
  /** Names and legacy ids that came after it do not count. */
  asOf: number;
  limit: number;
};

export type Statement = { name: string; text: string; values: unknown[] };

/**
 * A statement without a name is planned for its values each time. The scan needs that: how many versions it reads
 * decides which index is right, and a plan that does not see the number may sort a whole kind by another one.
 */
const UNNAMED = '';

/** Numbers the values of a statement in the order in which its text names them. */
const bindValues = ({ sandboxId, kind }: HistoryScope) => {
  const values: unknown[] = [sandboxId, kind];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  return { values, bind };
};
type Bind = ReturnType<typeof bindValues>['bind'];

const IN_SCOPE = (table: string) => `${table}.sandbox_id = $1::uuid AND ${table}.kind = $2`;

/** pg_trgm finds nothing by less than three letters in a row: such a filter reads the names of the sandbox instead. */
const hasTrigram = (folded: string): boolean => /[\p{L}\p{N}]{3}/u.test(folded);

const nameContains = (folded: string, bind: Bind): string =>
  hasTrigram(folded)
    ? `n.folded_name LIKE ${bind(toContainsPattern(folded), 'text')}`
    : `strpos(n.folded_name, ${bind(folded, 'text')}) > 0`;

/** Without `asOf` the question is about now, in one snapshot with the head of the sandbox. */
const namesMatching = (folded: string, bind: Bind, asOf: number | undefined): string =>
  `catalogue_name n WHERE ${IN_SCOPE('n')} AND ${nameContains(folded, bind)}${
    asOf === undefined ? '' : ` AND n.first_seq <= ${bind(asOf, 'bigint')}`
  }`;

const recordsMatching = (filter: HistoryFilter, bind: Bind, asOf: number | undefined): string => {
  const predicates = [IN_SCOPE('r')];
  if (filter.recordIds) predicates.push(`r.record_id = ANY (${bind(filter.recordIds, 'uuid[]')})`);
  if (filter.legacyIds) {
    predicates.push(`r.legacy_id = ANY (${bind(filter.legacyIds, 'bigint[]')})`);
    if (asOf !== undefined) predicates.push(`r.legacy_seq <= ${bind(asOf, 'bigint')}`);
  }
  if (filter.foldedName !== undefined) {
    const names = namesMatching(filter.foldedName, bind, asOf);
    predicates.push(`r.record_id IN (SELECT n.record_id FROM ${names})`);
  }
  return `catalogue_record r WHERE ${predicates.join(' AND ')}`;
};

const isUnfiltered = ({ recordIds, legacyIds, foldedName }: HistoryFilter): boolean =>
  !recordIds && !legacyIds && foldedName === undefined;

const nameStatement = (purpose: string, { filter }: HistoryScope, order?: SortOrder): string =>
  [
    'history',
    purpose,
    order,
    filter.recordIds && 'ids',
    filter.legacyIds && 'legacy',
    filter.foldedName !== undefined && (hasTrigram(filter.foldedName) ? 'name' : 'short'),
  ]
    .filter(Boolean)
    .join('_');

/** As-of and the exact total of one snapshot, from counters; no row where there is no such sandbox. */
export const startStatement = (scope: HistoryScope): Statement => {
  const { values, bind } = bindValues(scope);
  const total = isUnfiltered(scope.filter)
    ? `CASE $2 WHEN 'item' THEN s.item_versions ELSE s.xp_versions END`
    : `(SELECT COALESCE(sum(r.version), 0) FROM ${recordsMatching(scope.filter, bind, undefined)})`;
  const text = `SELECT s.head_seq AS "asOf", (${total})::bigint AS total
FROM sandbox s WHERE s.sandbox_id = $1::uuid`;
  return { name: nameStatement('start', scope), text, values };
};

/** The wide rows are read after the limit, by primary key. */
const readVersions = (page: string, order: SortOrder): string =>
  `SELECT v.seq, v.account_id, v.transaction_id, v.issued_at, v.operation, v.version_id, v.version_name, v.snapshot
FROM (${page}) page
JOIN catalogue_version v ON v.sandbox_id = $1::uuid AND v.seq = page.seq
ORDER BY page.seq ${order}`;

/** A page of the whole kind, or of the records that match: the first few of each, merged by position. */
export const pageStatement = (scope: HistoryScope, range: PageRange): Statement => {
  const { values, bind } = bindValues(scope);
  const limit = `LIMIT ${bind(range.limit, 'int')}`;
  const page = isUnfiltered(scope.filter)
    ? `SELECT v.seq FROM ${versionsOfKind(range, bind)} ${limit}`
    : `SELECT v.seq FROM (${matchingIds(scope.filter, bind, range.asOf)}) records
CROSS JOIN LATERAL (SELECT v.seq FROM ${versionsOfRecord(range, bind)} ${limit}) v
ORDER BY v.seq ${range.order} ${limit}`;
  const text = readVersions(page, range.order);
  return { name: nameStatement('page', scope, range.order), text, values };
};

/**
 * Compares and sorts by (kind, seq), though the kind is fixed: only the index of the kind can answer that. A planner
 * that does not see the values may otherwise read the rare kind's versions out of all versions.
 */
const versionsOfKind = ({ low, high, order }: PageRange, bind: Bind): string =>
  `catalogue_version v WHERE v.sandbox_id = $1::uuid
AND (v.kind, v.seq) >= ($2, ${bind(low, 'bigint')}) AND (v.kind, v.seq) <= ($2, ${bind(high, 'bigint')})
ORDER BY v.kind ${order}, v.seq ${order}`;

const versionsOfRecord = ({ low, high, order }: PageRange, bind: Bind): string =>
  `catalogue_version v WHERE ${IN_SCOPE('v')} AND v.record_id = records.record_id
AND v.seq BETWEEN ${bind(low, 'bigint')} AND ${bind(high, 'bigint')} ORDER BY v.seq ${order}`;

const matchingIds = (filter: HistoryFilter, bind: Bind, asOf: number): string => {
  const { recordIds, legacyIds, foldedName } = filter;
  if (foldedName !== undefined && !recordIds && !legacyIds) {
    return `SELECT DISTINCT n.record_id FROM ${namesMatching(foldedName, bind, asOf)}`;
  }
  return `SELECT r.record_id FROM ${recordsMatching(filter, bind, asOf)}`;
};

/**
 * A page of a name that many records have: reads the `window` next versions of the kind and keeps those that match.
 * Cheaper than asking each of many records, but may find fewer than there are. A scalar subquery, since the planner
 * turns EXISTS into a join that reads every matching name first.
 */
export const scanStatement = (
  scope: HistoryScope,
  foldedName: string,
  range: PageRange,
  window: number,
): Statement => {
  const { values, bind } = bindValues(scope);
  const { order, limit, asOf } = range;
  const scanned = `SELECT v.seq, v.record_id FROM ${versionsOfKind(range, bind)}
LIMIT ${bind(window, 'int')}`;
  const names = namesMatching(foldedName, bind, asOf);
  const page = `SELECT w.seq FROM (${scanned}) w
WHERE (SELECT true FROM ${names} AND n.record_id = w.record_id LIMIT 1)
ORDER BY w.seq ${order} LIMIT ${bind(limit, 'int')}`;
  return { name: UNNAMED, text: readVersions(page, order), values };
};
