import { expect, test } from 'vitest';
import { decideJoin } from './join-rules.ts';
import { invitePlayer, removePlayer } from './seat-rules.ts';
import type { SessionState } from './session.ts';
import { packSession, unpackSession } from './session-cache.ts';
import type { SessionUpdate } from './session-changes.ts';
import {
  createSessionState,
  setInstance,
  setInstanceStatus,
  updateSession,
} from './session-changes.ts';
import { checkSessionSize, measureSession, toSessionResource } from './session-resource.ts';

const MAX_SESSION_BYTES = 256 * 1_024;
const AT = new Date('2026-03-14T09:26:53.589Z');

const create = (change: object = {}): SessionState =>
  createSessionState(
    { type: 'duel', joinable: true, teams: [{ max_size: 100 }], platform_session: [], ...change },
    { sessionId: 'one', incarnation: 'i', at: AT },
  );

const uuid = (index: number) => `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`;

const join = (session: SessionState, index: number, change: object = {}): SessionState => {
  const command = {
    playerUuid: uuid(index),
    isSelf: true,
    status: 'member' as const,
    teamId: 0,
    clientVersion: '1.2.3',
    platform: 'Steam' as const,
    input: 'gamepad' as const,
    ...change,
  };
  const result = decideJoin(session, command, AT);
  if (!result) throw new Error('The join changed nothing');
  return result.session;
};

const bytesOf = (session: SessionState): number =>
  Buffer.byteLength(JSON.stringify(toSessionResource(session)));

const CONTROL = '\u0001'.repeat(128);
const MAP = { [CONTROL]: CONTROL.repeat(32), e: '€'.repeat(4096) };

/** Every member with its maximum length. */
const LONGEST_PLAYER = {
  clientVersion: `1.2.3-${'x'.repeat(250)}`,
  platform: 'PSN',
  input: 'keyboardandmouse',
  playerId: -Number.MAX_SAFE_INTEGER,
  customData: MAP,
  crossplay: {
    permitted_platform: 'desired_platforms_playstationlike',
    permitted_input: 'desired_inputs_keyboardandmouse',
  },
};

const LONGEST = {
  type: CONTROL,
  region_id: CONTROL,
  created_by_matchmaking: false,
  custom_data: MAP,
  browser: { custom_data: MAP },
  match: { match_id: 'm', ticket_ids: ['t'], custom_data: MAP },
  matchmaking: { ticket_id: 't', queue_id: CONTROL, custom_data: MAP },
  matchmaking_results: { match_making_id: 'm', ticket_ids: [], tickets_assigned: false },
  backfill: { backfill_id: 'b', extensions: MAP },
  instance: { instance_id: 'i', host_type: 'preallocated', join_status: 'joinable' },
  teams: Array.from({ length: 100 }, (_, team_id) => ({ team_id, max_size: 100 })),
  platform_session: Array.from({ length: 100 }, (_, index) => ({
    platform: 'NintendoSwitch',
    platform_session_type: CONTROL,
    custom_data: MAP,
    platform_session_id_base64: `id${index}`,
  })),
};

const invite = (session: SessionState, index: number): SessionState => {
  const terms = { invitingPlayerUuid: uuid(0), sourceSessionId: CONTROL };
  const invitation = { playerUuid: uuid(index), teamId: 0, status: 'reserved', ...terms } as const;
  return invitePlayer(session, invitation, AT)?.session ?? session;
};

test.each([
  ['empty', create()],
  [
    'full of players without data',
    [...Array(100).keys()].reduce((all, n) => join(all, n), create()),
  ],
  [
    'full of players who had an invitation',
    [...Array(50).keys()].reduce((all, n) => join(invite(all, n), n, LONGEST_PLAYER), create()),
  ],
  ['with every member at its longest', join(create(LONGEST), 1, LONGEST_PLAYER)],
  ['with long names of escaped characters', create({ type: '"'.repeat(128), region_id: CONTROL })],
])(
  'the measured size of a session %s is its bytes, plus one for each team with players',
  (_, session) => {
    const occupied = new Set([...session.seats.values()].map(({ teamId }) => teamId)).size;
    expect(measureSession(session)).toBe(bytesOf(session) + occupied);
  },
);

test('eight teams of a hundred players without data each fit into the largest session', () => {
  let session = create({ teams: Array.from({ length: 8 }, () => ({ max_size: 100 })) });
  for (let index = 0; index < 800; index += 1) {
    const next = join(session, index, { teamId: index % 8 });
    checkSessionSize(session, next, MAX_SESSION_BYTES);
    session = next;
  }
  expect(session.seats.size).toBe(800);
});

