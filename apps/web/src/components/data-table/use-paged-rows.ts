// Rows of a keyset-paged query: loaded as one scrolls, and kept fresh without moving under the cursor.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mergeHead } from './merge-head.ts';
import type { Count, Page, PagedRowsOptions } from './paged-rows.ts';
import { pagesOptions } from './paged-rows.ts';
import type { Rows } from './rows.ts';

/** A count reads more than a page does, and a long list's length is not watched second by second. */
const COUNT_MS = 15_000;

export const usePagedRows = <Answer extends Page, Row>(
  options: PagedRowsOptions<Answer, Row>,
): Rows<Row> => {
  const { queryKey, fetchPage, fetchCount, rowsOf, rowId, liveMs } = options;
  const pages = useInfiniteQuery(pagesOptions({ queryKey, fetchPage }));
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
