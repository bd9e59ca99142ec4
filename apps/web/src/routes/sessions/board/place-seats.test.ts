import { expect, test } from 'vitest';
import { areSameSlots, placeSeats } from './place-seats.ts';

test('a team starts with its players in their order and its free seats after them', () => {
  expect(placeSeats([], ['a', 'b'], 4)).toEqual(['a', 'b', null, null]);
});

test('nobody moves when another one leaves, and the next one takes the free seat', () => {
  const left = placeSeats(['a', 'b', 'c', null], ['b', 'c'], 4);
  expect(left).toEqual([null, 'b', 'c', null]);
  expect(placeSeats(left, ['b', 'c', 'd'], 4)).toEqual(['d', 'b', 'c', null]);
});

test('a large team draws its players and some free seats, not a hundred', () => {
  const players = Array.from({ length: 20 }, (_, index) => `p${index}`);
  expect(placeSeats([], ['a'], 100)).toHaveLength(16);
  expect(placeSeats([], players, 100)).toEqual(players);
  const gone = placeSeats(players, players.slice(1), 100);
  expect(gone).toEqual([null, ...players.slice(1)]);
});

test('a team that became smaller loses free seats only', () => {
  expect(placeSeats(['a', null, null, null], ['a'], 2)).toEqual(['a', null]);
});

test('slots are compared one by one', () => {
  expect(areSameSlots(['a', null], ['a', null])).toBe(true);
  expect(areSameSlots(['a', null], [null, 'a'])).toBe(false);
  expect(areSameSlots(['a'], ['a', null])).toBe(false);
});
