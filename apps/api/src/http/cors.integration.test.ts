import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdJoins } from '../../test/limits/hold-tables.ts';
import { BODY, ITEMS, joinPath, PLAYER } from '../../test/public-client.ts';
import { sendRaw } from '../../test/raw-client.ts';
import { readMetric } from '../../test/read-metrics.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { createAdminClient, createSession } from '../admin/testing/admin-client.ts';

const GAME = 'https://play.example';
const XP = ITEMS.replace('/item/', '/xp/');
const JOIN = joinPath('a');

let service: TestService;
beforeAll(async () => {
  const env = { CORS_ORIGINS: `${GAME}, http://localhost:8080` };
  service = await startTestService({ env, maxPublicRequests: 10 });
});
afterAll(() => service.close());

const preflight = (path: string, origin = GAME, method = 'POST', target = service) =>
  fetch(target.baseUrl + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method },
  });

it.each([
  [JOIN, 'POST'],
  [ITEMS, 'GET'],
  [XP, 'GET'],
])('answers the preflight of %s with 204', async (path, method) => {
  for (const origin of [GAME, 'http://localhost:8080']) {
    const answer = await preflight(path, origin, method);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-allow-methods')).toContain(method);
    const headers = answer.headers.get('access-control-allow-headers')?.toLowerCase();
    expect(headers).toBe('authorization, content-type, traceparent, tracestate, x-request-id');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toBe('Origin');
  }
});

it.each([
  ['no host', []],
  ['a host that is none', ['Host: a b']],
  ['two hosts', ['Host: a', 'Host: b']],
])('refuses a preflight with %s as any request', async (_, hosts) => {
  const asked = ['Access-Control-Request-Method: POST', `Origin: ${GAME}`, 'Connection: close'];
  const lines = [`OPTIONS ${JOIN} HTTP/1.1`, ...hosts, ...asked];
  const answer = await sendRaw(service.baseUrl, `${lines.join('\r\n')}\r\n\r\n`);
  expect([answer.status, JSON.parse(answer.body).error_code]).toEqual([400, 'request_malformed']);
  // The page may read why.
  expect(answer.text).toContain(`Access-Control-Allow-Origin: ${GAME}\r\n`);
});

/** A join of a page of the game, and what the page may read of the answer. */
const joinFromPage = async (path: string, headers: Record<string, string> = {}) => {
  const init = {
    method: 'POST',
    headers: { ...headers, origin: GAME },
    body: JSON.stringify(BODY),
  };
  const answer = await fetch(service.baseUrl + path, init);
  expect(answer.headers.get('access-control-allow-origin')).toBe(GAME);
  expect(answer.headers.get('access-control-expose-headers')).toBe(
    'ETag, Retry-After, X-Request-Id',
  );
  expect(answer.headers.get('x-request-id')).toMatch(/./);
  return answer;
};

it('lets the page read answers and refusals with their ETag, Retry-After and request id', async () => {
  const headers = await service.headers();
  const { platformSessionId } = await createSession(createAdminClient(service));
  const player = await service.headers({
    sub: PLAYER,
    permissions: ['session:update-player:self'],
  });
  const joined = await joinFromPage(joinPath(platformSessionId), player);
  expect([joined.status, joined.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"/)]);
  expect((await joinFromPage(JOIN, { 'content-type': 'application/json' })).status).toBe(403);

  const release = await holdJoins(service.database);
  const held = Array.from({ length: 10 }, () => joinFromPage(JOIN, headers));
  await expect.poll(() => readMetric(service, 'muster_requests_in_progress{kind="join"}')).toBe(10);
  const shed = await joinFromPage(JOIN, headers);
  expect([shed.status, shed.headers.get('retry-after')]).toEqual([
    409,
    expect.stringMatching(/^[1-3]$/),
  ]);
  await release();
  await Promise.all(held);
});

it.each(['https://evil.example', 'http://play.example', `${GAME}:8443`, 'null'])(
  'opens nothing to %s',
  async (origin) => {
    const answer = await preflight(JOIN, origin);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const read = await fetch(service.baseUrl + ITEMS, { headers: { origin } });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
    expect(read.headers.get('vary')).toBe('Origin');
  },
);

it.each(['/admin/trpc/sessions.list', '/healthz', '/openapi.json', '/', '/admin/export'])(
  'opens nothing of %s',
  async (path) => {
    const answer = await preflight(path, GAME, 'GET');
    expect(answer.status).not.toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  },
);

it('is off without the setting', async () => {
  const closed = await startTestService({});
  const answer = await preflight(JOIN, GAME, 'POST', closed);
  await closed.close();
  expect(answer.status).toBe(405);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('vary')).toBeNull();
});
