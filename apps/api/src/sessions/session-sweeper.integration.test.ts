import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExpiryStore } from './expiry-store.ts';
import type { SessionName } from './session.ts';
import { sessionKeyOf } from './session.ts';
import { ACTOR } from './testing/join-nodes.ts';
import type { SweptSessions } from './testing/swept-sessions.ts';
import { join, openSweptSessions } from './testing/swept-sessions.ts';

const HOUR = 3_600;

let opened: SweptSessions;
beforeAll(async () => {
  opened = await openSweptSessions();
});
afterAll(() => opened.close());

test('invitations and reservations expire after the TTLs of their type', async () => {
  const { nodes, later, createType, createSession, read } = opened;
  const type = await createType({ invitationTtlSeconds: 60, reservationTtlSeconds: 120 });
  const { name } = await createSession(type);
  const other = await createSession(await createType({ reservationTtlSeconds: 60 }));
  const hold = (session: SessionName, status: 'invited' | 'reserved') =>
    nodes[0].sessions.invitePlayers(ACTOR, session, [
      {
        player_uuid: randomUUID(),
        team_id: 0,
        status,
      },
    ]);
  for (const status of ['invited', 'reserved'] as const) {
    await hold(name, status);
    await hold(other.name, status);
  }
  const statusesOf = async (session: SessionName) =>
    [...(await read(session)).seats.values()].map(({ status }) => status);
  later(60);
  await nodes[1].sweeper.sweep();
  expect([await statusesOf(name), await statusesOf(other.name)]).toEqual([
    ['reserved'],
    ['invited'],
  ]);
  later(60);
  await nodes[1].sweeper.sweep();
  expect([await statusesOf(name), await statusesOf(other.name)]).toEqual([[], ['invited']]);
});

test('an expired held seat counts in no response before it is swept', async () => {
  const { nodes, later, createType, createSession, kindsOf } = opened;
  const { name } = await createSession(await createType({ reservationTtlSeconds: 60 }));
  const { sessions } = nodes[0];
  const teams = [{ max_size: 1 }, { max_size: 1 }];
  await sessions.updateSession(ACTOR, name, { teams });
  const player = randomUUID();
  const hold = { player_uuid: player, team_id: 1, status: 'reserved' } as const;
  await sessions.invitePlayers(ACTOR, name, [hold]);
  const absent = { playerUuid: player, present: false };
  await expect(sessions.setPresence(ACTOR, name, absent)).rejects.toMatchObject({
    code: 'seat_held',
  });
  later(60);
  await expect(sessions.setPresence(ACTOR, name, absent)).rejects.toMatchObject({
    code: 'seat_not_found',
  });
  const smaller = await sessions.updateSession(ACTOR, name, { teams: teams.slice(1) });
  expect([smaller.teams.length, smaller.seats.size]).toEqual([1, 0]);
  expect((await kindsOf(name)).slice(-2)).toEqual(['seat_expired', 'session_updated']);
});

test('more than one batch is swept in one sweep, and counted', async () => {
  const { nodes, clock, later, createType, createSession } = opened;
  const type = await createType({ reservationTtlSeconds: HOUR });
  const { name } = await createSession(type);
  const { pool } = nodes[0].database;
  await pool.query(
    `INSERT INTO session (session_key, type, session_id, incarnation, created_at)
     SELECT gen_random_uuid(), $1, 'many-' || i, 'i', $2 FROM generate_series(1, 600) i`,
    [type, clock.at],
  );
  await pool.query(
    `INSERT INTO session_team (session_key, team_id, position, max_size)
     SELECT session_key, 0, 0, 4 FROM session WHERE type = $1 AND session_id <> $2`,
    [type, name.sessionId],
  );
  await pool.query(
    `INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, invited_at)
     SELECT session_key, gen_random_uuid(), 0, 'reserved', $2, $2 FROM session WHERE type = $1`,
    [type, clock.at],
  );
  later(HOUR);
  const before = nodes[1].swept.seats;
  await nodes[1].sweeper.sweep();
  expect(nodes[1].swept.seats - before).toBe(601);
});

