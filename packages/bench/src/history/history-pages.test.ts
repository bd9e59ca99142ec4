import { expect, test } from 'vitest';
import { toHistorySize } from './history-data.ts';
import {
  deepPositions,
  PAGES,
  spellForMuster,
  spellForOffset,
  spellForPayload,
} from './history-pages.ts';

const size = toHistorySize(10_000);
const cursors = deepPositions(size).map((position) => `cursor-${position}`);

test('every variant is asked for as many pages of each kind', () => {
  const all = [spellForMuster(size, cursors), spellForOffset(size), spellForPayload(size)];
  for (const page of PAGES) {
    const [first, ...others] = all.map((paths) => paths[page].length);
    expect(others).toEqual([first, first]);
  }
});

test('deep pages lie in the middle, and differ', () => {
  const positions = deepPositions(size);
  expect(new Set(positions).size).toBe(100);
  for (const position of positions) expect(Math.abs(position - 5_000)).toBeLessThan(500);
});
