import { expect, test } from 'vitest';
import { createSessionState } from './new-session.ts';
import { packSession, unpackSession } from './session-packing.ts';
import type { Seat, SessionState } from './session-state.ts';

const at = (seconds: number): Date => new Date(1_780_000_000_000 + seconds * 1_000 + 7);

const FULL_SEAT: Seat = {
  ...{ playerUuid: '6f1c1d0e-0000-4000-8000-000000000001', teamId: -3, status: 'leader' },
  ...{ seatedAt: at(1), playerId: 77, platform: 'Steam', input: 'gamepad' },
  ...{ clientVersion: '1.4.2', customData: { z: '1', a: '名前' } },
  crossplay: {
    permitted_platform: 'desired_platforms_any',
    permitted_input: 'desired_inputs_gamepad',
  },
  ...{ invitingPlayerUuid: '6f1c1d0e-0000-4000-8000-000000000002', sourceSessionId: 'lobby' },
  ...{ invitedAt: at(0), joinedAt: at(2) },
};

const HELD_SEAT: Seat = {
  ...FULL_SEAT,
  ...{ playerUuid: '6f1c1d0e-0000-4000-8000-000000000000', status: 'invited', teamId: 0 },
  ...{ playerId: undefined, platform: undefined, input: undefined, clientVersion: undefined },
  ...{ customData: undefined, crossplay: undefined, invitingPlayerUuid: undefined },
  ...{ sourceSessionId: undefined, joinedAt: undefined },
};

const bare = createSessionState(
  { type: 'duel', joinable: false, teams: [{ max_size: 1 }], platform_session: [] },
  { sessionId: 'bare', incarnation: 'a', at: at(0) },
);

const full: SessionState = {
  ...bare,
  ...{ version: 41, createdAt: at(9) },
  rules: {
    ...{ since: at(3), versionMatch: 'minor', invitationTtlSeconds: 30 },
    ...{ reservationTtlSeconds: 40, absentTtlSeconds: 50 },
  },
  details: {
    ...{ joinable: true, regionId: 'eu', createdByMatchmaking: false, customData: { map: 'x' } },
    instance: {
      ...{ instance_id: 'i-1', host_type: 'dedicated', join_status: 'joinable' },
      ...{ version: '1.4.2', created: '2026-03-14T09:20:11.402Z' },
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
      ...{ digest: 'ab'.repeat(32), platform: 'Steam', type: 'lobby', idBase64: 'YWJj' },
      customData: { key: 'value' },
    },
  ],
  absences: new Map([[FULL_SEAT.playerUuid, at(5)]]),
};

test('every field comes back as it was, undefined ones included', () => {
  expect(unpackSession(packSession(full))).toStrictEqual(full);
});

test('the players come back in the order of their seats', () => {
  expect([...unpackSession(packSession(full)).seats.keys()]).toEqual([...full.seats.keys()]);
});

test('a session that has nothing comes back with nothing', () => {
  expect(unpackSession(packSession(bare))).toEqual(bare);
});

test('seats that are alike come back each as it was, and take little room', () => {
  const seatOf = (number: number): Seat => ({
    ...FULL_SEAT,
    ...{ playerUuid: `6f1c1d0e-0000-4000-8000-00000000000${number}`, status: 'member' },
    ...{ seatedAt: at(number), joinedAt: at(number), invitedAt: undefined, playerId: undefined },
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
