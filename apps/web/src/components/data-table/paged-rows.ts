// What a keyset-paged list asks the service, for the table that shows it and for the route that asks ahead.
import type { QueryKey } from '@tanstack/react-query';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';

export type Page = { page_meta: { cursor?: string; total?: number } };

export type Count = { count: number; is_exact: boolean };

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

type Asked<Answer extends Page> = Pick<PagedRowsOptions<Answer, never>, 'queryKey' | 'fetchPage'>;

export const pagesOptions = <Answer extends Page>({ queryKey, fetchPage }: Asked<Answer>) =>
  infiniteQueryOptions({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ page_meta }) => page_meta.cursor,
  });

/**
 * For the loader of a route: asks for the first page while the code of the page is still on its way. Does not wait,
 * and leaves errors to the table.
 */
export const askAhead = <Answer extends Page>(asked: Asked<Answer>): void =>
  void queryClient.prefetchInfiniteQuery(pagesOptions(asked));
