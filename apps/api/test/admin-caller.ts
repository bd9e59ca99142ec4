// Calls procedures of the admin API over HTTP, like a page or a script.

import { noteAnswer } from './suite-logs/suite-logs.ts';

/** `data` is the result; `code` the error code of a refusal. */
export type AdminAnswer<Data> = { status: number; data: Data; code: string | undefined };

export type AdminCaller = {
  query<Data = unknown>(procedure: string, input?: unknown): Promise<AdminAnswer<Data>>;
  mutate<Data = unknown>(procedure: string, input?: unknown): Promise<AdminAnswer<Data>>;
};

/** Requests with a cookie have an Origin, like those of a browser. */
export const createAdminCaller = (
  baseUrl: string,
  credential: { cookie: string } | { authorization: string } | Record<string, never> = {},
): AdminCaller => {
  const headers = { ...credential, origin: baseUrl, 'content-type': 'application/json' };
  const ask = async <Data>(path: string, init: RequestInit): Promise<AdminAnswer<Data>> => {
    const response = await fetch(`${baseUrl}/admin/trpc/${path}`, { headers, ...init });
    const body = (await response.json()) as TrpcBody<Data>;
    noteAnswer(body.result?.data);
    return {
      status: response.status,
      data: body.result?.data as Data,
      code: body.error?.data.error_code,
    };
  };
  return {
    query: (procedure, input = {}) =>
      ask(`${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {}),
    mutate: (procedure, input = {}) =>
      ask(procedure, { method: 'POST', body: JSON.stringify(input) }),
  };
};

type TrpcBody<Data> = {
  result?: { data?: Data };
  error?: { data: { error_code: string } };
};
