import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from './client.ts';
import { classifyDatabaseError } from './database-error.ts';
import { startScratchPostgres } from './embedded/scratch-postgres.ts';
import type { Database } from './open-database.ts';
import { openDatabase } from './open-database.ts';
import { runPrepared } from './run-prepared.ts';
import type { TestDatabase } from './testing/index.ts';
import { createTestDatabase } from './testing/index.ts';

const ONE = { name: 'one', text: 'SELECT 1' };
const SLEEP = { name: 'sleep', text: 'SELECT pg_sleep(20)' };

let database: Database;
let fixture: TestDatabase;

beforeAll(async () => {
  fixture = await createTestDatabase();
  database = openDatabase({ url: fixture.url, statementTimeoutMs: 200 });
});

afterAll(async () => {
  await database?.close();
  await fixture?.drop();
});

async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => Promise.reject(new Error('The statement was expected to fail.')),
    (reason: unknown) => reason,
  );
  return classifyDatabaseError(error);
}

test('stopping the server under running queries is "unavailable", and so is every later query', async () => {
  const server = await startScratchPostgres();
  const doomed = openDatabase({ url: server.url });
  const running = [
    kindOf(runPrepared(doomed.pool, SLEEP, [], { timeoutMs: 20_000 })),
    kindOf(doomed.prisma.$queryRaw`SELECT 1 FROM pg_sleep(20)`),
    kindOf(doomed.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1 FROM pg_sleep(20)`)),
  ];
  await waitForSleepers(server.url, 3);
  await server.stop();
  expect(await Promise.all(running)).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(await kindOf(runPrepared(doomed.pool, ONE, []))).toBe('unavailable');
  expect(await kindOf(doomed.prisma.sandbox.findFirst())).toBe('unavailable');
  expect(await kindOf(doomed.prisma.$transaction((tx) => tx.sandbox.findFirst()))).toBe(
    'unavailable',
  );
  await doomed.close();
});

test('a server that accepts and says nothing is "unavailable" after two seconds', async () => {
  const silent = await listen(createServer());
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const waiting = openDatabase({ url: `postgresql://x:y@127.0.0.1:${port}/z` });
  const started = Date.now();
  const kinds = [
    kindOf(runPrepared(waiting.pool, ONE, [])),
    kindOf(waiting.prisma.sandbox.findFirst()),
  ];
  expect(await Promise.all(kinds)).toEqual(['unavailable', 'unavailable']);
  expect(Date.now() - started).toBeLessThan(4_000);
  await waiting.close();
  silent.close();
});

test('a pool without a free connection is "unavailable"', async () => {
  const narrow = openDatabase({ url: fixture.url, maxConnections: 1 });
  const client = await narrow.pool.connect();
  expect(await kindOf(runPrepared(narrow.pool, ONE, []))).toBe('unavailable');
  expect(await kindOf(narrow.prisma.sandbox.findFirst())).toBe('unavailable');
  client.release();
  await narrow.close();
  expect(await kindOf(runPrepared(narrow.pool, ONE, []))).toBe('unavailable');
});

test.each([
  ['08006', 'connection to the remote node muster@10.0.0.2:5432 failed: Connection refused'],
  ['XX000', 'failure on connection marked as essential: 10.0.0.2:5432'],
  ['XX000', 'connection not open'],
  ['XX000', 'postmaster was shut down, exiting'],
  ['XX000', 'server closed the connection unexpectedly'],
  ['XX000', 'could not establish any connections to the node 10.0.0.2:5432 after 30000 ms'],
  ['XX000', 'could not connect to any active placements'],
])(
  'a node of Citus that another one cannot reach is "unavailable": %s %s',
  async (code, message) => {
    const text = `DO $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END $$`;
    expect(await kindOf(database.pool.query(text))).toBe('unavailable');
    expect(await kindOf(database.prisma.$executeRawUnsafe(text))).toBe('unavailable');
  },
);

test.each([
  ['25006', 'cannot execute INSERT in a read-only transaction'],
  ['28000', 'role "muster" is not permitted to log in'],
  ['28P01', 'password authentication failed for user "muster"'],
  ['3D000', 'database "muster" does not exist'],
  ['42501', 'permission denied for table session_seat'],
  ['53100', 'could not extend file: No space left on device'],
  ['54000', 'database is not accepting commands that assign new transaction IDs'],
  ['57P04', 'terminating connection because its database was dropped'],
  ['58030', 'could not read file: Input/output error'],
])('a server that refuses to serve is "unavailable": %s %s', async (code, message) => {
  const text = `DO $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END $$`;
  expect(await kindOf(database.pool.query(text))).toBe('unavailable');
  expect(await kindOf(database.prisma.$executeRawUnsafe(text))).toBe('unavailable');
});

/** URLs under which no connection can be opened, each for another reason. */
const CLOSED: [string, () => string][] = [
  ['another password', () => changeUrl({ password: 'wrong' })],
  ['no such database', () => changeUrl({ pathname: '/nowhere' })],
  ['a server without TLS', () => changeUrl({ search: '?sslmode=verify-full' })],
  ['a socket that is not there', () => 'postgresql://muster@localhost/muster?host=/nowhere'],
];
const changeUrl = (change: Partial<URL>) => Object.assign(new URL(fixture.url), change).href;

test.each(CLOSED)('a connection that cannot be opened is "unavailable": %s', async (_, toUrl) => {
  const closed = openDatabase({ url: toUrl() });
  const { pool, prisma } = closed;
  const sandboxId = randomUUID();
  expect(await kindOf(runPrepared(pool, ONE, []))).toBe('unavailable');
  expect(await kindOf(prisma.sandbox.findFirst())).toBe('unavailable');
  expect(await kindOf(prisma.$queryRaw`SELECT 1`)).toBe('unavailable');
  const transaction = prisma.$transaction((tx) =>
    tx.sandbox.create({ data: { sandboxId, name: 'x' } }),
  );
  expect(await kindOf(transaction)).toBe('unavailable');
  await closed.close();
});

test('a server whose certificate is not trusted is "unavailable"', async () => {
  const error = Object.assign(new Error('self-signed certificate'), {
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  const client = new Client({ host: '127.0.0.1', port: 1 });
  const connecting = client.connect();
  (client as unknown as { connection: EventEmitter }).connection.emit('error', error);
  expect(await kindOf(connecting)).toBe('unavailable');
});

test('a process without a file descriptor left is "unavailable"', () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    const error = Object.assign(new Error(`connect ${code} 127.0.0.1:5432`), { code });
    expect(classifyDatabaseError(error)).toBe('unavailable');
  }
});

test('a cancelled statement is "timeout", from the driver and through Prisma', async () => {
  expect(await kindOf(runPrepared(database.pool, SLEEP, []))).toBe('timeout');
  expect(await kindOf(runPrepared(database.pool, SLEEP, [], { timeoutMs: 50 }))).toBe('timeout');
  expect(await kindOf(database.prisma.$queryRaw`SELECT 1 FROM pg_sleep(20)`)).toBe('timeout');
});

test('a deadlock and a serialisation failure are "conflict"', async () => {
  for (const code of ['40001', '40P01']) {
    const text = `DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${code}'; END $$`;
    expect(await kindOf(database.pool.query(text))).toBe('conflict');
    expect(await kindOf(database.prisma.$executeRawUnsafe(text))).toBe('conflict');
  }
});

test('values that the database refuses are "data"', async () => {
  const sandboxId = '0d8f1a3c-52c4-4a1e-9d0b-6f2f8f1d7a10';
  const create = () => database.prisma.sandbox.create({ data: { sandboxId, name: 'x' } });
  await create();
  expect(await kindOf(create())).toBe('data');
  expect(
    await kindOf(database.prisma.sandbox.create({ data: { sandboxId: 'no', name: 'x' } })),
  ).toBe('data');
  expect(
    await kindOf(database.pool.query(`INSERT INTO sandbox VALUES ('${sandboxId}', 'x')`)),
  ).toBe('data');
  expect(await kindOf(database.pool.query(`SELECT 'no'::uuid`))).toBe('data');
});

test('anything else is "other"', async () => {
  expect(await kindOf(database.pool.query('SELECT FROM nowhere'))).toBe('other');
  expect(classifyDatabaseError(new Error('EPIPE is mentioned here'))).toBe('other');
  expect(classifyDatabaseError(undefined)).toBe('other');
});

async function waitForSleepers(url: string, count: number): Promise<void> {
  const watcher = openDatabase({ url });
  const sql = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND state = 'active'
               AND pid <> pg_backend_pid()`;
  try {
    await expect.poll(async () => (await watcher.pool.query(sql)).rowCount).toBe(count);
  } finally {
    await watcher.close();
  }
}

function listen(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
