import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { parseQuery } from './public-request.ts';
import { decodePercent, findBadQueryEscapes } from './request.ts';

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
