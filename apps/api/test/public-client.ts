// Requests of clients of the public routes, and the parts of responses that tests check.
import type { TestService } from './test-service.ts';

export const SANDBOX = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11';
export const PLAYER = '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a70';
export const ITEMS = `/v1/history/sandbox/${SANDBOX}/item/`;
export const joinPath = (id: string, platform = 'Steam', player = PLAYER) =>
  `/session/v1/platform/${platform}/platform-session/${id}/player/${player}`;
export const JOIN = joinPath('abc');
export const BODY = {
  client_version: '1.0.0',
  client_settings: { platform: 'Steam', input: 'touch' },
  team_id: 0,
};

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
type Extra = Record<string, string>;

/** A client with all permissions. */
export const createEdgeClient = async (service: TestService) => {
  const headers = await service.headers();
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(service.baseUrl + path, { headers, ...init });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : JSON.parse(text),
    };
  };
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  const join = (path: string, body: unknown, extra: Extra = {}) =>
    ask(path, { method: 'POST', headers: { ...headers, ...extra }, body: toBody(body) });
  return { ask, join, authorization: headers.authorization ?? '' };
};

const toBody = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);

/** The problems of a 422 as pairs of dotted place and type. */
export const problemsOf = ({ status, body }: Answer): [string, string][] => {
  if (status !== 422) throw new Error(`Expected 422, but got ${status}: ${JSON.stringify(body)}`);
  const detail = body.detail as { loc: unknown[]; type: string }[];
  return detail.map(({ loc, type }) => [loc.join('.'), type]);
};
