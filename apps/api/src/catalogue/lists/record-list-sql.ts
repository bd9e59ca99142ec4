// The statements of the lists of records: sorted by any column of the list, filtered, with keyset pages.
//
// When few records match, they are read from the filters' indexes and sorted. When many match, the filters are checked
// along the index of the sort, which soon fills a page. The planner cannot distinguish the two for values without
// statistics, so matches are counted first, up to a limit. Statements are unnamed, so that each is planned for its
// values.
import type { RecordWhere } from '@muster/contract';
import { text, Uuid } from '@muster/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/index.ts';
import type { Statement } from '../history/history-sql.ts';
import type { CustomSort } from './custom-sort-sql.ts';
import { customSortStatement, isCustomSort } from './custom-sort-sql.ts';
import type { ListQuery, Position, RecordFilter } from './record-list-query.ts';
import {
  openValues,
  SNAPSHOT,
  TYPE,
  writeFilter,
  writeMatching,
  writePage,
} from './record-list-query.ts';
import type { Add } from './where-sql.ts';
import { whereSet } from './where-sql.ts';

export type RecordSort = keyof typeof SORTS | CustomSort;
export type RecordListQuery = ListQuery<RecordSort>;

const Count = z.int().min(0);
const Milliseconds = z.int().min(0).max(8.64e15);

/**
 * `column` as in its index, `shown` as in a cursor, `parse` back to the column's type. Each index continues with the
 * folded name and the id. When sorting by name the value is empty, and the same for all.
 */
const SORTS = {
  name: { column: null, shown: `''`, parse: '', Value: z.literal('') },
  item_type: { column: TYPE, shown: TYPE, parse: '$::text', Value: text(0, 128) },
  version: { column: 'version', shown: 'version', parse: '$::bigint', Value: Count },
  updated: {
    column: 'updated_at',
    shown: '(extract(epoch FROM updated_at) * 1000)::bigint',
    parse: 'to_timestamp($::float8 / 1000)',
    Value: Milliseconds,
  },
  levels: {
    column: `jsonb_array_length(COALESCE(${SNAPSHOT} -> 'xp_thresholds', '[]'))`,
    shown: `jsonb_array_length(COALESCE(${SNAPSHOT} -> 'xp_thresholds', '[]'))`,
    parse: '$::bigint',
    Value: Count,
  },
  top: {
    column: `COALESCE((${SNAPSHOT} #>> '{xp_thresholds,-1,xp}')::bigint, 0)`,
    shown: `COALESCE((${SNAPSHOT} #>> '{xp_thresholds,-1,xp}')::bigint, 0)`,
    parse: '$::bigint',
    Value: z.int(),
  },
} as const;

/** Of a key of custom data: numbers and texts are two parts of the list, and null is the third. */
const CustomValue = z.union([z.number(), text(1), z.null()]);

/** Up to this many records are sorted for a page; with more, the index of the sort finds a page among some thousand. */
export const FEW = 2_000;

/** `few`: reads all matching records, and sorts them. */
export const listStatement = (
  query: RecordListQuery,
  columns: string,
  way: 'few' | 'many',
): Statement => {
  const { sort, order, after, limit } = query;
  if (isCustomSort(sort)) return customSortStatement({ ...query, sort }, columns, way);
  const { values, add } = openValues();
  const { column, shown, parse } = SORTS[sort];
  // The index of types only supports these two orders.
  const isTypeOrder = sort === 'name' || sort === 'item_type';
  const where = writeMatching(query, add, way === 'many' && !isTypeOrder);
  const keys = [...(column === null ? [] : [column]), 'folded_name', 'record_id'];
  const position = () => {
    if (!after) return '';
    const value = column === null ? [] : [parse.replace('$', add(after.value))];
    const ends = [...value, `${add(after.name)}::text`, `${add(after.id)}::uuid`];
    return `AND (${keys.join(', ')}) ${order === 'asc' ? '>' : '<'} (${ends.join(', ')})`;
  };
  const begin = position();
  // OFFSET makes the planner ignore the order and the limit inside the subquery.
  const fence = `(SELECT * FROM catalogue_record WHERE ${where} OFFSET 0) filtered`;
  const conditions = way === 'many' ? where : 'true';
  const direction = (names: readonly string[]) =>
    names.map((name) => `${name} ${order === 'asc' ? 'ASC' : 'DESC'}`).join(', ');
  const outer = direction([
    ...(column === null ? [] : ['r.sort_key']),
    'r.folded_name',
    'r.record_id',
  ]);
  const page = `SELECT *, ${column ?? `''`} AS sort_key, ${shown} AS sort_value
  FROM ${way === 'many' ? 'catalogue_record' : fence} WHERE ${conditions} ${begin}
  ORDER BY ${direction(keys)} LIMIT ${add(limit)}::int`;
  return { name: '', text: writePage(columns, page, outer), values };
};

