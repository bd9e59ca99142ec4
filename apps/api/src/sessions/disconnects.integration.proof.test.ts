import { randomUUID } from 'node:crypto';
import { IS_FULL_SIZE } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etagOf } from './session-resource.ts';
import { ACTOR } from './testing/join-nodes.ts';
import type { SweptSessions } from './testing/swept-sessions.ts';
import { join, openSweptSessions } from './testing/swept-sessions.ts';

const ATTEMPTS = IS_FULL_SIZE ? 150 : 50;

let opened: SweptSessions;
beforeAll(async () => {
  opened = await openSweptSessions();
});
afterAll(() => opened.close());

test('a disconnected player keeps the seat and the ETag until the TTL is over, and then loses the seat', async () => {
  const { nodes, later, createType, createSession, disconnect, read, kindsOf } = opened;
  const { name, idBase64 } = await createSession(await createType({ absentTtlSeconds: 60 }));
  const [leader, member] = [randomUUID(), randomUUID()];
  await join(nodes[0], idBase64, leader);
  later(1);
  await join(nodes[0], idBase64, member);
  const before = await read(name);
  expect(etagOf(await disconnect(name, leader))).toBe(etagOf(before));
  await disconnect(name, leader);
  later(59);
  await nodes[1].sweeper.sweep();
  expect(etagOf(await read(name))).toBe(etagOf(before));
  later(1);
  await nodes[1].sweeper.sweep();
  const after = await read(name);
  expect([...after.seats.values()]).toMatchObject([{ playerUuid: member, status: 'leader' }]);
  const events = await nodes[0].sessions.listEvents(name, null, 2);
  expect(events).toMatchObject([
    { kind: 'leader_changed', accountId: 'muster', playerUuid: member },
    { kind: 'seat_expired', accountId: 'muster', playerUuid: leader },
  ]);
  expect((await kindsOf(name)).filter((kind) => kind === 'player_absent')).toHaveLength(1);
});

test('no player who loses the seat in the same sweep becomes leader', async () => {
  const { nodes, later, createType, createSession, disconnect, read, kindsOf } = opened;
  const { name, idBase64 } = await createSession(await createType({ absentTtlSeconds: 60 }));
  const players = [randomUUID(), randomUUID(), randomUUID()];
  for (const player of players) {
    await join(nodes[0], idBase64, player);
    later(1);
  }
  await disconnect(name, players[0] ?? '');
  await disconnect(name, players[1] ?? '');
  later(60);
  await nodes[1].sweeper.sweep();
  const { seats } = await read(name);
  expect([...seats.values()]).toMatchObject([{ playerUuid: players[2], status: 'leader' }]);
  expect((await kindsOf(name)).filter((kind) => kind === 'leader_changed')).toHaveLength(2);
});

test('a rejoin or a backend call ends a disconnect; an invitation does not', async () => {
  const { nodes, later, createType, createSession, disconnect, read, kindsOf } = opened;
  const { name, idBase64 } = await createSession(await createType({ absentTtlSeconds: 60 }));
  const player = randomUUID();
  const { version } = await join(nodes[0], idBase64, player);
  later(1);
  await disconnect(name, player);
  await nodes[1].sessions.invitePlayers(ACTOR, name, [
    {
      player_uuid: player,
      team_id: 0,
      status: 'invited',
    },
  ]);
  expect((await read(name)).disconnects.has(player)).toBe(true);
  later(1);
  expect((await join(nodes[1], idBase64, player)).version).toBe(version);
  expect((await read(name)).disconnects.size).toBe(0);
  later(1);
  await disconnect(name, player);
  later(1);
  await nodes[1].sessions.setPresence(ACTOR, name, { playerUuid: player, present: true });
  later(60);
  await nodes[1].sweeper.sweep();
  expect((await read(name)).version).toBe(version);
  expect((await kindsOf(name)).slice(-4)).toEqual([
    'player_absent',
    'player_present',
    'player_absent',
    'player_present',
  ]);
});

test('a refused rejoin does not end the disconnect', async () => {
  const { nodes, createType, createSession, disconnect, read } = opened;
  const { name, idBase64 } = await createSession(await createType({ absentTtlSeconds: 60 }));
  const player = randomUUID();
  await join(nodes[0], idBase64, player);
  await disconnect(name, player);
  await expect(join(nodes[1], idBase64, player, { team_id: 9 })).rejects.toThrow();
  expect((await read(name)).disconnects.has(player)).toBe(true);
});

test(`a player who rejoins during a sweep keeps the seat or is refused: ${ATTEMPTS} attempts`, async () => {
  const { nodes, later, createType, createSession, disconnect, read } = opened;
  const type = await createType({ absentTtlSeconds: 60 });
  const outcomes = { kept: 0, swept: 0 };
  for (let round = 0; round < ATTEMPTS; round += 1) {
    // Not joinable: a player without a seat cannot join, so a 200 proves that the player kept the seat.
    const { name, idBase64 } = await createSession(type);
    const player = randomUUID();
    await join(nodes[0], idBase64, player);
    await join(nodes[0], idBase64, randomUUID());
    await nodes[0].sessions.updateSession(ACTOR, name, { joinable: false });
    await disconnect(name, player);
    later(60);
    const change = round % 2 === 0 ? {} : { custom_data: { round: String(round) } };
    const sweeping = nodes[1].sweeper.sweep();
    // Spread over the duration of a sweep.
    for (let turn = 0; turn < round % 10; turn += 1) await nodes[0].database.pool.query('SELECT 1');
    const acknowledged = await join(nodes[0], idBase64, player, change).then(
      () => true,
      ({ code }) => (code === 'session_not_joinable' ? false : Promise.reject(code)),
    );
    await sweeping;
    await nodes[1].sweeper.sweep();
    expect((await read(name)).seats.has(player)).toBe(acknowledged);
    outcomes[acknowledged ? 'kept' : 'swept'] += 1;
  }
  expect(outcomes.kept).toBeGreaterThan(0);
  expect(outcomes.swept).toBeGreaterThan(0);
}, 300_000);

test('a disconnect that started again after it was read does not remove the seat', async () => {
  const { nodes, clock, later, createType, createSession, disconnect, read } = opened;
  const { name, idBase64 } = await createSession(await createType({ absentTtlSeconds: 60 }));
  const player = randomUUID();
  await join(nodes[0], idBase64, player);
  const base = await disconnect(name, player);
  later(60);
  await join(nodes[0], idBase64, player);
  await disconnect(name, player);
  const next = { ...base, seats: new Map() };
  const stillDisconnected = new Map([[player, new Date(clock.at.getTime() - 60_000)]]);
  const [, { store }] = nodes;
  expect(await store.writeSession({ base, next, events: [], stillDisconnected })).toBe(null);
  expect((await read(name)).seats.has(player)).toBe(true);
});
