import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BODY, ITEMS, JOIN, PLAYER } from '../../test/public-client.ts';
import { router } from '../admin/trpc.ts';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../platform/errors.ts';
import { createLogger, createReadiness } from '../platform/index.ts';
import { createMetrics } from '../telemetry/index.ts';
import type { PublicRoutes } from './app.ts';
import { createApp } from './app.ts';
import { findTargetValues } from './failure-log.ts';
import type { HttpServer } from './server.ts';
import { createHttpServer } from './server.ts';
import { createTestProtection } from './testing/test-protection.ts';

class OutageError extends Error {}

/** What the next request of a handler throws or answers. */
let behave: () => unknown;
const handler = async () => behave() as never;
const routes = {
  listItemHistory: handler,
  listXpHistory: handler,
  joinByPlatformSession: handler,
} satisfies PublicRoutes;

const tester: Caller = { accountId: 'tester', permissions: ['*'] };

const lines: Record<string, unknown>[] = [];
const sink = new Writable({
  write: (chunk, _encoding, done) => {
    lines.push(JSON.parse(String(chunk)));
    done();
  },
});

let server: HttpServer;
let baseUrl: string;
beforeAll(async () => {
  const readiness = createReadiness({ pingDatabase: async () => {} });
  const refuse = () => Promise.reject(new Error('Not part of this test.'));
  const app = createApp({
    routes,
    companion: null,
    adminRouter: router({}),
    authenticate: async () => tester,
    adminAuthentication: {
      identifyAdmin: async () => tester,
      authenticateAdmin: async () => tester,
    },
    accounts: {
      auth: { handle: async () => ({ status: 200, cookies: [] }) },
      publicUrl: undefined,
    },
    trustProxy: undefined,
    transfer: {
      exports: { open: refuse },
      imports: { read: refuse, plan: refuse, draft: refuse, apply: refuse },
    },
    auditExport: { read: refuse },
    historyAccess: 'authenticated',
    recordKeyUse: () => {},
    logger: createLogger('info', sink),
    logSuccessSample: 1,
    metrics: createMetrics({
      pools: { general: { totalCount: 0, idleCount: 0, waitingCount: 0 } },
      process: false,
    }),
    readiness,
    protection: createTestProtection(),
    recordRefusedJoin: () => {},
    refuseChanges: () => {},
    isOutage: (error) => error instanceof OutageError,
    serveMetrics: true,
    responseValidation: true,
  });
  const limits = { maxConnections: 100, requestTimeoutMs: 5_000, transferTimeoutMs: 5_000 };
  server = createHttpServer(app, { limits, graceMs: 0 });
  baseUrl = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(() => server.stop());

const ask = async (path: string, body?: unknown) => {
  const init = body
    ? {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
    : {};
  const response = await fetch(baseUrl + path, init);
  const { error_code } = (await response.clone().json()) as { error_code?: string };
  return { response, error_code, text: await response.text() };
};

it('answers an unforeseen error with 500, its request id and nothing of its text, and logs it once', async () => {
  behave = () => {
    throw new Error('relation "secret_table" does not exist');
  };
  const { response, error_code, text } = await ask(ITEMS);
  expect([response.status, error_code]).toEqual([500, 'internal_error']);
  expect(text).not.toContain('secret_table');
  const logged = lines.filter((line) => JSON.stringify(line).includes('secret_table'));
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({ level: 50, request_id: response.headers.get('x-request-id') });
});

it('answers 500 to an answer that breaks the contract', async () => {
  behave = () => ({ status: 200, body: { transactions: 'none' } });
  expect((await ask(ITEMS)).error_code).toBe('internal_error');
});

it('gives an outage the name that the route has for it, with Retry-After, and logs the cause', async () => {
  behave = () => {
    throw new OutageError('connect ECONNREFUSED');
  };
  const history = await ask(ITEMS);
  expect([history.response.status, history.error_code]).toEqual([503, 'service_unavailable']);
  const join = await ask(JOIN, BODY);
  expect([join.response.status, join.error_code]).toEqual([409, 'service_overloaded']);
  expect(join.response.headers.get('retry-after')).toMatch(/^[1-3]$/);
  expect(lines.filter(({ level }) => level === 40)).toHaveLength(2);
});

it('sends the wait that a service asks for, and its own sentence', async () => {
  behave = () => {
    throw new ServiceError('session_busy', { retryAfterSeconds: 7, desc: 'Busy until seven.' });
  };
  const { response, text } = await ask(JOIN, BODY);
  expect([response.status, response.headers.get('retry-after')]).toEqual([409, '7']);
  expect(JSON.parse(text)).toEqual({
    auth_success: true,
    error_code: 'session_busy',
    desc: 'Busy until seven.',
  });
});

it('answers a caller over its rate with 409 on a join and 429 elsewhere, and with the wait that it is given', async () => {
  behave = () => {
    throw new ServiceError('rate_limited', { retryAfterSeconds: 7 });
  };
  const join = await ask(JOIN, BODY);
  expect([join.response.status, join.error_code]).toEqual([409, 'rate_limited']);
  const history = await ask(ITEMS);
  expect([history.response.status, history.error_code]).toEqual([429, 'rate_limited']);
  for (const { response } of [join, history]) expect(response.headers.get('retry-after')).toBe('7');
});

it('spreads those who are refused together over the documented seconds', async () => {
  behave = () => {
    throw new ServiceError('team_full');
  };
  const waits = new Set<number>();
  for (let count = 0; count < 200; count += 1) {
    const { response } = await ask(JOIN, BODY);
    waits.add(Number(response.headers.get('retry-after')));
  }
  expect(waits.size).toBeGreaterThan(1);
  for (const seconds of waits) {
    expect(seconds).toBeGreaterThanOrEqual(5);
    expect(seconds).toBeLessThanOrEqual(15);
  }
});

it('logs one line per request: pattern, status and account, but no query or body', async () => {
  behave = () => {
    throw new ServiceError('team_full');
  };
  await ask(`${ITEMS}?name=1234567`);
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ method: 'GET', status: 409, account_id: 'tester' });
  await ask(`${JOIN}?player_id=1234567`, { ...BODY, custom_data: { note: 'private' } });
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ method: 'POST', status: 409 });
  expect(JSON.stringify(lines)).not.toMatch(/1234567|private/);
});

