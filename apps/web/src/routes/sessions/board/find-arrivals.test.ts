import { expect, test } from 'vitest';
import type { SeatedPlayer, Team } from '../live-session.ts';
import { findArrivals, readPresence } from './find-arrivals.ts';
import { findHeir } from './find-heir.ts';

const seat = (player_uuid: string, status: SeatedPlayer['status'], joined?: string) =>
  ({ player_uuid, status, joined }) as SeatedPlayer;

const team = (...players: SeatedPlayer[]): Team[] => [{ team_id: 0, max_size: 9, players }];

test('a player who was not there, or whose seat was only held, has arrived', () => {
  const before = readPresence(team(seat('a', 'leader'), seat('b', 'invited')));
  const after = team(seat('a', 'member'), seat('b', 'leader'), seat('c', 'reserved'));
  expect(findArrivals(before, after)).toEqual([
    { playerUuid: 'b', teamId: 0, isHeld: false },
    { playerUuid: 'c', teamId: 0, isHeld: true },
  ]);
});

test('who leaves, moves, or is promoted has not arrived', () => {
  const before = readPresence(team(seat('a', 'leader'), seat('b', 'member')));
  expect(findArrivals(before, team(seat('b', 'leader')))).toEqual([]);
});

test('the player who came first after the leader follows; on a tie the lowest UUID; nobody who is awaited', () => {
  const teams = team(
    seat('a', 'leader', '2026-01-01T00:00:00.000Z'),
    seat('d', 'member', '2026-01-02T00:00:00.000Z'),
    seat('c', 'member', '2026-01-02T00:00:00.000Z'),
    seat('b', 'invited'),
  );
  expect(findHeir(teams, 'a')?.player_uuid).toBe('c');
  expect(findHeir(team(seat('a', 'leader'), seat('b', 'invited')), 'a')).toBeUndefined();
});
