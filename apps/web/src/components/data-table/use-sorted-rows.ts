import { useMemo } from 'react';
import type { Column } from './columns.ts';
import type { Rows } from './rows.ts';

export type Sort = { id: string; isDescending: boolean };

export const readSort = (sort: unknown): Sort | null => {
  if (typeof sort !== 'string' || sort === '') return null;
  return { id: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') };
};

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorted by the column in the address where the table can: with pages missing, only the service could. */
export const useSortedRows = <Row>(
  { rows, hasMore }: Rows<Row>,
  columns: readonly Column<Row>[],
  sort: Sort | null,
): readonly Row[] => {
  const sortValue = columns.find(({ id }) => id === sort?.id)?.sortValue;
  const isDescending = sort?.isDescending ?? false;
  return useMemo(() => {
    if (!sortValue || hasMore) return rows;
    const sorted = rows.toSorted((a, b) => compareValues(sortValue(a), sortValue(b)));
    return isDescending ? sorted.reverse() : sorted;
  }, [rows, sortValue, isDescending, hasMore]);
};

const compareValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
