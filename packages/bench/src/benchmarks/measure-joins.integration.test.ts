import { expect, test } from 'vitest';
import { FULL, QUICK } from '../options.ts';
import { countSeatsHalfWay } from './measure-joins.ts';

test('the first join, those of half of the rounds, and the player himself are counted', () => {
  const plan = { sessions: 1_000, rounds: 5, roundSeconds: 4, joinsPerRound: 10_000 };
  expect(countSeatsHalfWay(plan, 1_000)).toBe(1 + 8 + 1);
});

test('a rate that needs more players than there are counts no more', () => {
  expect(countSeatsHalfWay(FULL, 1_000_000)).toBe(1 + 2 + 1);
});

test('one session holds as many seats, however fast the machine is', () => {
  for (const plan of [FULL, QUICK]) expect(countSeatsHalfWay(plan, 1_000_000)).toBeLessThan(200);
});
