// One HTTP request: its id, headers and target, and the locals that middleware records about it.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { companionContract, contract, ValidationProblem } from '@muster/contract';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Caller } from '../auth/index.ts';
import type { LongPoll } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { SessionState } from '../sessions/index.ts';
import type { Explanation, TracedRequest } from '../telemetry/index.ts';
import type { Lease } from './caller-limiter.ts';

/** The `res.locals` of every request. */
export type RequestLocals = TracedRequest & {
  /** For logs and metrics: a pattern from a bounded set, never the raw path. */
  routePattern: string;
  /** Null where a route is public, or identifies callers later. Absent until the credential is checked. */
  caller?: Caller | null;
  /** The verified account of a request that has no caller here: a person's at the sign-in endpoints, or one that is refused. */
  accountId?: string;
  /** The route of a contract, once it is found. */
  routeName?: RouteName;
  /** The parameters of its path as they were sent. */
  rawParams?: Readonly<Record<string, string>>;
  /** The session that a join has found. */
  session?: Pick<SessionState, 'type' | 'sessionId'>;
  /** The validated parts of a request for a route of the contract. */
  input?: RequestInput;
  /** Counts the request as one of its caller in progress. */
  lease?: Lease;
  /** Waits outside of the limits for requests in progress. Of companion reads. */
  longPoll?: LongPoll;
  /** Its waits for a change. Absent if it has had none. */
  waits?: Waits;
  /** Why it is refused. */
  refusal?: Refusal;
};

/** The calls of a batch can wait at the same time, which counts once. */
type Waits = { open: number; since: number; endedMs: number };

/** The reason of a refusal for the log: names, codes and sentences of the response. */
export type Refusal = Pick<
  Explanation,
  'error_code' | 'reason' | 'fields' | 'claim' | 'procedure'
> & {
  /** The status of a response that was written to the connection past the HTTP server. */
  status?: number;
  /** By maintenance. */
  isPlanned?: true | undefined;
};

export type RouteName = keyof typeof contract | keyof typeof companionContract;
export type RequestInput = { params: unknown; query: unknown; headers: unknown; body: unknown };

export const localsOf = (response: Response): RequestLocals => response.locals as RequestLocals;

/** Notes in the locals that the request waits for a change. Call the result when the wait is over. */
export const pauseWorkTime = (response: Response): (() => void) => {
  const locals = localsOf(response);
  locals.waits ??= { open: 0, since: 0, endedMs: 0 };
  const { waits } = locals;
  if (waits.open === 0) waits.since = performance.now();
  waits.open += 1;
  return () => {
    waits.open -= 1;
    if (waits.open === 0) waits.endedMs += performance.now() - waits.since;
  };
};

/** How long a request has waited for a change until `now`. A wait is still open when its client disconnects. */
export const readWaitedMs = ({ waits }: RequestLocals, now: number): number => {
  if (!waits) return 0;
  return waits.open === 0 ? waits.endedMs : waits.endedMs + now - waits.since;
};

const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of the client if it is valid, otherwise a new one. */
export const chooseRequestId = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_REQUEST_ID.test(given) ? given : randomUUID();
};

/** Of every response, besides its request id. */
export const STANDARD_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Names the route for logs and metrics. Throws `method_not_allowed` with the Allow header (RFC 9110 section 15.5.6) for any other
 * method.
 */
export const enterRoute = (
  request: Request,
  response: Response,
  pattern: string,
  methods: readonly string[],
): void => {
  localsOf(response).routePattern = pattern;
  if (methods.includes(request.method)) return;
  response.setHeader('Allow', methods.join(', '));
  throw new ServiceError('method_not_allowed');
};

export const READ_METHODS = ['GET', 'HEAD'] as const;

/** A route that is only read. */
export const mountGet = (app: Express, path: string, ...handlers: RequestHandler[]): void => {
  const enter: RequestHandler = (request, response, next) => {
    enterRoute(request, response, path, READ_METHODS);
    next();
  };
  app.all(path, enter, ...handlers);
};

