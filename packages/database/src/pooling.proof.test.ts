// What a connection pooler does to sessions of PostgreSQL, found with a real PgBouncer.
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { withClient } from './client.ts';
import { openDatabase } from './open-database.ts';
import { findPooling } from './pooling.ts';
import { runPrepared } from './run-prepared.ts';
import type { TestDatabase } from './testing/index.ts';
import { createTestDatabase, startPgbouncer } from './testing/index.ts';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await createTestDatabase();
  return () => fixture.drop();
});

const withPgbouncer = async (
  settings: Record<string, string | number>,
  work: (url: string) => Promise<void>,
) => {
  const pgbouncer = await startPgbouncer(fixture.url, settings);
  try {
    await work(pgbouncer.url);
  } finally {
    await pgbouncer.stop();
  }
};

const findThrough = async (url: string) => {
  const { pool, close } = openDatabase({ url });
  try {
    return await findPooling(pool, url);
  } finally {
    await close();
  }
};

const MODES = [
  ['session', 'session'],
  ['transaction', 'transaction'],
  ['statement', 'transaction'],
] as const;

/** So that PgBouncer has several sessions to choose from. */
const openSessions = async (url: string, count: number) => {
  if (count === 0) return;
  await withClient({ connectionString: url }, async (client) => {
    const rest = openSessions(url, count - 1);
    await client.query('SELECT pg_sleep(0.2)');
    await rest;
  });
};

const CHOICES = [0, 1].flatMap((server_round_robin) =>
  [1, 2, 3, 4].map((sessions) => ({ server_round_robin, sessions })),
);

test.each(MODES)('pool_mode = %s is found to be %s', async (pool_mode, found) => {
  for (const { server_round_robin, sessions } of CHOICES) {
    await withPgbouncer({ pool_mode, server_round_robin }, async (url) => {
      await openSessions(url, sessions);
      expect(await findThrough(url)).toBe(found);
    });
  }
});

test('transactions of other clients do not hide that sessions are shared', async () => {
  await withPgbouncer({ pool_mode: 'transaction' }, async (url) => {
    let stopped = false;
    const others = Array.from({ length: 8 }, () =>
      withClient({ connectionString: url }, async (client) => {
        while (!stopped) await client.query('SELECT pg_sleep(0.001 * random())');
      }),
    );
    const found: string[] = [];
    for (let n = 0; n < 50; n += 1) found.push(await findThrough(url));
    stopped = true;
    await Promise.all(others);
    expect(found).toEqual(Array(50).fill('transaction'));
  });
});

test('a single session in the pooler is found to be shared', () =>
  withPgbouncer({ pool_mode: 'transaction', default_pool_size: 1 }, async (url) => {
    expect(await findThrough(url)).toBe('transaction');
  }));

test('a connection without a pooler is asked once', async () => {
  const { pool, observeStatements, close } = openDatabase({ url: fixture.url });
  const statements: string[] = [];
  observeStatements((statement) => {
    statements.push(statement);
    return () => {};
  });
  expect(await findPooling(pool, fixture.url)).toBe('none');
  expect(statements).toHaveLength(1);
  expect(pool.totalCount).toBe(1);
  await close();
});

const SETTINGS = `SELECT current_setting('statement_timeout') AS statement, current_setting('timezone') AS zone,
  current_setting('plan_cache_mode') AS plans`;

test('in session mode a connection has its own settings and prepared statements, also in a session that was used before', () =>
  withPgbouncer({ default_pool_size: 2 }, async (url) => {
    for (const statementTimeoutMs of [200, 300, 400]) {
      const database = openDatabase({ url, maxConnections: 1, statementTimeoutMs });
      const expected = { statement: `${statementTimeoutMs}ms`, zone: 'UTC' };
      const prepared = { name: 'settings', text: SETTINGS };
      expect(await runPrepared(database.pool, prepared, [])).toEqual([
        { ...expected, plans: 'auto' },
      ]);
      expect(await runPrepared(database.keyedPool, prepared, [])).toEqual([
        { ...expected, plans: 'force_generic_plan' },
      ]);
      await expect(database.pool.query('SELECT pg_sleep(5)')).rejects.toMatchObject({
        code: '57014',
      });
      await database.close();
    }
  }));

test('in session mode an advisory lock goes with the connection of its owner', () =>
  withPgbouncer({}, async (url) => {
    const lock = { connectionString: url };
    const take = (client: pg.ClientBase) =>
      client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock(7) AS taken');
    const isTaken = async () => (await withClient(lock, take)).rows[0]?.taken === false;
    await withClient(lock, async (owner) => {
      await take(owner);
      expect(await isTaken()).toBe(true);
      owner.connection.stream.destroy();
    }).catch(() => {});
    await expect.poll(isTaken).toBe(false);
  }));
