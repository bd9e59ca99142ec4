// Metrics over OTLP, and traces that callers name in the headers of Zipkin.
import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readVersion } from '../src/platform/index.ts';
import { SECRET } from './faults/test-bed.ts';
import type { ServiceProcess } from './service-process.ts';
import { startServiceProcess } from './service-process.ts';
import { startTraceReceiver } from './trace-receiver.ts';

let receiver: Awaited<ReturnType<typeof startTraceReceiver>>;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ServiceProcess;
beforeAll(async () => {
  receiver = await startTraceReceiver();
  database = await createTestDatabase();
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_METRIC_EXPORT_INTERVAL: '100',
    OTEL_PROPAGATORS: 'b3,b3multi',
  });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await receiver.stop();
  await database.drop();
});

const UNKNOWN = '/an-unknown-path';

const isUnknown = ({ attributes }: { attributes: { key: string; value: object }[] }) =>
  attributes.some(({ key, value }) => key === 'status' && JSON.stringify(value).includes('404'));

test('sends the metrics of the process, with its name and version', async () => {
  for (let n = 0; n < 3; n += 1) await fetch(service.baseUrl + UNKNOWN, { method: 'PUT' });
  const counted = () =>
    receiver.metrics.get('muster_http_requests_total')?.sum?.dataPoints.find(isUnknown)?.asDouble;
  await expect.poll(counted).toBe(3);
  expect(receiver.metrics.get('muster_http_requests_total')?.sum?.isMonotonic).toBe(true);
  const measured = () =>
    receiver.metrics
      .get('muster_http_request_duration_seconds')
      ?.histogram?.dataPoints.find(isUnknown);
  await expect.poll(() => Number(measured()?.count)).toBe(3);
  const point = measured();
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1);
  const inBuckets = point?.bucketCounts.reduce((sum, count) => sum + Number(count), 0);
  expect(inBuckets).toBe(3);
  expect(receiver.metrics.get('muster_database_available')?.gauge?.dataPoints).toMatchObject([
    { asDouble: 1 },
  ]);
  expect(receiver.resource).toMatchObject({
    'service.name': 'muster',
    'service.version': readVersion(),
    'service.instance.id': expect.any(String),
  });
  expect(receiver.paths).toContain('POST /v1/metrics');
});

test.each(['one header', 'several headers'])('continues a trace of Zipkin in %s', async (form) => {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const headers: Record<string, string> =
    form === 'one header'
      ? { b3: `${traceId}-${parentId}-1` }
      : { 'x-b3-traceid': traceId, 'x-b3-spanid': parentId, 'x-b3-sampled': '1' };
  // It is not in the list, so it is ignored.
  const traceparent = `00-${randomBytes(16).toString('hex')}-${parentId}-01`;
  await fetch(service.baseUrl + UNKNOWN, { headers: { ...headers, traceparent } });
  const find = () => receiver.spans.find((span) => span.traceId === traceId);
  await expect.poll(find).toMatchObject({ parentSpanId: parentId, kind: 2 });
});

test('an unavailable receiver of metrics slows nothing down and is logged', async () => {
  const lone = await startServiceProcess({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:9/v1/metrics',
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  });
  await expect
    .poll(() => lone.readErrors(), { timeout: 20_000 })
    .toContain('metrics could not be sent');
  expect((await fetch(`${lone.baseUrl}/healthz`)).status).toBe(200);
  expect(await lone.stop()).toBe(0);
});
