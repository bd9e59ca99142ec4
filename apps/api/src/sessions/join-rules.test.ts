import { expect, test } from 'vitest';
import { ServiceError } from '../platform/index.ts';
import type { JoinCommand } from './join-rules.ts';
import { decideJoin, isVersionCompatible } from './join-rules.ts';
import { invitePlayer } from './seat-rules.ts';
import type { Seat, SessionState } from './session.ts';
import { DEFAULT_TYPE_RULES, NO_PLAYERS, withSeat } from './session.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const LATER = new Date(NOW.getTime() + 60_000);
const [ANA, BEN, CAT] = ['a', 'b', 'c'].map(
  (letter) => `${letter.repeat(8)}-0000-0000-0000-000000000000`,
);

const XBOX_ONLY = {
  permitted_platform: 'desired_platforms_xboxlike',
  permitted_input: 'desired_inputs_any',
} as const;

const session: SessionState = {
  key: '00000000-0000-8000-8000-000000000000',
  type: 'duel',
  sessionId: 'one',
  incarnation: 'i',
  version: 1,
  createdAt: NOW,
  rules: DEFAULT_TYPE_RULES,
  details: { joinable: true },
  teams: [
    { teamId: 0, maxSize: 1 },
    { teamId: 1, maxSize: 2 },
  ],
  seats: new Map(),
  platformSessions: [],
  removedPlayers: NO_PLAYERS,
  disconnects: new Map(),
};

const command = (change: Partial<JoinCommand> = {}): JoinCommand => ({
  playerUuid: ANA!,
  isSelf: true,
  status: 'member',
  teamId: 1,
  clientVersion: '1.2.3',
  platform: 'Steam',
  input: 'gamepad',
  ...change,
});

const join = (state: SessionState, change: Partial<JoinCommand> = {}, now = NOW): SessionState => {
  const result = decideJoin(state, command(change), now);
  return result ? result.session : state;
};

