import { expect, test } from 'vitest';
import type { Seat, SessionState } from './session.ts';
import { createSessionCache, packSession, unpackSession } from './session-cache.ts';
import { createSessionState } from './session-changes.ts';

const sessionOf = (sessionId: string, customData: Record<string, string> = {}): SessionState =>
  createSessionState(
    {
      type: 'duel',
      joinable: true,
      custom_data: customData,
      teams: [{ max_size: 4 }],
      platform_session: [],
    },
    { sessionId, incarnation: 'a', at: new Date() },
  );

const MANY = Array.from({ length: 600 }, (_, n) => sessionOf(`session-${n}`));

test('evicts the least recently used session when the bytes are used up', () => {
  const cache = createSessionCache({ maxBytes: 200_000 });
  const [first, second] = MANY as [SessionState, SessionState];
  for (const session of MANY) {
    cache.set(session);
    cache.get(first.key);
  }
  expect(cache.get(first.key)).toEqual(first);
  expect(cache.get(second.key)).toBeUndefined();
  const last = MANY.slice(-200);
  expect(last.map(({ key }) => cache.get(key))).toEqual(last);
  expect(cache.count()).toBeLessThan(MANY.length);
});

test('returns the state that was cached last', () => {
  const cache = createSessionCache({ maxBytes: 400_000 });
  const newer = MANY.map((session) => ({ ...session, version: 7 }));
  for (const session of MANY.slice(0, 300)) cache.set(session);
  for (const session of newer.slice(0, 300)) cache.set(session);
  const cached = newer.slice(0, 300).map(({ key }) => cache.get(key));
  expect(cached).toEqual(newer.slice(0, 300));
  for (const { key } of MANY) cache.delete(key);
  expect(MANY.filter(({ key }) => cache.get(key))).toEqual([]);
});

test('a session larger than the whole cache is not kept and evicts nothing', () => {
  const cache = createSessionCache({ maxBytes: 64_000 });
  const small = sessionOf('small');
  const large = sessionOf('large', { blob: 'x'.repeat(100_000) });
  cache.set(small);
  cache.set(large);
  expect(cache.get(large.key)).toBeUndefined();
  expect(cache.get(small.key)).toEqual(small);
});

test('the session that was used last is not unpacked again', () => {
  const cache = createSessionCache();
  const [first, second] = MANY as [SessionState, SessionState];
  cache.set(first);
  expect(cache.get(first.key)).toBe(first);
  cache.set(second);
  const cached = cache.get(first.key);
  expect(cached).not.toBe(first);
  expect(cache.get(first.key)).toBe(cached);
  const newer = { ...first, version: 2 };
  cache.set(newer);
  expect(cache.get(first.key)).toBe(newer);
  cache.delete(first.key);
  expect(cache.get(first.key)).toBeUndefined();
});

test('a session that became too large is removed from the cache', () => {
  const cache = createSessionCache({ maxBytes: 64_000 });
  const session = sessionOf('grows');
  cache.set(session);
  cache.set({ ...sessionOf('grows', { blob: 'x'.repeat(100_000) }), version: 2 });
  expect(cache.get(session.key)).toBeUndefined();
});

test('a contended session is cached again after a while', async () => {
  const session = sessionOf('contended');
  const markContended = (contendedMs: number) => {
    const cache = createSessionCache({ contendedMs });
    cache.set(session);
    cache.markContended(session.key);
    cache.set(session);
    return cache;
  };
  expect(markContended(60_000).get(session.key)).toBeUndefined();
  const cache = markContended(1);
  await expect
    .poll(() => {
      cache.set(session);
      return cache.get(session.key);
    })
    .toBe(session);
});

test('a deleted session is not cached', () => {
  const cache = createSessionCache();
  const session = sessionOf('forgotten');
  cache.set(session);
  cache.delete(session.key);
  expect(cache.get(session.key)).toBeUndefined();
});

const at = (seconds: number): Date => new Date(1_780_000_000_000 + seconds * 1_000 + 7);

