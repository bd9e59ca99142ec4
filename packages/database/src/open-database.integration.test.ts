import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { classifyDatabaseError, isDatabaseTimeout } from './database-error.ts';
import type { Database } from './open-database.ts';
import { createStatementNamer, openDatabase } from './open-database.ts';
import type { TestDatabase } from './testing/index.ts';
import { createTestDatabase } from './testing/index.ts';

let database: Database;
let fixture: TestDatabase;
const deaths: Error[] = [];

beforeAll(async () => {
  fixture = await createTestDatabase();
  const admin = openDatabase({ url: fixture.url });
  const name = new URL(fixture.url).pathname.slice(1);
  await admin.pool.query(`ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`);
  await admin.close();
  database = openDatabase({
    url: fixture.url,
    maxConnections: 3,
    applicationName: 'muster-test',
    onConnectionError: (error) => deaths.push(error),
  });
});

afterAll(async () => {
  await database?.close();
  await fixture?.drop();
});

test('sessions are in UTC whatever the database says, named, and limited in time', async () => {
  const { rows } = await database.pool.query(
    `SELECT current_setting('timezone') AS zone, current_setting('application_name') AS name,
            current_setting('statement_timeout') AS timeout`,
  );
  expect(rows).toEqual([{ zone: 'UTC', name: 'muster-test', timeout: '5s' }]);
});

test('options of the connection string are kept beside ours', async () => {
  const url = new URL(fixture.url);
  url.searchParams.set('options', '-c work_mem=5MB');
  const own = openDatabase({ url: url.href });
  const { rows } = await own.pool.query(
    `SELECT current_setting('work_mem') AS memory, current_setting('timezone') AS zone`,
  );
  expect(rows).toEqual([{ memory: '5MB', zone: 'UTC' }]);
  await own.close();
});

test('Prisma and prepared statements read the same instant, to the millisecond', async () => {
  const createdAt = new Date('2026-05-05T05:05:05.505Z');
  const sandboxId = '7b0d4a52-9f0e-4c1b-8a57-53d6f7a6b001';
  await database.prisma.sandbox.create({ data: { sandboxId, name: 'clock', createdAt } });
  const viaPool = await database.pool.query('SELECT created_at FROM sandbox');
  const viaPrisma = await database.prisma.sandbox.findFirst();
  expect([viaPool.rows[0].created_at, viaPrisma?.createdAt]).toEqual([createdAt, createdAt]);
});

test('Prisma’s statements are prepared under a name that depends on the text alone', async () => {
  const single = openDatabase({ url: fixture.url, maxConnections: 1 });
  await single.prisma.sandbox.findMany({ where: { name: 'a' } });
  await single.prisma.sandbox.findMany({ where: { name: 'b' } });
  const { rows } = await single.pool.query(
    `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%sandbox%'`,
  );
  expect(rows).toEqual([{ name: expect.stringMatching(/^prisma_[0-9a-f]{32}$/) }]);
  await single.close();
});

test('texts past the limit and texts without values are not named', () => {
  const nameOf = createStatementNamer();
  expect(nameOf({ sql: 'COMMIT', args: [] })).toBe('');
  const names = Array.from({ length: 501 }, (_, i) => nameOf({ sql: `SELECT ${i}`, args: [1] }));
  expect(new Set(names).size).toBe(501);
  expect(names.at(-1)).toBe('');
  expect(nameOf({ sql: 'SELECT 7', args: [2] })).toBe(names[7]);
});

test('a ping detects an unresponsive database sooner than a statement does', async () => {
  await database.ping();
  // It accepts a connection and says nothing.
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const frozen = openDatabase({ url: `postgresql://muster@127.0.0.1:${port}/muster` });
  const statement = frozen.pool.query('SELECT 1').catch(() => 'statement');
  const ping = frozen.ping().catch((error: unknown) => error);
  const first = await Promise.race([statement, ping]);
  expect(isDatabaseTimeout(first)).toBe(true);
  await statement;
  await frozen.close();
  silent.close();
});

/** The database of the tests, as it is while `statement` is in effect. */
const during = async (statement: string, undo: string, work: () => Promise<void>) => {
  const admin = openDatabase({ url: fixture.url });
  const name = new URL(fixture.url).pathname.slice(1);
  await admin.pool.query(statement.replaceAll('<name>', name));
  try {
    await work();
  } finally {
    await admin.pool.query(undo.replaceAll('<name>', name));
    await admin.close();
  }
};
const READ_ONLY = [
  'ALTER DATABASE <name> SET default_transaction_read_only = on',
  'ALTER DATABASE <name> RESET default_transaction_read_only',
] as const;
const MAKE_SANDBOX = `INSERT INTO sandbox (sandbox_id, name) VALUES (gen_random_uuid(), 'x')`;

