// The session cache never makes a join wrong: in these tests another process changes everything that the first one has
// cached.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etagOf } from './session-resource.ts';
import type { JoinNode } from './testing/join-nodes.ts';
import {
  ACTOR,
  createSession,
  openJoinNodes,
  platformSession,
  requestOf,
} from './testing/join-nodes.ts';

let here: JoinNode;
let elsewhere: JoinNode;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openJoinNodes();
  [here, elsewhere] = opened.nodes;
  close = opened.close;
});

afterAll(() => close());

test('only the first join of a session reads it', async () => {
  const { idBase64, name } = await createSession(here);
  const before = { ...here.counts };
  for (let joined = 1; joined <= 4; joined += 1) {
    expect((await here.join(idBase64)).seats.size).toBe(joined);
  }
  expect(here.counts.database - before.database).toBe(1);
  expect(here.counts.memory - before.memory).toBe(3);
  expect((await elsewhere.sessions.getSession(name)).seats.size).toBe(4);
});

test('a seat that another process has freed is found: no refusal is decided on the cache', async () => {
  const { idBase64, name } = await createSession(here, 1);
  const player = randomUUID();
  await here.join(idBase64, player);
  await elsewhere.sessions.removePlayer(ACTOR, name, { playerUuid: player });
  expect([...(await here.join(idBase64)).seats]).toHaveLength(1);
});

test('a seat that another process has taken is not taken again', async () => {
  const { idBase64, name } = await createSession(here, 2);
  await here.join(idBase64);
  await elsewhere.join(idBase64);
  await expect(here.join(idBase64)).rejects.toMatchObject({ code: 'session_full' });
  expect((await here.sessions.getSession(name)).seats.size).toBe(2);
});

test('a session that another process has made unjoinable refuses joins', async () => {
  const { idBase64, name } = await createSession(here);
  await here.join(idBase64);
  await elsewhere.sessions.updateSession(ACTOR, name, { joinable: false });
  await expect(here.join(idBase64)).rejects.toMatchObject({ code: 'session_not_joinable' });
});

test('changed rules of the session type apply, although no session changed', async () => {
  const type = `ruled-${randomUUID()}`;
  const { prisma } = here.database;
  await prisma.sessionType.create({ data: { type, versionMatch: 'major' } });
  const { idBase64, name } = await createSession(here, 4, { type });
  const about = { host_type: 'dedicated', join_status: 'joinable', version: '1.5.0' } as const;
  await here.sessions.setInstance(ACTOR, name, { instance_id: 'i-1', ...about }, undefined);
  await here.join(idBase64);
  await prisma.sessionType.update({
    where: { type },
    data: { versionMatch: 'exact', updatedAt: new Date(Date.now() + 1) },
  });
  await expect(here.join(idBase64)).rejects.toMatchObject({ code: 'version_incompatible' });
});

test('a session that has ended is not joined, and a new session with the same name is a different one', async () => {
  const sessionId = randomUUID();
  const { idBase64, name } = await createSession(here, 4, { session_id: sessionId });
  const left = randomUUID();
  const before = await here.join(idBase64, left);
  await elsewhere.sessions.endSession(ACTOR, name);
  await expect(here.join(idBase64)).rejects.toMatchObject({ code: 'platform_session_not_found' });

  const again = await createSession(elsewhere, 4, {
    session_id: sessionId,
    region_id: 'another',
    platform_session: [platformSession(idBase64)],
  });
  await elsewhere.join(idBase64);
  const after = await here.join(idBase64);
  expect(again.name).toEqual(name);
  expect(after.seats.size).toBe(2);
  expect(after.seats.has(left)).toBe(false);
  expect(etagOf(after)).not.toBe(etagOf(before));
});

test('a cached session that has ended and was created again is not written, even at the same version', async () => {
  const sessionId = randomUUID();
  const { idBase64, name } = await createSession(here, 4, { session_id: sessionId });
  await here.join(idBase64);
  await elsewhere.sessions.endSession(ACTOR, name);
  await createSession(elsewhere, 4, {
    session_id: sessionId,
    region_id: 'another',
    platform_session: [platformSession(idBase64)],
  });
  await elsewhere.join(idBase64);
  const { conflicts } = here.counts;
  expect((await here.join(idBase64)).seats.size).toBe(2);
  expect(here.counts.conflicts).toBe(conflicts + 1);
});

