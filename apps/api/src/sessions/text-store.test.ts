import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextStore } from './text-store.ts';

const CHUNK = 256;
const CHUNKS = 12;
const MOST = 9;

const actions = fc.array(
  fc.record({
    do: fc.constantFrom('set', 'set', 'set', 'get', 'delete'),
    key: fc.nat({ max: 15 }).map(String),
    text: fc
      .tuple(fc.string({ unit: 'binary', maxLength: 8 }), fc.nat({ max: 120 }))
      .map(([part, times]) => JSON.stringify(part.repeat(times))),
  }),
  { minLength: 100, maxLength: 200 },
);

test('what it answers is what was set last, whatever came and went', () => {
  let kept = 0;
  fc.assert(
    fc.property(actions, (all) => {
      const store = new TextStore(CHUNKS * CHUNK, MOST);
      const last = new Map<string, string>();
      for (const { do: what, key, text } of all) {
        if (what === 'get') store.get(key);
        else if (what === 'delete') {
          store.delete(key);
          last.delete(key);
        } else {
          last.set(key, text);
          expect(store.set(key, text)).toBe(Buffer.byteLength(text) <= CHUNKS * CHUNK);
        }
        const present = [...last].filter(([known]) => store.get(known) !== undefined);
        for (const [known, value] of present) expect(store.get(known)).toBe(value);
        expect(store.size).toBe(present.length);
        expect(store.size).toBeLessThanOrEqual(MOST);
        kept = Math.max(kept, store.size);
      }
    }),
    { numRuns: 100, seed: 20_261_123 },
  );
  expect(kept).toBe(MOST);
});

test('it keeps as many as fit, and gives up what was used least recently', () => {
  const store = new TextStore(CHUNKS * CHUNK, 100);
  for (let n = 0; n < 6; n += 1) store.set(`${n}`, 'x'.repeat(CHUNK + 1));
  store.get('0');
  expect(store.size).toBe(6);
  store.set('new', 'y'.repeat(2 * CHUNK));
  expect(['0', '1', '2', 'new'].map((key) => store.get(key) !== undefined)).toEqual([
    true,
    false,
    true,
    true,
  ]);
  // Every chunk that was given back can be used again.
  for (let n = 0; n < 1_000; n += 1) store.set(`again ${n}`, 'z'.repeat(1 + (n % 700)));
  store.set('all', 'a'.repeat(CHUNKS * CHUNK));
  expect([store.size, store.get('all')]).toEqual([1, 'a'.repeat(CHUNKS * CHUNK)]);
});

test('a text that is larger than all there is goes, and takes nothing with it but its former self', () => {
  const store = new TextStore(CHUNKS * CHUNK, 10);
  store.set('small', 'x');
  store.set('large', 'y');
  store.set('large', 'y'.repeat(CHUNKS * CHUNK + 1));
  expect([store.get('small'), store.get('large')]).toEqual(['x', undefined]);
});
