import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffRecords, mergeRecords, resolveConflict } from './index.ts';
import { arbitraryRecord } from './testing/arbitrary-records.ts';

const base: {
  name: string;
  description: string;
  tags: string[];
  custom_data: Record<string, string>;
} = {
  name: 'Sword',
  description: 'Long',
  tags: ['sharp', 'metal'],
  custom_data: { damage: '4', weight: '2' },
};

describe('edits of different places go together', () => {
  test('different fields', () => {
    const theirs = { ...base, name: 'Blade' };
    const mine = { ...base, description: 'Short' };
    expect(mergeRecords(base, theirs, mine)).toEqual({
      merged: { ...base, name: 'Blade', description: 'Short' },
      conflicts: [],
    });
  });

  test('different keys of one map', () => {
    const theirs = { ...base, custom_data: { damage: '5', weight: '2' } };
    const mine = { ...base, custom_data: { damage: '4', colour: 'red' } };
    expect(mergeRecords(base, theirs, mine)).toEqual({
      merged: { ...base, custom_data: { damage: '5', colour: 'red' } },
      conflicts: [],
    });
  });

  test('tags that each side adds and removes, in my order', () => {
    const theirs = { ...base, tags: ['metal', 'rare'] };
    const mine = { ...base, tags: ['old', 'sharp', 'metal'] };
    expect(mergeRecords(base, theirs, mine)).toEqual({
      merged: { ...base, tags: ['old', 'metal', 'rare'] },
      conflicts: [],
    });
  });

  test('levels that each side adds, in the order of levels', () => {
    const table = (...levels: number[]) => ({
      xp_thresholds: levels.map((level) => ({ level, xp: level * 10 })),
    });
    expect(mergeRecords(table(1, 9), table(1, 3, 9), table(1, 5, 9))).toEqual({
      merged: table(1, 3, 5, 9),
      conflicts: [],
    });
  });
});

describe('edits of one place conflict', () => {
  test('the merged record holds mine, the conflict all three', () => {
    const theirs = { ...base, name: 'Blade', custom_data: { damage: '5', weight: '2' } };
    const mine = { ...base, name: 'Sabre', custom_data: { weight: '2' } };
    expect(mergeRecords(base, theirs, mine)).toEqual({
      merged: mine,
      conflicts: [
        { path: ['name'], label: 'Name', base: 'Sword', theirs: 'Blade', mine: 'Sabre' },
        {
          path: ['custom_data', 'damage'],
          label: 'Custom data: damage',
          base: '4',
          theirs: '5',
        },
      ],
    });
  });

  test('the same edit on both sides is none', () => {
    const both = { ...base, name: 'Blade' };
    expect(mergeRecords(base, both, structuredClone(both)).conflicts).toEqual([]);
  });

  test('each side can be chosen', () => {
    const theirs = { ...base, custom_data: { damage: '5', weight: '2' } };
    const mine = { ...base, custom_data: { weight: '2' }, name: 'Axe' };
    const { merged, conflicts } = mergeRecords(base, theirs, mine);
    const [conflict] = conflicts;
    if (!conflict) throw new Error('There is no conflict.');
    const { custom_data } = theirs;
    expect(resolveConflict(merged, conflict, 'theirs')).toEqual({ ...mine, custom_data });
    expect(resolveConflict(merged, conflict, 'base')).toEqual({ ...base, name: 'Axe' });
    expect(resolveConflict(merged, conflict, 'mine')).toEqual(mine);
  });
});

describe('for all edits', () => {
  const three = [arbitraryRecord, arbitraryRecord, arbitraryRecord] as const;
  const numRuns = 2_000;

  test('an edit against no other edit is that edit', () => {
    fc.assert(
      fc.property(arbitraryRecord, arbitraryRecord, (from, edited) => {
        expect(mergeRecords(from, from, edited)).toEqual({ merged: edited, conflicts: [] });
        expect(mergeRecords(from, edited, from)).toEqual({ merged: edited, conflicts: [] });
        expect(mergeRecords(from, edited, edited)).toEqual({ merged: edited, conflicts: [] });
      }),
      { numRuns },
    );
  });

  test.each(['theirs', 'mine'] as const)(
    'choosing %s in every conflict keeps all they changed',
    (side) => {
      fc.assert(
        fc.property(...three, (from, theirs, mine) => {
          const { merged, conflicts } = mergeRecords(from, theirs, mine);
          const chosen = conflicts.reduce(
            (record, conflict) => resolveConflict(record, conflict, side),
            merged,
          );
          for (const { path, change, after } of diffRecords(from, { theirs, mine }[side])) {
            const isOrder = path[0] === 'tags' && path.length === 1 && change === 'changed';
            if (!isOrder) expect(valueAt(chosen, path)).toEqual(after);
          }
        }),
        { numRuns },
      );
    },
  );
});

type Path = readonly (string | number)[];

const valueAt = (record: object, [field, element]: Path): unknown => {
  const value = new Map(Object.entries(record)).get(String(field));
  if (element === undefined || value === undefined) return value;
  if (typeof element === 'number') {
    return (value as { level: number; xp: number }[]).find(({ level }) => level === element)?.xp;
  }
  if (Array.isArray(value)) return value.includes(element) ? element : undefined;
  return new Map(Object.entries(value)).get(element);
};
