// Where a table's rows come from, whichever way they are loaded.

export type Rows<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Ids of rows that the service does not list any more. They stay where they are until the list is shown anew. */
  gone: ReadonlySet<string>;
  /** How many rows have arrived and wait to be shown. */
  arrivals: number;
  showArrivals: () => void;
  /** Of all rows that match, where the service says it; at least so many where `isTotalExact` is false. */
  total?: number;
  isTotalExact: boolean;
  isLoading: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  loadMore: () => void;
  error: unknown;
  /** A live list that does not hear from the service now. */
  isStale: boolean;
  refetch: () => unknown;
};

export const NONE: ReadonlySet<string> = new Set();
