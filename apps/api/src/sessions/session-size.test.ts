import { expect, test } from 'vitest';
import { decideJoin } from './join-rules.ts';
import { invitePlayer, removePlayer } from './seat-rules.ts';
import type { SessionState } from './session.ts';
import { toSessionResource } from './session.ts';
import { packSession, unpackSession } from './session-cache.ts';
import {
  createSessionState,
  setInstance,
  setInstanceStatus,
  updateSession,
} from './session-changes.ts';
import { checkSessionSize, measureSession } from './session-size.ts';

const AT = new Date('2026-03-14T09:26:53.589Z');

const create = (change: object = {}): SessionState =>
  createSessionState(
    { type: 'duel', joinable: true, teams: [{ max_size: 100 }], platform_session: [], ...change },
    { sessionId: 'one', incarnation: 'i', at: AT },
  );

const uuid = (index: number) => `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`;

const join = (session: SessionState, index: number, change: object = {}): SessionState => {
  const command = {
    ...({ playerUuid: uuid(index), isSelf: true, status: 'member', teamId: 0 } as const),
    ...({ clientVersion: '1.2.3', platform: 'Steam', input: 'gamepad' } as const),
    ...change,
  };
  const decision = decideJoin(session, command, AT);
  if (decision.kind !== 'changed') throw new Error(decision.kind);
  return decision.session;
};

const bytesOf = (session: SessionState): number =>
  Buffer.byteLength(JSON.stringify(toSessionResource(session)));

const CONTROL = '\u0001'.repeat(128);
const MAP = { [CONTROL]: CONTROL.repeat(32), e: '€'.repeat(4096) };

/** Every member at its longest. */
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
    ...{ platform: 'NintendoSwitch', platform_session_type: CONTROL, custom_data: MAP },
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
])('the measure of a session %s is never below its bytes, and not far above them', (_, session) => {
  const [bytes, measured] = [bytesOf(session), measureSession(session)];
  const parts = session.seats.size + session.teams.length + session.platformSessions.length;
  expect(measured).toBeGreaterThanOrEqual(bytes);
  expect(measured).toBeLessThanOrEqual(bytes + 2_048 + 256 * parts);
});

test('a change that makes a session too large is refused, with the member that grew', () => {
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
  const tickets = [{ max_size: 100, ticket_ids: ['x'.repeat(1_000)] }];
  const update = (changes: object, teams?: typeof tickets) =>
    updateSession(before, changes, teams, AT)?.session;
  const instance = { instance_id: 'i', host_type: 'player', join_status: 'pending' } as const;
  expect(place(join(before, 1))).toBeUndefined();
  expect(place(join(before, 1, { customData: custom_data }))).toBe('custom_data');
  expect(place(join(join(join(before, 1), 2), 3))).toBe('player_uuid');
  expect(place(update({ customData: custom_data }))).toBe('custom_data');
  expect(place(update({ browser: { custom_data } }))).toBe('browser');
  expect(place(update({}, tickets))).toBe('teams');
  expect(place(setInstance(before, { ...instance, custom_data }, AT)?.session)).toBe('instance');
});

test('a session that is too large already may shrink, and its instance may change its states', () => {
  const instance = { instance_id: 'i', host_type: 'player', join_status: 'pending' } as const;
  const before = join(create({ instance, custom_data: { key: 'x'.repeat(2_000) } }), 1);
  const changes = [
    updateSession(before, { customData: { key: 'x' } }, undefined, AT),
    setInstanceStatus(before, { joinStatus: 'joinable', instanceHealth: 'unhealthy' }, AT),
    setInstanceStatus(before, { joinStatus: 'closed' }, AT),
  ];
  for (const change of changes) {
    expect(() => checkSessionSize(before, change!.session, 100)).not.toThrow();
  }
  expect(() => checkSessionSize(before, join(before, 2), 100)).toThrow('larger');
});

test('what a change adds and takes away is measured as the whole session would be, and so is a packed one', () => {
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
  then((before) => removePlayer(before, uuid(2)).session);
  then((before) => setInstance(before, instance, AT)?.session);
  then((before) => join(unpackSession(packSession(before)), 4));
  const measured = states.map(measureSession);
  // A copy is not known yet.
  expect(measured).toEqual(states.map((state) => measureSession({ ...state })));
});
