import { randomBytes, randomUUID } from 'node:crypto';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readVersion } from '../src/platform/index.ts';
import { authorise, createTestBed, SECRET } from './faults/test-bed.ts';
import type { ServiceProcess } from './service-process.ts';
import { startServiceProcess } from './service-process.ts';
import { startTraceReceiver } from './trace-receiver.ts';

let receiver: Awaited<ReturnType<typeof startTraceReceiver>>;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ServiceProcess;
let session: string;
beforeAll(async () => {
  receiver = await startTraceReceiver();
  database = await createTestDatabase();
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  session = (await createTestBed(service.baseUrl, 1)).sessions[0] ?? '';
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await receiver.stop();
  await database.drop();
});

const join = async (traceparent: string, teamId = 0) => {
  const player = randomUUID();
  const response = await fetch(
    `${service.baseUrl}/session/v1/platform/Steam/platform-session/${session}/player/${player}`,
    {
      method: 'POST',
      headers: {
        authorization: await authorise(player, 'session:update-player:self'),
        'content-type': 'application/json',
        traceparent,
      },
      body: JSON.stringify({
        status: 'member',
        client_version: '1.0.0',
        team_id: teamId,
        client_settings: { platform: 'Steam', input: 'gamepad' },
        crossplay_preferences: {
          permitted_platform: 'desired_platforms_any',
          permitted_input: 'desired_inputs_any',
        },
      }),
    },
  );
  const requestId = response.headers.get('x-request-id') ?? '';
  return { status: response.status, player, requestId };
};
const newTrace = (flags = '01') => {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, parentId, traceparent: `00-${traceId}-${parentId}-${flags}` };
};
const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);
const nameOf = (traceId: string, spanId: string | undefined) =>
  spansOf(traceId).find((span) => span.spanId === spanId)?.name;

const ROUTE =
  '/session/v1/platform/:platform/platform-session/:platform_session_id_base64/player/:player_uuid';

test('a join is one trace, from the caller through the request and the decision to the write statement', async () => {
  const { traceId, parentId, traceparent } = newTrace();
  const { status, requestId } = await join(traceparent);
  expect(status).toBe(200);
  await expect.poll(() => spansOf(traceId).map(({ name }) => name)).toContain(`POST ${ROUTE}`);
  await expect.poll(() => spansOf(traceId).map(({ name }) => name)).toContain('write_sessions');
  const request = spansOf(traceId).find(({ name }) => name === `POST ${ROUTE}`);
  expect(request).toMatchObject({ parentSpanId: parentId, kind: 2 });
  expect(request?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': ROUTE,
    'http.response.status_code': 200,
    'muster.request_id': requestId,
  });
  const write = spansOf(traceId).find(({ name }) => name === 'write_sessions');
  expect(write).toMatchObject({ kind: 3, attributes: { 'db.system.name': 'postgresql' } });
  const path: string[] = [];
  for (
    let span = write;
    span;
    span = spansOf(traceId).find((s) => s.spanId === span?.parentSpanId)
  ) {
    path.push(span.name);
  }
  expect(path).toEqual(['write_sessions', 'batch', 'decide', 'join', `POST ${ROUTE}`]);
});

test('work for several requests is linked to all of their traces', async () => {
  const traces = Array.from({ length: 12 }, () => newTrace());
  const answers = await Promise.all(traces.map(({ traceparent }, n) => join(traceparent, n % 2)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const shared = () =>
    receiver.spans.filter(({ name, links }) => name === 'decide' && links.length > 0);
  await expect.poll(() => shared().length).toBeGreaterThan(0);
  const known = new Set(traces.map(({ traceId }) => traceId));
  for (const { links, attributes } of shared()) {
    expect(attributes['muster.batch.size']).toBe(links.length + 1);
    expect(links.every((traceId) => known.has(traceId))).toBe(true);
  }
});

test('a trace that its caller does not record is not recorded here', async () => {
  const silent = newTrace('00');
  const loud = newTrace();
  await join(silent.traceparent);
  await join(loud.traceparent);
  await expect.poll(() => nameOf(loud.traceId, spansOf(loud.traceId)[0]?.spanId)).toBeDefined();
  expect(spansOf(silent.traceId)).toEqual([]);
});

test('log lines contain the trace id, and no span of an accepted join contains an id of a player or session', async () => {
  const { traceId, traceparent } = newTrace();
  const { player, requestId } = await join(traceparent);
  await expect.poll(() => service.readErrors()).toContain(`"trace_id":"${traceId}"`);
  const lines = service.readErrors().split('\n');
  const line = lines.find((text) => text.includes(traceId)) ?? '';
  expect(JSON.parse(line)).toMatchObject({
    request_id: requestId,
    trace_id: traceId,
    route: ROUTE,
  });
  await expect.poll(() => spansOf(traceId).length).toBeGreaterThan(2);
  const sent = JSON.stringify(spansOf(traceId));
  expect(sent).not.toContain(session);
  expect(sent).not.toContain(player);
  expect(receiver.paths).toEqual(new Set(['POST /v1/traces']));
  expect(receiver.resource).toMatchObject({
    'service.name': 'muster',
    'service.version': readVersion(),
    'service.instance.id': expect.any(String),
    'deployment.environment.name': 'test',
  });
});

test('the span of a refused join explains it with attributes of OpenTelemetry', async () => {
  const { traceId, traceparent } = newTrace();
  const { player, requestId } = await join(traceparent, 999);
  const find = () => spansOf(traceId).find(({ name }) => name === `POST ${ROUTE}`);
  await expect.poll(find).toBeDefined();
  expect(find()?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': ROUTE,
    'http.response.status_code': 422,
    'muster.request_id': requestId,
    'error.type': 'team_not_found',
    'muster.refusal.reason': 'The session has no such team',
    'muster.refusal.fields': ['body.team_id'],
    'enduser.id': player,
    'muster.platform': 'Steam',
    'muster.player.uuid': player,
    'muster.session.type': 'testBed',
    'muster.session.id': session,
  });
  // The semantic conventions leave the status of a server's span unset for 4xx.
  expect(find()?.status).toBe(0);
});

test('a span has the type of a failure but not its message, which may contain request data', async () => {
  const { traceId, traceparent } = newTrace();
  const { status } = await join(traceparent, 999);
  expect(status).toBe(422);
  const failed = () => JSON.stringify(spansOf(traceId));
  await expect.poll(failed).toContain('exception.type');
  const decided = spansOf(traceId).find(({ name }) => name === 'join');
  expect(decided).toMatchObject({ status: 2, attributes: { 'error.type': 'team_not_found' } });
  expect(failed()).not.toMatch(/exception\.(?:message|stacktrace)/);
});

test('an unavailable receiver slows nothing down and is logged', async () => {
  const lone = await startServiceProcess({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
  });
  expect((await fetch(`${lone.baseUrl}/healthz`)).status).toBe(200);
  await expect
    .poll(() => lone.readErrors(), { timeout: 20_000 })
    .toContain('traces could not be sent');
  expect((await fetch(`${lone.baseUrl}/healthz`)).status).toBe(200);
  expect(await lone.stop()).toBe(0);
});
