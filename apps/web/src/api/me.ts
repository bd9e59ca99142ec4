// The signed-in account and its permissions. The service enforces them; the page only hides what it cannot use.
import type { RequiredPermission } from '@muster/contract';
import { permits } from '@muster/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import type { ApiOutputs } from './client.ts';
import { allowQueries, api, stopQueries } from './client.ts';
import { readFailure, toFailure } from './errors.ts';
import { notifyError } from './notify.ts';

export type Me = ApiOutputs['me']['get'];

/** The service returns null when the user is not signed in, so that browsers log no error. Here null is an error. */
const readMe = async (signal: AbortSignal): Promise<Me> => {
  const me = await api.me.find.query(undefined, { signal });
  if (!me) throw toFailure('auth_missing');
  return me;
};

export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
});

/**
 * For `beforeLoad` of a route: an account with none of the permissions sees the `notFoundComponent` instead of
 * the page.
 */
export const requirePermission = (
  me: Me,
  anyOf: readonly RequiredPermission[],
  sandboxId?: string,
): void => {
  if (!permits(me.permissions, anyOf, sandboxId)) throw notFound();
};

/** The signed-in account. Use it only below the route guard, which loads it. */
export const useMe = (): Me => useSuspenseQuery(meOptions).data;

/**
 * Whether the account has at least one of the permissions: in any sandbox, or in the given one.
 */
export const usePermission = (anyOf: readonly RequiredPermission[], sandboxId?: string): boolean =>
  permits(useMe().permissions, anyOf, sandboxId);

/** Calls an authentication endpoint, which does not use tRPC: `path` is relative to /admin/auth. Throws an ApiFailure. */
export const postAuth = async <Answer = unknown>(path: string, body: object): Promise<Answer> => {
  const response = await fetch(`/admin/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await readFailure(response);
  return (await response.json()) as Answer;
};

/** Reloads the whole page afterwards, so that no data of the account remains in memory. */
export const signOut = async (): Promise<void> => {
  // The service would refuse queries that arrive after the sign-out, and the browser would log an error for each.
  stopQueries();
  try {
    await postAuth('/sign-out', {});
    window.location.assign('/login');
  } catch (error) {
    allowQueries();
    notifyError(error);
  }
};