test('a platform session that has moved leads to its new session', async () => {
  const [old, next] = [await createSession(here), await createSession(here)];
  await here.join(old.idBase64);
  const moved = platformSession(old.idBase64);
  await elsewhere.sessions.removePlatformSession(ACTOR, old.name, moved);
  await elsewhere.sessions.addPlatformSession(ACTOR, next.name, moved);
  const session = await here.join(old.idBase64);
  expect(session.sessionId).toBe(next.name.sessionId);
  expect((await here.sessions.getSession(old.name)).seats.size).toBe(1);
});

test('a missing platform session is reported before a missing player, also when its session was cached', async () => {
  const asBackend = (idBase64: string, playerUuid: string) =>
    here.joins.join(
      { accountId: 'backend', permissions: ['session:update-player:any'] },
      {
        platform: 'Steam',
        platformSessionIdBase64: idBase64,
        playerUuid,
        playerId: 7,
        request: requestOf({}),
      },
    );
  const [removed, ended] = [await createSession(here), await createSession(here)];
  const player = randomUUID();
  await here.players.registerPlayer(ACTOR, { playerUuid: player, playerId: 8 }, new Date());
  for (const { idBase64 } of [removed, ended]) await here.join(idBase64, player);
  const platform = platformSession(removed.idBase64);
  await elsewhere.sessions.removePlatformSession(ACTOR, removed.name, platform);
  await elsewhere.sessions.endSession(ACTOR, ended.name);
  const notFound = { code: 'platform_session_not_found' };
  for (const { idBase64 } of [removed, ended]) {
    await expect(asBackend(idBase64, randomUUID())).rejects.toMatchObject(notFound);
    await expect(asBackend(idBase64, player)).rejects.toMatchObject(notFound);
  }
  const { idBase64 } = await createSession(here);
  await here.join(idBase64);
  const unknown = { code: 'player_not_found' };
  for (const playerUuid of [randomUUID(), player]) {
    await expect(asBackend(idBase64, playerUuid)).rejects.toMatchObject(unknown);
    await expect(asBackend(idBase64, playerUuid)).rejects.toMatchObject(unknown);
  }
});

test('a missing platform session is looked up again', async () => {
  const idBase64 = randomUUID();
  const unknown = { code: 'platform_session_not_found' };
  await expect(here.join(idBase64)).rejects.toMatchObject(unknown);
  await createSession(elsewhere, 4, { platform_session: [platformSession(idBase64)] });
  expect((await here.join(idBase64)).seats.size).toBe(1);
});

test('a disconnect, which changes no version, ends when the player joins again with other data', async () => {
  const { idBase64, name } = await createSession(here);
  const player = randomUUID();
  await here.join(idBase64, player);
  await elsewhere.sessions.setPresence(ACTOR, name, { playerUuid: player, present: false });
  await here.join(idBase64, player, { client_version: '1.0.1' });
  expect((await elsewhere.sessions.getSession(name)).disconnects.size).toBe(0);
});

test('a session that other processes change is not cached for a while', async () => {
  const { idBase64 } = await createSession(here, 20);
  await here.join(idBase64);
  await elsewhere.join(idBase64);
  const before = { ...here.counts };
  for (let joined = 0; joined < 3; joined += 1) {
    await here.join(idBase64);
    await elsewhere.join(idBase64);
  }
  expect(here.counts.conflicts - before.conflicts).toBe(1);
  expect(here.counts.database - before.database).toBe(3);
});

test('a disconnected player who was removed joins again from the cache without the old disconnect', async () => {
  const { idBase64, name } = await createSession(here);
  const player = randomUUID();
  await here.join(idBase64);
  await here.join(idBase64, player);
  await here.sessions.setPresence(ACTOR, name, { playerUuid: player, present: false });
  await here.sessions.removePlayer(ACTOR, name, { playerUuid: player });
  const before = { ...here.counts };
  await here.join(idBase64, player);
  expect(here.counts).toEqual({
    ...before,
    memory: before.memory + 1,
    lookUps: here.counts.lookUps,
  });
});
