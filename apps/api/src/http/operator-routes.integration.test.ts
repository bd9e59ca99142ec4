import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY, createEdgeClient, ITEMS, JOIN } from '../../test/public-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

const NO_DATABASE = 'postgresql://muster:x@127.0.0.1:1/none';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

describe('health', () => {
  it('answers 200 to both while all is well', async () => {
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const response = await fetch(service.baseUrl + path);
      expect([response.status, await response.json()]).toEqual([200, { status }]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each(['/healthz', '/readyz', '/metrics'])(
    'answers other methods on %s with 405',
    async (path) => {
      const response = await fetch(service.baseUrl + path, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    },
  );

  it('is alive but not ready without its database, and distinguishes public routes', async () => {
    const gone = await startTestService({ databaseUrl: NO_DATABASE });
    const client = await createEdgeClient(gone);
    expect((await client.ask('/healthz')).status).toBe(200);
    expect((await client.ask('/readyz')).status).toBe(503);
    const history = await client.ask(ITEMS);
    expect([history.status, history.body.error_code]).toEqual([503, 'service_unavailable']);
    const join = await client.join(JOIN, BODY);
    expect([join.status, join.body.error_code]).toEqual([409, 'service_overloaded']);
    expect(Number(join.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await gone.close();
  });

  it('is not ready while it stops, and asks clients to close', async () => {
    const stopping = await startTestService();
    stopping.readiness.markStopping();
    const response = await fetch(`${stopping.baseUrl}/readyz`);
    expect([response.status, response.headers.get('connection')]).toEqual([503, 'close']);
    await stopping.close();
  });
});

describe('metrics', () => {
  const read = async (permissions: string[]) =>
    fetch(`${service.baseUrl}/metrics`, { headers: await service.headers({ permissions }) });

  it('refuses callers without metrics:view', async () => {
    expect((await fetch(`${service.baseUrl}/metrics`)).status).toBe(403);
    expect((await read(['session:*'])).status).toBe(403);
  });

  it('counts by pattern, so that paths and methods of clients make no new series', async () => {
    const client = await createEdgeClient(service);
    await client.ask(ITEMS);
    await client.join(JOIN, BODY);
    await client.ask('/some/where');
    const text = await (await read(['metrics:view'])).text();
    expect(text).toMatch(
      /muster_http_requests_total\{method="GET",route="\/v1\/history\/sandbox\/:sandbox_id\/item\/",status="200"\} 1/,
    );
    expect(text).toMatch(
      /muster_http_requests_total\{method="GET",route="unmatched",status="404"\} 1/,
    );
    expect(text).toMatch(/muster_join_outcomes_total\{outcome="platform_session_not_found"\} 1/);
    expect(text).toMatch(/muster_database_connections\{pool="general",state="total"\} [1-9]/);
    expect(text).not.toContain('/some/where');
  });
});

describe('HISTORY_ACCESS=public', () => {
  it('opens the histories, whatever credential is sent, and nothing else', async () => {
    const open = await startTestService({ env: { HISTORY_ACCESS: 'public' } });
    for (const authorization of [undefined, 'Bearer x', 'Basic y']) {
      const headers = authorization ? { authorization } : {};
      expect((await fetch(open.baseUrl + ITEMS, { headers })).status).toBe(200);
    }
    expect((await fetch(open.baseUrl + JOIN, { method: 'POST' })).status).toBe(403);
    await open.close();
  });

  it.each(['/openapi.json', '/openapi-3.0.json'])('is what %s says', async (path) => {
    const open = await startTestService({ env: { HISTORY_ACCESS: 'public' } });
    const document = JSON.parse(await (await fetch(open.baseUrl + path)).text());
    await open.close();
    const { get } = document.paths['/v1/history/sandbox/{sandbox_id}/item/'];
    expect(get.security).toEqual([]);
    expect(get.description).toContain('opens its histories to everyone');
    expect(Object.keys(get.responses)).not.toContain('403');
    const [, , join] = Object.values<{ post?: { security?: unknown; responses: object } }>(
      document.paths,
    );
    expect(join?.post?.security).toBeUndefined();
    expect(Object.keys(join?.post?.responses ?? {})).toContain('403');
  });
});
