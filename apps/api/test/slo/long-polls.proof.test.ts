// Long polls at their limits: many watchers of one large session while players join it, and the longest wait behind nginx.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import type { SessionName } from '../companion-client.ts';
import { sessionPath } from '../companion-client.ts';
import { authorise, SECRET } from '../faults/test-bed.ts';
import { readMetrics } from '../read-metrics.ts';
import { startCluster } from '../scaling/nginx-cluster.ts';
import { startServiceProcess } from '../service-process.ts';
import { percentile } from './latency.ts';
import { ABUSIVE_PLAYERS, toFloor } from './objectives.ts';

const WATCHERS = 100;
const PLAYERS = 100;
/** Of custom data: close to the limit of 20 KiB for one map. */
const LARGE = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key, 'x'.repeat(4_000)]));
/** Their custom data and that of the session are 220 KB. The joins add the rest. */
const LARGE_PLAYERS = 10;
const LONGEST_WAIT_SECONDS = 55;
/** On a quiet machine, a missed objective fails the test. Without it, only a missed floor does. */
const isStrict = process.env.SLO_STRICT === '1';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const settings = () => ({ DATABASE_URL: database.url, AUTH_JWT_SECRET: SECRET });

const createSession = async (admin: AdminCaller, input: object = {}) => {
  const lobby = randomUUID();
  const platform = { platform: 'Steam', platform_session_type: 'lobby' };
  const { data } = await admin.mutate<{ session: SessionName; etag: string }>('sessions.create', {
    type: 'watched',
    teams: [{ max_size: PLAYERS }, { max_size: LARGE_PLAYERS }],
    platform_session: [{ ...platform, platform_session_id_base64: lobby }],
    ...input,
  });
  const { type, session_id } = data.session;
  return { name: { type, session_id }, lobby, etag: data.etag };
};

type Joined = { isFirstTry: boolean; latencyMs: number };

/** Joins until there is a seat, like a game client. */
const join = async (
  baseUrl: string,
  lobby: string,
  seat: { team_id: number; custom_data: object },
): Promise<Joined> => {
  const player = randomUUID();
  const authorization = await authorise(player, 'session:update-player:self');
  const path = `/session/v1/platform/Steam/platform-session/${lobby}/player/${player}`;
  const init = {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      client_version: '1.0.0',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      ...seat,
    }),
  };
  const startedAt = performance.now();
  for (let isFirstTry = true; ; isFirstTry = false) {
    const response = await fetch(baseUrl + path, init);
    await response.arrayBuffer();
    if (response.ok) return { isFirstTry, latencyMs: performance.now() - startedAt };
    expect(response.status).toBe(409);
    await delay(Number(response.headers.get('retry-after')) * 1_000);
  }
};

type Watch = { name: SessionName; etag: string; seconds: number };
/** The new ETag, or null when the session did not change during the wait. */
type Watcher = (watch: Watch) => Promise<string | null>;

/** The bodies are not parsed: they are large, and the joins are timed in this process. */
const createBackend =
  (baseUrl: string, authorization: string): Watcher =>
  async ({ name, etag, seconds }) => {
    const response = await fetch(`${baseUrl}/admin/trpc/sessions.watch`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ ...name, if_none_match: etag, wait_seconds: seconds }),
    });
    const text = await response.text();
    expect(response.status).toBe(200);
    if (text === '{"result":{"data":{"unchanged":true}}}') return null;
    return JSON.parse(/"etag":("(?:[^"\\]|\\.)+")/.exec(text)?.[1] ?? 'null');
  };

