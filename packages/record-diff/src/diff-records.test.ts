import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffRecords } from './index.ts';
import { applyChanges } from './testing/apply-changes.ts';
import { arbitraryRecord } from './testing/arbitrary-records.ts';

const before = {
  item_id: '0196b8a0-0000-7000-8000-000000000001',
  name: 'Sword',
  tags: ['sharp', 'metal'],
  custom_data: { damage: '4', weight: '2' },
};

describe('a change names what changed, not where it stands', () => {
  test('a field that is changed, added or removed', () => {
    const { name: _, ...nameless } = before;
    expect(diffRecords(before, { ...before, name: 'Blade' })).toEqual([
      { path: ['name'], label: 'Name', change: 'changed', before: 'Sword', after: 'Blade' },
    ]);
    expect(diffRecords(before, { ...before, item_type: 'unit' })).toEqual([
      { path: ['item_type'], label: 'Item type', change: 'added', after: 'unit' },
    ]);
    expect(diffRecords(before, nameless)).toEqual([
      { path: ['name'], label: 'Name', change: 'removed', before: 'Sword' },
    ]);
  });

  test('a tag put before the others is one added tag', () => {
    expect(diffRecords(before, { ...before, tags: ['rare', 'sharp', 'metal'] })).toEqual([
      { path: ['tags', 'rare'], label: 'Tags: rare', change: 'added', after: 'rare' },
    ]);
  });

  test('tags in another order are one change of the field', () => {
    const tags = ['metal', 'sharp'];
    expect(diffRecords(before, { ...before, tags })).toEqual([
      { path: ['tags'], label: 'Tags', change: 'changed', before: before.tags, after: tags },
    ]);
  });

  test('a level put between others is one added level, whatever follows it', () => {
    const levels = (...xp: [number, number][]) => ({
      xp_thresholds: xp.map(([level, needed]) => ({ level, xp: needed })),
    });
    expect(diffRecords(levels([1, 0], [5, 50]), levels([1, 0], [3, 20], [5, 60]))).toEqual([
      { path: ['xp_thresholds', 3], label: 'Levels: level 3', change: 'added', after: 20 },
      {
        path: ['xp_thresholds', 5],
        label: 'Levels: level 5',
        change: 'changed',
        before: 50,
        after: 60,
      },
    ]);
  });

  test('custom data by key, in the order of the keys', () => {
    const custom_data = { weight: '2', age: '9', damage: '5' };
    expect(diffRecords(before, { ...before, custom_data })).toMatchObject([
      { path: ['custom_data', 'age'], change: 'added', after: '9' },
      { path: ['custom_data', 'damage'], change: 'changed', before: '4', after: '5' },
    ]);
  });

  test('a key that every object inherits is a key like any other', () => {
    const custom_data = JSON.parse('{"damage":"4","weight":"2","toString":"x","__proto__":"y"}');
    expect(diffRecords(before, { ...before, custom_data }).map(({ path }) => path)).toEqual([
      ['custom_data', '__proto__'],
      ['custom_data', 'toString'],
    ]);
  });

  test('a whole record that comes or goes is one change per field', () => {
    expect(diffRecords(null, before).map(({ path, change }) => [...path, change])).toEqual(
      Object.keys(before).map((field) => [field, 'added']),
    );
    expect(diffRecords(before, null).every(({ change }) => change === 'removed')).toBe(true);
  });
});

/** Where tags did not move their order says nothing. */
const withSortedTags = (record: { tags?: unknown }) =>
  Array.isArray(record.tags) ? { ...record, tags: [...record.tags].sort() } : record;

describe('for all records', () => {
  test('applying the changes to the one before gives the one after', () => {
    fc.assert(
      fc.property(fc.option(arbitraryRecord), arbitraryRecord, (one, other) => {
        const changes = diffRecords(one, other);
        const applied = applyChanges(one, changes);
        const moved = changes.some(({ path }) => path.length === 1 && path[0] === 'tags');
        const normal = moved ? (record: object) => record : withSortedTags;
        expect(normal(applied)).toEqual(normal(other));
      }),
      { numRuns: 2_000 },
    );
  });

  test('there are no changes exactly when the two are the same but for the order of keys', () => {
    fc.assert(
      fc.property(arbitraryRecord, arbitraryRecord, (one, other) => {
        expect(diffRecords(one, structuredClone(one))).toEqual([]);
        const reversed = Object.fromEntries(Object.entries(one).reverse());
        expect(diffRecords(one, reversed)).toEqual([]);
        if (diffRecords(one, other).length === 0) {
          expect(withSortedTags(one)).toEqual(withSortedTags(other));
        }
      }),
    );
  });

  test('every path changes once', () => {
    fc.assert(
      fc.property(arbitraryRecord, arbitraryRecord, (one, other) => {
        const places = diffRecords(one, other).map(({ path }) => JSON.stringify(path));
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });
});

test('comparing tables without a level in common takes time in proportion to their size', () => {
  const table = (first: number) => ({
    xp_thresholds: Array.from({ length: 8_000 }, (_, i) => ({ level: 2 * i + first, xp: i })),
  });
  const start = process.cpuUsage();
  expect(diffRecords(table(0), table(1))).toHaveLength(16_000);
  // Alignment as lists takes a minute of processor time. A slow processor needs a second for this.
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
});
