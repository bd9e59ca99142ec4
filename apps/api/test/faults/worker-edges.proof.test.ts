// WORKERS=2: connections beyond the limit, a worker that hangs, and a stop signal to all processes.
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, findChildren } from '@muster/database/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BODY, JOIN } from '../public-client.ts';
import type { SlowClient } from '../raw-client.ts';
import { openSlowClient } from '../raw-client.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { authorise, chooseMetricsPort, SECRET } from './test-bed.ts';

let dropDatabase: () => Promise<void>;
let service: ServiceProcess;
let metricsUrl: string;
beforeEach(async () => {
  const { url, drop } = await createTestDatabase();
  dropDatabase = drop;
  const port = chooseMetricsPort();
  metricsUrl = `http://127.0.0.1:${port}`;
  service = await startServiceProcess({
    DATABASE_URL: url,
    AUTH_JWT_SECRET: SECRET,
    MAX_CONNECTIONS: '10',
    WORKERS: '2',
    METRICS_PORT: String(port),
  });
});
afterEach(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await service.stop();
  await dropDatabase();
});

const readMetrics = async (): Promise<string> => (await fetch(`${metricsUrl}/metrics`)).text();
const workers = (): Promise<number[]> => findChildren(service.child.pid ?? 0);

test('closes a connection at once when all workers are full', async () => {
  const clients: SlowClient[] = [];
  let closed = 0;
  for (let index = 0; index < 30; index += 1) {
    const client = await openSlowClient(service.baseUrl);
    client.closed.then(() => (closed += 1));
    clients.push(client);
  }
  // The client that started the service may keep one or two of the twenty.
  await expect.poll(() => closed).toBeGreaterThanOrEqual(10);
  expect(await readMetrics()).toMatch(/^muster_connections_dropped_total 1\d$/m);
  for (const client of clients) client.destroy();
});

test('returns the metrics of the other workers while one hangs', async () => {
  const [frozen = 0] = await workers();
  process.kill(frozen, 'SIGSTOP');
  try {
    const answer = await fetch(`${metricsUrl}/metrics`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/^muster_database_available 1$/m);
  } finally {
    process.kill(frozen, 'SIGCONT');
  }
});

test('does not leave a client waiting whose connection was sent to a dying worker', async () => {
  const [frozen = 0, slow = 0] = await workers();
  for (const pid of [frozen, slow]) process.kill(pid, 'SIGSTOP');
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = await openSlowClient(service.baseUrl);
      client.send('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      return client;
    }),
  );
  // Each worker has been sent one connection; the others wait until a worker has taken its own.
  await delay(500);
  process.kill(frozen, 'SIGKILL');
  process.kill(slow, 'SIGCONT');
  await Promise.all(clients.map(({ closed }) => closed));
  const answered = clients.filter((client) => client.received().startsWith('HTTP/1.1 200'));
  expect(answered).toHaveLength(3);
});

test('keeps the counters of a worker when it ends', async () => {
  const count = async () => {
    const lines = (await readMetrics()).matchAll(/^muster_http_requests_total\{.*"404"\} (\d+)/gm);
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  for (let asked = 0; asked < 10; asked += 1) {
    await fetch(`${service.baseUrl}/v1/nothing`, { headers: { connection: 'close' } });
  }
  expect(await count()).toBe(10);
  for (const pid of await workers()) process.kill(pid, 'SIGKILL');
  await expect.poll(workers, { timeout: 20_000 }).toHaveLength(2);
  expect(await count()).toBe(10);
});

/** Like systemd, and a terminal at Ctrl-C: every process receives it. */
const stopAll = async (): Promise<void> => {
  const pids = [service.child.pid ?? 0, ...(await workers())];
  for (const pid of pids) process.kill(pid, 'SIGTERM');
};

test('stops each process once on a signal to all, and finishes accepted requests', async () => {
  const body = JSON.stringify(BODY);
  const authorization = await authorise('11111111-1111-4111-8111-111111111111', 'session:*');
  const client = await openSlowClient(service.baseUrl);
  const head = `POST ${JOIN} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/json`;
  client.send(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 1)}`);
  // One client keeps a connection, and one starts a request for metrics and never finishes it.
  await readMetrics();
  const asking = await openSlowClient(metricsUrl);
  asking.send('GET /metrics HTTP/1.1\r\nHost: a\r\n');
  const stopped = new Promise((resolve) => service.child.once('exit', resolve));
  const askedAt = performance.now();
  await stopAll();
  // After the second in which a repeated signal counts once.
  setTimeout(() => client.send(body.slice(1)), 2_000);
  await client.closed;
  expect(client.received()).toMatch(/^HTTP\/1.1 404 [\s\S]*platform_session_not_found/);
  expect(await stopped).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(10_000);
  expect(service.readErrors()).not.toContain('ended unasked');
});
