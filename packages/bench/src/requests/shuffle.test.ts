import { expect, test } from 'vitest';
import { shuffle } from './shuffle.ts';

test('every number comes once, in an order that is the same for the same seed', () => {
  const order = shuffle(1_000, 7);
  expect([...order].sort((left, right) => left - right)).toEqual([...Array(1_000).keys()]);
  expect(shuffle(1_000, 7)).toEqual(order);
  expect(shuffle(1_000, 8)).not.toEqual(order);
});

test('a first part is spread over all, whatever the seed', () => {
  for (const seed of [0, 1, 20_000, 40_000, 1_000_000_000]) {
    const part = shuffle(20_000, seed).subarray(0, 4_000);
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const inTenth = part.filter((number) => Math.floor(number / 2_000) === tenth).length;
      expect(Math.abs(inTenth - 400)).toBeLessThan(100);
    }
  }
});

test('none and one have no order', () => {
  expect([shuffle(0, 5), shuffle(1, 5)].map((order) => [...order])).toEqual([[], [0]]);
});
