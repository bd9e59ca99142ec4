// A Citus cluster is backed up, restored and upgraded.
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distribute, findShards, migrateDatabase, shardOf } from '@muster/database';
import { digestTables } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import { authorise, createTestBed, SECRET } from '../faults/test-bed.ts';
import { startProgram, startServiceProcess } from '../service-process.ts';
import type { PlacedJoin } from './placed-load.ts';
import { joinOnce } from './placed-load.ts';
import { cluster, hasNoCitus } from './with-citus.ts';

const PRISMA = join(import.meta.dirname, '../../../../prisma');
const PLAYERS = Array.from(
  { length: 8 },
  (_, index) => `00000000-0000-4000-8000-00000000000${index}`,
);
const NEWCOMER = '00000000-0000-4000-8000-0000000000aa';

const serve = (url: string) => startServiceProcess({ DATABASE_URL: url, AUTH_JWT_SECRET: SECRET });

const run = async (
  program: 'backup' | 'restore' | 'distribute',
  url: string,
  args: string[] = [],
) => {
  const running = await startProgram(program, { DATABASE_URL: url }, args);
  expect(await running.ended, running.stderr()).toBe(0);
};

const query = async <Row extends object>(url: string, text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(text).finally(() => client.end())).rows;
};

/** Sessions on every node with players in them, and a history. */
const fill = async (url: string): Promise<readonly string[]> => {
  const service = await serve(url);
  const { sessions } = await createTestBed(service.baseUrl, 16);
  for (const [index, session] of sessions.entries()) {
    const player = PLAYERS[index % PLAYERS.length] ?? '';
    expect((await joinOnce(service.baseUrl, session, player)).status).toBe(200);
  }
  const admin = createAdminCaller(service.baseUrl, {
    authorization: await authorise('editor', '*'),
  });
  const { data } = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Live' });
  for (const name of ['Iron', 'Wood', 'Größe']) {
    const item = { sandbox_id: data.sandbox_id, name, item_type: 'unit' };
    expect((await admin.mutate('items.create', item)).status).toBe(200);
  }
  expect(await service.stop()).toBe(0);
  return sessions;
};

/** A player may have 8 requests in progress. */
const AT_ONCE = 8;

/** Seated players find their seat, and others get one, all concurrently. `seatMore` returns the other seated players. */
const expectToServe = async (
  url: string,
  sessions: readonly string[],
  seatMore = async (_baseUrl: string): Promise<readonly string[]> => [],
): Promise<void> => {
  const service = await serve(url);
  const more = await seatMore(service.baseUrl);
  const joins = sessions.flatMap((session, index) =>
    [PLAYERS[index % PLAYERS.length] ?? '', NEWCOMER].map((player) => ({ session, player })),
  );
  const statuses: number[] = [];
  for (let at = 0; at < joins.length; at += AT_ONCE) {
    const some = joins
      .slice(at, at + AT_ONCE)
      .map(({ session, player }) => joinOnce(service.baseUrl, session, player));
    statuses.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  expect(statuses).toEqual(joins.map(() => 200));
  const seats = await query<{ player: string }>(
    url,
    'SELECT player_uuid AS player FROM session_seat',
  );
  const players = seats.map(({ player }) => player);
  expect(players.filter((player) => [...PLAYERS, NEWCOMER].includes(player))).toHaveLength(
    2 * sessions.length,
  );
  expect(players).toEqual(expect.arrayContaining([...more]));
  expect(new Set(players.filter((player) => more.includes(player))).size).toBe(more.length);
  expect(await service.stop()).toBe(0);
};

/** New players join the sessions in turn, four at a time; players with a response are added to `joins`. */
const joinUntil = async (
  signal: AbortSignal,
  baseUrl: string,
  sessions: readonly string[],
  joins: PlacedJoin[],
): Promise<void> => {
  const joinOn = async (): Promise<void> => {
    while (!signal.aborted) {
      const session = sessions[joins.length % sessions.length] ?? '';
      joins.push(await joinOnce(baseUrl, session, randomUUID()));
    }
  };
  await Promise.all(Array.from({ length: 4 }, joinOn));
};

describe.skipIf(hasNoCitus)('a Citus cluster', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-upkeep-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await cluster.stop();
  });

  test('is backed up and restored row by row into another cluster, which serves it', async () => {
    const sessions = await fill(cluster.url);
    const path = join(folder, 'cluster.tar');
    await run('backup', cluster.url, ['--to', path]);
    const restored = await cluster.createDatabase('restored');
    await run('restore', restored, ['--from', path]);
    await run('distribute', restored);
    expect(await digestTables(restored)).toEqual(await digestTables(cluster.url));
    expect(await findShards(restored)).toMatchObject({ shards: 8 });
    await expectToServe(restored, sessions);
  });

  test('serves sessions while their shards are moved', async () => {
    const url = await cluster.createDatabase('moved');
    await migrateDatabase({ url });
    await distribute({ url });
    const sessions = await fill(url);
    await expectToServe(url, sessions, async (baseUrl) => {
      const joins: PlacedJoin[] = [];
      const seated = () => joins.filter(({ status }) => status === 200);
      const controller = new AbortController();
      const joining = joinUntil(controller.signal, baseUrl, sessions, joins);
      // There and back: on a slow machine a move delays most of the joins that start during it.
      for (let worker = 2; seated().length <= sessions.length; worker = 3 - worker) {
        const moves = await query<{ move: string }>(url, listMoves(worker));
        expect(moves.length).toBeGreaterThan(1);
        for (const { move } of moves) await query(url, move);
      }
      controller.abort();
      await joining;
      // A move blocks the writes of its shard, some of them for longer than they wait.
      expect(joins.map(({ status }) => status).filter((status) => status !== 409)).toEqual(
        seated().map(() => 200),
      );
      return seated().map(({ player }) => player);
    });
  });

  test('serves sessions and players after their shards were split, with the new shard map', async () => {
    const url = await cluster.createDatabase('split');
    await migrateDatabase({ url });
    await distribute({ url });
    const sessions = await fill(url);
    for (const table of ['session', 'player']) {
      for (const { split } of await query<{ split: string }>(url, listSplits(table))) {
        await query(url, split);
      }
      await distribute({ url });
      const { shardRanges } = await findShards(url);
      expect(shardRanges[table]).toHaveLength(10);
      const stored = await query<{ key: string; place: number }>(url, findPlaces(table));
      expect(stored.map(({ key }) => shardOf(key, shardRanges[table]))).toEqual(
        stored.map(({ place }) => place),
      );
    }
    await expectToServe(url, sessions);
  });

  test('is upgraded by a migration that replaces a function and one that changes a table', async () => {
    const url = await cluster.createDatabase('upgraded');
    await migrateDatabase({ url });
    await distribute({ url });
    const sessions = await fill(url);

    const newer = join(folder, 'newer');
    await cp(PRISMA, newer, { recursive: true });
    for (const [name, text] of Object.entries(NEXT)) {
      await mkdir(join(newer, 'migrations', name));
      await writeFile(join(newer, 'migrations', name, 'migration.sql'), text);
    }
    expect(await migrateDatabase({ url, prismaDir: newer })).toEqual(Object.keys(NEXT));
    const functions = await query<{ result: string }>(url, FIND_FUNCTION);
    expect(functions).toHaveLength(1 + cluster.workers.length);
    expect(new Set(functions.map(({ result }) => result)).size).toBe(1);
    expect(functions[0]?.result).toContain('A newer text.');
    expect(functions[0]?.result).toContain('force_custom_plan');
    const shards = await query<{ result: string }>(url, FIND_COLUMN);
    expect(shards.map(({ result }) => result)).toEqual(Array.from({ length: 8 }, () => '1'));
    // This program does not serve a database that a newer one has migrated.
    await query(url, `DELETE FROM _prisma_migrations WHERE migration_name LIKE '9%'`);
    await expectToServe(url, sessions);
    expect(await query(url, `SELECT mood FROM session_seat WHERE mood = 'fine'`)).toHaveLength(
      2 * sessions.length,
    );
  });
});

