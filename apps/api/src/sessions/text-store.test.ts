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
      const store = new TextStore<number>(CHUNKS * CHUNK, MOST);
      const last = new Map<string, { text: string; note: number }>();
      for (const [note, { do: what, key, text }] of all.entries()) {
        if (what === 'get') store.get(key);
        else if (what === 'delete') {
          store.delete(key);
          last.delete(key);
        } else {
          store.set(key, text, note);
          last.set(key, { text, note });
          expect(store.has(key)).toBe(Buffer.byteLength(text) <= CHUNKS * CHUNK);
        }
        const present = [...last].filter(([known]) => store.has(known));
        for (const [known, value] of present) expect(store.get(known)).toEqual(value);
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
  const store = new TextStore<null>(CHUNKS * CHUNK, 100);
  for (let n = 0; n < 6; n += 1) store.set(`${n}`, 'x'.repeat(CHUNK + 1), null);
  store.get('0');
  expect(store.size).toBe(6);
  store.set('new', 'y'.repeat(2 * CHUNK), null);
  expect(['0', '1', '2', 'new'].map((key) => store.has(key))).toEqual([true, false, true, true]);
  // Every chunk that was given back can be used again.
  for (let n = 0; n < 1_000; n += 1) store.set(`again ${n}`, 'z'.repeat(1 + (n % 700)), null);
  store.set('all', 'a'.repeat(CHUNKS * CHUNK), null);
  expect([store.size, store.get('all')?.text]).toEqual([1, 'a'.repeat(CHUNKS * CHUNK)]);
});

test('a text that is larger than all there is goes, and takes nothing with it but its former self', () => {
  const store = new TextStore<null>(CHUNKS * CHUNK, 10);
  store.set('small', 'x', null);
  store.set('large', 'y', null);
  store.set('large', 'y'.repeat(CHUNKS * CHUNK + 1), null);
  expect([store.has('small'), store.has('large')]).toEqual([true, false]);
});
