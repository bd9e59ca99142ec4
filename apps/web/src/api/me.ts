// Who is signed in, and what they may do. The service decides; the page only knows what to offer.
import type { Permission } from '@muster/contract';
import { permits } from '@muster/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import type { ApiOutputs } from './client.ts';
import { api } from './client.ts';
import { readFailure, toFailure } from './errors.ts';
import { notifyError } from './notify.ts';

export type Me = ApiOutputs['me']['get'];

/** The service answers null when no one is signed in, so that no browser logs an error; here it is a failure. */
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
 * For `beforeLoad` of a route: without any one of the permissions its `notFoundComponent` is shown instead of
 * the page.
 */
export const requirePermission = (
  me: Me,
  anyOf: readonly Permission[],
  sandboxId?: string,
): void => {
  if (!permits(me.permissions, anyOf, sandboxId)) throw notFound();
};

/** The signed-in account. Only below the route guard, which has loaded it. */
export const useMe = (): Me => useSuspenseQuery(meOptions).data;

/**
 * Whether the account holds any one of the permissions: anywhere, or in the sandbox that is given.
 */
export const usePermission = (anyOf: readonly Permission[], sandboxId?: string): boolean =>
  permits(useMe().permissions, anyOf, sandboxId);

/** Signing in and what goes with it, outside of tRPC: `path` is behind /admin/auth. Throws the service's refusal. */
export const postAuth = async <Answer = unknown>(path: string, body: object): Promise<Answer> => {
  const response = await fetch(`/admin/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await readFailure(response);
  return (await response.json()) as Answer;
};

/** The whole page is loaded anew afterwards, so that nothing of the account stays in memory. */
export const signOut = async (): Promise<void> => {
  try {
    await postAuth('/sign-out', {});
    window.location.assign('/login');
  } catch (error) {
    notifyError(error);
  }
};
