import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { parseQuery } from './public-request.ts';
import {
  decodePercent,
  findBadQueryEscapes,
  parseJsonBody,
  parseJsonBodyPaced,
  RequestAbortedError,
  readBody,
} from './request.ts';

afterEach(() => vi.unstubAllGlobals());

const decodeOrNull = (raw: string): string | null => {
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
};

const byte = fc.integer({ min: 0, max: 255 }).map((n) => `%${n.toString(16).padStart(2, '0')}`);
const piece = fc.oneof(
  byte,
  byte.map((text) => text.toUpperCase()),
  fc
    .string({ unit: 'binary', maxLength: 2 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%', '%%', '%4', '%g0', '%u0041', '+', 'a', '&'),
);

test('reads escapes as decodeURIComponent does', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const raw = pieces.join('');
      expect(decodePercent(raw)).toBe(decodeOrNull(raw));
    }),
    { numRuns: 3_000 },
  );
});

test('reads every first byte, and the edges of every range behind it', () => {
  const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];
  const write = (bytes: number[]) =>
    bytes.map((n) => `%${n.toString(16).padStart(2, '0')}`).join('');
  const texts = Array.from({ length: 256 }, (_, first) => first).flatMap((first) =>
    edges.flatMap((second) =>
      [[], [0x80], [0xbf, 0x80], [0x80, 0xc0]].map((rest) => write([first, second, ...rest])),
    ),
  );
  expect(texts.map(decodePercent)).toEqual(texts.map(decodeOrNull));
});

// An exception takes some ten microseconds, and a target of 64 KiB has room for 20,000 of these.
test.each(['%', '%c3', '%ff=%ff', 'a=%e2%82'])('throws nothing for the bad escape %s', (pair) => {
  const thrown = vi.fn();
  const original = decodeURIComponent;
  vi.stubGlobal('decodeURIComponent', (text: string) => {
    try {
      return original(text);
    } catch (error) {
      thrown();
      throw error;
    }
  });
  const query = `${pair}&`.repeat(100);
  expect(findBadQueryEscapes(query)).toHaveLength(1);
  expect(Object.keys(parseQuery(query)).length).toBeGreaterThan(0);
  expect(thrown).not.toHaveBeenCalled();
});

test('the body of a request whose client has left is not waited for', async () => {
  const request = new IncomingMessage(new Socket());
  request.destroy();
  await once(request, 'close');
  await expect(readBody(request)).rejects.toThrow(RequestAbortedError);
});

test('a body that comes in pieces is joined, and the memory of the pieces is given back', async () => {
  const request = new IncomingMessage(new Socket());
  const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(20_000, letter));
  const reading = readBody(request);
  for (const piece of [...pieces, null]) request.push(piece);
  const body = await reading;
  expect(
    body.equals(Buffer.from('a'.repeat(20_000) + 'b'.repeat(20_000) + 'c'.repeat(20_000))),
  ).toBe(true);
  expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0]);
});

test('a large body leaves most of the time to everything else', async () => {
  const bytes = Buffer.from(`[${'{"a":1},'.repeat(60_000)}{}]`);
  const atOnceMs = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    parseJsonBody(bytes, 'application/json');
    return performance.now() - startedAt;
  });
  const startedAt = performance.now();
  const { value } = await parseJsonBodyPaced(bytes, 'application/json');
  // Without rests it takes no more than twice as long.
  expect(performance.now() - startedAt).toBeGreaterThan(3 * Math.min(...atOnceMs));
  expect(value).toHaveLength(60_001);
});
