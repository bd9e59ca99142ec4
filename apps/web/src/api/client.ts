// The admin API, typed by the service's own router, and how its answers are cached. The cookie of the sign-in is the
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

/** What every mutation says about itself; the cache acts on it. */
type MutationMeta = {
  /** The queries that the change makes stale, each by the beginning of its key. */
  invalidates?: readonly QueryKey[];
  /** The component shows a failure itself. Any other failure becomes a message in the corner. */
  showsFailure?: boolean;
};

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationMeta;
  }
}

const MAX_RETRIES = 3;
/** The service says "later", or no answer came; a refusal is final. */
const RETRIED_STATUSES = [0, 429, 502, 503, 504];
/** What the page shows is not what is stored any more. */
const OUTDATED_STATUSES = [404, 409];

const shouldRetry = (failures: number, error: unknown): boolean => {
  const { status, code } = toApiError(error);
  return failures < MAX_RETRIES && code !== 'page_error' && RETRIED_STATUSES.includes(status);
};

/** Never earlier than the service asks for. */
const retryDelay = (failures: number, error: unknown): number =>
  Math.max(toApiError(error).retryAfterMs ?? 0, 500 * 2 ** failures);

/** Resolves once the queries that are on the screen have been read again. */
export const invalidate = async (keys: readonly QueryKey[] = []): Promise<void> => {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
};

export const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    // Awaited, so that a dialog closes over a page that already shows the change.
    onSuccess: (_data, _variables, _result, { meta }) => invalidate(meta?.invalidates),
    onError: async (error, _variables, _result, { meta }) => {
      if (!meta?.showsFailure) notifyError(error);
      // Awaited too: whoever reads of a conflict and tries again does so with what is stored now.
      if (OUTDATED_STATUSES.includes(toApiError(error).status)) await invalidate(meta?.invalidates);
    },
  }),
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay,
      staleTime: 10_000,
      // A long list would be read again page by page; live pages poll by themselves.
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});

/** Direct calls: `api.items.get.query({…})`. */
export const api: TRPCClient<AdminRouter> = createTRPCClient<AdminRouter>({
  // One request per call: an error keeps its own request id and Retry-After.
  links: [httpLink({ url: '/admin/trpc' })],
});

/** Options for TanStack Query: `useQuery(trpc.items.get.queryOptions({…}))`. */
export const trpc = createTRPCOptionsProxy<AdminRouter>({ client: api, queryClient });

export type ApiInputs = inferRouterInputs<AdminRouter>;
export type ApiOutputs = inferRouterOutputs<AdminRouter>;
