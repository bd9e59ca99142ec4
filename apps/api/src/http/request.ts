// One request as HTTP brings it: its id, its target, its body; and what the middlewares record about it.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { contract, ValidationProblem } from '@muster/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../auth/index.ts';
import type { TracedRequest } from '../platform/index.ts';
import {
  createPacer,
  createSemaphore,
  giveBack,
  NestsTooDeepError,
  parsePaced,
  ServiceError,
} from '../platform/index.ts';
import type { BodyLimit } from './json-cost.ts';
import { refuseCostlyJson, refuseCostlyJsonPaced } from './json-cost.ts';

/** The `res.locals` of every request. */
export type RequestLocals = TracedRequest & {
  /** For logs and metrics: a pattern from a bounded set, never the raw path. */
  routePattern: string;
  /** Null where a route is open to everyone, or tells callers apart later. Absent until the credential is checked. */
  caller?: Caller | null;
  /** The route of the contract, once it is found. */
  routeName?: RouteName;
  /** The validated parts of a request for a route of the contract. */
  input?: RequestInput;
  /** Milliseconds that it took to read and check them. */
  readMs?: number;
  /** How large its answer will be, where that is known and may be much. */
  answerBytes?: number;
  /** Milliseconds for which its answer was to be held back on purpose. */
  heldMs?: number;
};

export type RouteName = keyof typeof contract;
export type RequestInput = { params: unknown; query: unknown; body: unknown };

export const localsOf = (response: Response): RequestLocals => response.locals as RequestLocals;

const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's own id where it is harmless, otherwise a new one. */
export const chooseRequestId = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_REQUEST_ID.test(given) ? given : randomUUID();
};

/** On every answer, besides its request id. */
export const STANDARD_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export const setStandardHeaders = (response: ServerResponse, requestId: string): void => {
  response.setHeader('X-Request-Id', requestId);
  for (const [name, value] of Object.entries(STANDARD_HEADERS)) response.setHeader(name, value);
};

/** Names the route for logs and metrics. */
export const named =
  (pattern: string): RequestHandler =>
  (_request, response, next) => {
    localsOf(response).routePattern = pattern;
    next();
  };

/** Throws `method_not_allowed` with the Allow header (RFC 9110 section 15.5.6) for any other method. */
export const refuseMethod = (
  request: Request,
  response: Response,
  allowed: readonly string[],
): void => {
  if (allowed.includes(request.method)) return;
  response.setHeader('Allow', allowed.join(', '));
  throw new ServiceError('method_not_allowed');
};

export const allowMethods =
  (...allowed: string[]): RequestHandler =>
  (request, response, next) => {
    refuseMethod(request, response, allowed);
    next();
  };

/**
 * Brings the request target (RFC 9112 section 3.2) into one form: a path that begins with a slash, and a query. `*` and
 * authority forms become paths that no route has.
 */
export const normalizeTarget = (target: string): string => {
  const origin = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const path = origin.startsWith('/') ? origin : `/${origin}`;
  return path.replace(UNSAFE, escapeByte);
};

/** A raw byte outside ASCII and a `#` mean the same as their escapes. The router would read them otherwise. */
const UNSAFE = /[^!-~]|#/g;

const escapeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;

/** True for a body whose end HTTP/1.0 cannot tell: the connection must close behind the answer (RFC 9112 section 6.1). */
export const hasUnknownEnd = ({
  httpVersion,
  headers,
}: Pick<IncomingMessage, 'httpVersion' | 'headers'>): boolean =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;

/** A name or an address with an optional port. What else RFC 3986 allows in its place, no client of a service sends. */
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * RFC 9112 section 3.2: exactly one Host, and a valid one. Node.js would refuse a missing one with an empty answer, and take the
 * first of several, where a proxy before it may have looked at another one. Section 6.1: HTTP/1.0 knows no transfer codings, so
 * where such a message ends is a guess.
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

/** Nearly all requests name the same one. */
let lastHost: string | undefined;

const isHost = (host: string | undefined): boolean => {
  if (host === lastHost || host === undefined) return true;
  // Some hosts of the right form are none: an address with a part over 255, a port over 65535.
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
};

/** The query comes without its question mark. */
export const splitTarget = (target: string): { path: string; query: string } => {
  const at = target.indexOf('?');
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at + 1) };
};

/**
 * The decoded text; null when an escape means nothing: bad hexadecimal digits, or bytes that are not UTF-8. A plus stays a
 * plus: only forms write a space that way.
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

/** One mebibyte: 250 times the longest join request that makes sense. */
export const MAX_BODY: BodyLimit = { bytes: 1_048_576, marks: 131_072, names: 32_768 };
export const MAX_BODY_BYTES = MAX_BODY.bytes;