/** The name of a role with all rights on the tables, and the database opened as that role. */
const asRole = async (work: (role: string, opened: Database) => Promise<void>) => {
  const role = `role_${randomBytes(6).toString('hex')}`;
  const setUp = `CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT ${ALL} TO ${role}`;
  const url = Object.assign(new URL(fixture.url), { username: role, password: 'x' }).href;
  await during(setUp, `DROP OWNED BY ${role}; DROP ROLE ${role}`, async () => {
    const opened = openDatabase({ url });
    await work(role, opened);
    await opened.close();
  });
};
const ALL = 'SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public';

test('a ping says that the database is read-only, and that it takes writes again', async () => {
  const own = openDatabase({ url: fixture.url });
  await during(...READ_ONLY, () =>
    expect(own.ping()).rejects.toMatchObject({
      name: 'UnwritableError',
      code: '25006',
      message: 'the database is read-only, since transaction_read_only is on',
    }),
  );
  await own.ping();
  await own.close();
});

test('a ping names the rights on tables of joins that the role lacks', async () => {
  await asRole(async (role, opened) => {
    await opened.ping();
    const revoke = `REVOKE INSERT ON session_seat, audit_record FROM ${role}`;
    await during(revoke, `GRANT ${ALL} TO ${role}`, () =>
      expect(opened.ping()).rejects.toMatchObject({
        code: '42501',
        message: `the role ${role} lacks INSERT on session_seat`,
      }),
    );
    await opened.ping();
  });
});

test('read-only connections are replaced after a failed write, idle ones and those in use', async () => {
  const own = openDatabase({ url: fixture.url });
  const outages: number[] = [];
  own.observeOutages(() => outages.push(outages.length));
  const held = await own.keyedPool.connect();
  await during(...READ_ONLY, async () => {
    const begun = own.prisma.$transaction(async (transaction) => {
      await transaction.$executeRawUnsafe(MAKE_SANDBOX);
    });
    await expect(begun).rejects.toThrow(/read-only/);
    expect(outages.length).toBeGreaterThan(0);
    await own.pool.query('SELECT 1');
  });
  held.release();
  // The connections of the outage are gone after the first write that fails on one of them.
  await expect(own.pool.query(MAKE_SANDBOX)).rejects.toThrow(/read-only/);
  await expect.poll(() => [own.pool.idleCount, own.keyedPool.idleCount]).toEqual([0, 0]);
  await own.prisma.$transaction((transaction) => transaction.$executeRawUnsafe(MAKE_SANDBOX));
  await own.close();
});

test('connections that were opened during a read-only outage are replaced by the ping that ends it', async () => {
  const own = openDatabase({ url: fixture.url });
  await during(...READ_ONLY, async () => {
    await expect(own.ping()).rejects.toThrow(/read-only/);
    await own.pool.query('SELECT 1');
  });
  const isReadOnly = `SELECT current_setting('transaction_read_only') AS value`;
  expect((await own.pool.query(isReadOnly)).rows).toEqual([{ value: 'on' }]);
  await own.ping();
  expect((await own.pool.query(isReadOnly)).rows).toEqual([{ value: 'off' }]);
  await own.close();
});