/** Moves half of the shards, with their colocated shards, to this worker, if they are on the other one. */
const listMoves = (worker: number): string => `
  SELECT format('SELECT citus_move_shard_placement(%s, %L, %s, %L, %s, ''block_writes'')',
    s.shardid, s.nodename, s.nodeport, o.nodename, o.nodeport) AS move
  FROM citus_shards s, pg_dist_node o
  WHERE s.table_name = 'session'::regclass AND s.shardid / 2 % 2 = 0
    AND s.nodeport <> o.nodeport AND o.groupid = ${worker}`;

/** Splits the first two shards of a table, with their colocated shards, into two halves on both workers. */
const listSplits = (table: string): string => `
  SELECT format('SELECT citus_split_shard_by_split_points(%s, ARRAY[%L], ARRAY[%s], ''block_writes'')',
    shardid, (shardminvalue::bigint + shardmaxvalue::bigint) / 2,
    (SELECT string_agg(nodeid::text, ',') FROM pg_dist_node WHERE groupid > 0)) AS split
  FROM pg_dist_shard WHERE logicalrelid = '${table}'::regclass ORDER BY shardminvalue::int LIMIT 2`;

/** Keys, each with the index of its shard in the order of the ranges, as reported by Citus. */
const findPlaces = (table: string): string => `
  SELECT key, (
    SELECT count(*)::int FROM pg_dist_shard s, pg_dist_shard own
    WHERE s.logicalrelid = own.logicalrelid AND s.shardminvalue::int < own.shardminvalue::int
      AND own.shardid = get_shard_id_for_distribution_column('${table}', key)) AS place
  FROM (SELECT gen_random_uuid() AS key FROM generate_series(1, 500)) AS keys`;

const NEXT = {
  '9000_function': `
    CREATE OR REPLACE FUNCTION register_players(shard uuid, players uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE player uuid;
    BEGIN
      -- A newer text.
      FOREACH player IN ARRAY players LOOP
        INSERT INTO player (player_uuid) VALUES (player) ON CONFLICT (player_uuid) DO NOTHING;
      END LOOP;
    END $$`,
  '9001_table': `
    ALTER TABLE session_seat ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine';
    CREATE INDEX session_seat_mood ON session_seat (mood);`,
};

const FIND_FUNCTION = `
  SELECT result FROM run_command_on_all_nodes(
    $$SELECT prosrc || proconfig::text FROM pg_proc WHERE proname = 'register_players'$$)`;
const FIND_COLUMN = `
  SELECT result FROM run_command_on_shards('session_seat',
    $$SELECT count(*) FROM pg_attribute WHERE attrelid = '%s'::regclass AND attname = 'mood'$$)`;