test('an ended session is deleted with its contents after its retention; all others are kept', async () => {
  const { nodes, later, createType, createSession, read, kindsOf } = opened;
  const type = await createType({ endedRetentionSeconds: HOUR });
  const [ended, live] = [await createSession(type), await createSession(type)];
  const kept = await createSession(await createType({}));
  await join(nodes[0], ended.idBase64, randomUUID());
  for (const { name } of [ended, kept]) await nodes[0].sessions.endSession(ACTOR, name);
  later(HOUR - 1);
  await nodes[1].sweeper.sweep();
  await nodes[0].sessions.getEndedSession(ended.name);
  later(1);
  await nodes[1].sweeper.sweep();
  await expect(nodes[0].sessions.getEndedSession(ended.name)).rejects.toThrow();
  expect(await kindsOf(ended.name)).toEqual([]);
  await nodes[0].sessions.getEndedSession(kept.name);
  await read(live.name);
  expect(nodes[1].swept.sessions).toBe(1);
  const records = await nodes[0].database.prisma.auditRecord.findMany({
    where: { accountId: 'muster' },
  });
  expect(records).toEqual([
    expect.objectContaining({
      action: 'sessions.deleteEnded',
      target: { type, session_ids: [ended.name.sessionId] },
      after: { deleted: 1, ended_until: expect.any(String) },
    }),
  ]);
});

test('the first sweep of a process registers the deleted players of all seats', async () => {
  const { nodes, clock, createType, createSession } = opened;
  const { name } = await createSession(await createType({}));
  const ended = await createSession(await createType({}));
  await nodes[0].sessions.endSession(ACTOR, ended.name);
  const { prisma } = nodes[0].database;
  const [deleted, gone] = [501, 1].map((count) =>
    Array.from({ length: count }, () => randomUUID()),
  );
  const longAgo = new Date(clock.at.getTime() - 365 * 24 * HOUR * 1000);
  await prisma.auditRecord.createMany({
    data: [...deleted!, ...gone!].map((player_uuid) => ({
      auditId: randomUUID(),
      occurredAt: longAgo,
      accountId: ACTOR.accountId,
      action: 'players.delete',
      target: { player_uuid },
    })),
  });
  const toSeats = ({ type, sessionId }: SessionName, playerUuids: readonly string[]) =>
    playerUuids.map((playerUuid) => ({
      sessionKey: sessionKeyOf({ type, sessionId }),
      playerUuid,
      teamId: 0,
      status: 'member',
      seatedAt: clock.at,
      joinedAt: clock.at,
    }));
  const data = [...toSeats(name, deleted!), ...toSeats(ended.name, gone!)];
  await prisma.sessionSeat.createMany({ data });
  await nodes[0].startSweeper().sweep();
  const players = await prisma.player.findMany({
    where: { playerUuid: { in: [...deleted!, ...gone!] } },
  });
  expect(players.map(({ playerUuid }) => playerUuid).sort()).toEqual(deleted!.toSorted());
});

test('only one process sweeps at a time', async () => {
  const { nodes } = opened;
  const store = createExpiryStore(nodes[0].database);
  const held = await store.runAlone(async () => {
    expect(await nodes[1].sweeper.sweep()).toBe(false);
  });
  expect(held).toBe(true);
  expect(await nodes[1].sweeper.sweep()).toBe(true);
});

test('a sweeper sweeps at intervals until it is stopped', async () => {
  const { nodes, later, createType, createSession, disconnect, read } = opened;
  const { name, idBase64 } = await createSession(await createType({ absentTtlSeconds: 60 }));
  const player = randomUUID();
  await join(nodes[0], idBase64, player);
  await disconnect(name, player);
  later(60);
  const stop = nodes[1].startSweeper(5).start();
  await expect.poll(async () => (await read(name)).seats.size).toBe(0);
  await stop();
  await join(nodes[0], idBase64, player);
  await disconnect(name, player);
  later(60);
  const aborted = new AbortController();
  aborted.abort();
  await nodes[1].sweeper.sweep(aborted.signal);
  expect((await read(name)).seats.size).toBe(1);
  expect(nodes[1].swept.failures).toBe(0);
});
