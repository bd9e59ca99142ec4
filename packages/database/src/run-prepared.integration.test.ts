import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from './open-database.ts';
import { openDatabase } from './open-database.ts';
import { QueryTimeoutError, runPrepared } from './run-prepared.ts';
import type { TestDatabase } from './testing/index.ts';
import { createTestDatabase } from './testing/index.ts';

let database: Database;
let fixture: TestDatabase;

beforeAll(async () => {
  fixture = await createTestDatabase({ migrated: false });
  database = openDatabase({ url: fixture.url, maxConnections: 1 });
});

afterAll(async () => {
  await database?.close();
  await fixture?.drop();
});

const OWN_PID = { name: 'own_pid', text: 'SELECT pg_backend_pid() AS pid' };
const SLEEP = { name: 'sleep', text: 'SELECT pg_sleep($1)' };

async function ownPid(): Promise<number> {
  const [row] = await runPrepared<{ pid: number }>(database.pool, OWN_PID, []);
  return row?.pid ?? 0;
}

test('BIGINT comes as a number, TIMESTAMPTZ as a Date, BYTEA as bytes, JSON as a value', async () => {
  const statement = {
    name: 'all_types',
    text: `SELECT 9007199254740991::int8 AS big, ARRAY[1, NULL]::int8[] AS bigs, ARRAY[]::int8[] AS none,
             '2026-01-02 03:04:05.678+00'::timestamptz AS at, '\\x00ff'::bytea AS bytes,
             '{"b":1,"a":2}'::json AS value, $1::uuid AS id`,
  };
  const id = '0d8f1a3c-52c4-4a1e-9d0b-6f2f8f1d7a10';
  expect(await runPrepared(database.pool, statement, [id])).toEqual([
    {
      big: 9007199254740991,
      bigs: [1, null],
      none: [],
      at: new Date('2026-01-02T03:04:05.678Z'),
      bytes: Buffer.from([0, 255]),
      value: { b: 1, a: 2 },
      id,
    },
  ]);
});

test('a BIGINT that no number can hold is an error, not another value', async () => {
  const statement = { name: 'too_big', text: 'SELECT 9007199254740992::int8 AS big' };
  await expect(runPrepared(database.pool, statement, [])).rejects.toThrow(RangeError);
  expect(await ownPid()).toBeGreaterThan(0);
});

test('the statement is prepared once per connection', async () => {
  await ownPid();
  await ownPid();
  const prepared = await database.pool.query(
    `SELECT generic_plans + custom_plans AS uses FROM pg_prepared_statements WHERE name = 'own_pid'`,
  );
  expect(prepared.rows).toHaveLength(1);
  expect(Number(prepared.rows[0].uses)).toBeGreaterThanOrEqual(2);
});

test('a refused value leaves the connection in the pool', async () => {
  const before = await ownPid();
  const statement = { name: 'divide', text: 'SELECT 1 / $1::int' };
  await expect(runPrepared(database.pool, statement, [0])).rejects.toMatchObject({ code: '22012' });
  expect(await ownPid()).toBe(before);
});

test('an answer that came in time counts, though the process was too busy to read it', async () => {
  const before = await ownPid();
  const answered = runPrepared(database.pool, OWN_PID, [], { timeoutMs: 200 });
  // The statement is sent, and then nothing else happens for longer than it may take.
  await new Promise<void>((resolve) => {
    setImmediate(() => {
      const until = performance.now() + 400;
      while (performance.now() < until);
      resolve();
    });
  });
  expect(await answered).toEqual([{ pid: before }]);
});

test('a statement that outlasts its timeout destroys its connection and reports the timeout', async () => {
  const before = await ownPid();
  const late = runPrepared(database.pool, SLEEP, [3], { timeoutMs: 100 });
  await expect(late).rejects.toThrow(QueryTimeoutError);
  await expect(late).rejects.toThrow('The statement sleep did not finish within 100 ms.');
  expect(await ownPid()).not.toBe(before);
});

test('inside a transaction a timeout destroys the connection of that transaction', async () => {
  const before = await ownPid();
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await expect(runPrepared(client, SLEEP, [3], { timeoutMs: 100 })).rejects.toThrow(
    QueryTimeoutError,
  );
  await expect(client.query('COMMIT')).rejects.toThrow();
  client.release();
  expect(await ownPid()).not.toBe(before);
});

test('PostgreSQL itself cancels what outlasts the statement timeout, and the connection goes', async () => {
  const strict = openDatabase({ url: fixture.url, maxConnections: 1, statementTimeoutMs: 50 });
  await expect(runPrepared(strict.pool, SLEEP, [3])).rejects.toMatchObject({ code: '57014' });
  expect(strict.pool.totalCount).toBe(0);
  await strict.close();
});
