// Faults behind nginx: of processes of the service, which clients do not notice, and of the database.
import type { FragilePostgres } from '@muster/database/testing';
import { startFragilePostgres } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster } from '../scaling/nginx-cluster.ts';
import { startCluster } from '../scaling/nginx-cluster.ts';
import type { ServiceProcess } from '../service-process.ts';
import type { Fault } from './inject-fault.ts';
import { injectFault, PROMISED_MS } from './inject-fault.ts';
import { SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

let postgres: FragilePostgres;
let cluster: Cluster;
beforeAll(async () => {
  postgres = await startFragilePostgres();
  cluster = await startCluster({ DATABASE_URL: postgres.url, AUTH_JWT_SECRET: SECRET });
});
afterAll(async () => {
  expect(await cluster.stop()).toEqual([0, 0, 0]);
  await postgres.remove();
});

const sufferBehindNginx = async (fault: Pick<Fault, 'begin' | 'end' | 'seconds'>) => {
  const seen = await injectFault({
    baseUrls: [cluster.baseUrl],
    databaseUrl: () => postgres.url,
    ...fault,
  });
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins).toMatchObject({ violations: [], unanswered: 0 });
  return seen;
};

const ENDS: [string, (service: ServiceProcess) => Promise<unknown>][] = [
  ['killed', async ({ child }) => child.kill('SIGKILL')],
  ['asked to stop', async (service) => expect(await service.stop()).toBe(0)],
];

test.each(ENDS)('answers every player when a process is %s', async (_, end) => {
  const begin = () => cluster.replace(2, end);
  await sufferBehindNginx({ begin, end: async () => {}, seconds: 1 });
});

test('sends joins to the other processes while one is frozen', async () => {
  const [, , frozen] = cluster.services;
  await sufferBehindNginx({
    begin: async () => frozen?.child.kill('SIGSTOP'),
    end: async () => frozen?.child.kill('SIGCONT'),
    seconds: 4,
  });
});

type Outage = Pick<Fault, 'begin' | 'end' | 'seconds'>;

const OUTAGES: [string, () => Outage][] = [
  [
    'is killed and started again',
    () => ({ begin: postgres.kill, end: () => postgres.start(), seconds: 4 }),
  ],
  ['is frozen', () => ({ begin: postgres.freeze, end: postgres.thaw, seconds: 6 })],
];

test.each(OUTAGES)('loses nothing and hangs nowhere when the database %s', async (_, outage) => {
  const seen = await sufferBehindNginx(outage());
  expect(seen.joins.slowest).toBeLessThan(PROMISED_MS);
  expect(seen.joins.putOff).toBeGreaterThan(0);
  expect(seen.histories.length).toBeGreaterThan(0);
  for (const { status, retryAfter, ms } of seen.histories) {
    expect([status, retryAfter]).toEqual([503, expect.stringMatching(/^[1-3]$/)]);
    expect(ms).toBeLessThan(PROMISED_MS);
  }
  expect(new Set(seen.readiness.map(({ status }) => status))).toEqual(new Set([503]));
  expect(seen.recoveryMs).toBeLessThan(PROMISED_MS);
});