/**
 * Converts the request target (RFC 9112 section 3.2) to a path that begins with a slash, and a query. `*` and authority forms become
 * paths that no route has.
 */
export const normalizeTarget = (target: string): string => {
  const origin = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const path = origin.startsWith('/') ? origin : `/${origin}`;
  return path.replace(UNSAFE, escapeByte);
};

/** A raw byte outside ASCII and a `#` equal their escapes. The router would read them differently. */
const UNSAFE = /[^!-~]|#/g;

const escapeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;

/** True for a body whose end HTTP/1.0 cannot mark: the connection must close after the response (RFC 9112 section 6.1). */
export const hasUnknownEnd = ({
  httpVersion,
  headers,
}: Pick<IncomingMessage, 'httpVersion' | 'headers'>): boolean =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;

/** A name or an address with an optional port. RFC 3986 allows more, which no client of a service sends. */
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * RFC 9112 section 3.2: exactly one valid Host. Node.js would refuse a missing one with an empty response, and use the first of several,
 * while a proxy may use another one. Section 6.1: HTTP/1.0 has no transfer codings, so the end of such a message is unknown.
 */
export const hasFaultyHeaders = ({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): boolean => {
  const { host } = headers;
  let hosts = 0;
  // Raw headers alternate between names and values.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const isMissing = host === undefined && httpVersion === '1.1';
  return isMissing || hosts > 1 || !isHost(host) || hasUnknownEnd({ httpVersion, headers });
};

/** Nearly all requests have the same one. */
let lastHost: string | undefined;

const isHost = (host: string | undefined): boolean => {
  if (host === lastHost || host === undefined) return true;
  // Some hosts of this form are invalid: an address with a part over 255, a port over 65535.
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
};

/** The query has no question mark. */
export const splitTarget = (target: string): { path: string; query: string } => {
  const at = target.indexOf('?');
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at + 1) };
};

/**
 * The decoded text; null for an invalid escape: bad hexadecimal digits, or bytes that are not UTF-8. A plus is kept: only forms write
 * a space that way.
 */
export const decodePercent = (raw: string): string | null => {
  if (!raw.includes('%')) return raw;
  return raw.replace(ESCAPED_UTF8, '').includes('%') ? null : decodeURIComponent(raw);
};

/**
 * One character in escapes, as RFC 3629 section 4 writes it. A target holds thousands of escapes, and an exception for each
 * bad one, as `decodeURIComponent` throws it, would take half a second.
 */
const ESCAPED_UTF8 = (() => {
  const tail = '%[89AB][0-9A-F]';
  const [two, three, four] = [1, 2, 3].map((tails) => `(?:${tail}){${tails}}`);
  return new RegExp(
    [
      '%[0-7][0-9A-F]',
      `%(?:C[2-9A-F]|D[0-9A-F])${two}`,
      `%E(?:0(?=%[AB])|[1-9A-CEF]|D(?=%[89]))${three}`,
      `%F(?:0(?=%[9AB])|[1-3]|4(?=%8))${four}`,
    ].join('|'),
    'gi',
  );
})();

export const badEscape = (source: 'path' | 'query', name: string): ValidationProblem => ({
  loc: [source, name],
  msg: 'Must be percent-encoded UTF-8',
  type: 'value_error.percent_encoding',
});

export const findBadQueryEscapes = (query: string): ValidationProblem[] => {
  if (!query.includes('%')) return [];
  const pairs = query.split('&').filter((pair) => decodePercent(pair) === null);
  const names = pairs.map((pair) => {
    const raw = pair.split('=', 1)[0] ?? '';
    return decodePercent(raw.replaceAll('+', ' ')) ?? raw;
  });
  return [...new Set(names)].map((name) => badEscape('query', name));
};

/** The client disconnected before its request was complete. There is no connection left to answer on. */
export class RequestAbortedError extends Error {
  override readonly name = 'RequestAbortedError';
}

/** Aborted when the client closes the connection, as a cancelled import does. */
export const signalLeaving = (response: ServerResponse): AbortSignal => {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort(new RequestAbortedError()));
  if (response.destroyed) leaving.abort(new RequestAbortedError());
  return leaving.signal;
};
