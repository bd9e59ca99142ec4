// The rows of a table, independent of the way they are loaded.

export type Rows<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Ids of rows that the service no longer lists. They keep their position until the list is reloaded. */
  removedIds: ReadonlySet<string>;
  /** The first row of the last poll of a live list, even if it is not shown yet. */
  newest?: Row | undefined;
  /** True if the service sorts by the URL parameter. Otherwise the table sorts the rows when all are loaded. */
  sortsAll?: boolean;
  /** The number of new rows that are not shown yet. */
  newRows: number;
  showNewRows: () => void;
  /** The number of matching rows, if the service returns it. A lower bound if `isTotalExact` is false. */
  total?: number;
  isTotalExact: boolean;
  isLoading: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  loadMore: () => void;
  error: unknown;
  /** True if the last poll of a live list failed. */
  isStale: boolean;
  refetch: () => unknown;
};

export const NO_IDS: ReadonlySet<string> = new Set();

type Query = { error: unknown; isPending: boolean; refetch: () => unknown };

const ANSWERED: Query = { error: null, isPending: false, refetch: () => {} };

/** Rows that are loaded all at once: the data of a query, or a list. */
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
