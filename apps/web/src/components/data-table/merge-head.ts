// Lays a fresh first page over rows that are shown already. Pure: no row moves.
import { NONE } from './rows.ts';

export type Merged<Row> = { rows: readonly Row[]; gone: ReadonlySet<string>; arrivals: number };

/**
 * Known rows take their new content where they are, unknown ones are only counted, and rows that the fresh
 * page passes over are `gone`. Rows behind the last known one of the fresh page are left as they are.
 */
export const mergeHead = <Row>(
  shown: readonly Row[],
  head: readonly Row[] | undefined,
  rowId: (row: Row) => string,
): Merged<Row> => {
  if (!head) return { rows: shown, gone: NONE, arrivals: 0 };
  const fresh = new Map(head.map((row) => [rowId(row), row]));
  let known = 0;
  let last = -1;
  const rows = shown.map((row, index) => {
    const newer = fresh.get(rowId(row));
    if (newer === undefined) return row;
    known += 1;
    last = index;
    return newer;
  });
  const passed = rows.slice(0, last).map(rowId);
  const gone = new Set(passed.filter((id) => !fresh.has(id)));
  return { rows, gone, arrivals: fresh.size - known };
};
