// The steps of every call: build the request once, send it with a token, and repeat it where that is safe.

import type { TokenSource } from './credentials.ts';
import { withRefreshedToken } from './credentials.ts';
import type { AnswerFacts, MusterError } from './errors.ts';
import { NetworkError, ServiceError, UnexpectedAnswerError, ValidationError } from './errors.ts';
import type { CallOptions } from './requests.ts';
import type { RetryOptions, RetryRule, RetrySettings } from './retries.ts';
import { readRetryAfter, resolveRetry, withRetries } from './retries.ts';
import type { Clock } from './timers.ts';
import { abortable, startDeadline } from './timers.ts';
import type { ServiceErrorBody, ValidationErrorBody } from './wire/error-types.ts';

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

type Call = {
  method: 'DELETE' | 'GET' | 'POST';
  /** Path and query, encoded. */
  target: string;
  /** Sent besides those of every call. */
  headers?: Record<string, string>;
  body?: unknown;
  isAnswer: IsBody;
  /** A status without a body that is a success. The body of the result is then null. */
  emptyStatus?: 204 | 304;
  retryWhen: (settings: RetrySettings) => RetryRule;
};

/** Resolves with the body and headers of the answer; rejects as documented at `MusterClient`. */
export const callService = async <Body>(
  connection: Connection,
  { method, target, headers: own, body, isAnswer, emptyStatus, retryWhen }: Call,
  options: CallOptions = {},
) => {
  const { signal, timeoutMs = connection.timeoutMs } = options;
  const settings = resolveRetry(options.retry, connection.retry);
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const send = async (token: string | null, within: AbortSignal) => {
    const headers = writeHeaders(connection.headers, token, body !== undefined);
    for (const [name, value] of Object.entries(own ?? {})) headers.set(name, value);
    const request = { method, url: connection.baseUrl + target, headers, ...text };
    const answer = await exchange(connection.fetch, request, within);
    return readAnswer<Body>(answer, isAnswer, emptyStatus);
  };
  const authorize = withRefreshedToken(connection.tokens, async (work) => {
    const deadline = startDeadline(timeoutMs, signal);
    try {
      return await work(deadline);
    } finally {
      deadline.end();
    }
  });
  const attempt = () => authorize((token, deadline) => send(token, deadline.signal));
  return withRetries(attempt, {
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

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

type Request = {
  url: string;
  method: Call['method'];
  headers: Headers;
  /** JSON text. */
  body?: string;
};

type Answer = { status: number; headers: Headers; text: string };

/** One request and its whole answer. Rejects with NetworkError or the signal's reason. */
const exchange = async (
  fetch: Fetch,
  { url, ...init }: Request,
  signal: AbortSignal,
): Promise<Answer> => {
  signal.throwIfAborted();
  try {
    // A custom `fetch` may ignore its signal; the race gives up on it all the same.
    const response = await abortable(fetch(url, { ...init, signal }), signal);
    const text = await abortable(response.text(), signal);
    return { status: response.status, headers: response.headers, text };
  } catch (cause) {
    signal.throwIfAborted();
    throw new NetworkError(cause);
  }
};

// An answer is what was asked for, or one of the two error bodies, or not from the service at all.

type JsonObject = Record<string, unknown>;

/** Whether a body has what callers reach into; a portal between us answers 200 with something else. */
export type IsBody = (body: Readonly<JsonObject>) => boolean;

/** The body of a success, with the headers that clients need. Throws a MusterError otherwise. */
const readAnswer = <Body>(answer: Answer, isBody: IsBody, emptyStatus: number | undefined) => {
  const isEmpty = answer.status === emptyStatus;
  const body = isEmpty ? null : parseObject(answer.text);
  const isSuccess = isEmpty || (answer.status === 200 && body !== null && isBody(body));
  if (!isSuccess) throw toError(answer, body);
  return {
    body: body as Body,
    etag: answer.headers.get('etag'),
    requestId: answer.headers.get('x-request-id'),
  };
};

const parseObject = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : null;
  } catch {
    return null;
  }
};

const toError = (answer: Answer, body: JsonObject | null): MusterError => {
  const facts = readFacts(answer);
  if (answer.status === 422 && isValidationErrorBody(body)) {
    return new ValidationError(body.detail, facts);
  }
  if (answer.status >= 400 && isServiceErrorBody(body)) {
    const { error_code: code, desc, auth_success: authSuccess = true } = body;
    return new ServiceError({ code, desc, authSuccess }, facts);
  }
  const type = answer.headers.get('content-type') ?? 'no content type';
  const message = `The answer is not one of the service: status ${answer.status}, ${type}.`;
  return new UnexpectedAnswerError(message, facts);
};

const readFacts = ({ status, headers }: Answer): AnswerFacts => {
  const retryAfterSeconds = readRetryAfter(headers);
  return {
    status,
    requestId: headers.get('x-request-id'),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
};

const isServiceErrorBody = (body: JsonObject | null): body is ServiceErrorBody =>
  typeof body?.error_code === 'string' && typeof body.desc === 'string';

const isValidationErrorBody = (body: JsonObject | null): body is ValidationErrorBody =>
  Array.isArray(body?.detail) && body.detail.every(isProblem);

const isProblem = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && 'loc' in one && Array.isArray(one.loc);

// Paths and query strings as the service reads them (RFC 3986).

type QueryValue = string | number | readonly (string | number)[] | undefined;
type Query = Readonly<Record<string, QueryValue>>;

/**
 * One segment of a path, percent-encoded; `+`, `/` and `=` of a base64 id too.
 * Throws TypeError for what no URL can carry: nothing, `.` and `..` (WHATWG URL removes the two, encoded
 * or not, and the request would reach another path), and lone surrogates.
 */
export const encodeSegment = (name: string, value: string): string => {
  if (value === '' || value === '.' || value === '..' || /\p{Surrogate}/u.test(value)) {
    throw new TypeError(`${name} cannot be sent in a path: ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
};

/** Lists repeat their key (`ids=a&ids=b`); what is undefined is left out. Starts with `?`, or is empty. */
export const encodeQuery = (query: Query): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    toList(value).map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

const toList = (value: QueryValue): readonly (string | number)[] => {
  if (value === undefined) return [];
  return typeof value === 'string' || typeof value === 'number' ? [value] : value;
};

/** The base URL without a slash at its end. Throws TypeError when it is not an http(s) URL. */
export const readBaseUrl = (baseUrl: string | URL): string => {
  const { protocol, origin, pathname } = parseUrl(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`baseUrl must be http or https: ${baseUrl}`);
  return origin + pathname.replace(/\/+$/, '');
};

/** The runtime's own message, "Invalid URL", does not name the URL. */
const parseUrl = (baseUrl: string | URL): URL => {
  try {
    return new URL(baseUrl);
  } catch (cause) {
    throw new TypeError(`baseUrl must be a whole URL: ${JSON.stringify(baseUrl)}`, { cause });
  }
};
