// The nodes of a Citus cluster are killed, frozen and started again under load.
import { setTimeout as delay } from 'node:timers/promises';
import type { CitusNode } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SECRET } from '../faults/test-bed.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import type { PlacedJoin, PlacedLoad, PlacedSessions } from './placed-load.ts';
import { createPlacedSessions, joinOnce, startPlacedLoad } from './placed-load.ts';
import { cluster, hasNoCitus } from './with-citus.ts';

/** For each load: more than a process may have in progress. */
const CLIENTS = 24;
const SESSIONS = 350;
const OUTAGE_MS = 10_000;

describe.skipIf(hasNoCitus)('a Citus cluster whose nodes fail', () => {
  let services: ServiceProcess[];
  let baseUrls: string[];
  beforeAll(async () => {
    const environment = { DATABASE_URL: cluster.url, AUTH_JWT_SECRET: SECRET };
    services = await Promise.all([1, 2].map(() => startServiceProcess(environment)));
    baseUrls = services.map(({ baseUrl }) => baseUrl);
  });
  afterAll(async () => {
    expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
    await cluster.stop();
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    return (await client.query<Row>(text, values).finally(() => client.end())).rows;
  };

  const numberOf = async ({ port }: CitusNode): Promise<number> => {
    const text = 'SELECT groupid FROM pg_dist_node WHERE nodeport = $1';
    return (await query<{ groupid: number }>(text, [port]))[0]?.groupid ?? -1;
  };

  const readSeats = async ({ byNode }: PlacedSessions): Promise<Set<string>> => {
    const rows = await query<Pick<PlacedJoin, 'session' | 'player'>>(
      `SELECT s.session_id AS session, p.player_uuid AS player
       FROM session_seat p JOIN session s USING (session_key) WHERE s.session_id = ANY($1)`,
      [[...byNode.values()].flat()],
    );
    return new Set(rows.map(toSeat));
  };

  const openLoad = async (nodes: readonly CitusNode[]) => {
    const placed = await createPlacedSessions(baseUrls[0] ?? '', cluster.url, SESSIONS);
    const numbers = await Promise.all(nodes.map(numberOf));
    const loads = numbers.map((node) => startPlacedLoad(baseUrls, placed, node, CLIENTS));
    onTestFinished(async () => {
      await Promise.all(loads.map((load) => load.stop()));
    });
    await waitForSeats(loads, CLIENTS * 2);
    return { placed, loads };
  };

  /** All players join again, and the responses match the stored data. Returns the refused players who have a seat. */
  const settle = async (placed: PlacedSessions, loads: readonly PlacedLoad[]) => {
    await waitForSeats(loads, CLIENTS * 2);
    await Promise.all(loads.map((load) => load.stop()));
    const answers = loads.flatMap((load) => load.answers);
    const seats = await readSeats(placed);
    const seated = answers.filter(isSeated).map(toSeat);
    expect(seated.filter((seat) => !seats.has(seat))).toEqual([]);
    const known = new Set(answers.map(toSeat));
    expect([...seats].filter((seat) => !known.has(seat))).toEqual([]);
    const unexpected = answers.filter((join) => !isSeated(join) && !isPutOff(join));
    expect(unexpected).toEqual([]);
    const inDoubt = answers.filter((join) => !isSeated(join) && seats.has(toSeat(join)));
    // A retry finds the seat.
    for (const [index, { session, player }] of inDoubt.entries()) {
      const baseUrl = baseUrls[index % baseUrls.length] ?? '';
      expect(await joinOnce(baseUrl, session, player)).toMatchObject({ status: 200 });
    }
    expect(await readSeats(placed)).toEqual(seats);
    return { inDoubt };
  };

  const OUTAGES = [
    { what: 'is killed', begin: 'kill', end: 'start' },
    { what: 'is stopped', begin: 'stop', end: 'start' },
    { what: 'is frozen', begin: 'freeze', end: 'thaw' },
  ] as const;

  test.each(OUTAGES)(
    'a worker $what: sessions of the other one continue, and its own are asked to retry',
    async ({ what, begin, end }) => {
      const [worker, other] = cluster.workers as [CitusNode, CitusNode];
      const { placed, loads } = await openLoad([worker, other]);
      const [failing, healthy] = loads as [PlacedLoad, PlacedLoad];
      const before = await countDuring(healthy, OUTAGE_MS);
      await worker[begin]();
      const meanwhile = await countDuring(healthy, OUTAGE_MS);
      await vi.waitUntil(() => failing.answers.some(isPutOff), WAIT);
      await vi.waitFor(() => worker[end](), WAIT);
      const { inDoubt } = await settle(placed, loads);
      expect(healthy.answers.filter((join) => !isSeated(join))).toEqual([]);
      // About as many as before: calls that hang block no others.
      expect(meanwhile).toBeGreaterThan(before / 2);
      // Calls in progress when it died. A frozen worker may finish more of them later.
      if (what !== 'is frozen') expect(inDoubt.length).toBeLessThanOrEqual(CLIENTS);
    },
  );

  test('the coordinator is killed and restarted: nothing acknowledged is lost, and the service recovers', async () => {
    const { placed, loads } = await openLoad(cluster.workers);
    await cluster.coordinator.kill();
    await vi.waitUntil(() => loads.every(({ answers }) => answers.some(isPutOff)), WAIT);
    await vi.waitFor(() => cluster.coordinator.start(), WAIT);
    const { inDoubt } = await settle(placed, loads);
    expect(inDoubt.length).toBeLessThanOrEqual(2 * CLIENTS);
  });
});

const WAIT = { timeout: 120_000, interval: 100 };

const toSeat = ({ session, player }: Pick<PlacedJoin, 'session' | 'player'>): string =>
  `${session} ${player}`;

const isSeated = ({ status }: PlacedJoin): boolean => status === 200;

const isPutOff = ({ status, code }: PlacedJoin): boolean =>
  status === 409 && code === 'service_overloaded';

/** The number of players seated in this time. */
const countDuring = async (load: PlacedLoad, ms: number): Promise<number> => {
  const before = load.countSeated();
  await delay(ms);
  return load.countSeated() - before;
};

/** The number of additional players on each load. */
const waitForSeats = async (loads: readonly PlacedLoad[], seats: number): Promise<void> => {
  const before = loads.map((load) => load.countSeated());
  await vi.waitUntil(
    () => loads.every((load, index) => load.countSeated() >= (before[index] ?? 0) + seats),
    WAIT,
  );
};
