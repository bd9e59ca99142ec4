// A database that responds but refuses writes, logins or permissions. Requests get 409 or 503, never 500, and the
// service recovers automatically.
import { randomBytes, randomUUID } from 'node:crypto';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdminCaller } from './admin-caller.ts';
import { createAdminCaller } from './admin-caller.ts';
import { authorise, createTestBed, SECRET } from './faults/test-bed.ts';
import { readMetrics } from './read-metrics.ts';
import type { SignedInPerson, TestService } from './test-service.ts';
import { startTestService } from './test-service.ts';

const role = `refused_${randomBytes(6).toString('hex')}`;
const password = randomBytes(12).toString('hex');

let database: TestDatabase;
let owner: pg.Client;
let name: string;
let roleUrl: string;
beforeAll(async () => {
  database = await createTestDatabase();
  name = new URL(database.url).pathname.slice(1);
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}';
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
  roleUrl = Object.assign(new URL(database.url), { username: role, password }).href;
});
afterAll(async () => {
  await owner?.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await owner?.end();
  await database?.drop();
});

let service: TestService;
let admin: AdminCaller;
let person: SignedInPerson;
let sandboxId: string;
let apiKey: string;
let sessions: readonly string[];
beforeEach(async () => {
  service = await startTestService({ databaseUrl: roleUrl, env: { AUTH_JWT_SECRET: SECRET } });
  const { baseUrl } = service;
  admin = createAdminCaller(baseUrl, { authorization: await authorise('editor', '*') });
  ({ sessions } = await createTestBed(baseUrl, 4));
  person = await service.createPerson({ role: 'owner' });
  const sandbox = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', {
    name: randomUUID(),
  });
  sandboxId = sandbox.data.sandbox_id;
  const asOwner = createAdminCaller(baseUrl, { cookie: person.cookie });
  const account = await asOwner.mutate<{ account_id: string }>('keys.createAccount', {
    name: randomUUID(),
  });
  const key = await asOwner.mutate<{ key: string }>('keys.create', {
    account_id: account.data.account_id,
    name: 'A key',
    permissions: ['session:update-player:any', 'sandbox:config:view'],
  });
  apiKey = key.data.key;
});
afterEach(() => service.close());

type Answer = { status: number; retryAfter: string | null; code: string | undefined };

const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(service.baseUrl + path, init);
  const text = await response.text();
  const code = /"error_code":"(\w+)"/.exec(text)?.[1];
  return { status: response.status, retryAfter: response.headers.get('retry-after'), code };
};

const post = async (path: string, authorization: string, body: unknown): Promise<Answer> =>
  ask(path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', origin: service.baseUrl },
    body: JSON.stringify(body),
  });

type Join = {
  player?: string;
  session?: string | undefined;
  authorization?: string;
};

const join = async ({
  player = randomUUID(),
  session = sessions[Math.floor(Math.random() * sessions.length)],
  authorization,
}: Join = {}): Promise<Answer> =>
  post(
    `/session/v1/platform/Steam/platform-session/${session}/player/${player}`,
    authorization ?? (await authorise(player, 'session:update-player:self')),
    {
      client_version: '1.0.0',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
    },
  );

const joinMany = (): Promise<Answer[]> => Promise.all(Array.from({ length: 50 }, () => join()));

const readHistory = async (): Promise<Answer> =>
  ask(`/v1/history/sandbox/${sandboxId}/item/`, {
    headers: { authorization: await authorise('reader', '*') },
  });

/** Every other kind of request that needs the database. */
const OTHERS: Record<string, () => Promise<Answer>> = {
  'a history': readHistory,
  'a history with an API key': () =>
    ask(`/v1/history/sandbox/${sandboxId}/xp/`, { headers: { authorization: `Bearer ${apiKey}` } }),
  'an admin query': async () =>
    ask('/admin/trpc/sandboxes.list?input=%7B%7D', {
      headers: { authorization: await authorise('a', '*') },
    }),
  'an admin query with a cookie': () =>
    ask('/admin/trpc/me.get', { headers: { cookie: person.cookie } }),
  'an admin mutation': async () =>
    post('/admin/trpc/sandboxes.create', await authorise('a', '*'), { name: randomUUID() }),
  'a new session': async () =>
    post('/admin/trpc/sessions.create', await authorise('a', '*'), {
      type: 'testBed',
      session_id: randomUUID(),
      teams: [{ max_size: 2 }],
    }),
  'a public procedure': () => post('/admin/trpc/invitations.get', '', { token: 'x'.repeat(43) }),
  'a sign-in': () =>
    post('/admin/auth/sign-in/email', '', { email: person.email, password: person.password }),
  'a sign-out': () =>
    ask('/admin/auth/sign-out', {
      method: 'POST',
      headers: { cookie: person.cookie, origin: service.baseUrl },
    }),
  'an export': async () =>
    ask(`/admin/export/${sandboxId}/item`, {
      headers: { authorization: await authorise('a', '*') },
    }),
  'an import': async () =>
    post(`/admin/import/${sandboxId}/item`, await authorise('a', '*'), { name: 'Iron' }),
};

