// The body of a request: its bytes, within their limit, and the JSON in them.
import type { IncomingMessage } from 'node:http';
import type { ValidationProblem } from '@muster/contract';
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
import { RequestAbortedError } from './request.ts';

/** One mebibyte: 250 times the longest join request that makes sense. */
export const MAX_BODY: BodyLimit = { bytes: 1_048_576, marks: 131_072, names: 32_768 };
export const MAX_BODY_BYTES = MAX_BODY.bytes;

/** The caller of a body that was longer on its way is identified again: the rights may have been withdrawn meanwhile. */
export const SLOW_BODY_MS = 1_000;

type ReadingOptions = {
  maxBytes?: number;
  /** Told how much has come. What it throws ends the reading. */
  onGrowth?: (bytes: number) => void;
  /** Beyond so many bytes the rest is read only after this has resolved; what it rejects with ends the reading. */
  pause?: { beyond: number; wait: () => Promise<void> };
};

/** Throws `body_too_large`, `body_compressed`, or RequestAbortedError. Never holds more than the limit. */
export const readBody = async (
  request: IncomingMessage,
  { maxBytes = MAX_BODY_BYTES, onGrowth, pause }: ReadingOptions = {},
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
  const fail = (error: unknown) => settle(() => reject(error))();
  let isPaused = false;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) {
      fail(tooLarge(maxBytes));
      return;
    }
    chunks.push(chunk);
    try {
      onGrowth?.(size);
    } catch (error) {
      fail(error);
      return;
    }
    if (!pause || isPaused || size <= pause.beyond) return;
    isPaused = true;
    request.pause();
    pause.wait().then(() => request.resume(), fail);
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
