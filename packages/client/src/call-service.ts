// What all calls share: a request is built once, sent with a token, and sent again where that is safe.
import type { TokenSource } from './credentials/token-source.ts';
import { withRefreshedToken } from './credentials/with-refreshed-token.ts';
import type { Fetch } from './http/exchange.ts';
import { exchange } from './http/exchange.ts';
import type { IsBody } from './http/read-answer.ts';
import { readAnswer } from './http/read-answer.ts';
import type { CallOptions } from './requests.ts';
import type { Clock } from './retry/clock.ts';
import type { RetryOptions, RetrySettings } from './retry/retry-options.ts';
import { resolveRetry } from './retry/retry-options.ts';
import type { RetryRule } from './retry/retry-rules.ts';
import { withRetries } from './retry/with-retries.ts';

/** A client's settings, resolved. */
export type Connection = {
  /** Without a slash at its end. */
  baseUrl: string;
  fetch: Fetch;
  tokens: TokenSource;
  headers: Headers;
  timeoutMs: number;
  retry: RetryOptions | undefined;
  clock: Clock;
};

export type Call = {
  method: 'GET' | 'POST';
  /** Path and query, encoded. */
  target: string;
  body?: unknown;
  isAnswer: IsBody;
  retryWhen: (settings: RetrySettings) => RetryRule;
};

/** Resolves with the body and headers of the 200 answer; rejects as documented at `MusterClient`. */
export const callService = async <Body>(
  connection: Connection,
  { method, target, body, isAnswer, retryWhen }: Call,
  options: CallOptions = {},
) => {
  const { signal, timeoutMs = connection.timeoutMs } = options;
  const settings = resolveRetry(options.retry, connection.retry);
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const send = async (token: string | null) => {
    const headers = writeHeaders(connection.headers, token, body !== undefined);
    const request = { method, url: connection.baseUrl + target, headers, ...text };
    const answer = await exchange(connection.fetch, request, { timeoutMs, signal });
    return readAnswer<Body>(answer, isAnswer);
  };
  const authorized = withRefreshedToken(connection.tokens, { timeoutMs, signal });
  return withRetries(() => authorized(send), {
    ...settings,
    isRetryable: retryWhen(settings),
    clock: connection.clock,
    signal,
  });
};

const writeHeaders = (given: Headers, token: string | null, hasBody: boolean): Headers => {
  const headers = new Headers(given);
  headers.set('accept', 'application/json');
  if (hasBody) headers.set('content-type', 'application/json');
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  return headers;
};
