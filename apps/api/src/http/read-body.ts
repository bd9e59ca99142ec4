// The body of a request: its bytes, within their limit, their time and the memory budget, and the JSON in them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ValidationProblem } from '@muster/contract';
import { ServiceError } from '../platform/index.ts';
import { answerClientError, REQUEST_TIMED_OUT } from './client-errors.ts';
import type { LoadShedder } from './load-shedding.ts';
import type { BodyKind, MemoryBudget } from './memory-budget.ts';
import { RequestAbortedError } from './request.ts';

export type BodyLimits = {
  shedder: Pick<LoadShedder, 'pause'>;
  budget: Pick<MemoryBudget, 'reserveBody' | 'releaseBody'>;
};

type ReadingOptions = {
  kind: BodyKind;
  maxBytes: number;
  budget: BodyLimits['budget'];
  /** Absent: the body may take as long as a whole request. */
  deadline?: { timeoutMs: number; onTimeout: () => void };
};

/**
 * The bytes that have arrived count in the budget until the response is closed. Throws `body_too_large`, `body_compressed`, `service_unavailable`
 * where the budget is used up, or RequestAbortedError. After the deadline the response is 408, and the connection ends.
 */
export const readBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  { kind, maxBytes, budget, deadline }: ReadingOptions,
): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  refuseCompression(request);
  if (request.destroyed || response.destroyed) throw new RequestAbortedError();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let chunks: Buffer[] = [];
  let size = 0;
  let reserved = 0;
  const settle = () => {
    clearTimeout(timer);
    request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted);
  };
  const fail = (error: Error) => {
    settle();
    reject(error);
  };
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) fail(tooLarge(maxBytes));
    else if (!budget.reserveBody(kind, chunk.length)) fail(new ServiceError('service_unavailable'));
    else {
      reserved += chunk.length;
      chunks.push(chunk);
    }
  };
  const onEnd = () => {
    settle();
    const [only] = chunks;
    resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    // The listener of `close` keeps these variables, and a response may take long.
    chunks = [];
  };
  const onAborted = () => fail(new RequestAbortedError());
  const onTimeout = () => {
    // Nothing of the request is carried out after its 408.
    settle();
    response.once('close', () => reject(new RequestAbortedError()));
    deadline?.onTimeout();
    answerClientError(REQUEST_TIMED_OUT, request.socket);
  };
  const timer = deadline && setTimeout(onTimeout, deadline.timeoutMs);
  response.on('close', () => budget.releaseBody(kind, reserved));
  request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted);
  return promise;
};

/** The same for a request that does not count as in progress until its body has arrived. */
export const readUncountedBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  { shedder, budget }: BodyLimits,
): Promise<Buffer> => {
  const resume = shedder.pause('other', response);
  try {
    return await readBody(request, response, { kind: 'other', maxBytes, budget });
  } finally {
    resume();
  }
};

export const tooLarge = (maxBytes: number): ServiceError => {
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
 * Turns bytes into a value (RFC 8259), or into the problems that prevent it. `value` is undefined when the body is absent or unreadable. A
 * wrong content type does not hide problems of the body.
 */
export const parseJsonBody = (bytes: Buffer, contentType: string | undefined): JsonBody => {
  const { text, problems } = readJsonText(bytes, contentType);
  if (text === null) return { value: undefined, problems };
  if (text === '') return { value: undefined, problems: [...problems, missingBody] };
  try {
    return { value: JSON.parse(text), problems };
  } catch {
    return { value: undefined, problems: [...problems, notJson] };
  }
};

/** Throws `unsupported_media_type`. The public endpoints list a wrong type with the other problems of a request (422) instead. */
export const requireJsonType = (bytes: Buffer, contentType: string | undefined): void => {
  if (findTypeProblems(bytes, contentType).length > 0) {
    throw new ServiceError('unsupported_media_type');
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

/** Removes a byte order mark, as RFC 8259 section 8.1 allows. */
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
const notJson = { loc: ['body'], msg: 'Must be JSON', type: 'value_error.jsondecode' };
