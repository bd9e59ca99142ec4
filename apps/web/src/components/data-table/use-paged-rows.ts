// Rows of a keyset-paged query: loaded as one scrolls, and kept fresh without moving under the cursor.
import type { QueryKey } from '@tanstack/react-query';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mergeHead } from './merge-head.ts';
import type { Rows } from './rows.ts';

type Page = { page_meta: { cursor?: string; total?: number } };

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
};

type Count = { count: number; is_exact: boolean };

/** A count reads more than a page does, and a long list's length is not watched second by second. */
const COUNT_MS = 15_000;

export const usePagedRows = <Answer extends Page, Row>(
  options: PagedRowsOptions<Answer, Row>,
): Rows<Row> => {
  const { queryKey, fetchPage, fetchCount, rowsOf, rowId, liveMs } = options;
  const pages = useInfiniteQuery({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ page_meta }) => page_meta.cursor,
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
    showArrivals: () => void pages.refetch(),
    ...chooseTotal((news ?? pages.data?.pages[0])?.page_meta.total, pages.hasNextPage, count.data),
    isLoading: pages.isPending,
    isLoadingMore: pages.isFetchingNextPage,
    hasMore: pages.hasNextPage,
    loadMore: () => void pages.fetchNextPage(),
    error: pages.error,
    isStale: head.failureCount > 0 || head.isError,
    refetch: pages.data ? pages.fetchNextPage : pages.refetch,
  };
};

/** All rows that are loaded count themselves. */
const chooseTotal = (
  told: number | undefined,
  hasMore: boolean,
  count: Count | null | undefined,
): Pick<Rows<never>, 'total' | 'isTotalExact'> => {
  if (told !== undefined || !hasMore || !count) return { total: told, isTotalExact: true };
  return { total: count.count, isTotalExact: count.is_exact };
};
