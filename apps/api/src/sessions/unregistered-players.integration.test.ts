// A self-join looks up no player beforehand. The stored data of the player is still in every response.
import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etagOf, toSessionResource } from './session-resource.ts';
import type { JoinNode } from './testing/join-nodes.ts';
import { ACTOR, createSession, openJoinNodes } from './testing/join-nodes.ts';

let here: JoinNode;
let elsewhere: JoinNode;
let openNode: Awaited<ReturnType<typeof openJoinNodes>>['openNode'];
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openJoinNodes();
  [here, elsewhere] = opened.nodes;
  openNode = opened.openNode;
  close = opened.close;
});

afterAll(() => close());

const register = async (playerUuid: string): Promise<number> => {
  const playerId = randomInt(1, 2 ** 40);
  await elsewhere.players.registerPlayer(ACTOR, { playerUuid, playerId }, new Date());
  return playerId;
};

const isRegistered = async (playerUuid: string): Promise<boolean> =>
  (await here.players.findPlayer(playerUuid)) !== undefined;

test('a join and a rejoin of a cached session look up the player without an extra statement', async () => {
  const { idBase64 } = await createSession(here);
  await here.join(idBase64);
  const player = randomUUID();
  const before = here.counts.lookUps;
  const joined = await here.join(idBase64, player);
  expect(await here.join(idBase64, player)).toBe(joined);
  expect(here.counts.lookUps).toBe(before);
});

test('the seat has the legacy id of the player, like a later read with the same ETag', async () => {
  const { idBase64, name } = await createSession(here);
  await here.join(idBase64);
  const player = randomUUID();
  const playerId = await register(player);
  const joined = await here.join(idBase64, player);
  expect(joined.seats.get(player)?.playerId).toBe(playerId);
  const read = await elsewhere.sessions.getSession(name);
  expect(JSON.stringify(toSessionResource(joined))).toBe(JSON.stringify(toSessionResource(read)));
  expect(etagOf(joined)).toBe(etagOf(read));
  expect(await here.join(idBase64, player)).toBe(joined);
});

test('a legacy id that only the write finds counts against the size of the session, to the byte', async () => {
  const { idBase64 } = await createSession(here);
  const [first, second] = [randomUUID(), randomUUID()];
  const resource = toSessionResource(await here.join(idBase64, first));
  const playerId = await register(second);
  const [team] = resource.teams;
  team!.players.push({ ...team!.players[0]!, player_id: playerId });
  const bytes = Buffer.byteLength(JSON.stringify(resource));
  for (const maxBytes of [bytes - 1, bytes]) {
    const node = openNode(1, maxBytes);
    await node.join(idBase64, first);
    const joining = node.join(idBase64, second);
    if (maxBytes === bytes) expect((await joining).seats.get(second)?.playerId).toBe(playerId);
    else await expect(joining).rejects.toMatchObject({ code: 'session_too_large' });
    await node.database.close();
  }
});

test('a join that fits is not refused because of legacy ids that other joins of its batch might have', async () => {
  const { idBase64 } = await createSession(here);
  const [first, second] = [randomUUID(), randomUUID()];
  await here.join(idBase64, first);
  const full = toSessionResource(await here.join(idBase64, second));
  const maxBytes = Buffer.byteLength(JSON.stringify(full));
  const other = await createSession(here);
  const node = openNode(1, maxBytes);
  await node.join(other.idBase64, first);
  const joins = [first, first, second].map((player) => node.join(other.idBase64, player));
  expect(await Promise.allSettled(joins)).toMatchObject(joins.map(() => ({ status: 'fulfilled' })));
  await node.database.close();
});

test('players who join concurrently each get their own legacy id', async () => {
  const sessions = await Promise.all([1, 2, 3].map(() => createSession(here, 20)));
  for (const { idBase64 } of sessions) await here.join(idBase64);
  const attempts = Array.from({ length: 30 }, async (_, index) => {
    const player = randomUUID();
    const playerId = index % 3 === 0 ? await register(player) : undefined;
    return { player, playerId, idBase64: sessions[index % 2]!.idBase64 };
  });
  const players = await Promise.all(attempts);
  const joined = await Promise.all(
    players.map(({ idBase64, player }) => here.join(idBase64, player)),
  );
  for (const [index, { player, playerId }] of players.entries()) {
    expect(joined[index]!.seats.get(player)).toHaveProperty('playerId', playerId);
    expect(await isRegistered(player)).toBe(true);
  }
});

test('a legacy id recorded after the join is in the seat from the next join on', async () => {
  const { idBase64, name } = await createSession(here);
  const players = [randomUUID(), randomUUID()] as const;
  for (const player of players) await here.join(idBase64, player);
  const before = await here.join(idBase64, players[0]);
  const playerId = await register(players[0]);
  const [after, other] = await Promise.all(players.map((player) => here.join(idBase64, player)));
  expect(after!.seats.get(players[0])?.playerId).toBe(playerId);
  expect(after!.version).toBe(before.version + 1);
  expect(other!.seats.get(players[1])?.playerId).toBeUndefined();
  expect(etagOf(await elsewhere.sessions.getSession(name))).toBe(etagOf(after!));
});

test('the first accepted join registers the player', async () => {
  const { idBase64 } = await createSession(here);
  for (const node of [here, elsewhere]) {
    const player = randomUUID();
    await node.join(idBase64, player);
    expect(await isRegistered(player)).toBe(true);
  }
});

test.each([1, 32])(
  'with %i shards, a player who cannot be registered has no seat',
  async (shards) => {
    const { idBase64, name } = await createSession(here);
    const node = openNode(shards);
    const player = randomUUID();
    await here.database.pool.query(
      `ALTER TABLE player ADD CONSTRAINT refused CHECK (player_uuid <> '${player}')`,
    );
    try {
      await expect(node.join(idBase64, player)).rejects.toThrow();
    } finally {
      await here.database.pool.query('ALTER TABLE player DROP CONSTRAINT refused');
    }
    expect((await elsewhere.sessions.getSession(name)).seats.size).toBe(0);
    await node.join(idBase64, player);
    expect(await isRegistered(player)).toBe(true);
    await node.database.close();
  },
);

test('joins of sessions and players in different shards are all written', async () => {
  const node = openNode(32);
  const sessions: Awaited<ReturnType<typeof createSession>>[] = [];
  while (sessions.length < 10) sessions.push(await createSession(node, 6));
  const joins = sessions.flatMap(({ idBase64 }) =>
    Array.from({ length: 5 }, () => node.join(idBase64)),
  );
  await Promise.all(joins);
  const seats = await Promise.all(
    sessions.map(async ({ name }) => (await elsewhere.sessions.getSession(name)).seats.size),
  );
  expect(seats).toEqual(sessions.map(() => 5));
  await node.database.close();
});

test('a refused join registers no player, cached session or not', async () => {
  const { idBase64 } = await createSession(here, 1);
  await here.join(idBase64);
  for (const node of [here, elsewhere, here]) {
    const player = randomUUID();
    await expect(node.join(idBase64, player)).rejects.toMatchObject({ code: 'session_full' });
    expect(await isRegistered(player)).toBe(false);
  }
});

test('the player is looked up together with a session that is not cached', async () => {
  const { idBase64 } = await createSession(here);
  const player = randomUUID();
  const playerId = await register(player);
  const joined = await elsewhere.join(idBase64, player);
  expect(joined.seats.get(player)?.playerId).toBe(playerId);
});