/** The caller of a body that was longer on its way is identified again: the rights may have been withdrawn meanwhile. */
export const SLOW_BODY_MS = 1_000;

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

/** Throws `body_too_large`, `body_compressed`, or RequestAbortedError. Never holds more than the limit. */
export const readBody = async (
  request: IncomingMessage,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge(maxBytes);
  }
  refuseCompression(request);
  if (request.destroyed) throw new RequestAbortedError();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const settle = (done: () => void) => () => {
    request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    done();
    if (chunks.length > 1) chunks.forEach(giveBack);
  };
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) settle(() => reject(tooLarge(maxBytes)))();
    else chunks.push(chunk);
  };
  const onEnd = settle(() => resolve(Buffer.concat(chunks)));
  const onGone = settle(() => reject(new RequestAbortedError()));
  request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  return promise;
};

const tooLarge = (maxBytes: number): ServiceError => {
  const isWhole = maxBytes >= 1_048_576;
  const limit = isWhole ? `${maxBytes / 1_048_576} MiB` : `${maxBytes / 1_024} KiB`;
  return new ServiceError('body_too_large', { desc: `The body is larger than ${limit}.` });
};

/** Throws `body_compressed`. */
export const refuseCompression = ({ headers }: IncomingMessage): void => {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new ServiceError('body_compressed');
};

type JsonBody = { value: unknown; problems: ValidationProblem[] };

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]*)/i;

/**
 * Turns bytes into a value (RFC 8259), or into the problems that prevent it. `value` is undefined when the body is absent
 * or unreadable. A wrong type does not hide problems of the body. Throws `body_too_large`.
 */
export const parseJsonBody = (bytes: Buffer, contentType: string | undefined): JsonBody => {
  refuseCostlyJson(bytes, MAX_BODY);
  const { text, problems } = readJsonText(bytes, contentType);
  if (text === null) return { value: undefined, problems };
  if (text === '') return { value: undefined, problems: [...problems, missingBody] };
  try {
    return { value: JSON.parse(text), problems };
  } catch {
    return { value: undefined, problems: [...problems, notJson] };
  }
};

/** For everything else, so many times as long as each turn took: no client has a use for such a body. */
const REST = 3;
/** They wait for each other, and not for what people write or import. */
const oneByOne = createSemaphore(1);

/** The same in turns, for a body of more than 64 KiB. One that nests more than 1,000 levels deep is not checked further. Throws `body_too_large`. */
export const parseJsonBodyPaced = async (
  bytes: Buffer,
  contentType: string | undefined,
): Promise<JsonBody> => {
  const pacer = createPacer(undefined, REST);
  await refuseCostlyJsonPaced(bytes, MAX_BODY, pacer);
  const { text, problems } = readJsonText(bytes, contentType);
  if (text === null) return { value: undefined, problems };
  try {
    return { value: await parsePaced(text, { pacer, oneByOne, atOnce: 0 }), problems };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const problem = error instanceof NestsTooDeepError ? nestsTooDeep : notJson;
    return { value: undefined, problems: [...problems, problem] };
  }
};

/** The text of a body that another parser reads; null when it is not UTF-8. */
export const readJsonText = (
  bytes: Buffer,
  contentType: string | undefined,
): { text: string | null; problems: ValidationProblem[] } => {
  const problems = findTypeProblems(bytes, contentType);
  const text = decodeUtf8(bytes);
  return { text, problems: text === null ? [...problems, notUtf8] : problems };
};

/** An empty body needs no type; everything else is application/json in UTF-8. */
const findTypeProblems = (bytes: Buffer, contentType: string | undefined): ValidationProblem[] => {
  if (contentType === undefined) return bytes.length === 0 ? [] : [missingType];
  const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  const accepted = JSON_TYPE.test(contentType) && /^utf-?8$/i.test(charset);
  return accepted ? [] : [wrongType];
};

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** A byte order mark is taken off, as RFC 8259 section 8.1 allows. */
const decodeUtf8 = (bytes: Buffer): string | null => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
};

const wrongType = {
  loc: ['header', 'content-type'],
  msg: 'Must be application/json in UTF-8',
  type: 'value_error.content_type',
};
const missingType = { ...wrongType, msg: 'Field is required', type: 'value_error.missing' };
const missingBody = { loc: ['body'], msg: 'Field is required', type: 'value_error.missing' };
const notUtf8 = { loc: ['body'], msg: 'Must be UTF-8', type: 'value_error.unicode' };
const nestsTooDeep = {
  loc: ['body'],
  msg: 'Must nest at most 1000 levels deep',
  type: 'value_error.max_depth',
};
const notJson = { loc: ['body'], msg: 'Must be JSON', type: 'value_error.jsondecode' };
