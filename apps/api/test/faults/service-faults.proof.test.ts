// Processes of the service are killed and stopped under load, while others continue.
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { injectFault } from './inject-fault.ts';
import { SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

let databaseUrl: string;
let dropDatabase: () => Promise<void>;
let services: ServiceProcess[];
const start = () => startServiceProcess({ DATABASE_URL: databaseUrl, AUTH_JWT_SECRET: SECRET });
beforeAll(async () => {
  ({ url: databaseUrl, drop: dropDatabase } = await createTestDatabase());
  services = await Promise.all([start(), start(), start()]);
});
afterAll(async () => {
  expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0, 0]);
  await dropDatabase();
});

/** Ends the last process in the given way and replaces it. */
const replaceLast = async (end: (service: ServiceProcess) => Promise<unknown>) => {
  const baseUrls = services.map(({ baseUrl }) => baseUrl);
  const replace = async () => {
    const [last] = services.splice(-1);
    if (last) await end(last);
    const next = await start();
    services.push(next);
    baseUrls.splice(-1, 1, next.baseUrl);
  };
  const seen = await injectFault({
    baseUrls,
    databaseUrl: () => databaseUrl,
    begin: replace,
    end: async () => {},
    seconds: 1,
  });
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins.violations).toEqual([]);
};

test('loses nothing when a process is killed and replaced', async () => {
  await replaceLast(async ({ child }) => child.kill('SIGKILL'));
});

test('loses nothing when a process is asked to stop, which takes at most ten seconds', async () => {
  await replaceLast(async (service) => {
    const askedAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(10_000);
  });
});
