// The admin API, typed by the service's own router. The cookie of the sign-in is the credential.
import type { AdminRouter } from '@muster/api/admin-router';
import type { TRPCClient } from '@trpc/client';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { queryClient } from './query-client.ts';

/** Calls by hand: `api.items.get.query({…})`. */
export const api: TRPCClient<AdminRouter> = createTRPCClient<AdminRouter>({
  // One request per call: an error keeps its own request id and Retry-After.
  links: [httpLink({ url: '/admin/trpc' })],
});

/** Options for TanStack Query: `useQuery(trpc.items.get.queryOptions({…}))`. */
export const trpc = createTRPCOptionsProxy<AdminRouter>({ client: api, queryClient });

export type ApiInputs = inferRouterInputs<AdminRouter>;
export type ApiOutputs = inferRouterOutputs<AdminRouter>;
