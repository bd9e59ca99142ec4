// Session types that end their sessions: after a time without seated players, or at an age.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTOR } from './testing/join-nodes.ts';
import type { SweptSessions } from './testing/swept-sessions.ts';
import { openSweptSessions } from './testing/swept-sessions.ts';

let opened: SweptSessions;
beforeAll(async () => {
  opened = await openSweptSessions();
});
afterAll(() => opened.close());

const sweep = () => opened.nodes[1].sweeper.sweep();

const isLive = async (name: { type: string; sessionId: string }): Promise<boolean> => {
  const found = await opened.nodes[0].sessions.findSession(name);
  return found !== null && !found.endedAt;
};

test('a session ends idle: after its creation, or after the last seated player has left', async () => {
  const [node] = opened.nodes;
  const type = await opened.createType({ idleTtlSeconds: 60 });
  const unused = await opened.createSession(type);
  const used = await opened.createSession(type);
  const player = randomUUID();
  await node.join(used.idBase64, player);
  opened.later(59);
  await sweep();
  expect([await isLive(unused.name), await isLive(used.name)]).toEqual([true, true]);
  opened.later(1);
  await sweep();
  expect([await isLive(unused.name), await isLive(used.name)]).toEqual([false, true]);
  opened.later(1_000);
  await sweep();
  expect(await isLive(used.name)).toBe(true);
  await node.sessions.removePlayer(ACTOR, used.name, { playerUuid: player });
  expect((await node.sessions.getSession(used.name)).lastActivityAt).toEqual(opened.clock.at);
  opened.later(59);
  await sweep();
  expect(await isLive(used.name)).toBe(true);
  opened.later(1);
  await sweep();
  expect(await isLive(used.name)).toBe(false);
  expect((await opened.kindsOf(used.name)).at(-1)).toBe('session_ended');
});

test('held seats do not keep an idle session, and their changes do not count as activity', async () => {
  const [node] = opened.nodes;
  const type = await opened.createType({ idleTtlSeconds: 60, invitationTtlSeconds: 30 });
  const { name } = await opened.createSession(type);
  const invite = () =>
    node.sessions.invitePlayers(ACTOR, name, [
      {
        player_uuid: randomUUID(),
        team_id: 0,
        status: 'invited',
      },
    ]);
  await invite();
  opened.later(40);
  await sweep();
  await invite();
  opened.later(20);
  await sweep();
  expect(await isLive(name)).toBe(false);
});

test('a session ends at its age, with its players, and is audited', async () => {
  const [node] = opened.nodes;
  const type = await opened.createType({ maxAgeSeconds: 3_600 });
  const { name, idBase64 } = await opened.createSession(type);
  await node.join(idBase64);
  opened.later(3_599);
  await sweep();
  expect(await isLive(name)).toBe(true);
  opened.later(1);
  await sweep();
  expect(await isLive(name)).toBe(false);
  const audit = await node.database.prisma.auditRecord.findMany({
    where: { action: 'sessions.end', accountId: 'muster' },
  });
  expect(audit.map(({ target }) => target)).toContainEqual({
    type,
    session_id: name.sessionId,
  });
});

test('a sweep ends more sessions than one batch', async () => {
  const type = await opened.createType({ idleTtlSeconds: 1 });
  for (let created = 0; created < 60; created += 1) await opened.createSession(type);
  opened.later(1);
  await sweep();
  expect(await opened.nodes[0].sessions.countSessions({ type }, 100)).toMatchObject({ count: 0 });
});

test('every join and leave counts as activity, also those that the timeline leaves out', async () => {
  const [node] = opened.nodes;
  const type = await opened.createType({ idleTtlSeconds: 60 });
  const { name, idBase64 } = await opened.createSession(type);
  const player = randomUUID();
  for (let round = 0; round < 12; round += 1) {
    await node.join(idBase64, player);
    await node.sessions.leaveSession(player, name, player, () => []);
  }
  opened.later(50);
  await node.join(idBase64, player);
  opened.later(50);
  await node.sessions.leaveSession(player, name, player, () => []);
  opened.later(59);
  await sweep();
  expect(await isLive(name)).toBe(true);
  opened.later(1);
  await sweep();
  expect(await isLive(name)).toBe(false);
});

test('a player whose absence has expired leaves for good, and can be kept out', async () => {
  const [node] = opened.nodes;
  const type = await opened.createType({ absentTtlSeconds: 10 });
  const { name, idBase64 } = await opened.createSession(type);
  const [left, removed] = [randomUUID(), randomUUID()];
  for (const player of [left, removed]) {
    await node.join(idBase64, player);
    await opened.disconnect(name, player);
  }
  opened.later(10);
  await node.sessions.leaveSession(left, name, left);
  await expect(
    node.sessions.setPresence(ACTOR, name, { playerUuid: left, present: true }),
  ).rejects.toMatchObject({ code: 'seat_not_found' });

  const { idBase64: second, name: other } = await opened.createSession(type);
  await node.join(second, removed);
  await opened.disconnect(other, removed);
  opened.later(10);
  const removal = { playerUuid: removed, preventRejoin: true };
  for (let call = 0; call < 2; call += 1) {
    const { seats } = await node.sessions.removePlayer(ACTOR, other, removal);
    expect(seats.has(removed)).toBe(false);
  }
  await expect(node.join(second, removed)).rejects.toMatchObject({ code: 'player_removed' });
});
