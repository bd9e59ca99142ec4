// Requests to one endpoint: valid ones by its schema, and mutations of their path, query, headers, method and body.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  HOSTILE_HEADERS,
  HOSTILE_KEYS,
  HOSTILE_SEGMENTS,
  HOSTILE_TEXTS,
} from './hostile-values.ts';
import { jsonChanges, writeBent } from './json-text.ts';
import type { WireRequest } from './wire-request.ts';

/** A request in the form of the endpoint. */
export type ValidRequest = {
  method: string;
  /** Not encoded. */
  segments: readonly string[];
  query: readonly (readonly [string, unknown])[];
  /** Undefined without one. */
  body?: unknown;
  headers: readonly (readonly [string, string])[];
};

/** Undefined eleven times out of twelve: a request with faults everywhere is refused at the first check. */
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 11, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const bends = fc.record({
  json: jsonChanges,
  body: seldom(
    fc.record({
      op: fc.constantFrom(
        'cut',
        'insert',
        'mark',
        'trail',
        'utf16',
        'gzip',
        'deflate',
        'br',
        'empty',
        'none',
      ),
      at: fc.nat(400),
      byte: fc.nat(255),
    }),
  ),
  path: seldom(
    fc.record({
      op: fc.constantFrom('replace', 'insert', 'drop', 'slash', 'case', 'escape'),
      at: fc.nat(12),
      segment: fc.constantFrom(...HOSTILE_SEGMENTS),
    }),
  ),
  query: seldom(
    fc.record({
      op: fc.constantFrom('value', 'twice', 'list', 'index', 'open', 'key', 'raw', 'many'),
      at: fc.nat(8),
      text: fc.constantFrom(...HOSTILE_TEXTS),
      key: fc.constantFrom(...HOSTILE_KEYS),
      raw: fc.constantFrom(
        '&&&',
        '=',
        '?',
        'a',
        '%zz=1',
        'a=%ff',
        '%00=%00',
        '+=+',
        'a=1;b=2',
        '#',
      ),
    }),
  ),
  headers: seldom(fc.array(fc.constantFrom(...HOSTILE_HEADERS), { minLength: 1, maxLength: 2 })),
  method: seldom(
    fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
    ),
  ),
});
type Bends = typeof bends extends fc.Arbitrary<infer Value> ? Value : never;

/** Valid requests, and mutated ones. */
export const requestsLike = (valid: fc.Arbitrary<ValidRequest>): fc.Arbitrary<WireRequest> =>
  fc.tuple(valid, bends).map(([request, bent]) => toWire(request, bent));

const toWire = (request: ValidRequest, bent: Bends): WireRequest => {
  const body = request.body === undefined ? undefined : toBody(request.body, bent);
  const path = bendPath(request.segments.map(encodeSafely), bent.path);
  const query = toQuery(request.query, bent);
  return {
    method: bent.method ?? request.method,
    target: escapeUnsendable(`/${path.join('/')}${query === '' ? '' : `?${query}`}`),
    headers: [...request.headers, ...(body?.headers ?? []), ...(bent.headers ?? [])],
    ...(body && { body: body.text }),
  };
};

/** A lone surrogate has no UTF-8: it is sent as the bytes of a careless encoder. */
const encodeSafely = (text: string): string =>
  text.isWellFormed()
    ? encodeURIComponent(text)
    : `${encodeURIComponent(text.toWellFormed())}%ED%A0%80`;

/** Node refuses to send these; a test with a socket covers the server's reaction. */
const escapeUnsendable = (target: string): string =>
  target.replace(/[^!-\u00ff]|\u007f/g, (character) => encodeSafely(character));

const toBody = (
  value: unknown,
  { json, body }: Bends,
): { text: string; headers: [string, string][] } => {
  const bytes = Buffer.from(writeBent(value, json));
  const at = body ? body.at % (bytes.length + 1) : 0;
  const plain = (buffer: Buffer) => ({ text: buffer.toString('latin1'), headers: [] });
  const packed = (coding: string, buffer: Buffer) => ({
    text: buffer.toString('latin1'),
    headers: [['content-encoding', coding]] as [string, string][],
  });
  switch (body?.op) {
    case 'cut':
      return plain(bytes.subarray(0, at));
    case 'insert':
      return plain(
        Buffer.concat([bytes.subarray(0, at), Buffer.from([body.byte]), bytes.subarray(at)]),
      );
    case 'mark':
      return plain(Buffer.concat([Buffer.from('\ufeff'), bytes]));
    case 'trail':
      return plain(Buffer.concat([bytes, Buffer.from([body.byte])]));
    case 'utf16':
      return plain(Buffer.from(bytes.toString(), 'utf16le'));
    case 'gzip':
      return packed('gzip', gzipSync(bytes));
    case 'deflate':
      return packed('deflate', deflateSync(bytes));
    case 'br':
      return packed('br', brotliCompressSync(bytes));
    case 'empty':
      return plain(Buffer.alloc(0));
    default:
      return plain(bytes);
  }
};

const bendPath = (segments: string[], bend: Bends['path']): string[] => {
  if (!bend) return segments;
  const at = bend.at % segments.length;
  if (bend.op === 'replace') return segments.with(at, bend.segment);
  if (bend.op === 'insert') return segments.toSpliced(at, 0, bend.segment);
  if (bend.op === 'drop') return segments.toSpliced(at, 1);
  if (bend.op === 'slash') return [...segments, ''];
  if (bend.op === 'case') return segments.with(at, (segments[at] ?? '').toUpperCase());
  return segments.with(
    at,
    (segments[at] ?? '').replace(/^./, (c) => `%${c.charCodeAt(0).toString(16)}`),
  );
};

const toQuery = (valid: ValidRequest['query'], { query: bend, json }: Bends): string => {
  const pairs = valid.flatMap(([name, value]): [string, string][] =>
    Array.isArray(value)
      ? value.map((one) => [name, toText(one, json)])
      : [[name, toText(value, json)]],
  );
  if (bend) bendPairs(pairs, bend);
  const encoded = pairs.map(([name, value]) => `${encodeSafely(name)}=${encodeSafely(value)}`);
  return [...encoded, ...(bend?.op === 'raw' ? [bend.raw] : [])].join('&');
};

/** Values other than text are JSON, as tRPC expects them. */
const toText = (value: unknown, json: Bends['json']): string => {
  if (typeof value === 'object' && value !== null) return writeBent(value, json);
  return String(value);
};

const bendPairs = (
  pairs: [string, string][],
  { op, at, text, key }: NonNullable<Bends['query']>,
): void => {
  const index = at % Math.max(pairs.length, 1);
  const [name, value] = pairs[index] ?? ['name', ''];
  if (op === 'value') pairs[index] = [name, text];
  if (op === 'twice') pairs.push([name, text]);
  if (op === 'list') pairs[index] = [`${name}[]`, value];
  if (op === 'index') pairs[index] = [`${name}[${at === 0 ? '0' : text}]`, value];
  if (op === 'open') pairs[index] = [`${name}[`, value];
  if (op === 'key') pairs.push([key, text], [`${key}[polluted]`, '1']);
  if (op === 'many')
    for (let count = 0; count < 300; count += 1) pairs.push([name, value.slice(0, 100)]);
};
