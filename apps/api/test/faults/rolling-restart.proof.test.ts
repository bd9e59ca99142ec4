// Every process behind nginx is restarted in turn, as for a new release: no request fails, and few joins are asked to retry.
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import type { Cluster } from '../scaling/nginx-cluster.ts';
import { startCluster } from '../scaling/nginx-cluster.ts';
import type { Probe } from './inject-fault.ts';
import { reportFault, SCALE, startProbe } from './inject-fault.ts';
import { findFailuresAtStart, startJoinLoad } from './join-load.ts';
import { authorise, createTestBed, SECRET } from './test-bed.ts';
import { NOTHING_LOST, verifyOutcome } from './verify-outcome.ts';

vi.setConfig({ testTimeout: 900_000 });

/** More than 50,000 in `node scripts/run.mjs faults`. */
const REQUESTS = 8_500 * SCALE;
const READERS = 16;
const ITEMS = 60;

let cluster: Cluster;
let databaseUrl: string;
let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  ({ url: databaseUrl, drop: dropDatabase } = await createTestDatabase());
  cluster = await startCluster({ DATABASE_URL: databaseUrl, AUTH_JWT_SECRET: SECRET });
});
afterAll(async () => {
  expect(await cluster.stop()).toEqual([0, 0, 0]);
  await dropDatabase();
});

const createHistory = async (): Promise<string> => {
  const admin = createAdminCaller(cluster.baseUrl, { authorization: await authorise('a', '*') });
  const sandbox = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Roll' });
  const { sandbox_id } = sandbox.data;
  const operations = Array.from({ length: ITEMS }, (_, n) => ({
    operation: 'create',
    name: `Item ${n}`,
    item_type: 'unit',
  }));
  const { status } = await admin.mutate('items.bulk', { sandbox_id, operations });
  if (status !== 200) throw new Error(`items.bulk answered ${status}`);
  return `${cluster.baseUrl}/v1/history/sandbox/${sandbox_id}/item/?page_size=20`;
};

/** The results of each probe, once they have stopped. */
const collect = async (probes: readonly Probe[]) =>
  (await Promise.all(probes.map((probe) => probe.stop()))).flat();

const stopped = async (service: Cluster['services'][number]) =>
  expect(await service.stop()).toBe(0);

test(`no request of ${REQUESTS} fails while all processes are repeatedly replaced`, async () => {
  const testBed = await createTestBed(cluster.baseUrl, 220 * SCALE);
  const history = await createHistory();
  const authorization = await authorise('reader', '*');
  const load = startJoinLoad({ testBed, baseUrls: [cluster.baseUrl] });
  const readers = Array.from({ length: READERS }, () => startProbe(history, { authorization }, 0));
  const sent = () => load.count() + readers.reduce((sum, reader) => sum + reader.count(), 0);
  let rounds = 0;
  do {
    for (const index of cluster.services.keys()) await cluster.replace(index, stopped);
    rounds += 1;
  } while (sent() < REQUESTS);
  const pages = await collect(readers);
  const joins = await load.stop();
  const outcome = await verifyOutcome(databaseUrl, { testBed, joins });
  reportFault(joins, { edits: [], sandboxId: '', refusals: [] }, outcome);
  expect(pages.filter(({ status }) => status !== 200)).toEqual([]);
  expect(joins).toMatchObject({ violations: [], unanswered: 0 });
  // nginx repeats a rejected page elsewhere (503), but no rejected join (409).
  expect(findFailuresAtStart(joins), await cluster.readErrors()).toEqual([]);
  expect(joins.joins.filter(({ outcome }) => outcome === 'lost')).toEqual([]);
  expect(outcome).toEqual(NOTHING_LOST);
  expect(joins.joins.length + pages.length).toBeGreaterThanOrEqual(REQUESTS);
  expect(rounds).toBeGreaterThan(0);
});