const FULL_SEAT: Seat = {
  playerUuid: '6f1c1d0e-0000-4000-8000-000000000001',
  teamId: -3,
  status: 'leader',
  seatedAt: at(1),
  playerId: 77,
  platform: 'Steam',
  input: 'gamepad',
  clientVersion: '1.4.2',
  customData: { z: '1', a: '名前' },
  crossplay: {
    permitted_platform: 'desired_platforms_any',
    permitted_input: 'desired_inputs_gamepad',
  },
  invitingPlayerUuid: '6f1c1d0e-0000-4000-8000-000000000002',
  sourceSessionId: 'lobby',
  invitedAt: at(0),
  joinedAt: at(2),
};

const HELD_SEAT: Seat = {
  ...FULL_SEAT,
  playerUuid: '6f1c1d0e-0000-4000-8000-000000000000',
  status: 'invited',
  teamId: 0,
  playerId: undefined,
  platform: undefined,
  input: undefined,
  clientVersion: undefined,
  customData: undefined,
  crossplay: undefined,
  invitingPlayerUuid: undefined,
  sourceSessionId: undefined,
  joinedAt: undefined,
};

const bare = createSessionState(
  { type: 'duel', joinable: false, teams: [{ max_size: 1 }], platform_session: [] },
  { sessionId: 'bare', incarnation: 'a', at: at(0) },
);

const full: SessionState = {
  ...bare,
  version: 41,
  createdAt: at(9),
  lastActivityAt: at(8),
  rules: {
    since: at(3),
    versionMatch: 'minor',
    invitationTtlSeconds: 30,
    reservationTtlSeconds: 40,
    absentTtlSeconds: 50,
    idleTtlSeconds: 60,
    maxAgeSeconds: 70,
  },
  details: {
    joinable: true,
    regionId: 'eu',
    createdByMatchmaking: false,
    customData: { map: 'x' },
    instance: {
      instance_id: 'i-1',
      host_type: 'dedicated',
      join_status: 'joinable',
      version: '1.4.2',
      created: '2026-03-14T09:20:11.402Z',
    } as NonNullable<SessionState['details']['instance']>,
    match: undefined,
    matchmaking: undefined,
    matchmakingResults: undefined,
    backfill: undefined,
    browser: { custom_data: { title: 'Everyone' } },
  },
  teams: [
    { teamId: -3, maxSize: 2, ticketIds: ['t-1', 't-2'], customData: { side: 'red' } },
    { teamId: 0, maxSize: 100, ticketIds: undefined, customData: undefined },
  ],
  seats: new Map([FULL_SEAT, HELD_SEAT].map((seat) => [seat.playerUuid, seat])),
  platformSessions: [
    {
      digest: 'ab'.repeat(32),
      platform: 'Steam',
      type: 'lobby',
      idBase64: 'YWJj',
      customData: { key: 'value' },
    },
  ],
  removedPlayers: new Set(['6f1c1d0e-0000-4000-8000-0000000000ff']),
  disconnects: new Map([[FULL_SEAT.playerUuid, at(5)]]),
};

test('every field is unpacked unchanged, including undefined ones', () => {
  expect(unpackSession(packSession(full))).toStrictEqual(full);
});

test('seats are unpacked in their order', () => {
  expect([...unpackSession(packSession(full)).seats.keys()]).toEqual([...full.seats.keys()]);
});

test('a session without optional parts is unpacked without them', () => {
  expect(unpackSession(packSession(bare))).toEqual(bare);
});

test('similar seats are each unpacked unchanged and take few bytes', () => {
  const seatOf = (number: number): Seat => ({
    ...FULL_SEAT,
    playerUuid: `6f1c1d0e-0000-4000-8000-00000000000${number}`,
    status: 'member',
    seatedAt: at(number),
    joinedAt: at(number),
    invitedAt: undefined,
    playerId: undefined,
    customData: undefined,
  });
  const withSeats = (count: number): SessionState => {
    const seats = Array.from({ length: count }, (_, number) => seatOf(number));
    return { ...full, seats: new Map(seats.map((seat) => [seat.playerUuid, seat])) };
  };
  const [few, many] = [packSession(withSeats(2)), packSession(withSeats(9))];
  expect(unpackSession(many).seats).toStrictEqual(withSeats(9).seats);
  expect((many.length - few.length) / 7).toBeLessThan(60);
});
