// Rows of a keyset-paged query: loaded as one scrolls, kept fresh without moving any row under the cursor, and
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
  /** Names the procedure and its input: `[...trpc.items.list.pathKey(), input]`. */
  queryKey: QueryKey;
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  rowId: (row: Row) => string;
  /** Asks for the first page again and again: known rows change in place, new ones wait to be shown. */
  liveMs?: number;
  /** Asked when there is more than what is loaded, and the pages carry no total of their own. */
  fetchCount?: (signal: AbortSignal) => Promise<Count>;
  /**
   * The service sorts by what the address says. The last part of the key is the input: while another sort or filter of the
   * same list is read, the rows before it stay, and with them the focus on the head of the column.
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

/** A count reads more than a page does, and a long list's length is not watched second by second. */
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
  // An answer from before the pages were read says nothing new about them.
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

/** All rows that are loaded count themselves. */
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
 * Lays a fresh first page over rows that are shown already, without moving any. Known rows take their new content where they are, unknown ones are only counted, and rows that the fresh
 * page passes over are
 * reported as removed. Rows behind the last known one of the fresh page are left as they are.
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
