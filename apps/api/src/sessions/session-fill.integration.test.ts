// How full a session is, as it is stored for lists and counts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionKeyOf } from './session.ts';
import type { JoinNode } from './testing/join-nodes.ts';
import { ACTOR, createSession, openJoinNodes } from './testing/join-nodes.ts';

let opened: Awaited<ReturnType<typeof openJoinNodes>>;
let node: JoinNode;
beforeAll(async () => {
  opened = await openJoinNodes();
  [node] = opened.nodes;
});
afterAll(() => opened.close());

type Name = { type: string; sessionId: string };

const fillOf = async (name: Name): Promise<string | null> => {
  const { prisma } = node.database;
  const row = await prisma.session.findUnique({ where: { sessionKey: sessionKeyOf(name) } });
  return row?.fill ?? null;
};

const count = async (type: string) => {
  const { countSessions } = node.sessions;
  const [empty, open, full] = await Promise.all([
    countSessions({ type, fill: 'empty' }, 10),
    countSessions({ type, fill: 'open' }, 10),
    countSessions({ type, fill: 'full' }, 10),
  ]);
  return { empty: empty.count, open: open.count, full: full.count };
};

test('follows joins, invitations, removals and changes of the teams', async () => {
  const type = randomUUID();
  const { idBase64, name } = await createSession(node, 2, { type });
  const [first, second] = [randomUUID(), randomUUID()];
  expect(await count(type)).toEqual({ empty: 1, open: 1, full: 0 });
  await node.join(idBase64, first);
  expect(await count(type)).toEqual({ empty: 0, open: 1, full: 0 });
  await node.sessions.invitePlayers(ACTOR, name, [
    {
      player_uuid: second,
      team_id: 0,
      status: 'reserved',
    },
  ]);
  expect(await count(type)).toEqual({ empty: 0, open: 0, full: 1 });
  await node.sessions.updateSession(ACTOR, name, { teams: [{ max_size: 3 }] });
  expect(await count(type)).toEqual({ empty: 0, open: 1, full: 0 });
  await node.join(idBase64, randomUUID());
  expect(await count(type)).toEqual({ empty: 0, open: 0, full: 1 });
  const { seats } = await node.sessions.getSession(name);
  for (const playerUuid of seats.keys())
    await node.sessions.removePlayer(ACTOR, name, { playerUuid });
  expect(await count(type)).toEqual({ empty: 1, open: 1, full: 0 });
});

/** As `write_sessions` was called by versions of the service that know nothing of the column. */
const WRITE_AS_BEFORE = `
  SELECT * FROM write_sessions($1, ARRAY[$1]::uuid[],
    json_build_array(json_build_object('session_key', $1::uuid, 'version', $2::bigint, 'incarnation', $3::text)),
    '[]', $4, '[]', '{}', true)`;

test('is computed again after a write by an earlier version of the service', async () => {
  const { name } = await createSession(node, 1, { type: randomUUID() });
  const session = await node.sessions.getSession(name);
  const seat = {
    session_key: session.key,
    player_uuid: randomUUID(),
    team_id: 0,
    status: 'reserved',
    seated_at: new Date(),
    invited_at: new Date(),
  };
  const values = [session.key, session.version, session.incarnation, JSON.stringify([seat])];
  expect((await node.database.pool.query(WRITE_AS_BEFORE, values)).rowCount).toBe(1);
  expect(await fillOf(name)).toBeNull();
  await node.sweeper.sweep();
  expect(await fillOf(name)).toBe('full');
});

test('keeps updates heap-only while it does not change', async () => {
  const { idBase64 } = await createSession(node, 100, { type: randomUUID() });
  const { keyedPool } = node.database;
  const read = async () => {
    await keyedPool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await keyedPool.query<{ all: number; hot: number }>(READ_UPDATES);
    return rows[0] ?? { all: 0, hot: 0 };
  };
  await node.join(idBase64);
  const before = await read();
  for (let joined = 0; joined < 20; joined += 1) await node.join(idBase64);
  await expect.poll(async () => (await read()).all).toBeGreaterThanOrEqual(before.all + 20);
  const after = await read();
  // The first join changes it, and may be reported late.
  expect(after.all - after.hot - (before.all - before.hot)).toBeLessThanOrEqual(1);
});

const READ_UPDATES = `
  SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'session'`;
