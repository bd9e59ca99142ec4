// Every event reaches its receivers, in order for each session, whatever receivers and processes do.
import { randomUUID } from 'node:crypto';
import { openDatabase } from '@muster/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { SECRET, startTestService } from '../../test/test-service.ts';
import type { AdminClient } from '../admin/testing/admin-client.ts';
import { createAdminClient, createSession } from '../admin/testing/admin-client.ts';
import { createEventFeed, createFeedStore } from '../events/index.ts';
import { getAccountsSecret, loadConfig } from '../platform/index.ts';
import { createDispatchStore } from './dispatch-store.ts';
import type { Receiver } from './testing/webhook-receiver.ts';
import { startReceiver, versionsOf } from './testing/webhook-receiver.ts';
import { createWebhookDispatcher } from './webhook-dispatcher.ts';
import { createSecretBox } from './webhook-secrets.ts';
import { createWebhookSender } from './webhook-sender.ts';
import type { WebhookSource } from './webhook-sources.ts';
import { createFeedSource } from './webhook-sources.ts';

const env = { WEBHOOK_ALLOW_PRIVATE: '1' };
/** Transactions of other tests on the same server delay the feed. */
const PATIENT = { timeout: 30_000 };

let service: TestService;
let admin: AdminClient;
let receiver: Receiver;
let webhook_id: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startTestService({ env });
  admin = createAdminClient(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await startReceiver();
  webhook_id = await subscribe(receiver);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  receiver.close();
  const { prisma } = service.database;
  await prisma.webhookEndpoint.deleteMany();
});

const mutate = async (procedure: string, input: object) => {
  const { data, error } = await admin.mutate(procedure, input);
  if (error) throw new Error(`${procedure}: ${error.error_code}`);
  return data;
};

const KINDS = ['session_created', 'session_updated', 'session_ended', 'webhook_disabled'];

const subscribe = async (to: Receiver): Promise<string> => {
  const data = await mutate('webhooks.create', { url: to.url, kinds: KINDS });
  to.use(data.secret as string);
  return data.webhook_id as string;
};

/** Creates a session and changes it until it has this version. Returns its id. */
const play = async (version: number): Promise<string> => {
  const { name } = await createSession(admin);
  for (let next = 2; next <= version; next += 1) {
    await mutate('sessions.update', { ...name, custom_data: { version: String(next) } });
  }
  return name.session_id;
};

const upTo = (version: number): number[] =>
  Array.from({ length: version }, (_, index) => index + 1);

type Options = {
  deadlineMs?: number;
  offset?: () => number;
  pollMs?: number;
  /** The feed by default. */
  source?: WebhookSource;
};

/** A process that dispatches, with a clock that the test moves. */
const startDispatcher = async (options: Options = {}) => {
  const { deadlineMs = 15_000, offset = () => 0, pollMs = 50 } = options;
  const database = openDatabase({ url: service.databaseUrl, onConnectionError: () => {} });
  const accountsSecret = await getAccountsSecret(loadConfig({ AUTH_JWT_SECRET: SECRET }));
  const store = createDispatchStore(database);
  const readClock = async () => new Date((await store.readClock()).getTime() + offset());
  const feed = createFeedSource(
    createEventFeed({ store: createFeedStore(database), onFailure: () => {} }),
  );
  const dispatcher = createWebhookDispatcher({
    store: { ...store, readClock },
    sourceOf: () => options.source ?? feed,
    secrets: createSecretBox(accountsSecret),
    send: createWebhookSender({ allowPrivate: true, deadlineMs }),
    onFailure: () => {},
    pollMs,
  });
  const stop = options.source ? startAtOnce(dispatcher) : dispatcher.start();
  stops.push(async () => {
    await stop();
    await database.close();
  });
};

