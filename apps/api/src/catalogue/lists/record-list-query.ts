// What a list of records asks for, and the part of its statement that filters.
import type { RecordWhere } from '@muster/contract';
import type { SortOrder } from '../pagination.ts';
import { hasRoom } from '../pagination.ts';
import type { RecordKind } from '../records/record.ts';
import { foldName, toContainsPattern } from '../records/record.ts';
import type { Add } from './where-sql.ts';
import { wherePredicate } from './where-sql.ts';

/** The end of a page: the sorted value, the folded name, and the id. */
export type Position = { value: SortValue; name: string; id: string };

/** Null for a record without the sorted key of custom data. */
export type SortValue = string | number | null;

export type RecordFilter = {
  sandboxId: string;
  kind: RecordKind['kind'];
  /** Undefined: both, including deleted ones. */
  deleted: boolean | undefined;
  /** Contained in the name. */
  name?: string | undefined;
  itemType?: string | undefined;
  tag?: string | undefined;
  /** A key of custom_data. */
  customKey?: string | undefined;
  where?: RecordWhere | undefined;
};

/** The records that a filter by value matches. */
export type MatchedRecords = {
  /** At most one more than `MATCH_LIMIT`. */
  total: number;
  /** The ids of all of them as a PostgreSQL array; null for too many. */
  ids: string | null;
};

export type ListQuery<Sort> = RecordFilter & {
  /** Set when there is a filter by value. */
  matched?: MatchedRecords | undefined;
  sort: Sort;
  order: SortOrder;
  after: Position | undefined;
  limit: number;
};

export const SNAPSHOT = 'snapshot::jsonb';
export const TYPE = `COALESCE(${SNAPSHOT} ->> 'item_type', '')`;
const TAGS = `COALESCE(${SNAPSHOT} -> 'tags', '[]')`;
const CUSTOM_DATA = `COALESCE(${SNAPSHOT} -> 'custom_data', '{}')`;

/** Collects values; returns their parameters. */
export const openValues = () => {
  const values: unknown[] = [];
  return { values, add: (value: unknown) => `$${values.push(value)}` };
};

/** Only the predicates that are set, with the same expressions as the indexes. */
export const writeFilter = (filter: RecordFilter, add: Add, typeIsFrequent = false): string => {
  const { sandboxId, kind, deleted, name, itemType, tag, customKey } = filter;
  const pattern = name ? toContainsPattern(foldName(name)) : null;
  return [
    `sandbox_id = ${add(sandboxId)}::uuid`,
    // A constant, so that partial indexes of the kind are usable.
    `kind = '${kind}'`,
    ...(deleted === undefined ? [] : [deleted ? 'deleted' : 'NOT deleted']),
    ...(pattern === null ? [] : [`folded_name LIKE ${add(pattern)}::text`]),
    ...(itemType === undefined ? [] : [writeTypeFilter(add(itemType), typeIsFrequent)]),
    ...(tag === undefined ? [] : [`${TAGS} ? ${add(tag)}::text`]),
    ...(customKey === undefined ? [] : [`${CUSTOM_DATA} ? ${add(customKey)}::text`]),
  ].join(' AND ');
};

/** A condition inside CASE uses no index, and the planner estimates that it matches half of the records. */
const writeTypeFilter = (value: string, isFrequent: boolean): string => {
  const condition = `${TYPE} = ${value}::text`;
  return isFrequent ? `CASE WHEN ${condition} THEN true ELSE false END` : condition;
};

/** The filter together with the filter by value. */
export const writeMatching = (
  query: RecordFilter & { matched?: MatchedRecords | undefined },
  add: Add,
  typeIsFrequent: boolean,
): string => {
  const { kind, where, matched } = query;
  const filter = writeFilter(query, add, typeIsFrequent);
  if (!where) return filter;
  const matching = matched?.ids
    ? `record_id = ANY (${add(matched.ids)}::uuid[])`
    : wherePredicate(where, kind, add);
  return `${filter} AND ${matching}`;
};

/** The rows of a page, which have a column `sort_value`, with their newest versions and as many snapshots as fit. */
export const writePage = (columns: string, page: string, order: string): string =>
  `SELECT ${columns}, r.sort_value AS "sortValue",
  CASE WHEN ${hasRoom('octet_length(r.snapshot)', order)} THEN r.snapshot END AS snapshot
FROM (
${page}
) r JOIN catalogue_version v ON v.sandbox_id = $1::uuid AND v.seq = r.head_seq
ORDER BY ${order}`;