it('explains a join that failed for no reason of its own by its caller and its player', async () => {
  behave = () => {
    throw new OutageError('connect ECONNREFUSED');
  };
  const { response } = await ask(JOIN, BODY);
  await expect.poll(() => lines).toHaveLength(2);
  const request_id = response.headers.get('x-request-id');
  expect(lines[0]).toMatchObject({ level: 40, msg: 'unavailable', request_id });
  expect(lines[1]).toMatchObject({
    msg: 'request',
    request_id,
    error_code: 'service_overloaded',
    account_id: 'tester',
    player_uuid: PLAYER,
  });
});

/** Messages of libraries and databases about a value that they cannot use. */
const repeat = (value: string) => {
  const cause = Object.assign(new Error(`invalid input syntax: "${value}"`), {
    detail: `Key (name)=(${value}) exists.`,
    where: value,
    input: value,
    code: '22P02',
  });
  return new Error(`Invalid call: { name: '${value}' }`, { cause });
};

it('leaves the path and the query out of the line of a failure, however the error repeats them', async () => {
  const paths = {
    [`${ITEMS}?name=se%C3%A7ret+word`]: ['seçret word', 'se%C3%A7ret+word'],
    [`${ITEMS}?legacy_item_ids=987654`]: ['987654'],
    '/v1/history/sandbox/7D2F3C1A-5b64-4e0f-9a8d-2c6e1f4b9a71/item/?name=x': [
      '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a71',
    ],
  };
  for (const [path, values] of Object.entries(paths)) {
    for (const value of values) {
      lines.length = 0;
      behave = () => {
        throw repeat(value);
      };
      expect((await ask(path)).response.status).toBe(500);
      await expect.poll(() => lines).toHaveLength(2);
      const log = JSON.stringify(lines).toLowerCase();
      expect(log).toContain('invalid input syntax');
      expect(log).toContain('22p02');
      expect(log).not.toContain(value.toLowerCase());
    }
  }
});

it('knows the values of a path and a query in the spellings that errors repeat', () => {
  const input = encodeURIComponent('{"sandbox_id":"one two","numbers":[12345]}');
  const path = '/admin/trpc/items.list/7d2f3c1a5b644e0f9a8d2c6e1f4b9a71';
  const values = findTargetValues(`${path}?input=${input}&name=a%2Bb+c`, '/admin/trpc/items.list');
  expect(values).toEqual(
    expect.arrayContaining([
      'one two',
      '12345',
      'a%2Bb+c',
      'a+b+c',
      'a b c',
      '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a71',
    ]),
  );
  expect(values).not.toContain('items.list');
  expect(values).not.toContain('sandbox_id');
});
