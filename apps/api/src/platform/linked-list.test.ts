import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListNode } from './linked-list.ts';
import { LinkedList } from './linked-list.ts';

test('holds what was added and not removed, in order of arrival', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 200 }), (steps) => {
      const list = new LinkedList<number>();
      const nodes: ListNode<number>[] = [];
      const model = new Set<number>();
      for (const [value, step] of steps.entries()) {
        const node = nodes[step];
        if (node) expect(list.remove(node)).toBe(model.delete(node.value));
        else {
          nodes.push(list.add(value));
          model.add(value);
        }
        expect([...list]).toEqual([...model]);
        expect(list.size).toBe(model.size);
      }
    }),
    { numRuns: 200, seed: 20_261_123 },
  );
});

test('the current node may be removed during an iteration', () => {
  const list = new LinkedList<string>();
  const nodes = new Map(['a', 'b', 'c'].map((value) => [value, list.add(value)]));
  const seen: string[] = [];
  for (const value of list) {
    seen.push(value);
    const node = nodes.get(value);
    if (node) list.remove(node);
  }
  expect(seen).toEqual(['a', 'b', 'c']);
  expect([...list]).toEqual([]);
});

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ??
  0;

/** Growth of the old generation after many values came and went, a few at a time, with young collections only. */
const growthBy = (collectYoung: () => void, enter: (value: object) => () => unknown): number => {
  const present: (() => unknown)[] = [];
  // As after an idle hour: the container itself is in the old generation.
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

test('the young collector frees removed entries, unlike those of a Set', () => {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
  const collectYoung = () => collect({ type: 'minor' });
  const list = new LinkedList<object>();
  const byList = growthBy(collectYoung, (value) => {
    const node = list.add(value);
    return () => list.remove(node);
  });
  const set = new Set<object>();
  const bySet = growthBy(collectYoung, (value) => {
    set.add(value);
    return () => set.delete(value);
  });
  expect(bySet).toBeGreaterThan(4_000_000);
  expect(byList).toBeLessThan(bySet / 8);
});
