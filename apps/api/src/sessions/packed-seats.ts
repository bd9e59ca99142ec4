// The seats of a session, column by column: the players of a session are much alike, so that most columns are one value.
import type { SeatRow } from './session-rows.ts';

/** How many seats there are, then for each field of a row its value, or, where the seats differ, the list of their values. */
export type PackedSeats = [count: number, ...columns: unknown[]];

const SEATED_AT = 3;
/** Invited, joined, absent since: told from when the seat was taken, which is when most players joined. */
const SINCE_SEATED: readonly number[] = [13, 14, 15];
const FIELDS = 16;

/** Times are told from `since`, in milliseconds. A value may be a text, a number, a map or null, and is never a list. */
export const packSeats = (rows: readonly SeatRow[], since: number): PackedSeats => [
  rows.length,
  ...Array.from({ length: FIELDS }, (_, field) => packColumn(rows, field, since)),
];

export const unpackSeats = ([count, ...columns]: PackedSeats, since: number): SeatRow[] =>
  Array.from({ length: count }, (_, seat) => {
    const row = columns.map((column) => (Array.isArray(column) ? column[seat] : column));
    const seatedAt = row[SEATED_AT] + since;
    row[SEATED_AT] = seatedAt;
    for (const field of SINCE_SEATED) if (row[field] !== null) row[field] += seatedAt;
    return row as unknown as SeatRow;
  });

const packColumn = (rows: readonly SeatRow[], field: number, since: number): unknown => {
  const [first] = rows;
  if (!first) return undefined;
  const value = toRelative(first, field, since);
  return rows.every((row) => toRelative(row, field, since) === value)
    ? value
    : rows.map((row) => toRelative(row, field, since));
};

const toRelative = (row: SeatRow, field: number, since: number): unknown => {
  const value = row[field];
  if (typeof value !== 'number') return value;
  if (field === SEATED_AT) return value - since;
  return SINCE_SEATED.includes(field) ? value - row[SEATED_AT] : value;
};
