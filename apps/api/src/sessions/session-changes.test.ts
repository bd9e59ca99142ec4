import type { InstanceInput, JoinStatus, PlatformSessionInput } from '@muster/contract';
import { expect, test } from 'vitest';
import { invitePlayer, movePlayer, promotePlayer, removePlayer, withExpiry } from './seat-rules.ts';
import type { ChangeResult, Seat, SessionState } from './session.ts';
import { platformSessionDigest, sessionKeyOf } from './session.ts';
import {
  addPlatformSession,
  createSessionState,
  endSession,
  removePlatformSession,
  setInstance,
  setInstanceStatus,
  updateSession,
} from './session-changes.ts';

const AT = new Date('2026-03-14T09:26:53.589Z');
const LATER = new Date('2026-03-15T00:00:00.000Z');

const session = createSessionState(
  {
    type: 'duel',
    joinable: true,
    teams: [{ max_size: 2 }, { max_size: 2, team_id: 7 }],
    platform_session: [],
  },
  { sessionId: 'one', incarnation: 'i', at: AT },
);

const seat = (playerUuid: string, change: Partial<Seat> = {}): Seat => ({
  playerUuid,
  teamId: 0,
  status: 'member',
  seatedAt: AT,
  joinedAt: AT,
  ...change,
});

const withSeats = (...seats: Seat[]): SessionState => ({
  ...session,
  seats: new Map(seats.map((one) => [one.playerUuid, one])),
});

const instance = (join_status: JoinStatus, change: Partial<InstanceInput> = {}): InstanceInput => ({
  instance_id: 'i-1',
  host_type: 'dedicated',
  join_status,
  ...change,
});

