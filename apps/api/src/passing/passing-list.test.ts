import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Place } from './passing-list.ts';
import { PassingList } from './passing-list.ts';

test('it holds what was added and not removed, in the order of its coming', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 200 }), (steps) => {
      const list = new PassingList<number>();
      const places: Place<number>[] = [];
      const model = new Set<number>();
      for (const [value, step] of steps.entries()) {
        const place = places[step];
        if (place) expect(list.remove(place)).toBe(model.delete(place.value));
        else {
          places.push(list.add(value));
          model.add(value);
        }
        expect([...list]).toEqual([...model]);
        expect(list.size).toBe(model.size);
      }
    }),
    { numRuns: 200, seed: 20_261_123 },
  );
});

test('the one that is looked at may be removed', () => {
  const list = new PassingList<string>();
  const places = new Map(['a', 'b', 'c'].map((value) => [value, list.add(value)]));
  const seen: string[] = [];
  for (const value of list) {
    seen.push(value);
    const place = places.get(value);
    if (place) list.remove(place);
  }
  expect(seen).toEqual(['a', 'b', 'c']);
  expect([...list]).toEqual([]);
});

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ??
  0;

/** How many bytes are old after so many values have passed, a few at a time, and only young objects were collected. */
const growthBy = (collectYoung: () => void, enter: (value: object) => () => unknown): number => {
  const present: (() => unknown)[] = [];
  // As after an hour of quiet: what holds the values is old.
  present.push(enter({}));
  for (let n = 0; n < 4; n += 1) collectYoung();
  const before = oldBytes();
  for (let n = 0; n < 20_000; n += 1) {
    present.push(enter({ numbers: new Array(100).fill(n) }));
    if (present.length > 8) present.shift()?.();
    if (n % 500 === 0) collectYoung();
  }
  return oldBytes() - before;
};

test('what has passed is not kept until a full collection, as by a Set', () => {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
  const collectYoung = () => collect({ type: 'minor' });
  const list = new PassingList<object>();
  const byList = growthBy(collectYoung, (value) => {
    const place = list.add(value);
    return () => list.remove(place);
  });
  const set = new Set<object>();
  const bySet = growthBy(collectYoung, (value) => {
    set.add(value);
    return () => set.delete(value);
  });
  expect(bySet).toBeGreaterThan(4_000_000);
  expect(byList).toBeLessThan(bySet / 8);
});
