// Calls the admin API over HTTP, and the public join for comparison.
import { randomUUID } from 'node:crypto';
import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { TestService, TestToken } from '../../../test/test-service.ts';

/** Any result of a procedure: tests check it with matchers. */
type Data = { [field: string]: unknown };
type AdminAnswer = {
  status: number;
  data: Data;
  error: { error_code: string; desc: string };
};

export const createAdminClient = (service: TestService, token?: TestToken) => {
  const ask = async (path: string, init: RequestInit): Promise<AdminAnswer> => {
    const headers = await service.headers(token);
    const response = await fetch(`${service.baseUrl}/admin/trpc/${path}`, { headers, ...init });
    const { result, error } = (await response.json()) as Record<string, { data: Data }>;
    return {
      status: response.status,
      data: result?.data ?? {},
      error: error?.data as unknown as AdminAnswer['error'],
    };
  };
  return {
    query: (procedure: string, input: object = {}) =>
      ask(`${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {}),
    mutate: (procedure: string, input: object = {}) =>
      ask(procedure, { method: 'POST', body: JSON.stringify(input) }),
  };
};

export type AdminClient = ReturnType<typeof createAdminClient>;

/** A session on Steam with two teams of two; `input` overrides. */
export const createSession = async ({ mutate }: AdminClient, input: object = {}) => {
  const platformSessionId = randomUUID();
  const { data, error } = await mutate('sessions.create', {
    type: 'duel',
    teams: [{ max_size: 2 }, { max_size: 2 }],
    platform_session: [
      {
        platform: 'Steam',
        platform_session_type: 'lobby',
        platform_session_id_base64: platformSessionId,
      },
    ],
    ...input,
  });
  if (error) throw new Error(error.desc);
  const { type, session_id } = data.session as { type: string; session_id: string };
  return { name: { type, session_id }, platformSessionId, etag: data.etag as string };
};

/** A join on Steam, by the player unless another caller is given. */
export const join = async (
  service: TestService,
  platformSessionId: string,
  player: string,
  change: object = {},
  caller: TestToken = { sub: player, permissions: ['session:update-player:self'] },
) => {
  const path = `/session/v1/platform/Steam/platform-session/${platformSessionId}/player/${player}`;
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: await service.headers(caller),
    body: JSON.stringify({
      client_version: '1.0.0',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
      ...change,
    }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, etag: response.headers.get('etag'), body };
};

// Calls an admin router over HTTP: plain JSON in, status and body of the response out.

type CallType = 'query' | 'mutation';

/** Callers of this router, by their permissions. */
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
        isOutage: () => false,
        refuseChanges: () => {},
        address: undefined,
      }),
    });
    const { result, error } = JSON.parse(await response.text());
    return { status: response.status, data: result?.data, error: error?.data };
  };

export type AdminCall = ReturnType<ReturnType<typeof createCallers>>;
