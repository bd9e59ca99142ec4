// A deleted player may take a seat at any time, in this process or another one: a player with a seat is registered.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { IS_FULL_SIZE } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JoinNode } from './testing/join-nodes.ts';
import { ACTOR, createSession, openJoinNodes } from './testing/join-nodes.ts';

const ROUNDS = IS_FULL_SIZE ? 100 : 15;

let elsewhere: JoinNode;
let openNode: (shards: number) => JoinNode;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openJoinNodes();
  [elsewhere] = opened.nodes;
  openNode = opened.openNode;
  close = opened.close;
});
afterAll(() => close());

const isRegistered = async (playerUuid: string): Promise<boolean> =>
  (await elsewhere.players.findPlayer(playerUuid)) !== undefined;

const deletePlayer = (node: JoinNode, playerUuid: string): Promise<void> =>
  node.players.deletePlayer(ACTOR, playerUuid, new Date());

describe.each([1, 32])('a process that sees the database as %i shards', (shards) => {
  let node: JoinNode;
  beforeAll(() => {
    node = openNode(shards);
  });
  afterAll(() => node.database.close());

  type Session = Awaited<ReturnType<typeof createSession>>;
  const seatBy = {
    join: ({ idBase64 }: Session, player: string) => node.join(idBase64, player),
    invitation: ({ name }: Session, playerUuid: string) =>
      node.sessions.invitePlayers(ACTOR, name, [
        { player_uuid: playerUuid, team_id: 0, status: 'invited' },
      ]),
  };

  /** A registered player whose only seat was in a session that has ended. */
  const playOnce = async (): Promise<string> => {
    const player = randomUUID();
    const session = await createSession(node);
    await node.join(session.idBase64, player);
    await node.sessions.endSession(ACTOR, session.name);
    return player;
  };

  describe.each(['join', 'invitation'] as const)('by %s', (way) => {
    test('registers a player again that any process has deleted', async () => {
      const player = await playOnce();
      const session = await createSession(node);
      for (const deleter of [node, elsewhere, node, elsewhere]) {
        await deletePlayer(deleter, player);
        expect(await isRegistered(player)).toBe(false);
        await seatBy[way](session, player);
        expect(await isRegistered(player)).toBe(true);
        await node.sessions.removePlayer(ACTOR, session.name, { playerUuid: player });
      }
    });

    test('does not seat a player who cannot be registered', async () => {
      const player = randomUUID();
      const session = await createSession(node);
      const { pool } = elsewhere.database;
      await pool.query(
        `ALTER TABLE player ADD CONSTRAINT refused CHECK (player_uuid <> '${player}')`,
      );
      try {
        await expect(seatBy[way](session, player)).rejects.toThrow();
      } finally {
        await pool.query('ALTER TABLE player DROP CONSTRAINT refused');
      }
      const { seats } = await elsewhere.sessions.getSession(session.name);
      expect([...seats.keys()]).toEqual([]);
    });

    test('seats a player during the deletion, and the next sweep registers the player', async () => {
      const [player, other] = [await playOnce(), await playOnce()];
      const session = await createSession(node);
      const { pool } = elsewhere.database;
      const blocker = await pool.connect();
      // Events are written after players and seats: while the write waits, it has already found the player registered.
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE session_event IN SHARE MODE');
      const taking = seatBy[way](session, player);
      const { rows } = await blocker.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE ${rows[0]?.pid} = ANY(pg_blocking_pids(pid))`;
      await expect.poll(async () => (await pool.query(isWaiting)).rowCount).toBe(1);
      await deletePlayer(elsewhere, player);
      await deletePlayer(elsewhere, other);
      await elsewhere.sweeper.sweep();
      expect(await isRegistered(player)).toBe(false);
      await blocker.query('ROLLBACK');
      blocker.release();
      await taking;
      expect(await isRegistered(player)).toBe(false);
      await elsewhere.sweeper.sweep();
      expect(await isRegistered(player)).toBe(true);
      expect(await isRegistered(other)).toBe(false);
      await expect(deletePlayer(elsewhere, player)).rejects.toMatchObject({
        code: 'player_seated',
      });
    });
  });

  test('leaves no seat without a player after a sweep', async () => {
    const players = await Promise.all(Array.from({ length: 8 }, playOnce));
    for (let round = 0; round < ROUNDS; round += 1) {
      const session = await createSession(node, players.length);
      const taken = players.map(async (player, index) => {
        await delay(randomInt(4));
        await seatBy[index % 2 === 0 ? 'join' : 'invitation'](session, player);
      });
      const deleted = players.map(async (player) => {
        await delay(randomInt(8));
        await deletePlayer(elsewhere, player).catch((error) =>
          expect(error).toMatchObject({ code: 'player_seated' }),
        );
      });
      await Promise.all([...taken, ...deleted]);
      await elsewhere.sweeper.sweep();
      expect((await elsewhere.sessions.getSession(session.name)).seats.size).toBe(players.length);
      expect(await Promise.all(players.map(isRegistered))).toEqual(players.map(() => true));
      await node.sessions.endSession(ACTOR, session.name);
    }
  });
});

test('leaves no legacy id without a player that is deleted during its registration', async () => {
  const [playerUuid, playerId] = [randomUUID(), randomInt(2 ** 47)];
  const { pool } = elsewhere.database;
  const register = (player: { playerId?: number }) =>
    elsewhere.players.registerPlayer(ACTOR, { playerUuid, ...player }, new Date());
  await register({});
  // Another player claims the id and releases it: the registration waits after it has read the player.
  const blocker = await pool.connect();
  await blocker.query('BEGIN');
  const claim = 'INSERT INTO player_legacy_id (player_id, player_uuid) VALUES ($1, $2)';
  await blocker.query(claim, [playerId, randomUUID()]);
  const countWaiting = async () => {
    const { rows } = await pool.query<{ count: number }>(`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return rows[0]?.count;
  };
  const registering = register({ playerId });
  await expect.poll(countWaiting).toBe(1);
  let isDeleted = false;
  const deleting = deletePlayer(elsewhere, playerUuid).then(() => {
    isDeleted = true;
  });
  await expect.poll(async () => isDeleted || (await countWaiting()) === 2).toBe(true);
  await blocker.query('ROLLBACK');
  blocker.release();
  await Promise.all([registering, deleting]);
  const isHeld = (await elsewhere.players.findHolder(playerId)) !== null;
  expect(isHeld).toBe(await isRegistered(playerUuid));
});
