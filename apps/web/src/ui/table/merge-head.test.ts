import { describe, expect, test } from 'vitest';
import { mergeHead } from './paged-rows.ts';

type Row = { id: string; seats: number };
const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id, seats: 0 }));
const merge = (shown: Row[], head: Row[] | undefined) => mergeHead(shown, head, ({ id }) => id);

describe('merging a new first page into shown rows', () => {
  test('changes nothing without a new page', () => {
    const shown = rows('a', 'b');
    expect(merge(shown, undefined)).toMatchObject({ newRows: 0 });
    expect(merge(shown, undefined).rows).toBe(shown);
  });

  test('moves no row: updates known rows in place and only counts new ones', () => {
    const head = [...rows('new', 'newer'), { id: 'a', seats: 3 }, { id: 'b', seats: 1 }];
    const merged = merge(rows('a', 'b', 'c'), head);
    expect(merged.rows).toEqual([
      { id: 'a', seats: 3 },
      { id: 'b', seats: 1 },
      { id: 'c', seats: 0 },
    ]);
    expect(merged.newRows).toBe(2);
    expect([...merged.removedIds]).toEqual([]);
  });

  test('reports rows that the new page lacks as removed, but no rows after its end', () => {
    const merged = merge(rows('a', 'b', 'c', 'd'), rows('a', 'c'));
    expect(merged.rows.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect([...merged.removedIds]).toEqual(['b']);
  });
});