const startAtOnce = ({ run }: Pick<ReturnType<typeof createWebhookDispatcher>, 'run'>) => {
  const stopping = new AbortController();
  const running = run(stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
};

const read = async () => (await admin.query('webhooks.get', { webhook_id })).data;
const listDeliveries = async () => {
  const { data } = await admin.query('webhooks.listDeliveries', { webhook_id });
  return data.deliveries as { status: string; attempts: number; status_code?: number }[];
};

const expectVersions = (sessionId: string, versions: number[]) =>
  expect.poll(() => versionsOf(receiver.accepted(), sessionId), PATIENT).toEqual(versions);

test('sends the events of each session in order, and of many sessions at once', async () => {
  receiver.respond(() => 204);
  const sessions = await Promise.all(Array.from({ length: 20 }, () => play(4)));
  await startDispatcher();
  for (const session of sessions) await expectVersions(session, upTo(4));
  expect(receiver.mostOpen()).toBeLessThanOrEqual(8);
  await expect.poll(async () => (await read()).pending_deliveries, PATIENT).toBe(0);
  expect((await listDeliveries())[0]).toMatchObject({
    status: 'delivered',
    attempts: 1,
    status_code: 204,
  });
});

test('reads the next page as soon as the previous one is delivered', async () => {
  const session_id = 'in pages';
  let pages = 0;
  const readPage = () => {
    pages += 1;
    const event = {
      event_id: randomUUID(),
      occurred_at: new Date().toISOString(),
      kind: 'session_updated',
      type: 'duel',
      session_id,
      session_version: pages,
      account_id: 'ada',
      detail: {},
    };
    return { events: pages > 3 ? [] : [event], cursor: { at: 0 }, isEnd: pages >= 3 };
  };
  const source = {
    findEnd: async () => ({ at: 0 }),
    read: async () => readPage(),
    maxPending: 1,
    overlapMs: 0,
  };
  // An idle wait would outlast the test.
  await startDispatcher({ source, pollMs: 600_000 });
  await expectVersions(session_id, upTo(3));
});

test.each([
  ['responds with 500', 500],
  ['redirects', 302],
  ['does not respond', null],
])('a receiver that %s for one session delays no other session', async (_, status) => {
  let ms = 0;
  await startDispatcher({ deadlineMs: 2_000, offset: () => ms });
  const broken = await play(3);
  let isBroken = true;
  receiver.respond(({ events }) =>
    isBroken && events.some(({ session_id }) => session_id === broken) ? status : 204,
  );
  const others = await Promise.all([play(3), play(3)]);
  for (const other of others) await expectVersions(other, upTo(3));
  isBroken = false;
  ms = 60_000;
  await expectVersions(broken, upTo(3));
});

test('a receiver that responds with 500 for an hour misses nothing and keeps the order', async () => {
  let minutes = 0;
  receiver.respond(() => (minutes < 60 ? 500 : 204));
  await startDispatcher({ offset: () => minutes * 60_000 });
  const first = await play(3);
  const attempts = async () =>
    Math.max(0, ...(await listDeliveries()).map((delivery) => delivery.attempts));
  for (; minutes < 60; minutes += 15) {
    const before = receiver.requests.length;
    await expect.poll(() => receiver.requests.length, PATIENT).toBeGreaterThan(before);
  }
  const second = await play(2);
  expect(await attempts()).toBeGreaterThanOrEqual(4);
  minutes = 180;
  await expectVersions(first, upTo(3));
  await expectVersions(second, upTo(2));
  const ids = receiver.requests.map(({ id }) => id);
  expect(new Set(ids).size).toBeLessThan(ids.length);
});

describe('a webhook is disabled', () => {
  test('after three days of failures, and misses nothing when it is enabled again', async () => {
    let days = 0;
    receiver.respond(() => 503);
    await startDispatcher({ offset: () => days * 86_400_000 });
    const session = await play(2);
    await expect.poll(() => receiver.requests.length, PATIENT).toBe(1);
    await expect.poll(async () => (await listDeliveries())[0]?.status_code, PATIENT).toBe(503);
    expect((await read()).disabled).toBeUndefined();
    days = 3.1;
    await expect.poll(async () => (await read()).disabled_reason, PATIENT).toBe('failing');
    const audit = await admin.query('audit.list', { action: 'webhooks.disable' });
    expect(audit.data.records).toMatchObject([{ account_id: 'muster', target: { webhook_id } }]);
    receiver.respond(() => 204);
    const later = await play(2);
    await mutate('webhooks.enable', { webhook_id });
    await expectVersions(session, upTo(2));
    await expectVersions(later, upTo(2));
    const kinds = receiver.accepted().map(({ kind }) => kind);
    expect(kinds).toContain('webhook_disabled');
  });

  test('by a receiver that is gone', async () => {
    receiver.respond(() => 410);
    await startDispatcher();
    await play(1);
    await expect.poll(async () => (await read()).disabled_reason, PATIENT).toBe('gone');
  });

  test('when its secret cannot be read', async () => {
    const other = createSecretBox('another secret of accounts');
    const secrets = [{ sealed: other.seal('whsec_AAAA', webhook_id), created_at: '2026' }];
    const where = { endpointId: webhook_id };
    await service.database.prisma.webhookEndpoint.update({ where, data: { secrets } });
    await startDispatcher();
    await expect
      .poll(async () => (await read()).disabled_reason, PATIENT)
      .toBe('secret_unreadable');
    expect(receiver.requests).toEqual([]);
    // A rotation repairs it, also with an overlap.
    const rotated = await mutate('webhooks.rotateSecret', { webhook_id });
    receiver.use((rotated as { secret: string }).secret);
    await mutate('webhooks.enable', { webhook_id });
    await expectVersions(await play(1), upTo(1));
  });
});

test('a receiver that never responds delays no other webhook', async () => {
  receiver.respond(() => null);
  const other = await startReceiver();
  await subscribe(other);
  await startDispatcher();
  const sessions = await Promise.all(Array.from({ length: 12 }, () => play(1)));
  for (const session of sessions) {
    await expect.poll(() => versionsOf(other.accepted(), session), PATIENT).toEqual([1]);
  }
  await expect.poll(() => receiver.mostOpen(), PATIENT).toBe(8);
  other.close();
});

test('two processes send each delivery once', async () => {
  await startDispatcher();
  await startDispatcher();
  const sessions = await Promise.all(Array.from({ length: 10 }, () => play(3)));
  for (const session of sessions) await expectVersions(session, upTo(3));
  await expect.poll(async () => (await read()).pending_deliveries, PATIENT).toBe(0);
  const ids = receiver.requests.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('another process continues when the connection of the first one is lost', async () => {
  // The clock runs ten times as fast, so that the lease of what was being sent ends soon.
  const startedAt = performance.now();
  const offset = () => 9 * (performance.now() - startedAt);
  await startDispatcher({ offset });
  await startDispatcher({ offset });
  const { pool } = service.database;
  const sessions: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    sessions.push(...(await Promise.all([play(3), play(3)])));
    await pool.query(`
      SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32 | objid::bigint) = 725346081268`);
  }
  for (const session of sessions) await expectVersions(session, upTo(3));
});

test('sends all events since a moment again', async () => {
  await startDispatcher();
  const before = await play(1);
  await expectVersions(before, upTo(1));
  const { rows } = await service.database.pool.query<{ now: Date }>('SELECT now()');
  const session = await play(3);
  await expectVersions(session, upTo(3));
  await mutate('webhooks.resume', { webhook_id, from: rows[0]?.now.toISOString() });
  await expectVersions(session, [...upTo(3), ...upTo(3)]);
  expect(versionsOf(receiver.accepted(), before)).toEqual([1]);
});

test('continues after a failover or a restore, where positions of the feed have no meaning', async () => {
  const session = await play(3);
  const { prisma } = service.database;
  const where = { endpointId: webhook_id };
  const row = await prisma.webhookEndpoint.findUniqueOrThrow({ where });
  const cursor = row.cursor as { nodes: object[] };
  const nodes = cursor.nodes.map((node) => ({ ...node, origin: '1-00000001' }));
  await prisma.webhookEndpoint.update({ where, data: { cursor: { ...cursor, nodes } } });
  await startDispatcher();
  await expectVersions(session, upTo(3));
});

test('fills a delivery with the events of a session that wait', async () => {
  const session = await play(1);
  let isBroken = true;
  receiver.respond(() => (isBroken ? 500 : 204));
  let ms = 0;
  await startDispatcher({ offset: () => ms });
  await expect.poll(() => receiver.requests.length, PATIENT).toBe(1);
  const { prisma } = service.database;
  for (let version = 2; version <= 5; version += 1) {
    const name = { type: 'duel', session_id: session };
    await mutate('sessions.update', { ...name, custom_data: { version: String(version) } });
  }
  const count = () =>
    prisma.webhookDelivery.aggregate({
      where: { endpointId: webhook_id },
      _sum: { eventCount: true },
    });
  await expect.poll(async () => (await count())._sum.eventCount, PATIENT).toBe(5);
  ms = 31_000;
  await expect.poll(() => receiver.requests.length, PATIENT).toBeGreaterThan(1);
  // Later events wait until the first delivery has succeeded.
  const tried = receiver.requests.flatMap(({ events }) => versionsOf(events, session));
  expect(new Set(tried)).toEqual(new Set([1]));
  isBroken = false;
  ms = 120_000;
  await expectVersions(session, upTo(5));
  // The one that was sent before keeps its event: receivers know it by its id.
  expect(await prisma.webhookDelivery.count({ where: { endpointId: webhook_id } })).toBe(2);
});

test('deletes deliveries after seven days', async () => {
  let days = 0;
  await startDispatcher({ offset: () => days * 86_400_000 });
  await play(1);
  await expect.poll(async () => (await listDeliveries())[0]?.status, PATIENT).toBe('delivered');
  for (const stop of stops.splice(0)) await stop();
  days = 7.1;
  await startDispatcher({ offset: () => days * 86_400_000 });
  await expect.poll(listDeliveries, PATIENT).toEqual([]);
});
