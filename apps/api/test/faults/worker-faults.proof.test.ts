// WORKERS=3: workers are killed under load, then the supervisor itself, and all are asked to stop.
import { createTestDatabase, findChildren, isAlive } from '@muster/database/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { injectFault } from './inject-fault.ts';
import { chooseMetricsPort, SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

let databaseUrl: string;
let dropDatabase: () => Promise<void>;
let service: ServiceProcess;
let metricsPort: number;
beforeEach(async () => {
  ({ url: databaseUrl, drop: dropDatabase } = await createTestDatabase());
  metricsPort = chooseMetricsPort();
  service = await startServiceProcess({
    DATABASE_URL: databaseUrl,
    AUTH_JWT_SECRET: SECRET,
    WORKERS: '3',
    METRICS_PORT: String(metricsPort),
  });
});
afterEach(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await service.stop();
  await dropDatabase();
});

const workers = (): Promise<number[]> => findChildren(service.child.pid ?? 0);
const waitForWorkers = (count: number) =>
  expect.poll(async () => (await workers()).length, { timeout: 20_000 }).toBe(count);

test('loses nothing when a worker is killed and replaced', async () => {
  const before = await workers();
  expect(before).toHaveLength(3);
  const [killed = 0] = before;
  const seen = await injectFault({
    baseUrls: [service.baseUrl],
    databaseUrl: () => databaseUrl,
    seconds: 1,
    begin: async () => process.kill(killed, 'SIGKILL'),
    end: () => waitForWorkers(3),
  });
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins.violations).toEqual([]);
  expect(await workers()).not.toContain(killed);
  expect(service.readErrors()).toMatch(/Worker \d ended unasked \(SIGKILL\)/);
});

test('returns the metrics of all workers together', async () => {
  const asked = 30;
  const closing = { headers: { connection: 'close' } };
  for (let n = 0; n < asked; n += 1) await fetch(`${service.baseUrl}/v1/nothing`, closing);
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const metrics = await answer.text();
  const line = /muster_http_requests_total\{[^}]*status="404"[^}]*\} (\d+)/.exec(metrics);
  expect(Number(line?.[1])).toBe(asked);
  expect(metrics).toMatch(/^muster_processes 3$/m);
  expect(metrics).toMatch(/^muster_database_available 1$/m);
});

test('stops all workers within ten seconds when the supervisor is asked to stop', async () => {
  const running = await workers();
  const askedAt = performance.now();
  expect(await service.stop()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(10_000);
  expect(running.filter(isAlive)).toEqual([]);
});

test('ends all workers when the supervisor is killed', async () => {
  const running = await workers();
  service.child.kill('SIGKILL');
  await expect.poll(() => running.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});

test('ends all processes with a sentence when the port is in use', async () => {
  const { port } = new URL(service.baseUrl);
  const second = startServiceProcess({
    DATABASE_URL: databaseUrl,
    AUTH_JWT_SECRET: SECRET,
    WORKERS: '2',
    PORT: port,
  });
  await expect(second).rejects.toThrow(/is in use by another program/);
});
