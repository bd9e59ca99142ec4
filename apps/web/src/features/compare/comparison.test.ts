import { expect, test } from 'vitest';
import type { Comparison } from './comparison.ts';
import { decideReferences, describePromotion } from './comparison.ts';

const toReference = (xp_id: string, can_include: boolean, itemIds: readonly string[]) => ({
  xp_id,
  can_include,
  in_source: can_include,
  items: itemIds.map((item_id) => ({ item_id, name: item_id })),
});

const PROMOTABLE = toReference('heroes', true, ['axe']);
const NOT_PROMOTABLE = toReference('mounts', false, ['bow']);

test('needs no further decision for references that are promoted with the records', () => {
  const choice = { includesReferenced: true, accepted: '' };
  expect(decideReferences([PROMOTABLE], choice)).toMatchObject({ left: [], isUndecided: false });
  expect(decideReferences([PROMOTABLE, NOT_PROMOTABLE], choice)).toMatchObject({
    left: [NOT_PROMOTABLE],
    isAccepted: false,
    isUndecided: true,
  });
  const without = { includesReferenced: false, accepted: '' };
  expect(decideReferences([PROMOTABLE], without)).toMatchObject({
    left: [PROMOTABLE],
    isUndecided: true,
  });
});

test('asks again when a second preview has other dangling references', () => {
  const { key } = decideReferences([NOT_PROMOTABLE], { includesReferenced: true, accepted: '' });
  const choice = { includesReferenced: true, accepted: key };
  expect(decideReferences([NOT_PROMOTABLE], choice)).toMatchObject({
    isAccepted: true,
    isUndecided: false,
  });
  const others = [
    [toReference('mounts', false, ['cup'])],
    [NOT_PROMOTABLE, toReference('ships', false, ['cup'])],
  ];
  for (const references of others) {
    expect(decideReferences(references, choice)).toMatchObject({ isUndecided: true });
  }
  expect(
    decideReferences([NOT_PROMOTABLE, PROMOTABLE], { ...choice, includesReferenced: false })
      .isAccepted,
  ).toBe(false);
  expect(decideReferences([], choice)).toMatchObject({ isAccepted: false, isUndecided: false });
});

test('describes a promotion by kind, the chosen kind first', () => {
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