const askOthers = async (): Promise<Record<string, Answer>> => {
  const answers = Object.entries(OTHERS).map(async ([kind, send]) => [kind, await send()]);
  return Object.fromEntries(await Promise.all(answers));
};

const REFUSED = {
  status: 409,
  code: 'service_overloaded',
  retryAfter: expect.stringMatching(/^[1-3]$/),
};
const UNAVAILABLE = { ...REFUSED, status: 503, code: 'service_unavailable' };
const ALL_UNAVAILABLE = Object.fromEntries(Object.keys(OTHERS).map((kind) => [kind, UNAVAILABLE]));

const readState = async () => ({
  readyz: (await ask('/readyz')).status,
  available: (await readMetrics(service.baseUrl))('muster_database_available'),
});

const endSessions = () =>
  owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);

type Refusal = { begin: string; end: string; endsSessions: boolean };

const REFUSALS: [string, () => Refusal][] = [
  [
    'is read-only for new connections',
    () => ({
      begin: `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
      end: `ALTER DATABASE ${name} RESET default_transaction_read_only`,
      endsSessions: true,
    }),
  ],
  [
    'denies logins of the role',
    () => ({
      begin: `ALTER ROLE ${role} NOLOGIN`,
      end: `ALTER ROLE ${role} LOGIN`,
      endsSessions: true,
    }),
  ],
  [
    'has another password',
    () => ({
      begin: `ALTER ROLE ${role} PASSWORD 'another'`,
      end: `ALTER ROLE ${role} PASSWORD '${password}'`,
      endsSessions: true,
    }),
  ],
  [
    'denies writes of seats',
    () => ({
      begin: `REVOKE INSERT, UPDATE ON session_seat FROM ${role}`,
      end: `GRANT INSERT, UPDATE ON session_seat TO ${role}`,
      endsSessions: false,
    }),
  ],
  [
    'denies all reads and writes',
    () => ({
      begin: `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,
      end: `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
      endsSessions: false,
    }),
  ],
];

test('a refusal is visible in readiness and metrics at once, before any request fails', async () => {
  await owner.query(`REVOKE INSERT ON session_seat FROM ${role}`);
  try {
    expect(await readState()).toEqual({ readyz: 503, available: 0 });
  } finally {
    await owner.query(`GRANT INSERT ON session_seat TO ${role}`);
  }
});

describe.each(REFUSALS)('a database that %s', (_, describeRefusal) => {
  test('is an outage until it accepts writes again', async () => {
    const { begin, end, endsSessions } = describeRefusal();
    expect(await readState()).toEqual({ readyz: 200, available: 1 });
    // Registered, and then in another session: the refusal of a key's unknown player would need no write.
    const player = randomUUID();
    expect(await join({ player, session: sessions[0] })).toMatchObject({ status: 200 });
    const byKey = { player, session: sessions[1], authorization: `Bearer ${apiKey}` };
    try {
      await owner.query(begin);
      if (endsSessions) await endSessions();
      expect(await joinMany()).toEqual(Array(50).fill(REFUSED));
      await expect.poll(readState).toEqual({ readyz: 503, available: 0 });
      expect(await join()).toEqual(REFUSED);
      expect(await join(byKey)).toEqual(REFUSED);
      // A database that denies some writes answers reads until the circuit has opened.
      await expect.poll(readHistory).toEqual(UNAVAILABLE);
      expect(await askOthers()).toEqual(ALL_UNAVAILABLE);
    } finally {
      await owner.query(end);
    }
    await expect.poll(readState, { timeout: 3_000 }).toEqual({ readyz: 200, available: 1 });
    const joins = await joinMany();
    expect(joins.map(({ status }) => status)).toEqual(Array(50).fill(200));
    for (const [kind, { status }] of Object.entries(await askOthers())) {
      expect([kind, status]).toEqual([kind, expect.toSatisfy((code) => code < 500)]);
    }
  });
});

/** Joins need none of them, so the circuit breaker stays closed and each request detects the refusal. */
const OTHER_TABLES = `sandbox, catalogue_record, catalogue_version, account_user, account_session, account_login,
  account_throttle, account_invitation, service_key, audit_record`;

test('a missing permission on other tables fails the requests that need them with 503, and no join', async () => {
  await owner.query(`REVOKE INSERT ON session_team FROM ${role};
    REVOKE ALL ON ${OTHER_TABLES} FROM ${role}`);
  try {
    expect(await askOthers()).toEqual(ALL_UNAVAILABLE);
    expect((await join()).status).toBe(200);
    expect(await readState()).toEqual({ readyz: 200, available: 1 });
  } finally {
    await owner.query(`GRANT INSERT ON session_team TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ${OTHER_TABLES} TO ${role}`);
  }
});
