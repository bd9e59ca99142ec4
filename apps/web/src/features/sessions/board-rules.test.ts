import { expect, test } from 'vitest';
import {
  areSameSlots,
  findNextLeader,
  findRecentJoins,
  placeSeats,
  readPresence,
} from './board-rules.ts';
import type { SeatedPlayer, Team } from './live-session.ts';

const seat = (player_uuid: string, status: SeatedPlayer['status'], joined?: string) =>
  ({ player_uuid, status, joined }) as SeatedPlayer;

const team = (...players: SeatedPlayer[]): Team[] => [{ team_id: 0, max_size: 9, players }];

test('a player without a seat before, or with only a held seat, has arrived', () => {
  const before = readPresence(team(seat('a', 'leader'), seat('b', 'invited')));
  const after = team(seat('a', 'member'), seat('b', 'leader'), seat('c', 'reserved'));
  expect(findRecentJoins(before, after)).toEqual([
    { playerUuid: 'b', teamId: 0, isHeld: false },
    { playerUuid: 'c', teamId: 0, isHeld: true },
  ]);
});

test('a player who leaves, moves, or is promoted has not arrived', () => {
  const before = readPresence(team(seat('a', 'leader'), seat('b', 'member')));
  expect(findRecentJoins(before, team(seat('b', 'leader')))).toEqual([]);
});

test('the next leader is the player who joined first, on a tie the lowest UUID, and never a held seat', () => {
  const teams = team(
    seat('a', 'leader', '2026-01-01T00:00:00.000Z'),
    seat('d', 'member', '2026-01-02T00:00:00.000Z'),
    seat('c', 'member', '2026-01-02T00:00:00.000Z'),
    seat('b', 'invited'),
  );
  expect(findNextLeader(teams, 'a')?.player_uuid).toBe('c');
  expect(findNextLeader(team(seat('a', 'leader'), seat('b', 'invited')), 'a')).toBeUndefined();
});

test('a team shows its players in order, then its free seats', () => {
  expect(placeSeats([], ['a', 'b'], 4)).toEqual(['a', 'b', null, null]);
});

test('players keep their slots when one leaves, and the next player takes the free slot', () => {
  const left = placeSeats(['a', 'b', 'c', null], ['b', 'c'], 4);
  expect(left).toEqual([null, 'b', 'c', null]);
  expect(placeSeats(left, ['b', 'c', 'd'], 4)).toEqual(['d', 'b', 'c', null]);
});

test('a large team draws all players but only some of its free seats', () => {
  const players = Array.from({ length: 20 }, (_, index) => `p${index}`);
  expect(placeSeats([], ['a'], 100)).toHaveLength(16);
  expect(placeSeats([], players, 100)).toEqual(players);
  const gone = placeSeats(players, players.slice(1), 100);
  expect(gone).toEqual([null, ...players.slice(1)]);
});

test('a team that becomes smaller loses only free seats', () => {
  expect(placeSeats(['a', null, null, null], ['a'], 2)).toEqual(['a', null]);
});

test('slots are compared one by one', () => {
  expect(areSameSlots(['a', null], ['a', null])).toBe(true);
  expect(areSameSlots(['a', null], [null, 'a'])).toBe(false);
  expect(areSameSlots(['a'], ['a', null])).toBe(false);
});
