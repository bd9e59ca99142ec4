import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDemoData } from './demo-store.ts';
import { createDemoDatabase, NOW } from './testing/demo-database.ts';

let demo: Awaited<ReturnType<typeof createDemoDatabase>>;

beforeAll(async () => {
  demo = await createDemoDatabase();
});

afterAll(() => demo.close());

/** An empty database that is dropped after the work. */
const withDatabase = async (work: (database: ReturnType<typeof openDatabase>) => Promise<void>) => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url });
  try {
    await work(database);
  } finally {
    await database.close();
    await drop();
  }
};

test('one of several concurrent processes loads the demo', () =>
  withDatabase(async (database) => {
    const loads = await Promise.all([1, 2, 3].map(() => loadDemoData(database)));
    expect(loads.toSorted()).toEqual([false, false, true]);
  }));

test('the demo has the promised size', async () => {
  const sizes = {
    sandboxes: await demo.count('sandbox'),
    items: await demo.count(`catalogue_record WHERE kind = 'item'`),
    xpTables: await demo.count(`catalogue_record WHERE kind = 'xp'`),
    versions: await demo.count('catalogue_version'),
    players: await demo.count('player'),
    types: await demo.count('session_type'),
    sessions: await demo.count('session'),
    platforms: await demo.count('(SELECT DISTINCT platform FROM session_platform_session) AS p'),
    playerPlatforms: await demo.count(
      '(SELECT DISTINCT platform FROM session_seat WHERE platform IS NOT NULL) AS p',
    ),
  };
  expect(sizes).toEqual({
    sandboxes: 3,
    items: 300,
    xpTables: 30,
    versions: 5000,
    players: 400,
    types: 3,
    sessions: 60,
    platforms: 6,
    playerPlatforms: 6,
  });
});

test('a second start changes nothing', async () => {
  const before = await demo.count('catalogue_version');
  expect(await loadDemoData(demo.database)).toBe(false);
  expect(await demo.count('catalogue_version')).toBe(before);
});

test.each([
  ['sandbox', `INSERT INTO sandbox (sandbox_id, name) VALUES (gen_random_uuid(), 'mine')`],
  ['session type', `INSERT INTO session_type (type) VALUES ('mine')`],
  ['player', 'INSERT INTO player (player_uuid) VALUES (gen_random_uuid())'],
  [
    'session',
    `INSERT INTO session (session_key, type, session_id, incarnation, created_at)
     VALUES (gen_random_uuid(), 'mine', 'mine', 'x', now())`,
  ],
])('a database with one %s is never touched', (_, insert) =>
  withDatabase(async (database) => {
    await database.pool.query(insert);
    expect(await loadDemoData(database)).toBe(false);
    const { rows } = await database.pool.query('SELECT FROM catalogue_version');
    expect(rows).toHaveLength(0);
  }),
);

test('a load that fails in the middle writes nothing', () =>
  withDatabase(async (database) => {
    await database.pool.query('ALTER TABLE catalogue_name RENAME TO moved');
    await expect(loadDemoData(database)).rejects.toThrow('catalogue_name');
    const { rows } = await database.pool.query(
      'SELECT FROM player UNION ALL SELECT FROM session UNION ALL SELECT FROM sandbox',
    );
    expect(rows).toHaveLength(0);
  }));

test('the same time makes the same demo', () =>
  withDatabase(async (database) => {
    await loadDemoData(database, { now: () => NOW });
    for (const sql of [
      `SELECT encode(head_hash, 'hex') AS hash FROM sandbox ORDER BY 1`,
      `SELECT md5(string_agg(s::text, ',' ORDER BY s::text)) AS hash FROM session_seat s`,
      `SELECT md5(string_agg(e::text, ',' ORDER BY e::text)) AS hash FROM session_event e`,
    ]) {
      expect((await database.pool.query(sql)).rows).toEqual(await demo.select(sql));
    }
  }));
