// Webhooks while the service is killed: each event of the feed is delivered, and the events of a session arrive in order.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { withClient } from '@muster/database';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EVENT_KINDS } from '../../src/events/index.ts';
import type { ReceivedEvent, Receiver } from '../../src/webhooks/testing/webhook-receiver.ts';
import { startReceiver } from '../../src/webhooks/testing/webhook-receiver.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import { startJoinLoad } from '../faults/join-load.ts';
import { authorise, createTestBed, SECRET } from '../faults/test-bed.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';

vi.setConfig({ testTimeout: 600_000 });

const ROUNDS = 6;
const SESSIONS = 320;
/** Of a request: an accepted one usually, a failure or a redirect often, and rarely no response, which holds a slot for 15 seconds. */
const chooseStatus = (): number | null => {
  if (randomInt(200) === 0) return null;
  return [500, 302][randomInt(16)] ?? 204;
};
/** The lease of a delivery that a killed process was sending, its request, and the retries of a busy machine. */
const DELIVERED = { timeout: 200_000, interval: 500 };

let database: TestDatabase;
let receiver: Receiver;
const services: ServiceProcess[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
  receiver.close();
  await database.drop();
});

const start = () =>
  startServiceProcess({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
    WEBHOOK_ALLOW_PRIVATE: '1',
  });

const callAdmin = async (baseUrl: string): Promise<AdminCaller> =>
  createAdminCaller(baseUrl, { authorization: await authorise('backend', '*') });

const subscribe = async (baseUrl: string): Promise<void> => {
  const admin = await callAdmin(baseUrl);
  const { status, data } = await admin.mutate<{ secret: string }>('webhooks.create', {
    url: receiver.url,
    kinds: EVENT_KINDS,
  });
  expect(status).toBe(200);
  receiver.use(data.secret);
};

/** Changes sessions, and creates and ends others, until it is stopped. A call that meets a killed process is not repeated. */
const startChanges = (sessions: readonly string[], baseUrls: readonly string[]) => {
  let isStopped = false;
  const work = async () => {
    for (let number = 0; !isStopped; number += 1) {
      const admin = await callAdmin(baseUrls[number % baseUrls.length] ?? '');
      const change = async (procedure: string, input: object) => {
        await admin.mutate(procedure, { type: 'testBed', ...input }).catch(() => {});
      };
      const custom_data = { number: String(number) };
      await change('sessions.update', { session_id: sessions[number % 16], custom_data });
      const session_id = randomUUID();
      await change('sessions.create', { session_id, teams: [{ max_size: 2 }] });
      await change('sessions.end', { session_id });
      await delay(20);
    }
  };
  const working = work();
  return async () => {
    isStopped = true;
    await working;
  };
};

type Page = { events: ReceivedEvent[]; page_meta: { cursor: string } };

/** The whole feed. */
const readFeed = async (baseUrl: string): Promise<ReceivedEvent[]> => {
  const admin = await callAdmin(baseUrl);
  const events: ReceivedEvent[] = [];
  for (let cursor: string | undefined, empty = 0; empty < 2; ) {
    const { data } = await admin.query<Page>('events.list', cursor ? { cursor } : {});
    events.push(...data.events);
    empty = data.events.length === 0 ? empty + 1 : 0;
    ({ cursor } = data.page_meta);
  }
  return events;
};

const countEvents = () =>
  withClient({ connectionString: database.url }, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'SELECT coalesce(sum(json_array_length(events)), 0)::int AS count FROM event_outbox',
    );
    return rows[0]?.count;
  });

/** The ids of the events of each session, the first arrival of each event only. */
const listBySession = (events: readonly ReceivedEvent[]): Map<string, string[]> => {
  const sessions = new Map<string, Set<string>>();
  for (const { session_id: session = '', event_id } of events) {
    sessions.set(session, (sessions.get(session) ?? new Set()).add(event_id));
  }
  return new Map([...sessions].map(([session, ids]) => [session, [...ids]]));
};

/** The events of the feed that did not arrive. */
const listMissing = (feed: readonly ReceivedEvent[], arrived: readonly ReceivedEvent[]) => {
  const ids = new Set(arrived.map(({ event_id }) => event_id));
  return feed.filter(({ event_id }) => !ids.has(event_id));
};

/** The sessions whose events arrived in another order than the feed has them. */
const findDifferent = (arrived: readonly ReceivedEvent[], feed: Map<string, string[]>) => {
  const sessions = listBySession(arrived);
  return [...feed]
    .filter(([session, ids]) => !isDeepStrictEqual(sessions.get(session), ids))
    .map(([session, ids]) => ({ session, ids, arrived: sessions.get(session) }));
};

test.each([
  ['one process', 1],
  ['two processes', 2],
])(
  '%s: every event arrives, in order for each session, although each process is killed',
  async (_, count) => {
    services.push(...(await Promise.all(Array.from({ length: count }, start))));
    const baseUrls = services.map(({ baseUrl }) => baseUrl);
    const [first = ''] = baseUrls;
    await subscribe(first);
    // Many requests fail, and some responses are later than the end of the process.
    receiver.respond(chooseStatus);
    receiver.delayBy(() => randomInt(200));

    const testBed = await createTestBed(first, SESSIONS);
    const load = startJoinLoad({ testBed, baseUrls });
    const stopChanges = startChanges(testBed.sessions, baseUrls);
    for (let round = 0; round < ROUNDS; round += 1) {
      await delay(randomInt(200, 3_000));
      // Every third time, all processes end at once.
      const killed = round % 3 === 2 ? services.map((_each, index) => index) : [round % count];
      await Promise.all(
        killed.map(async (index) => {
          services[index]?.child.kill('SIGKILL');
          const next = await start();
          services[index] = next;
          baseUrls[index] = next.baseUrl;
        }),
      );
    }
    await stopChanges();
    const joins = await load.stop();
    expect(joins.violations).toEqual([]);
    // From now on every attempt succeeds. The delays of retries double, and would have no bound otherwise.
    receiver.respond(() => 204);

    const expected = await countEvents();
    let events: ReceivedEvent[] = [];
    // An event is in the feed after all older transactions of the database server have ended.
    await expect
      .poll(async () => {
        events = await readFeed(baseUrls[0] ?? '');
        return events.length;
      }, DELIVERED)
      .toBe(expected);
    await expect.poll(() => listMissing(events, receiver.accepted()), DELIVERED).toEqual([]);
    const feed = listBySession(events);
    expect(findDifferent(receiver.accepted(), feed)).toEqual([]);
    // Attempts without success do not come before an earlier event either.
    const attempted = receiver.requests.flatMap(({ events }) => events);
    expect(findDifferent(attempted, feed)).toEqual([]);
    const repeated = receiver.requests.length - new Set(receiver.requests.map(({ id }) => id)).size;
    process.stdout.write(
      `${events.length} events in ${receiver.requests.length} requests, ${repeated} of them repeated\n`,
    );
    expect(repeated).toBeGreaterThan(0);
  },
);
