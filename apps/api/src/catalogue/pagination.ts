// Pages of versions and records: the range fixed by the first page, the bytes of a page, and the position of the next
// page.
import { text, Uuid } from '@muster/contract';
import { z } from 'zod';
import { ServiceError } from '../platform/index.ts';

export type SortOrder = 'asc' | 'desc';

/** The state of a list of versions. All except `total` are positions in one sandbox. */
export type Pagination = {
  /** Of the last returned version. */
  position: number;
  /** The first and the last position of the list, fixed by its first page, unaffected by later writes. */
  low: number;
  high: number;
  /** The number of matching versions; absent when counting them would take too long. */
  total?: number | undefined;
};

export type PageRange = { order: SortOrder; low: number; high: number; limit: number };

/** A position just outside the list, before its first entry. */
export const startPagination = (
  order: SortOrder,
  fixed: Omit<Pagination, 'position'>,
): Pagination => ({ ...fixed, position: order === 'asc' ? fixed.low - 1 : fixed.high + 1 });

/** One extra row shows whether another page follows. */
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
 * The bytes of snapshots in a page, for any number of rows: a thousand of the largest records would exceed a hundred
 * megabytes. The row that exceeds the limit is the last one, so that every page has at least one.
 */
export const PAGE_BYTES = 4 * 1_048_576;

/**
 * SQL that is true for the rows that fit into a page, in their order. `bytes` are those of a row: `octet_length` reads
 * the length of a stored text, and not the text.
 */
export const hasRoom = (bytes: string, order: string, pageBytes: number = PAGE_BYTES): string =>
  `COALESCE(sum(${bytes}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
  < ${pageBytes}`;

/** `last` is where the next page continues; undefined on the last page. A page ends early when a row does not fit. */
export const cutPage = <Row, Fitting extends Row = Row>(
  found: readonly Row[],
  pageSize: number,
  fits?: (row: Row) => row is Fitting,
): { page: Fitting[]; last: Fitting | undefined } => {
  const rows = found.slice(0, pageSize);
  const page = fits ? rows.filter(fits) : (rows as Fitting[]);
  return { page, last: found.length > page.length ? page.at(-1) : undefined };
};

/** For rows whose snapshot is null when it does not fit into the page. */
export const hasSnapshot = <Row extends { snapshot: string | null }>(
  row: Row,
): row is Row & { snapshot: string } => row.snapshot !== null;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * SQL for the start of a page sorted by id: after the last id, or on the first page at the nil UUID, the smallest valid
 * id. With a bound on both ends the planner expects a narrow range and walks the index. The parameter is the last one
 * of the statement and absent on the first page.
 */
export const afterId = (column: string, parameter: `$${number}`, after: string | null): string =>
  after === null ? `AND ${column} >= '${NIL_UUID}'::uuid` : `AND ${column} > ${parameter}::uuid`;

/** The end of a page of a list by name: the last name in the list's order, and the id that breaks ties. */
export type ListPosition = { name: string; id: string };

const ListCursor = z.tuple([text(0), Uuid]);

export const encodeListCursor = ({ name, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([name, id]), 'utf8').toString('base64url');

/** Errors: input_invalid for anything that is not a cursor of this service. */
export const decodeListCursor = (cursor: string): ListPosition => {
  try {
    const json = Buffer.from(cursor, 'base64url').toString('utf8');
    const [name, id] = ListCursor.parse(JSON.parse(json));
    return { name, id };
  } catch (cause) {
    throw new ServiceError('input_invalid', {
      desc: 'The cursor does not belong to this list.',
      cause,
    });
  }
};
