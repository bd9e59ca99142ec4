// Who is signed in, and what they may do. The service decides; the page only knows what to offer.
import type { Permission } from '@muster/contract';
import { permits } from '@muster/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { refuse } from '../api/api-error.ts';
import type { ApiOutputs } from '../api/trpc.ts';
import { api } from '../api/trpc.ts';

export type Me = ApiOutputs['me']['get'];

/** Nobody is an answer of the service, so that no browser complains, and a failure to whatever needs an account. */
const readMe = async (signal: AbortSignal): Promise<Me> => {
  const me = await api.me.find.query(undefined, { signal });
  if (!me) throw refuse('auth_missing');
  return me;
};

export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
});

/** The signed-in account. Only below the route guard, which has loaded it. */
export const useMe = (): Me => useSuspenseQuery(meOptions).data;

/**
 * Whether the account holds any one of the permissions: anywhere, or in the sandbox that is given.
 */
export const usePermission = (anyOf: readonly Permission[], sandboxId?: string): boolean =>
  permits(useMe().permissions, anyOf, sandboxId);