const refusal = (state: SessionState, change: Partial<JoinCommand> = {}, now = NOW) => {
  try {
    return decideJoin(state, command(change), now) ? 'changed' : 'unchanged';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};

const withInstance = (join_status: 'joinable' | 'unjoinable' | 'closed', version?: string) => ({
  ...session,
  details: {
    joinable: true,
    instance: {
      instance_id: 'i-1',
      host_type: 'dedicated' as const,
      join_status,
      created: NOW.toISOString(),
      ...(version !== undefined && { version }),
    },
  },
});

const hold = (state: SessionState, playerUuid: string, teamId = 1): SessionState =>
  join(state, { playerUuid, teamId, isSelf: false, status: 'invited' });

test('the first player to arrive becomes leader with every requested status', () => {
  expect(join(session).seats.get(ANA!)?.status).toBe('leader');
});

test('a held seat never becomes leader: the first player to arrive does', () => {
  const held = hold(session, BEN!);
  expect(join(held).seats.get(ANA!)?.status).toBe('leader');
  expect(held.seats.get(BEN!)).toMatchObject({
    status: 'invited',
    invitedAt: NOW,
    joinedAt: undefined,
  });
});

test('a self-join that requests leader becomes member when there is a leader', () => {
  const two = join(join(session), { playerUuid: BEN!, status: 'leader' });
  expect(two.seats.get(BEN!)?.status).toBe('member');
});

test('a caller acting for any player appoints a new leader and the old one becomes member', () => {
  const two = join(join(session), { playerUuid: BEN!, status: 'leader', isSelf: false });
  expect(two.seats.get(BEN!)?.status).toBe('leader');
  expect(two.seats.get(ANA!)?.status).toBe('member');
});

test('joining again with the same data changes nothing', () => {
  expect(decideJoin(join(session), command(), LATER)).toBeNull();
});

test('another order of the keys of custom_data is no change', () => {
  const first = join(session, { customData: { a: '1', b: '2' } });
  expect(refusal(first, { customData: { b: '2', a: '1' } })).toBe('unchanged');
});

test('a self-join that leaves out custom_data and preferences clears them and keeps `joined`', () => {
  const crossplay = {
    permitted_platform: 'desired_platforms_any',
    permitted_input: 'desired_inputs_any',
  } as const;
  const first = join(session, { customData: { a: '1' }, crossplay });
  const seat = join(first, {}, LATER).seats.get(ANA!);
  expect(seat).toMatchObject({ customData: undefined, crossplay: undefined, joinedAt: NOW });
});

test('a join on behalf of a seated player changes the given fields and keeps the others', () => {
  const first = join(session, {
    customData: { a: '1' },
    crossplay: XBOX_ONLY,
    platform: 'XboxLive',
  });
  const behalf = { isSelf: false, platform: 'XboxLive' } as const;
  expect(refusal(first, behalf)).toBe('unchanged');
  const changed = join(first, { ...behalf, customData: {} }).seats.get(ANA!);
  expect(changed).toMatchObject({ customData: {}, crossplay: XBOX_ONLY });
  // Kept fields count in the crossplay check as well.
  const withBen = join(first, { playerUuid: BEN!, platform: 'XboxLive' });
  expect(refusal(withBen, { ...behalf, playerUuid: BEN! })).toBe('unchanged');
  expect(refusal(withBen, { ...behalf, playerUuid: BEN!, platform: 'PSN' })).toBe(
    'crossplay_incompatible',
  );
});

test('a seated player who is invited stays seated', () => {
  const again = join(join(session), { status: 'invited', isSelf: false }, LATER);
  expect(again.seats.get(ANA!)?.status).toBe('leader');
});

test('a join converts a held seat and keeps the time and the inviting player', () => {
  const held = withSeat(hold(session, ANA!).seats, {
    ...(hold(session, ANA!).seats.get(ANA!) as Seat),
    invitingPlayerUuid: BEN,
    sourceSessionId: 'lobby',
  });
  const seat = join({ ...session, seats: held }, {}, LATER).seats.get(ANA!);
  expect(seat).toMatchObject({
    status: 'leader',
    invitingPlayerUuid: BEN,
    sourceSessionId: 'lobby',
    invitedAt: NOW,
    joinedAt: LATER,
  });
});

test('held seats count against the size of a team', () => {
  expect(refusal(hold(session, BEN!, 0), { teamId: 0 })).toBe('team_full');
});

test('a full team is team_full while another has room, else session_full', () => {
  const one = join(session, { teamId: 0 });
  expect(refusal(one, { playerUuid: BEN!, teamId: 0 })).toBe('team_full');
  const full = join(join(one, { playerUuid: BEN! }), { playerUuid: CAT! });
  const late = { playerUuid: 'dddddddd-0000-0000-0000-000000000000' };
  expect(refusal(full, { ...late, teamId: 0 })).toBe('session_full');
  expect(refusal(full, { playerUuid: BEN!, teamId: 0 })).toBe('session_full');
});

test('a player moves to a team with room and keeps one seat', () => {
  const moved = join(join(session), { teamId: 0 });
  expect([...moved.seats.values()].map(({ teamId }) => teamId)).toEqual([0]);
});

test('a closed or unjoinable instance refuses new players and accepts seated ones', () => {
  for (const status of ['closed', 'unjoinable'] as const) {
    expect(refusal(withInstance(status))).toBe(`instance_${status}`);
    const seats = join(session).seats;
    expect(refusal({ ...withInstance(status), seats })).toBe('unchanged');
    expect(refusal({ ...withInstance(status), seats: hold(session, ANA!).seats })).toBe(
      `instance_${status}`,
    );
  }
});

test('a seated player keeps the seat in a closed instance but cannot change teams', () => {
  const { seats } = join(session);
  const closed = { ...withInstance('closed'), seats };
  for (const isSelf of [true, false]) {
    expect(refusal(closed, { isSelf, teamId: 0 })).toBe('instance_closed');
    expect(refusal(closed, { isSelf, customData: { a: '1' } })).toBe('changed');
    expect(refusal({ ...withInstance('unjoinable'), seats }, { isSelf, teamId: 0 })).toBe(
      'changed',
    );
  }
  expect(refusal(closed, { teamId: 7 })).toBe('team_not_found');
});

test('a session that is not joinable accepts only invited and seated players', () => {
  const shut = (state: SessionState) => ({ ...state, details: { joinable: false } });
  expect(refusal(shut(session))).toBe('session_not_joinable');
  expect(refusal(shut(session), { isSelf: false, status: 'invited' })).toBe('session_not_joinable');
  expect(refusal(shut(hold(session, ANA!)))).toBe('changed');
  expect(refusal(shut(join(session)))).toBe('unchanged');
});

test('a seated player with another version is refused, with both versions named', () => {
  const seated = { ...withInstance('joinable', '1.2.3'), seats: join(session).seats };
  expect(refusal(seated, { clientVersion: '1.3.0' })).toBe('version_incompatible');
  expect(() => join(seated, { clientVersion: '1.3.0' })).toThrow(/1\.3\.0.*1\.2\.3/);
});

test('crossplay is checked in both directions against seated players', () => {
  const xboxOnly = XBOX_ONLY;
  expect(refusal(join(session), { playerUuid: BEN!, crossplay: xboxOnly })).toBe(
    'crossplay_incompatible',
  );
  const picky = join(session, { platform: 'XboxLive', crossplay: xboxOnly });
  expect(refusal(picky, { playerUuid: BEN! })).toBe('crossplay_incompatible');
  expect(refusal(picky, { playerUuid: BEN!, platform: 'XboxLive' })).toBe('changed');
});

test.each([
  ['of the joiner', { crossplay: XBOX_ONLY }, {}],
  ['of the seated player', {}, { platform: 'XboxLive', crossplay: XBOX_ONLY }],
] as const)(
  'a crossplay refusal by a preference %s records the seated player',
  (_, joiner, seated) => {
    const seats = join(session, { playerUuid: BEN!, ...seated });
    expect(() => join(seats, joiner)).toThrow(
      expect.objectContaining({ evidence: expect.objectContaining({ otherPlayerUuid: BEN }) }),
    );
    expect(() => join(seats, joiner)).not.toThrow(BEN!);
  },
);

test('a held seat counts in the crossplay check with its own settings, so that it can be taken', () => {
  const reserved = join(session, {
    isSelf: false,
    status: 'reserved',
    crossplay: XBOX_ONLY,
    platform: 'XboxLive',
  });
  expect(refusal(reserved, { playerUuid: BEN! })).toBe('crossplay_incompatible');
  const settled = join(reserved, { playerUuid: BEN!, platform: 'XboxLive' });
  expect(refusal(settled, { platform: 'XboxLive', crossplay: XBOX_ONLY })).toBe('changed');
  // Made with client settings and without preferences: the joiner's preferences are compared with them.
  expect(refusal(hold(session, ANA!), { playerUuid: BEN!, crossplay: XBOX_ONLY })).toBe(
    'crossplay_incompatible',
  );
});

test('a seat held by an admin for an unknown player excludes no player', () => {
  const invitation = { playerUuid: ANA!, teamId: 1, status: 'invited' } as const;
  const invited = invitePlayer(session, invitation, NOW)?.session ?? session;
  expect(refusal(invited, { playerUuid: BEN!, crossplay: XBOX_ONLY })).toBe('changed');
});

test('the order of the rules is: team, closed, not joinable, version, crossplay, capacity', () => {
  const full = join(session, { teamId: 0 }).seats;
  const closed = { ...withInstance('closed', '2.0.0'), seats: full };
  const notJoinable = {
    ...withInstance('joinable', '2.0.0'),
    seats: full,
  };
  const shut = { ...notJoinable, details: { ...notJoinable.details, joinable: false } };
  const late = { playerUuid: BEN!, teamId: 0 };
  const crossplay = {
    permitted_platform: 'desired_platforms_any',
    permitted_input: 'desired_inputs_touch',
  } as const;
  expect(refusal(closed, { ...late, teamId: 7 })).toBe('team_not_found');
  expect(refusal(closed, { ...late, crossplay })).toBe('instance_closed');
  expect(refusal(shut, { ...late, crossplay })).toBe('session_not_joinable');
  expect(refusal(notJoinable, { ...late, crossplay })).toBe('version_incompatible');
  const clientVersion = '2.0.0';
  expect(refusal(notJoinable, { ...late, crossplay, clientVersion })).toBe(
    'crossplay_incompatible',
  );
  expect(refusal(notJoinable, { ...late, clientVersion })).toBe('team_full');
});

test('an expired held seat frees its slot and no longer admits its player', () => {
  const timed = { ...session, rules: { ...DEFAULT_TYPE_RULES, invitationTtlSeconds: 60 } };
  const held = hold(timed, BEN!, 0);
  expect(refusal(held, { teamId: 0 }, new Date(LATER.getTime() - 1))).toBe('team_full');
  expect([...join(held, { teamId: 0 }, LATER).seats.keys()]).toEqual([ANA]);
  const shut = { ...held, details: { joinable: false } };
  expect(refusal(shut, { playerUuid: BEN! }, LATER)).toBe('session_not_joinable');
});

test.each([
  ['none', '9.9.9', '1.0.0', true],
  ['major', '1.9.9', '1.0.0', true],
  ['major', '2.0.0', '1.0.0', false],
  ['minor', '1.2.9', '1.2.0', true],
  ['minor', '1.3.0', '1.2.0', false],
  ['patch', '1.2.3-beta+7', '1.2.3', true],
  ['patch', '1.2.4', '1.2.3', false],
  ['exact', '1.2.3+build.2', '1.2.3+build.1', true],
  ['exact', '1.2.3-beta', '1.2.3', false],
  ['exact', '1.2.3-beta.1', '1.2.3-beta.1', true],
  ['patch', '99999999999999999999.1.0', '99999999999999999999.1.0', true],
  ['patch', '99999999999999999999.1.0', '99999999999999999998.1.0', false],
] as const)('the rule %s lets %s to %s: %s', (rule, client, instance, expected) => {
  expect(isVersionCompatible(rule, client, instance)).toBe(expected);
});

test('an instance without a version accepts every client', () => {
  expect(isVersionCompatible('exact', '1.0.0', undefined)).toBe(true);
});
