// Tests of the checker: it must find each fault.
import { randomUUID } from 'node:crypto';
import type { Session } from '@muster/contract';
import { expect, test } from 'vitest';
import type { Answer } from './linearize.ts';
import { linearize } from './linearize.ts';

const [ada, bob] = [randomUUID(), randomUUID()].sort() as [string, string];

const sessionOf = (players: [string, 'leader' | 'member'][], size = 2): Session => ({
  type: 'duel',
  session_id: 's',
  joinable: true,
  platform_session: [],
  created: 'x',
  teams: [
    {
      team_id: 0,
      max_size: size,
      players: players.map(([player_uuid, status]) => ({ player_uuid, status, joined: 'x' })),
    },
  ],
});

const empty = { version: 1, session: sessionOf([]) };
const joined = (player: string, version: number, session: Session): Answer => ({
  command: { kind: 'join', player, team: 0 },
  seen: { version, session },
});
const both = sessionOf([
  [ada, 'leader'],
  [bob, 'member'],
]);

test('explains joins with the same state, and joins one after another', () => {
  expect(linearize(empty, [joined(ada, 2, both), joined(bob, 2, both)]).version).toBe(2);
  const first = sessionOf([[ada, 'leader']]);
  expect(linearize(empty, [joined(bob, 3, both), joined(ada, 2, first)]).version).toBe(3);
});

test('finds a lost seat, an extra seat, and a second leader', () => {
  const lost = sessionOf([[bob, 'leader']]);
  expect(() => linearize(empty, [joined(ada, 2, lost), joined(bob, 2, lost)])).toThrow(/No order/);
  const full = { version: 1, session: sessionOf([[ada, 'leader']], 1) };
  const tooMany = sessionOf(
    [
      [ada, 'leader'],
      [bob, 'member'],
    ],
    1,
  );
  expect(() => linearize(full, [joined(bob, 2, tooMany)])).toThrow(/No order/);
  const twoLeaders = sessionOf([
    [ada, 'leader'],
    [bob, 'leader'],
  ]);
  expect(() => linearize(empty, [joined(ada, 2, twoLeaders), joined(bob, 2, twoLeaders)])).toThrow(
    /No order/,
  );
});

test('finds one ETag for two sessions, and a version without a command', () => {
  const alone = sessionOf([[ada, 'leader']]);
  expect(() => linearize(empty, [joined(ada, 2, alone), joined(bob, 2, both)])).toThrow(/One ETag/);
  expect(() => linearize(empty, [joined(ada, 3, alone)])).toThrow(/No answer shows|No order/);
});

test('finds a refusal that no state explains', () => {
  const command = { kind: 'join', player: ada, team: 0 } as const;
  expect(() => linearize(empty, [{ command, refused: 'team_full' }])).toThrow(/was refused/);
  expect(linearize(empty, [{ command, refused: 'session_busy' }])).toEqual(empty);
});