const createReader =
  (baseUrl: string, authorization: string): Watcher =>
  async ({ name, etag, seconds }) => {
    // By itself, `fetch` adds `no-cache` to a condition.
    const headers = { authorization, 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const response = await fetch(`${baseUrl}${sessionPath(name)}?wait=${seconds}`, { headers });
    await response.arrayBuffer();
    expect([200, 304]).toContain(response.status);
    return response.status === 304 ? null : response.headers.get('etag');
  };

const KINDS = [createBackend, createReader];

// Repeated once after a failure, like the objectives: the p99 of 100 joins is the second slowest.
test('100 watchers of a session of 250 KB get its last state while 100 players join at once', {
  retry: 1,
}, async () => {
  const service = await startServiceProcess(settings());
  const { baseUrl } = service;
  const readMetric = async (series: string) => (await readMetrics(baseUrl))(series);
  try {
    const admin = createAdminCaller(baseUrl, { authorization: await authorise('backend', '*') });
    const warmUp = await createSession(admin);
    const small = { team_id: 0, custom_data: { skin: 'crimson' } };
    for (let count = 0; count < PLAYERS; count += 1) await join(baseUrl, warmUp.lobby, small);
    const { name, lobby } = await createSession(admin, { custom_data: LARGE });
    for (let count = 0; count < LARGE_PLAYERS; count += 1) {
      await join(baseUrl, lobby, { team_id: 1, custom_data: LARGE });
    }
    const readEtag = async () =>
      (await admin.query<{ etag: string }>('sessions.get', name)).data.etag;
    const first = await readEtag();
    let last: string | undefined;
    const watch = async (number: number) => {
      const create = KINDS[number % KINDS.length] ?? createBackend;
      const watcher = create(baseUrl, await authorise(`watcher-${number}`, 'session:view'));
      let etag = first;
      while (etag !== last) etag = (await watcher({ name, etag, seconds: 2 })) ?? etag;
      return etag;
    };
    const watching = Array.from({ length: WATCHERS }, (_, number) => watch(number));
    await expect.poll(() => readMetric('muster_watches_waiting')).toBe(WATCHERS);

    const joins = Array.from({ length: PLAYERS }, () =>
      join(baseUrl, lobby, { team_id: 0, custom_data: { skin: 'crimson' } }),
    );
    const joined = await Promise.all(joins);
    last = await readEtag();
    expect(new Set(await Promise.all(watching))).toEqual(new Set([last]));

    const latencies = joined.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
    const p99Ms = percentile(latencies, 0.99);
    const firstTryShare = joined.filter(({ isFirstTry }) => isFirstTry).length / PLAYERS;
    process.stdout.write(`joins: p99 ${Math.round(p99Ms)} ms, first try ${firstTryShare}\n`);
    const { maxP99Ms, minFirstTryShare } = isStrict ? ABUSIVE_PLAYERS : toFloor(ABUSIVE_PLAYERS);
    expect(p99Ms).toBeLessThanOrEqual(maxP99Ms ?? Number.NaN);
    expect(firstTryShare).toBeGreaterThanOrEqual(minFirstTryShare ?? Number.NaN);
    const { data } = await admin.query('sessions.get', name);
    expect(JSON.stringify(data).length).toBeGreaterThan(220_000);
    await expect.poll(() => readMetric('muster_watches_waiting')).toBe(0);
    for (const kind of ['join', 'companion', 'admin']) {
      await expect.poll(() => readMetric(`muster_requests_running{kind="${kind}"}`)).toBe(0);
    }
  } finally {
    expect(await service.stop()).toBe(0);
  }
});

test('a wait of 55 seconds behind nginx ends with the unchanged state', async () => {
  const cluster = await startCluster(settings());
  const { baseUrl } = cluster;
  try {
    const authorization = await authorise('backend', '*');
    const { name, etag } = await createSession(createAdminCaller(baseUrl, { authorization }));
    const startedAt = performance.now();
    const watches = KINDS.map((create) =>
      create(baseUrl, authorization)({ name, etag, seconds: LONGEST_WAIT_SECONDS }),
    );
    expect(await Promise.all(watches)).toEqual([null, null]);
    expect(performance.now() - startedAt).toBeGreaterThan((LONGEST_WAIT_SECONDS - 1) * 1_000);
  } finally {
    expect(await cluster.stop()).toEqual([0, 0, 0]);
  }
});