test('a session accepts changes up to the last byte of the limit', () => {
  const before = join(create({ teams: [{ max_size: 2 }, { max_size: 2 }] }), 1);
  const after = join(before, 2, { customData: MAP, teamId: 1 });
  const max = bytesOf(after);
  expect(() => checkSessionSize(before, after, max)).not.toThrow();
  expect(() => checkSessionSize(before, after, max - 1)).toThrow('larger');
  expect(() => checkSessionSize(null, after, max)).not.toThrow();
  expect(() => checkSessionSize(null, after, max - 1)).toThrow('larger');
  expect(() => checkSessionSize(before, after, max, 1)).toThrow('larger');
});

test('refuses a change that makes a session too large, and reports the member that grew', () => {
  const before = create();
  const max = measureSession(before) + 1_000;
  const place = (after: SessionState | undefined): unknown => {
    try {
      return after && checkSessionSize(before, after, max);
    } catch (error) {
      return (error as { evidence: { place?: string } }).evidence.place;
    }
  };
  const custom_data = { key: 'x'.repeat(1_000) };
  const teams = [{ max_size: 100, ticket_ids: ['x'.repeat(1_000)] }];
  const update = (changes: SessionUpdate) => updateSession(before, changes, AT)?.session;
  const instance = { instance_id: 'i', host_type: 'player', join_status: 'pending' } as const;
  expect(place(join(before, 1))).toBeUndefined();
  expect(place(join(before, 1, { customData: custom_data }))).toBe('custom_data');
  const players = Array.from({ length: 9 }, (_, index) => index);
  expect(place(players.reduce((all, index) => join(all, index), before))).toBe('player_uuid');
  expect(place(update({ custom_data }))).toBe('custom_data');
  expect(place(update({ browser: { custom_data } }))).toBe('browser');
  expect(place(update({ teams }))).toBe('teams');
  expect(place(setInstance(before, { ...instance, custom_data }, AT)?.session)).toBe('instance');
});

test.each([
  ['custom_data', { customData: { key: 'x' } }],
  ['crossplay_preferences', { crossplay: LONGEST_PLAYER.crossplay }],
  ['client_version', { clientVersion: '1.2.3-rc.1' }],
  ['client_settings', { input: 'keyboardandmouse' }],
])('reports the larger member of a seated player: %s', (place, change) => {
  const before = join(create(), 1);
  const grow = () => checkSessionSize(before, join(before, 1, change), bytesOf(before));
  expect(grow).toThrow(expect.objectContaining({ evidence: expect.objectContaining({ place }) }));
});

test('a session over the limit may shrink, and its instance may change its states', () => {
  const instance = { instance_id: 'i', host_type: 'player', join_status: 'pending' } as const;
  const before = join(create({ instance, custom_data: { key: 'x'.repeat(2_000) } }), 1);
  const changes = [
    updateSession(before, { custom_data: { key: 'x' } }, AT),
    setInstanceStatus(before, { joinStatus: 'joinable', instanceHealth: 'unhealthy' }, AT),
    setInstanceStatus(before, { joinStatus: 'closed' }, AT),
  ];
  for (const change of changes) {
    expect(() => checkSessionSize(before, change!.session, 100)).not.toThrow();
  }
  expect(() => checkSessionSize(before, join(before, 2), 100)).toThrow('larger');
  const full = bytesOf(before);
  const unhealthy = setInstanceStatus(before, { instanceHealth: 'unhealthy' }, AT)!.session;
  expect(bytesOf(unhealthy)).toBeGreaterThan(full);
  expect(() => checkSessionSize(before, unhealthy, full)).not.toThrow();
});

test('incremental sizes equal the size of the whole session, also after packing', () => {
  const instance = { instance_id: 'i', host_type: 'player', join_status: 'pending' } as const;
  const states = [join(create(), 1)];
  const then = (change: (before: SessionState) => SessionState | undefined) => {
    const before = states.at(-1)!;
    const after = change(before)!;
    expect(after).not.toBe(before);
    checkSessionSize(before, after, 1_000_000);
    states.push(after);
  };
  then((before) => join(before, 2, { customData: MAP }));
  then((before) => join(before, 1, { customData: { key: 'x'.repeat(1_000) } }));
  then((before) => invite(before, 3));
  then((before) => removePlayer(before, { playerUuid: uuid(2) })!.session);
  then((before) => setInstance(before, instance, AT)?.session);
  then((before) => join(unpackSession(packSession(before)), 4));
  const measured = states.map(measureSession);
  // The size of a copy is not cached.
  expect(measured).toEqual(states.map((state) => measureSession({ ...state })));
});
