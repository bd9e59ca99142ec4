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
