// Where a table's rows come from, whichever way they are loaded.

export type Rows<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Ids of rows that the service does not list any more. They stay where they are until the list is shown anew. */
  removedIds: ReadonlySet<string>;
  /** The row that a live list began with when it was last asked, whether it is shown yet or not. */
  newest?: Row | undefined;
  /** The service sorts all rows as the address says; absent, rows are sorted here, once all of them are loaded. */
  sortsAll?: boolean;
  /** How many new rows wait to be shown. */
  newRows: number;
  showNewRows: () => void;
  /** Of all rows that match, where the service says it; at least so many where `isTotalExact` is false. */
  total?: number;
  isTotalExact: boolean;
  isLoading: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  loadMore: () => void;
  error: unknown;
  /** A live list that the service does not answer now. */
  isStale: boolean;
  refetch: () => unknown;
};

export const NO_IDS: ReadonlySet<string> = new Set();

type Query = { error: unknown; isPending: boolean; refetch: () => unknown };

const ANSWERED: Query = { error: null, isPending: false, refetch: () => {} };

/** All rows at once: those that a query has answered, or that are there anyway. */
export const toRows = <Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  { isPending, error, refetch }: Query = ANSWERED,
): Rows<Row> => ({
  rows,
  rowId,
  removedIds: NO_IDS,
  newRows: 0,
  showNewRows: () => {},
  total: rows.length,
  isTotalExact: true,
  isLoading: isPending,
  isLoadingMore: false,
  hasMore: false,
  loadMore: () => {},
  error,
  isStale: false,
  refetch,
});
