// Calls of an admin router as they go over HTTP: plain JSON in, the answer's status and body out.
import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';

export type CallType = 'query' | 'mutation';

/** Callers of this router, by the permissions that they hold. */
export const createCallers =
  (router: AnyTRPCRouter) =>
  (...permissions: string[]) =>
  async (procedure: string, input: object, type: CallType = 'mutation') => {
    const url = new URL(`http://localhost/admin/trpc/${procedure}`);
    if (type === 'query') url.searchParams.set('input', JSON.stringify(input));
    const body = JSON.stringify(input);
    const headers = { 'content-type': 'application/json' };
    const response = await fetchRequestHandler({
      endpoint: '/admin/trpc',
      req: new Request(url, type === 'query' ? {} : { method: 'POST', body, headers }),
      router,
      createContext: () => ({
        caller: { accountId: 'admin-1', permissions },
        requestId: 'request-1',
        address: undefined,
      }),
    });
    const { result, error } = JSON.parse(await response.text());
    return { status: response.status, data: result?.data, error: error?.data };
  };

export type AdminCall = ReturnType<ReturnType<typeof createCallers>>;