const codeOf = (change: () => unknown): unknown => {
  try {
    change();
    return null;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

test('an absent team_id is the position in the list', () => {
  expect(session.teams.map(({ teamId }) => teamId)).toEqual([0, 7]);
});

test('a team cannot become smaller than its seats, and is removed only without seats', () => {
  const seated = withSeats(seat('a'), seat('b'));
  const teams = (max_size: number) => [{ team_id: 0, max_size }];
  expect(codeOf(() => updateSession(seated, { teams: teams(1) }, AT))).toBe('team_in_use');
  const shrunk = updateSession(seated, { teams: teams(2) }, AT);
  expect(shrunk?.session.teams).toMatchObject([{ teamId: 0, maxSize: 2 }]);
  expect(codeOf(() => updateSession(seated, { teams: [{ team_id: 7, max_size: 2 }] }, AT))).toBe(
    'team_in_use',
  );
});

test('an absent field is unchanged, null clears it, and equal values change nothing', () => {
  const named = updateSession(session, { region_id: 'eu', custom_data: { a: '1' } }, AT);
  const cleared = updateSession(named!.session, { region_id: null }, AT);
  expect(cleared?.session.details).toMatchObject({ regionId: undefined, customData: { a: '1' } });
  expect(updateSession(named!.session, { custom_data: { a: '1' } }, AT)).toBeNull();
  expect(updateSession(session, {}, AT)).toBeNull();
});

test('a nested object keeps its `created` when it is set again without one', () => {
  const matched = updateSession(session, { match: { match_id: 'm', ticket_ids: [] } }, AT);
  expect(matched?.session.details.match?.created).toBe(AT.toISOString());
  const again = { match: { match_id: 'm', ticket_ids: [] } };
  expect(updateSession(matched!.session, again, LATER)).toBeNull();
  const given = { match: { match_id: 'm', ticket_ids: [], created: LATER.toISOString() } };
  expect(updateSession(matched!.session, given, LATER)).not.toBeNull();
});

const STATES = ['requested', 'allocated', 'pending', 'joinable', 'unjoinable', 'closed'] as const;
const ALLOWED = new Set([
  'requested>allocated',
  'requested>pending',
  'requested>joinable',
  'requested>unjoinable',
  'allocated>pending',
  'allocated>joinable',
  'allocated>unjoinable',
  'pending>joinable',
  'pending>unjoinable',
  'joinable>unjoinable',
  'unjoinable>joinable',
  'joinable>pending',
  ...STATES.map((state) => `${state}>closed`),
]);

test('an instance moves along the documented transitions and no others', () => {
  for (const from of STATES) {
    const hosted = setInstance(session, instance(from), AT)!.session;
    for (const to of STATES) {
      const code = codeOf(() => setInstance(hosted, instance(to), LATER));
      const expected = from === to || ALLOWED.has(`${from}>${to}`) ? null : 'instance_transition';
      expect([from, to, code]).toEqual([from, to, expected]);
    }
  }
});

test('a new instance starts in any state; its host does not change', () => {
  const closed = setInstance(session, instance('closed'), AT)!.session;
  const next = setInstance(closed, instance('pending', { instance_id: 'i-2' }), LATER);
  expect(next?.session.details.instance?.created).toBe(LATER.toISOString());
  const moved = () => setInstance(closed, instance('closed', { host_type: 'player' }), LATER);
  expect(codeOf(moved)).toBe('instance_transition');
  expect(setInstance(closed, instance('closed'), LATER)).toBeNull();
  expect(setInstance(closed, null, LATER)?.session.details.instance).toBeUndefined();
});

test('when the leader leaves, the member who joined first becomes leader; on a tie the lowest UUID', () => {
  const leader = seat('z', { status: 'leader' });
  const late = seat('a', { joinedAt: LATER });
  const held = seat('0', { status: 'invited', joinedAt: undefined, invitedAt: AT });
  const after = removePlayer(withSeats(leader, late, held, seat('c'), seat('b')), {
    playerUuid: 'z',
  });
  expect(after?.session.seats.get('b')?.status).toBe('leader');
  expect(after?.events.map(({ kind }) => kind)).toEqual(['player_removed', 'leader_changed']);
  expect(
    removePlayer(withSeats(leader, held), { playerUuid: 'z' })?.session.seats.get('0')?.status,
  ).toBe('invited');
  expect(codeOf(() => removePlayer(session, { playerUuid: 'z' }))).toBe('seat_not_found');
});

test('an invitation holds a seat, repeating it changes nothing, and a seated player is not moved', () => {
  const invitation = { playerUuid: 'a', teamId: 7, status: 'invited' } as const;
  const held = invitePlayer(session, invitation, AT)!.session;
  expect(held.seats.get('a')).toMatchObject({ status: 'invited', invitedAt: AT });
  expect(invitePlayer(held, invitation, LATER)).toBeNull();
  const reserved = invitePlayer(held, { ...invitation, status: 'reserved' }, LATER)!.session;
  expect(reserved.seats.get('a')).toMatchObject({ status: 'reserved', invitedAt: AT });
  expect(invitePlayer(withSeats(seat('a', { teamId: 7 })), invitation, AT)).toBeNull();
  expect(codeOf(() => invitePlayer(withSeats(seat('a')), invitation, AT))).toBe('player_seated');
  const full = withSeats(seat('x'), seat('y'));
  expect(codeOf(() => invitePlayer(full, { ...invitation, teamId: 0 }, AT))).toBe('team_full');
  expect(codeOf(() => invitePlayer(full, { ...invitation, teamId: 1 }, AT))).toBe('team_not_found');
});

test('the four spellings of an id are one platform session, which keeps the registered spelling', () => {
  const child = (platform_session_id_base64: string) => ({
    platform: 'PSN' as const,
    platform_session_type: 'lobby',
    platform_session_id_base64,
  });
  const added = addPlatformSession(session, child('ab+/cd=='))!.session;
  expect(addPlatformSession(added, child('ab+/cd=='))).toBeNull();
  const digest = platformSessionDigest('PSN', 'ab-_cd');
  expect(added.platformSessions).toMatchObject([{ digest, idBase64: 'ab+/cd==' }]);
  const removed = removePlatformSession(added, child('ab-_cd'));
  expect(removed?.session.platformSessions).toEqual([]);
  expect(removePlatformSession(session, child('ab-_cd'))).toBeNull();
});

test('a platform session is changed only with replace, and keeps its position', () => {
  const child = (change: Partial<PlatformSessionInput> = {}) => ({
    platform: 'PSN' as const,
    platform_session_type: 'lobby',
    platform_session_id_base64: 'ab+/cd==',
    custom_data: { map: 'sand' },
    ...change,
  });
  const first = addPlatformSession(session, child())!.session;
  const state = addPlatformSession(first, child({ platform: 'Steam' }))!.session;
  for (const change of [
    { platform_session_type: 'party' },
    { platform_session_id_base64: 'ab-_cd' },
    { custom_data: undefined },
  ]) {
    const again = child(change);
    expect(codeOf(() => addPlatformSession(state, again))).toBe('platform_session_exists');
    const replaced = addPlatformSession(state, { ...again, replace: true })!.session;
    expect(replaced.platformSessions).toEqual([
      addPlatformSession(session, again)!.session.platformSessions[0],
      state.platformSessions[1],
    ]);
  }
  expect(addPlatformSession(state, { ...child(), replace: true })).toBeNull();
});

test('the key of a session distinguishes type and id and is a UUID of version 8', () => {
  expect(sessionKeyOf({ type: 'ab', sessionId: 'c' })).not.toBe(
    sessionKeyOf({ type: 'a', sessionId: 'bc' }),
  );
  expect(sessionKeyOf({ type: 'a', sessionId: 'b' })).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/,
  );
});

test('a player moves to a team with a free slot and keeps the order of arrival', () => {
  const state = withSeats(seat('a'), seat('b'), seat('c', { teamId: 7 }));
  const moved = movePlayer(state, { playerUuid: 'a', teamId: 7 });
  expect(moved?.session.seats.get('a')).toEqual(seat('a', { teamId: 7 }));
  expect(moved?.events).toEqual([
    { kind: 'player_moved', playerUuid: 'a', detail: { team_id: 7, from_team_id: 0 } },
  ]);
  expect(movePlayer(state, { playerUuid: 'a', teamId: 0 })).toBeNull();
  const move = (playerUuid: string, teamId: number, from = state) =>
    codeOf(() => movePlayer(from, { playerUuid, teamId }));
  expect(move('c', 0)).toBe('team_full');
  expect(move('c', 1)).toBe('team_not_found');
  expect(move('z', 0)).toBe('seat_not_found');
  expect(move('c', 0, { ...state, teams: [session.teams[0]!, { teamId: 7, maxSize: 1 }] })).toBe(
    'session_full',
  );
});

test('a change is decided without the expired held seats, and removes them', () => {
  const held = seat('b', { status: 'reserved', joinedAt: undefined, invitedAt: AT });
  const rules = { ...session.rules, reservationTtlSeconds: 60 };
  const state = { ...withSeats(seat('a'), held, seat('c', { teamId: 7 })), rules };
  const after = (apply: (live: SessionState) => ChangeResult | null) =>
    withExpiry(apply)(state, LATER);
  const teams = [{ max_size: 1 }, { max_size: 2, team_id: 7 }];
  const changes = [
    after((live) => movePlayer(live, { playerUuid: 'c', teamId: 0 })),
    after((live) => updateSession(live, { teams }, LATER)),
    after((live) => promotePlayer(live, 'a')),
    after((live) => removePlayer(live, { playerUuid: 'c' })),
  ];
  for (const [index, kind] of [
    'player_moved',
    'session_updated',
    'leader_changed',
    'player_removed',
  ].entries()) {
    expect(changes[index]?.events.map((event) => event.kind)).toEqual(['seat_expired', kind]);
    expect(changes[index]?.session.seats.has('b')).toBe(false);
  }
  expect(codeOf(() => after((live) => removePlayer(live, { playerUuid: 'b' })))).toBe(
    'seat_not_found',
  );
  expect(after((live) => promotePlayer(promotePlayer(live, 'a')!.session, 'a'))).toBeNull();
});

test('a promoted member becomes leader and the leader becomes member; a held seat cannot be promoted', () => {
  const held = seat('h', { status: 'invited', joinedAt: undefined, invitedAt: AT });
  const state = withSeats(seat('a', { status: 'leader' }), seat('b'), held);
  const promoted = promotePlayer(state, 'b');
  expect(promoted?.session.seats.get('a')?.status).toBe('member');
  expect(promoted?.session.seats.get('b')?.status).toBe('leader');
  expect(promoted?.events).toEqual([{ kind: 'leader_changed', playerUuid: 'b' }]);
  expect(promotePlayer(state, 'a')).toBeNull();
  expect(codeOf(() => promotePlayer(state, 'h'))).toBe('seat_held');
  expect(codeOf(() => promotePlayer(state, 'z'))).toBe('seat_not_found');
});

test('join_status changes on its own, along the transitions; health changes freely', () => {
  const hosted = setInstance(session, instance('joinable', { region_id: 'x' } as object), AT);
  const state = hosted!.session;
  const shut = setInstanceStatus(state, { joinStatus: 'unjoinable' }, LATER);
  expect(shut?.session.details.instance).toEqual({
    ...state.details.instance,
    join_status: 'unjoinable',
  });
  const ill = setInstanceStatus(state, { instanceHealth: 'unhealthy' }, LATER);
  expect(ill?.events).toMatchObject([{ detail: { instance_health: 'unhealthy' } }]);
  expect(setInstanceStatus(state, { joinStatus: 'joinable' }, LATER)).toBeNull();
  const back = () => setInstanceStatus(state, { joinStatus: 'requested' }, LATER);
  expect(codeOf(back)).toBe('instance_transition');
  expect(codeOf(() => setInstanceStatus(session, { instanceHealth: 'healthy' }, LATER))).toBe(
    'instance_not_found',
  );
});

test('invitations and reservations end with their session; taken seats are kept', () => {
  const held = seat('h', { status: 'invited', joinedAt: undefined, invitedAt: AT });
  expect([...endSession(withSeats(seat('a'), held)).session.seats.keys()]).toEqual(['a']);
});
