// Pages of versions and records: what the first one fixes, the range and the bytes of the next, and where a list of records goes on.
import { text, Uuid } from '@muster/contract';
import { z } from 'zod';
import { ServiceError } from '../platform/index.ts';

export type SortOrder = 'asc' | 'desc';

/** Where a list of versions stands. All but `total` are positions in one sandbox. */
export type Pagination = {
  /** Of the last version that was given out. */
  position: number;
  /** The first and the last position of the list, fixed by its first page however much is written meanwhile. */
  low: number;
  high: number;
  /** How many versions match; absent where counting them would take too long. */
  total?: number | undefined;
};

export type PageRange = { order: SortOrder; low: number; high: number; limit: number };

/** Stands just outside the list, on the side where it begins. */
export const startPagination = (
  order: SortOrder,
  fixed: Omit<Pagination, 'position'>,
): Pagination => ({ ...fixed, position: order === 'asc' ? fixed.low - 1 : fixed.high + 1 });

/** One row more than the page holds tells whether another page follows. */
export const nextRange = (
  order: SortOrder,
  { position, low, high }: Pagination,
  pageSize: number,
): PageRange => ({
  order,
  limit: pageSize + 1,
  ...(order === 'asc' ? { low: position + 1, high } : { low, high: position - 1 }),
});

/**
 * So many bytes of snapshots fill a page, whatever its size in rows: a thousand of the largest records would be more than a
 * hundred megabytes. The row that goes beyond is the last one, so that every page has one at least.
 */
export const PAGE_BYTES = 4 * 1_048_576;

/**
 * SQL that is true for the rows of a page that it has room for, in their order. `bytes` are those of a row: `octet_length`
 * reads the length of a stored text, and not the text.
 */
export const hasRoom = (bytes: string, order: string, pageBytes: number = PAGE_BYTES): string =>
  `COALESCE(sum(${bytes}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
  < ${pageBytes}`;

/**
 * `last` is where the next page continues; undefined on the last page. A page ends before its size is reached where a row
 * does not fit.
 */
export const cutPage = <Row, Fitting extends Row = Row>(
  found: readonly Row[],
  pageSize: number,
  fits?: (row: Row) => row is Fitting,
): { page: Fitting[]; last: Fitting | undefined } => {
  const rows = found.slice(0, pageSize);
  const page = fits ? rows.filter(fits) : (rows as Fitting[]);
  return { page, last: found.length > page.length ? page.at(-1) : undefined };
};

/** For rows whose snapshot is null where the page has no room for it. */
export const hasSnapshot = <Row extends { snapshot: string | null }>(
  row: Row,
): row is Row & { snapshot: string } => row.snapshot !== null;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * SQL for where a page in the order of ids begins: after the last id, or on the first page at the nil UUID, the smallest
 * valid id. With a bound on either end the planner expects a narrow range and walks the index. The parameter is the
 * statement's last one, which the first page leaves out.
 */
export const afterId = (column: string, parameter: `$${number}`, after: string | null): string =>
  after === null ? `AND ${column} >= '${NIL_UUID}'::uuid` : `AND ${column} > ${parameter}::uuid`;

/** Where a page of a list by name ended: the last name in the list's order, and the id that breaks ties. */
export type ListPosition = { name: string; id: string };

const ListCursor = z.tuple([text(0), Uuid]);

export const encodeListCursor = ({ name, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([name, id]), 'utf8').toString('base64url');

/** Errors: input_invalid for what this service never gave out. */
export const decodeListCursor = (cursor: string): ListPosition => {
  try {
    const json = Buffer.from(cursor, 'base64url').toString('utf8');
    const [name, id] = ListCursor.parse(JSON.parse(json));
    return { name, id };
  } catch (cause) {
    throw new ServiceError('input_invalid', { desc: 'The cursor is not one of this list.', cause });
  }
};
