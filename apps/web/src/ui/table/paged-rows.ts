// Rows of a query with keyset pagination: loaded on scrolling, refreshed without moving visible rows, and
// prefetched by the loader of a route.
import type { QueryKey } from '@tanstack/react-query';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryClient } from '../../api/client.ts';
import type { Rows } from './rows.ts';
import { NO_IDS } from './rows.ts';

type Page = { page_meta: { cursor?: string; total?: number } };

type Count = { count: number; is_exact: boolean };

export type PagedRowsOptions<Answer extends Page, Row> = {
  /** The procedure and its input: `[...trpc.items.list.pathKey(), input]`. */
  queryKey: QueryKey;
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  rowId: (row: Row) => string;
  /** Polls the first page: known rows are updated in place, new rows are counted until the user shows them. */
  liveMs?: number;
  /** Loads the total if there are further pages and the pages contain no total. */
  fetchCount?: (signal: AbortSignal) => Promise<Count>;
  /**
   * The service sorts by the URL parameter. The last part of the key is the input. While another sort or filter of the
   * same list loads, the previous rows remain, and the column header keeps the focus.
   */
  sortsAll?: boolean;
};

type PageQuery<Answer extends Page> = Pick<
  PagedRowsOptions<Answer, never>,
  'queryKey' | 'fetchPage'
>;

const pagesOptions = <Answer extends Page>({ queryKey, fetchPage }: PageQuery<Answer>) =>
  infiniteQueryOptions({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ page_meta }) => page_meta.cursor,
  });

/**
 * For the loader of a route: requests the first page while the code of the page loads. Does not wait, and leaves
 * errors to the table.
 */
export const prefetchRows = <Answer extends Page>(query: PageQuery<Answer>): void =>
  void queryClient.prefetchInfiniteQuery(pagesOptions(query));

/** The first page of a list that is shown as well: both use one request. */
export const useFirstPage = <Answer extends Page>(query: PageQuery<Answer>): Answer | undefined =>
  useInfiniteQuery(pagesOptions(query)).data?.pages[0];

/** A count is more expensive than a page, and the exact length of a long list is not urgent. */
const COUNT_MS = 15_000;

export const usePagedRows = <Answer extends Page, Row>(
  options: PagedRowsOptions<Answer, Row>,
): Rows<Row> => {
  const { queryKey, fetchPage, fetchCount, rowsOf, rowId, liveMs, sortsAll = false } = options;
  const list = JSON.stringify(queryKey.slice(0, -1));
  const pages = useInfiniteQuery({
    ...pagesOptions({ queryKey, fetchPage }),
    placeholderData: (previous, query) =>
      sortsAll && JSON.stringify(query?.queryKey.slice(0, -2)) === list ? previous : undefined,
  });
  const head = useQuery({
    queryKey: [...queryKey, 'head'],
    queryFn: ({ signal }) => fetchPage(undefined, signal),
    enabled: liveMs !== undefined && pages.data !== undefined,
    refetchInterval: liveMs ?? false,
    staleTime: liveMs ?? 0,
  });
  const count = useQuery({
    queryKey: [...queryKey, 'count'],
    queryFn: ({ signal }) => (fetchCount ? fetchCount(signal) : null),
    enabled: fetchCount !== undefined && pages.hasNextPage,
    refetchInterval: liveMs ? COUNT_MS : false,
  });
  const loaded = useMemo(() => pages.data?.pages.flatMap(rowsOf) ?? [], [pages.data, rowsOf]);
  // Ignores a response that is older than the pages.
  const isNews = head.data !== undefined && head.dataUpdatedAt > pages.dataUpdatedAt;
  const news = isNews ? head.data : undefined;
  const merged = useMemo(
    () => mergeHead(loaded, news && rowsOf(news), rowId),
    [loaded, news, rowsOf, rowId],
  );
  return {
    ...merged,
    rowId,
    sortsAll,
    newest: (news && rowsOf(news)[0]) ?? loaded[0],
    showNewRows: () => void pages.refetch(),
    ...chooseTotal((news ?? pages.data?.pages[0])?.page_meta.total, pages.hasNextPage, count.data),
    isLoading: pages.isPending,
    isLoadingMore: pages.isFetchingNextPage || pages.isPlaceholderData,
    hasMore: pages.hasNextPage,
    loadMore: () => void pages.fetchNextPage(),
    error: pages.error,
    isStale: head.failureCount > 0 || head.isError,
    refetch: pages.data ? pages.fetchNextPage : pages.refetch,
  };
};

/** The total is the number of rows once all pages are loaded. */
const chooseTotal = (
  stated: number | undefined,
  hasMore: boolean,
  count: Count | null | undefined,
): Pick<Rows<never>, 'total' | 'isTotalExact'> => {
  if (stated !== undefined || !hasMore || !count) return { total: stated, isTotalExact: true };
  return { total: count.count, isTotalExact: count.is_exact };
};

type Merged<Row> = { rows: readonly Row[]; removedIds: ReadonlySet<string>; newRows: number };

/**
 * Merges a new first page into the shown rows without moving any. Known rows are updated in place, new rows are only counted, and rows that the new
 * page lacks are
 * reported as removed. Rows after the last known row of the new page are not changed.
 */
export const mergeHead = <Row>(
  shown: readonly Row[],
  head: readonly Row[] | undefined,
  rowId: (row: Row) => string,
): Merged<Row> => {
  if (!head) return { rows: shown, removedIds: NO_IDS, newRows: 0 };
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
  const removedIds = new Set(passed.filter((id) => !fresh.has(id)));
  return { rows, removedIds, newRows: fresh.size - known };
};