test('writes that fail on a read-only node while pings succeed replace the connections once a second', async () => {
  const own = openDatabase({ url: fixture.url });
  let opened = 0;
  own.keyedPool.on('connect', () => {
    opened += 1;
  });
  const startedAt = performance.now();
  for (let writes = 0; writes < 20; writes += 1) {
    const write = own.pool.query(`SET TRANSACTION READ ONLY; ${MAKE_SANDBOX}`);
    await expect(write).rejects.toMatchObject({ code: '25006' });
    await own.ping();
    await own.keyedPool.query('SELECT 1');
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(opened).toBeLessThanOrEqual(2 + seconds);
  // A later failure counts as well.
  await expect.poll(() => own.keyedPool.totalCount).toBe(0);
  await own.close();
});

test('renewed connections are new ones; statements by key that still run fail at once, others end', async () => {
  const own = openDatabase({ url: fixture.url });
  const backends = async () => {
    const asked = [own.pool, own.keyedPool].map((each) =>
      each.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
    );
    return (await Promise.all(asked)).map(({ rows }) => rows[0]?.pid);
  };
  const before = await backends();
  const [byKey, other] = [own.keyedPool, own.pool].map((each) => each.query('SELECT pg_sleep(1)'));
  const failure = byKey?.catch((error: unknown) => error);
  await own.pool.query('SELECT 1');
  own.renewConnections();
  expect(classifyDatabaseError(await failure)).toBe('unavailable');
  for (const pid of await backends()) expect(before).not.toContain(pid);
  await other;
  await expect.poll(() => [own.pool.totalCount, own.keyedPool.totalCount]).toEqual([1, 1]);
  await own.close();
});

test('renewing while all connections are in use for long ends no process', async () => {
  const own = openDatabase({ url: fixture.url, maxConnections: 1 });
  await own.pool.query('SELECT 1');
  // It takes the idle connection before the renewal does, and for longer than the pool lets anything wait. An error that is not
  // caught fails the test run.
  const busy = own.pool.query('SELECT pg_sleep(2.5)');
  own.renewConnections();
  await busy;
  await own.close();
});

test('a ping opens a new connection once the server has refused one', async () => {
  await asRole(async (role, opened) => {
    await opened.ping();
    await during(`ALTER ROLE ${role} NOLOGIN`, `ALTER ROLE ${role} LOGIN`, async () => {
      // The open connection still works, and nothing has failed yet.
      await opened.ping();
      await expect(opened.pool.query('SELECT 1')).rejects.toThrow(/not permitted to log in/);
      const failure = await opened.ping().catch((error: unknown) => error);
      expect(failure).toMatchObject({
        message: expect.stringContaining('not permitted to log in'),
      });
      expect(isDatabaseTimeout(failure)).toBe(false);
    });
    await opened.ping();
  });
});

test('a ping keeps its connection while the name of the server cannot be resolved', async () => {
  const failure = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' });
  let error: Error | null = null;
  // A machine without /etc/hosts knows no name, not even localhost.
  vi.spyOn(dns, 'lookup').mockImplementation(((...parameters: unknown[]) => {
    const callback = parameters.at(-1) as (error: Error | null, found: unknown) => void;
    setImmediate(callback, error, [{ address: '127.0.0.1', family: 4 }]);
  }) as typeof dns.lookup);
  const url = Object.assign(new URL(fixture.url), { hostname: 'database.example' }).href;
  const own = openDatabase({ url });
  await own.ping();
  error = failure;
  await expect(own.pool.query('SELECT 1')).rejects.toThrow(/EAI_AGAIN/);
  await own.ping();
  await own.close();
});

test('the connection of the ping stays open where others end after a minute without work', async () => {
  const own = openDatabase({ url: fixture.url, applicationName: 'idle-test' });
  const countConnections = async () => {
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'idle-test'`,
    );
    return rows[0].count;
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await Promise.all([own.ping(), own.pool.query('SELECT 1'), own.keyedPool.query('SELECT 1')]);
    vi.advanceTimersByTime(3_600_000);
  } finally {
    vi.useRealTimers();
  }
  await expect.poll(() => own.pool.totalCount + own.keyedPool.totalCount).toBe(0);
  await expect.poll(countConnections).toBe(1);
  await own.close();
});

test('connections that die, idle or in use, are reported and replaced', async () => {
  const inUse = await database.pool.connect();
  const ended = new Promise<void>((resolve) => inUse.once('end', () => resolve()));
  await database.pool.query('SELECT 1');
  const killer = openDatabase({ url: fixture.url });
  await killer.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'muster-test' AND datname = current_database()`,
  );
  await killer.close();
  await expect.poll(() => deaths.length).toBeGreaterThanOrEqual(2);
  // The pool must not lend a connection whose death has not been noticed yet.
  await expect.poll(() => database.pool.idleCount).toBe(0);
  await ended;
  inUse.release();
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect(await database.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});

/** Accepts every login, and ends the connection in the same packet, as a server does while it shuts down. */
const serveEnding = async () => {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const welcome = message('R', Buffer.alloc(4));
  const ready = message('Z', Buffer.from('I'));
  const fields = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const ending = message('E', Buffer.from(fields));
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([welcome, ready, ending])));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

test('a connection that the server ends as soon as it is there fails its query, and nothing else', async () => {
  const server = await serveEnding();
  const { port } = server.address() as AddressInfo;
  const own = openDatabase({ url: `postgres://muster@127.0.0.1:${port}/muster` });
  const queries = Array.from({ length: 3 }, () => own.pool.query('SELECT 1'));
  const outcomes = await Promise.allSettled(queries);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  await own.close();
  server.close();
});
