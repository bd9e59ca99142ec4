import type { Rows } from './rows.ts';
import { NONE } from './rows.ts';

/** Rows of a query that answers all of them at once. */
export const toRows = <Data, Row>(
  query: { data: Data | undefined; error: unknown; isPending: boolean; refetch: () => unknown },
  rowsOf: (data: Data) => readonly Row[],
  rowId: (row: Row) => string,
): Rows<Row> => {
  const rows = query.data === undefined ? [] : rowsOf(query.data);
  return {
    rows,
    rowId,
    gone: NONE,
    arrivals: 0,
    showArrivals: () => {},
    total: rows.length,
    isTotalExact: true,
    isLoading: query.isPending,
    isLoadingMore: false,
    hasMore: false,
    loadMore: () => {},
    error: query.error,
    isStale: false,
    refetch: query.refetch,
  };
};
