// Keyset pagination: what the first page fixes, the range of the next one, and the cursors of the admin lists.
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

/** `last` is where the next page continues; undefined on the last page. */
export const cutPage = <Row>(
  found: readonly Row[],
  pageSize: number,
): { page: Row[]; last: Row | undefined } => {
  const page = found.slice(0, pageSize);
  return { page, last: found.length > page.length ? page.at(-1) : undefined };
};

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