/** Counting stops here: an exact larger number is useless, and the list would wait for it. */
export const COUNT_LIMIT = 100_000;

export const isFiltered = ({ deleted, name, itemType, tag, customKey }: RecordFilter): boolean =>
  deleted === true ||
  [name || undefined, itemType, tag, customKey].some((value) => value !== undefined);

export const countStatement = (filter: RecordFilter, limit = COUNT_LIMIT): Statement => {
  const { values, add } = openValues();
  const where = writeFilter(filter, add);
  const text = `SELECT count(*)::int AS total FROM (
  SELECT FROM catalogue_record WHERE ${where} LIMIT ${limit + 1}
) r`;
  return { name: '', text, values };
};

/** Up to this many matches of a filter by value are counted, and read to be sorted. */
export const MATCH_LIMIT = 10_000;

type FilterByValue = RecordFilter & { where: RecordWhere };

/** All matches of a filter by value. */
export const matchStatement = (filter: FilterByValue): Statement => {
  const { values, add } = openValues();
  const others = listOthers(filter, add);
  const set = whereSet(filter.where, filter.kind, add, others);
  const text = `SELECT total, CASE WHEN total <= ${MATCH_LIMIT} THEN COALESCE(ids, '{}')::text END AS ids
FROM (SELECT count(*)::int AS total, array_agg(record_id) AS ids FROM (${set} LIMIT ${MATCH_LIMIT + 1}) m) matched`;
  return { name: '', text, values };
};

/** All matching records as one PostgreSQL array: at most one more than the limit. */
export const idsStatement = (filter: RecordFilter, limit: number): Statement => {
  const { values, add } = openValues();
  const { where, kind } = filter;
  const set = where
    ? whereSet(where, kind, add, listOthers(filter, add))
    : `SELECT record_id FROM catalogue_record WHERE ${writeFilter(filter, add)}`;
  const text = `SELECT COALESCE(array_agg(record_id), '{}')::text AS ids FROM (${set} LIMIT ${limit + 1}) matched`;
  return { name: '', text, values };
};

/** $1 sandbox, $2 kind, $3 ids. A statement of its own: the planner would join the parts of a filter record by record. */
export const SORT_BY_NAME = `SELECT record_id AS id FROM catalogue_record
WHERE sandbox_id = $1::uuid AND kind = $2 AND record_id = ANY ($3::uuid[]) ORDER BY folded_name, record_id`;

/** Binds the sandbox first. Deleted records are few, and have an index of their own. */
const listOthers = (filter: RecordFilter, add: Add) => {
  const written = writeFilter(filter, add);
  if (isFiltered(filter)) return { filter: written };
  return { excluded: filter.deleted === false ? 'deleted' : undefined };
};

type SortPlace = Pick<RecordListQuery, 'sort' | 'order'>;

/** A cursor belongs to one sort and order. */
export const encodeRecordCursor = (
  { sort, order }: SortPlace,
  { value, name, id }: Position,
): string => {
  const position = () => {
    if (isCustomSort(sort)) return [sort, order, value, id];
    return sort === 'name' && order === 'asc' ? [name, id] : [sort, order, value, name, id];
  };
  return Buffer.from(JSON.stringify(position()), 'utf8').toString('base64url');
};

/** Errors: input_invalid for anything that is not a cursor of this service and order. */
export const decodeRecordCursor = (place: SortPlace, cursor: string): Position => {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return readPosition(place, read);
  } catch (cause) {
    throw new ServiceError('input_invalid', {
      desc: 'The cursor does not belong to this list.',
      cause,
    });
  }
};

const readPosition = ({ sort, order }: SortPlace, read: unknown): Position => {
  const place = [z.literal(sort), z.literal(order)] as const;
  const tail = [text(0), Uuid] as const;
  if (isCustomSort(sort)) {
    const [, , value, id] = z.tuple([...place, CustomValue, Uuid]).parse(read);
    return { value, name: '', id };
  }
  if (sort === 'name' && order === 'asc') {
    const [name, id] = z.tuple(tail).parse(read);
    return { value: '', name, id };
  }
  const [, , value, name, id] = z.tuple([...place, SORTS[sort].Value, ...tail]).parse(read);
  return { value, name, id };
};
