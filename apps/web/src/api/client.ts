// The admin API, typed by the service's own router, and the cache of its responses. The session cookie is the
// credential.
import type { AdminRouter } from '@muster/api/admin-router';
import type { QueryKey } from '@tanstack/react-query';
import { MutationCache, QueryClient } from '@tanstack/react-query';
import type { TRPCClient } from '@trpc/client';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { toApiError } from './errors.ts';
import { notifyError } from './notify.ts';

/** Metadata of a mutation, which the query cache uses. */
type MutationMeta = {
  /** The queries that the change makes stale, each by a prefix of its key. */
  invalidates?: readonly QueryKey[];
  /** True when the component shows a failure itself. Otherwise a notification shows it. */
  showsFailure?: boolean;
};

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationMeta;
  }
}

const MAX_RETRIES = 3;
/** Errors that a retry may resolve: the service asks to retry later, or no response arrived. */
const RETRIED_STATUSES = [0, 429, 502, 503, 504];
/** Errors that mean that the page shows outdated data. */
const OUTDATED_STATUSES = [404, 409];

const shouldRetry = (failures: number, error: unknown): boolean => {
  const { status, code } = toApiError(error);
  return failures < MAX_RETRIES && code !== 'page_error' && RETRIED_STATUSES.includes(status);
};

/** At least as long as `Retry-After` of the response. */
const retryDelay = (failures: number, error: unknown): number =>
  Math.max(toApiError(error).retryAfterMs ?? 0, 500 * 2 ** failures);

/** Resolves when the active queries have been refetched. */
export const invalidate = async (keys: readonly QueryKey[] = []): Promise<void> => {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
};

export const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    // Awaited, so that the page already shows the change when a dialog closes.
    onSuccess: (_data, _variables, _result, { meta }) => invalidate(meta?.invalidates),
    onError: async (error, _variables, _result, { meta }) => {
      if (!meta?.showsFailure) notifyError(error);
      // Awaited as well, so that a retry after a conflict uses the stored data.
      if (OUTDATED_STATUSES.includes(toApiError(error).status)) await invalidate(meta?.invalidates);
    },
  }),
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay,
      staleTime: 10_000,
      // A refetch would load every page of a long list again, and live pages poll anyway.
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});

let reads = new AbortController();

/** Aborts the queries in progress, and new ones until `allowQueries` is called. */
export const stopQueries = (): void => reads.abort();

export const allowQueries = (): void => {
  reads = new AbortController();
};

/** Direct calls: `api.items.get.query({…})`. */
export const api: TRPCClient<AdminRouter> = createTRPCClient<AdminRouter>({
  links: [
    // One request per call, so that each error has its own request id and Retry-After.
    httpLink({
      url: '/admin/trpc',
      fetch: (url, init) => {
        if (init?.method !== 'GET') return fetch(url, init);
        const signals = init.signal ? [init.signal, reads.signal] : [reads.signal];
        return fetch(url, { ...init, signal: AbortSignal.any(signals) });
      },
    }),
  ],
});

/** Options for TanStack Query: `useQuery(trpc.items.get.queryOptions({…}))`. */
export const trpc = createTRPCOptionsProxy<AdminRouter>({ client: api, queryClient });

export type ApiInputs = inferRouterInputs<AdminRouter>;
export type ApiOutputs = inferRouterOutputs<AdminRouter>;
