// The statement of a list that is sorted by a key of custom data. The list has three parts, in this order also when it is
// descending: the values that are numbers, the other texts, and the records without a value. Each part is sorted by its
// values and then by id.
import { CUSTOM_FIELD } from '@muster/contract';
import type { Statement } from '../history/history-sql.ts';
import type { ListQuery } from './record-list-query.ts';
import { openValues, writeFilter, writeMatching, writePage } from './record-list-query.ts';
import type { Add } from './where-sql.ts';

export type CustomSort = `${typeof CUSTOM_FIELD}${string}`;

export const isCustomSort = (sort: string): sort is CustomSort => sort.startsWith(CUSTOM_FIELD);

type Query = ListQuery<CustomSort>;

const NUMBERS = 0;
const TEXTS = 1;
const MISSING = 2;

/** `few`: reads all matching records, and sorts them. `many`: reads the parts along their indexes until a page is full. */
export const customSortStatement = (
  query: Query,
  columns: string,
  way: 'few' | 'many',
): Statement => {
  const { values, add } = openValues();
  const page = way === 'few' ? sortAll(query, add) : walkParts(query, add);
  const withValue = `SELECT *, COALESCE(to_jsonb(sort_number), to_jsonb(sort_text)) AS sort_value FROM (
${page}
) page`;
  const order = ['r.sort_number', 'r.sort_text', 'r.record_id'].map((name) => toward(name, query));
  const text = writePage(columns, withValue, ['r.sort_part', ...order].join(', '));
  return { name: '', text, values };
};

const toward = (name: string, { order }: Query): string =>
  `${name} ${order === 'asc' ? 'ASC' : 'DESC'}`;

/** Of the values `v`. The text of a number does not order it. */
const SORT_COLUMNS = `v.number AS sort_number, CASE WHEN v.number IS NULL THEN v.text END AS sort_text,
  CASE WHEN v.number IS NOT NULL THEN ${NUMBERS} WHEN v.text IS NOT NULL THEN ${TEXTS} ELSE ${MISSING} END AS sort_part`;

const sortAll = (query: Query, add: Add): string => {
  const { sort, limit } = query;
  const where = writeMatching(query, add, false);
  const order = ['sort_number', 'sort_text', 'record_id'].map((name) => toward(name, query));
  // OFFSET makes the planner read the matching records first, and then the value of each.
  return `SELECT * FROM (
  SELECT f.*, ${SORT_COLUMNS} FROM (SELECT * FROM catalogue_record WHERE ${where} OFFSET 0) f
  LEFT JOIN LATERAL (
    SELECT v.number, v.text FROM catalogue_value v
    WHERE ${scope(query)} AND v.record_id = f.record_id AND v.key = ${add(sort)}::text LIMIT 1
  ) v ON true
) sorted ${follows(query, add)}
ORDER BY sort_part, ${order.join(', ')} LIMIT ${add(limit)}::int`;
};

/** The condition for the rows after the position, which is in one of the parts. */
const follows = (query: Query, add: Add): string => {
  const { after } = query;
  if (!after) return '';
  const part = partOf(after.value);
  const own = `sort_part = ${part} AND ${isAfter(query, ['sort_number', 'sort_text', 'record_id'], add)}`;
  return `WHERE sort_part > ${part} OR (${own})`;
};

const partOf = (value: string | number | null): number => {
  if (value === null) return MISSING;
  return typeof value === 'number' ? NUMBERS : TEXTS;
};

/** Compares with the position in its part; the columns are those of a number, a text and an id. */
const isAfter = (
  { after, order }: Query,
  [number, text, id]: readonly [number: string, text: string, id: string],
  add: Add,
): string => {
  const { value = null, id: lastId } = after ?? {};
  const sign = order === 'asc' ? '>' : '<';
  const last = `${add(lastId)}::uuid`;
  switch (partOf(value)) {
    case NUMBERS:
      return `(${number}, ${id}) ${sign} (${add(value)}::float8, ${last})`;
    case TEXTS:
      return `(${text}, ${id}) ${sign} (${add(value)}::text, ${last})`;
    default:
      return `${id} ${sign} ${last}`;
  }
};

/** Each part as a walk along one index, from the position on. A part reads nothing when the earlier ones fill the page. */
const walkParts = (query: Query, add: Add): string => {
  const { after, sort, matched } = query;
  const ids = matched?.ids;
  const where = ids ? writeFilter(query, add, true) : writeMatching(query, add, true);
  // Inside CASE the planner makes a hash table of the ids; it would search an index for each of them.
  const isMatch = ids
    ? `AND CASE WHEN v.record_id = ANY (${add(ids)}::uuid[]) THEN true ELSE false END`
    : '';
  const start = after ? partOf(after.value) : NUMBERS;
  const limit = `${add(query.limit)}::int`;
  const key = `${add(sort)}::text`;
  const parts = PARTS.slice(start);
  const walks = parts.map(({ name, columns, table, condition, order }, index) => {
    const isInside = after !== undefined && index === 0;
    const position = isInside
      ? `AND ${isAfter(query, ['v.number', 'v.text', 'v.record_id'], add)}`
      : '';
    const earlier = parts.slice(0, index).map((part) => ` - (SELECT count(*) FROM ${part.name})`);
    // OFFSET makes the planner look up the records one by one. It expects no more rows than the limit inside.
    return `${name} AS MATERIALIZED (
  SELECT * FROM (
    SELECT r.*, ${columns}
    FROM ${table} v CROSS JOIN LATERAL (
      SELECT * FROM catalogue_record WHERE ${where} AND record_id = v.record_id OFFSET 0
    ) r
    WHERE ${scope(query)} AND ${condition(key)} ${isMatch} ${position}
    ORDER BY ${order.map((column) => toward(column, query)).join(', ')} LIMIT ${limit}
  ) part LIMIT ${limit}${earlier.join('')}
)`;
  });
  const all = parts.map(({ name }) => `SELECT * FROM ${name}`);
  return `WITH ${walks.join(', ')}\n${all.join(' UNION ALL ')}`;
};

const PARTS = [
  {
    name: 'numbers',
    columns: `v.number AS sort_number, NULL::text AS sort_text, ${NUMBERS} AS sort_part`,
    table: 'catalogue_value',
    condition: (key: string) => `v.key = ${key} AND v.number IS NOT NULL`,
    order: ['v.number', 'v.record_id'],
  },
  {
    name: 'texts',
    columns: `NULL::float8 AS sort_number, v.text AS sort_text, ${TEXTS} AS sort_part`,
    table: 'catalogue_value',
    condition: (key: string) => `v.key = ${key} AND v.number IS NULL`,
    order: ['v.text', 'v.record_id'],
  },
  {
    name: 'missing',
    columns: `NULL::float8 AS sort_number, NULL::text AS sort_text, ${MISSING} AS sort_part`,
    table: 'catalogue_record',
    // A scalar subquery: the planner would turn NOT EXISTS into a join that may read the values of all records.
    condition: (key: string) => `(SELECT true FROM catalogue_value m WHERE m.sandbox_id = $1::uuid
      AND m.kind = v.kind AND m.record_id = v.record_id AND m.key = ${key} LIMIT 1) IS NULL`,
    order: ['v.record_id'],
  },
] as const;

const scope = ({ kind }: Query): string => `v.sandbox_id = $1::uuid AND v.kind = '${kind}'`;
