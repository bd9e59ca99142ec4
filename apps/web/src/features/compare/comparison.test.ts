import { expect, test } from 'vitest';
import type { Comparison } from './comparison.ts';
import { decideReferences, describePromotion } from './comparison.ts';

const toReference = (xp_id: string, can_include: boolean, itemIds: readonly string[]) => ({
  xp_id,
  can_include,
  in_source: can_include,
  items: itemIds.map((item_id) => ({ item_id, name: item_id })),
});

const COMING = toReference('heroes', true, ['axe']);
const STUCK = toReference('mounts', false, ['bow']);

test('what can come along is decided by that alone, until it stays behind', () => {
  const choice = { takesAlong: true, accepted: '' };
  expect(decideReferences([COMING], choice)).toMatchObject({ left: [], isUndecided: false });
  expect(decideReferences([COMING, STUCK], choice)).toMatchObject({
    left: [STUCK],
    isAccepted: false,
    isUndecided: true,
  });
  const without = { takesAlong: false, accepted: '' };
  expect(decideReferences([COMING], without)).toMatchObject({ left: [COMING], isUndecided: true });
});

test('who accepted some references has not accepted others, such as those of a second look', () => {
  const { key } = decideReferences([STUCK], { takesAlong: true, accepted: '' });
  const choice = { takesAlong: true, accepted: key };
  expect(decideReferences([STUCK], choice)).toMatchObject({ isAccepted: true, isUndecided: false });
  const others = [
    [toReference('mounts', false, ['cup'])],
    [STUCK, toReference('ships', false, ['cup'])],
  ];
  for (const references of others) {
    expect(decideReferences(references, choice)).toMatchObject({ isUndecided: true });
  }
  expect(decideReferences([STUCK, COMING], { ...choice, takesAlong: false }).isAccepted).toBe(
    false,
  );
  expect(decideReferences([], choice)).toMatchObject({ isAccepted: false, isUndecided: false });
});

test('a promotion is told by kind, the chosen one first', () => {
  const toOperation = (kind: 'item' | 'xp', operation: 'insert' | 'restore' | 'update') => ({
    kind,
    operation,
    record_id: 'one',
    name: 'One',
    changes: [],
  });
  const operations = [
    toOperation('xp', 'insert'),
    toOperation('item', 'insert'),
    toOperation('item', 'update'),
    toOperation('item', 'restore'),
  ];
  const comparison = { kind: 'item' } as Comparison;
  expect(describePromotion({ operations }, comparison)).toBe(
    '1 Item created, 1 restored, 1 changed and 1 Xp table created',
  );
  expect(describePromotion({ operations: operations.slice(1) }, comparison)).toBe(
    '1 Item created, 1 restored, 1 changed',
  );
});
