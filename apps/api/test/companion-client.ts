// Requests of clients of the companion endpoints.
import type { TestService, TestToken } from './test-service.ts';

export type SessionName = { type: string; session_id: string };

export const sessionPath = ({ type, session_id }: SessionName): string =>
  `/session/v1/session/${encodeURIComponent(type)}/${encodeURIComponent(session_id)}`;
export const seatPath = (name: SessionName, player: string): string =>
  `${sessionPath(name)}/player/${player}`;
export const listPath = (player: string): string => `/session/v1/player/${player}/session`;

/** A token as game clients have it. */
export const asPlayer = (sub: string): TestToken => ({
  sub,
  permissions: ['session:update-player:self'],
});
export const asReader: TestToken = { sub: 'reader', permissions: ['session:view'] };

export type CompanionAnswer = {
  status: number;
  headers: Headers;
  etag: string | null;
  text: string;
  /** Of a response with a body. */
  body: Record<string, unknown>;
};

/** Sends requests with the token of one caller, or with other headers. */
export const createCompanionClient = (service: TestService) => {
  const ask = async (
    path: string,
    caller: TestToken | Record<string, never> | null,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<CompanionAnswer> => {
    const { authorization = '' } = caller ? await service.headers(caller) : {};
    const headers = { ...(caller && { authorization }), ...init.headers };
    const response = await fetch(service.baseUrl + path, { ...init, headers });
    const text = await response.text();
    const body = text === '' ? {} : JSON.parse(text);
    return {
      status: response.status,
      headers: response.headers,
      etag: response.headers.get('etag'),
      text,
      body,
    };
  };
  return {
    ask,
    read: (name: SessionName, caller: TestToken, etag?: string) =>
      ask(sessionPath(name), caller, etag === undefined ? {} : { headers: ifNoneMatch(etag) }),
    list: (player: string, caller: TestToken = asPlayer(player)) => ask(listPath(player), caller),
    leave: (name: SessionName, player: string, caller: TestToken = asPlayer(player)) =>
      ask(seatPath(name, player), caller, { method: 'DELETE' }),
  };
};

/** By itself, `fetch` adds `no-cache` to a condition. */
const ifNoneMatch = (etag: string) => ({ 'if-none-match': etag, 'cache-control': 'max-age=0' });
