import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSlowClient } from '../raw-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { MAX_CONNECTIONS: '20' } });
});
afterAll(() => service.close());

test('a connection beyond the limit is closed at once, and open ones keep working', async () => {
  // Opens a connection that the client keeps, for the metrics.
  await readMetric(service, 'muster_connections');
  const clients = await Promise.all(
    Array.from({ length: 30 }, () => openSlowClient(service.baseUrl)),
  );
  const dropped = () => readMetric(service, 'muster_connections_dropped_total');
  await expect.poll(dropped).toBeGreaterThanOrEqual(11);
  expect(await readMetric(service, 'muster_connections')).toBe(20);
  for (const client of clients) client.destroy();
  await expect.poll(() => readMetric(service, 'muster_connections')).toBeLessThan(5);
  const client = await openSlowClient(service.baseUrl);
  client.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(client.received).toMatch(/^HTTP\/1.1 200/);
  client.destroy();
});
