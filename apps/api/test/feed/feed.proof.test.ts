// The feed under load: three processes join, twenty readers stop and resume at random, and each of them gets every event, in order
// for each session.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { findShards, withClient } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, describe, expect, test } from 'vitest';
import { createAdminClient, createSession, join } from '../../src/admin/testing/admin-client.ts';
import { cluster, hasNoCitus } from '../scaling/with-citus.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

/** More of them on request: each takes about 20 seconds on two cores. */
const RUNS = Number(process.env.FEED_RUNS ?? 2);
const PROCESSES = 3;
type Load = { joins: number; sessions: number; readers: number };
const FULL: Load = { joins: 4_000, sessions: 100, readers: 20 };
/** A cluster on one machine takes several times as long for a read. */
const ON_CITUS: Load = { joins: 1_000, sessions: 50, readers: 6 };
const JOINS_AT_ONCE = 24;

type FeedEvent = {
  event_id: string;
  kind: string;
  type?: string;
  session_id?: string;
  session_version?: number;
  player_uuid?: string;
};
type Page = { events: FeedEvent[]; page_meta: { cursor: string } };

afterAll(() => (hasNoCitus ? undefined : cluster.stop()));

const readPage = async (service: TestService, input: object): Promise<Page> => {
  for (;;) {
    const { status, data, error } = await createAdminClient(service).query('events.list', input);
    if (!error) return data as Page;
    // The machine is busy.
    if (status !== 503) throw new Error(error.error_code);
    await delay(200);
  }
};

/**
 * Reads until it has the expected number of events and no more arrive. The number is infinite until the joins have ended.
 * A reader that stops has lost what it read after its last stored cursor, and begins there again.
 */
const read = async (services: readonly TestService[], type: string, expected: () => number) => {
  const seen = new Map<string, FeedEvent>();
  const order: FeedEvent[] = [];
  let cursor: string | undefined;
  let stored: string | undefined;
  for (let idle = 0; idle < 3; ) {
    const service = services[Math.floor(Math.random() * services.length)] as TestService;
    const { events, page_meta } = await readPage(service, {
      session_type: type,
      wait_seconds: 1,
      ...(cursor !== undefined && { cursor }),
    });
    for (const event of events) {
      if (seen.has(event.event_id)) continue;
      seen.set(event.event_id, event);
      order.push(event);
    }
    cursor = page_meta.cursor;
    if (Math.random() < 0.5) stored = cursor;
    if (Math.random() < 0.2) cursor = stored;
    idle = events.length === 0 && seen.size >= expected() ? idle + 1 : 0;
  }
  return order;
};

type Joined = { session_id: string; player: string };

const run = async (
  services: readonly TestService[],
  { joins, sessions: count, readers: readerCount }: Load,
  lateCommit?: () => Promise<Joined>,
) => {
  const [first] = services as [TestService];
  const type = `feed-${randomUUID()}`;
  const admin = createAdminClient(first);
  let expected = Number.POSITIVE_INFINITY;
  const readers = Array.from({ length: readerCount }, () => read(services, type, () => expected));
  const sessions: Awaited<ReturnType<typeof createSession>>[] = [];
  const teams = [{ max_size: joins / count }];
  while (sessions.length < count) sessions.push(await createSession(admin, { type, teams }));
  const waiting = Array.from({ length: joins }, (_, number) => ({ number, player: randomUUID() }));
  const joined: Joined[] = [];
  const joinSome = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { number, player } = next;
      const { name, platformSessionId } = sessions[number % count] as (typeof sessions)[0];
      const service = services[number % services.length] as TestService;
      const { status } = await join(service, platformSessionId, player);
      if (status === 200) joined.push({ session_id: name.session_id, player });
      // Another process is writing the session, or the outcome is unknown: the same player tries again.
      else waiting.push(next);
    }
  };
  const late = lateCommit?.();
  await Promise.all(Array.from({ length: JOINS_AT_ONCE }, joinSome));
  await late;
  expected = count + joins;
  const orders = await Promise.all(readers);
  expect(joined).toHaveLength(joins);
  for (const order of orders) {
    expect(order.filter(({ kind }) => kind === 'session_created')).toHaveLength(count);
    const found = order
      .filter(({ kind }) => kind === 'player_joined')
      .map(({ session_id, player_uuid }) => `${session_id} ${player_uuid}`);
    const expected = joined.map(({ session_id, player }) => `${session_id} ${player}`);
    expect(found.length).toBe(new Set(found).size);
    expect(new Set(found)).toEqual(new Set(expected));
    for (const events of Map.groupBy(order, ({ session_id }) => session_id).values()) {
      const versions = events.flatMap(({ session_version }) => session_version ?? []);
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    }
  }
};

const startServices = async (url: string) => {
  const shards = await findShards(url);
  return Promise.all(
    Array.from({ length: PROCESSES }, () => startTestService({ databaseUrl: url, shards })),
  );
};

describe('on PostgreSQL', () => {
  test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
    'run %i: every reader gets every event, in order for each session',
    async (number) => {
      const database = await createTestDatabase();
      const services = await startServices(database.url);
      try {
        // In every other run, a transaction that began before the joins commits its event three seconds later.
        await run(
          services,
          FULL,
          number % 2 === 0 ? () => commitLate(database.url, 3_000) : undefined,
        );
      } finally {
        for (const service of services) await service.close();
        await database.drop();
      }
    },
  );

  test('an event that commits three seconds late reaches a reader who is past its time', async () => {
    const database = await createTestDatabase();
    const [service] = (await startServices(database.url)) as [TestService, ...TestService[]];
    const { page_meta } = await readPage(service, {});
    const late = commitLate(database.url, 3_000);
    await delay(500);
    const { name } = await createSession(createAdminClient(service));
    const page = await readPage(service, { cursor: page_meta.cursor, wait_seconds: 30 });
    const { session_id } = await late;
    const ids = [...page.events.map((event) => event.session_id)];
    if (ids.length < 2) {
      const rest = await readPage(service, { cursor: page.page_meta.cursor, wait_seconds: 30 });
      ids.push(...rest.events.map((event) => event.session_id));
    }
    expect(ids).toEqual([session_id, name.session_id]);
  });
});

describe.skipIf(hasNoCitus)('on a Citus cluster', () => {
  test('every reader gets every event, in order for each session', async () => {
    const services = await startServices(cluster.url);
    try {
      await run(services, ON_CITUS);
    } finally {
      for (const service of services) await service.close();
    }
  });
});

/** Writes an event in a transaction that stays open for this time. */
const commitLate = (url: string, ms: number): Promise<Joined> =>
  withClient({ connectionString: url }, async (client) => {
    const event = {
      event_id: uuidv7(),
      occurred_at: new Date(),
      account_id: 'late',
      kind: 'session_updated',
      type: 'late',
      session_id: randomUUID(),
    };
    await client.query('BEGIN');
    await client.query(
      'INSERT INTO event_outbox (subject_key, entry_id, events) VALUES ($1, $2, $3)',
      [randomUUID(), event.event_id, JSON.stringify([event])],
    );
    await delay(ms);
    await client.query('COMMIT');
    return { session_id: event.session_id, player: '' };
  });
