import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BODY,
  createEdgeClient,
  ITEMS,
  JOIN,
  joinPath,
  SANDBOX,
} from '../../test/public-client.ts';
import { sendRaw } from '../../test/raw-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

let service: TestService;
let client: Awaited<ReturnType<typeof createEdgeClient>>;
beforeAll(async () => {
  service = await startTestService();
  client = await createEdgeClient(service);
});
afterAll(() => service.close());

describe('routes', () => {
  it.each([ITEMS, ITEMS.slice(0, -1), `/v1/history/sandbox/${SANDBOX}/xp`, `${ITEMS}?page_size=3`])(
    'answers %s without a redirect',
    async (path) => {
      expect((await client.ask(path)).status).toBe(200);
    },
  );

  it.each([
    '//',
    '/v1/history',
    `/V1/history/sandbox/${SANDBOX}/item/`,
    `${ITEMS}/`,
    `/v1/history/sandbox//item/`,
    `/v1/history/sandbox/${SANDBOX}/../item/x`,
    `/%761/history/sandbox/${SANDBOX}/item/`,
    '/..;/',
    '/%',
    '/%ff/%zz',
    '/__proto__',
    '/admin',
    '/HEALTHZ',
    joinPath('a/b'),
  ])('answers 404 with a JSON body to %s, without looking at the credential', async (path) => {
    const answer = await sendRaw(service.baseUrl, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toEqual({
      auth_success: true,
      error_code: 'route_not_found',
      desc: 'There is no such route.',
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['OPTIONS *', 404],
    ['GET http://elsewhere.example/healthz', 200],
    ['GET http://[::bad/healthz', 200],
    [`GET http://elsewhere.example${ITEMS}`, 403],
    ['GET /healthz#top', 404],
    ['GET /h\xe9lo', 400],
    ['CONNECT example.org:443', 404],
    ['BREW /', 400],
  ])('answers the request line "%s" with %i', async (line, status) => {
    const bytes = Buffer.from(`${line} HTTP/1.1\r\nHost: a\r\n\r\n`, 'latin1');
    const answer = await sendRaw(service.baseUrl, bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('x-request-id')).toMatch(/.{36}/);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'answers %s on a history with 405 and Allow, before the credential',
    async (method) => {
      const answer = await client.ask(ITEMS, { method, headers: {} });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(answer.body.error_code).toBe('method_not_allowed');
    },
  );

  it('answers GET on a join with 405 and Allow: POST', async () => {
    const answer = await client.ask(JOIN);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('answers HEAD as GET without a body', async () => {
    const answer = await client.ask(ITEMS, { method: 'HEAD' });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(10);
  });
});

describe('the order of checks', () => {
  const huge = 'x'.repeat(131_073);

  it('asks for the credential before it looks at size, body or parameters', async () => {
    const answer = await client.ask(joinPath('%zz', 'Nowhere'), {
      method: 'POST',
      headers: {},
      body: huge,
    });
    expect([answer.status, answer.body]).toEqual([
      403,
      { auth_success: false, error_code: 'auth_missing', desc: 'No credential was sent.' },
    ]);
  });

  it('refuses the size before the content type and the parameters', async () => {
    const answer = await client.join(joinPath('%zz'), huge, { 'content-type': 'text/plain' });
    expect([answer.status, answer.body.error_code]).toEqual([413, 'body_too_large']);
  });

  it('refuses a wrong shape before the permission', async () => {
    const stranger = await service.headers({ sub: 'stranger', permissions: [] });
    expect((await client.join(JOIN, {}, stranger)).status).toBe(422);
    expect((await client.join(JOIN, BODY, stranger)).body.error_code).toBe(
      'insufficient_permissions',
    );
  });
});

describe('queries that would take long to read', () => {
  const problemOf = async (query: string) => {
    const { status, body } = await client.ask(`${ITEMS}?${query}`);
    const { detail } = body as { detail?: { loc: string[]; type: string }[] };
    return [status, detail?.map(({ loc, type }) => [...loc, type])];
  };

  it('takes a thousand parameters, and refuses more with this problem alone', async () => {
    const query = 'page_size=5&'.padEnd(12 + 2 * 999, 'a&').slice(0, -1);
    expect(await problemOf(query)).toEqual([200, undefined]);
    const refusal = [422, [['query', 'value_error.query.max_items']]];
    expect(await problemOf(`${query}&a`)).toEqual(refusal);
    expect(await problemOf(`page_size=x&${'&'.repeat(1_000)}`)).toEqual(refusal);
  });

  it('takes a parameter of 16,384 characters, and refuses a longer one by its name', async () => {
    const ids = `item_ids=${'x'.repeat(16_375)}`;
    expect(await problemOf(ids)).toEqual([200, undefined]);
    const type = 'value_error.any_str.max_length';
    expect(await problemOf(`${ids}x`)).toEqual([422, [['query', 'item_ids', type]]]);
    expect(await problemOf(`${'%zz'.repeat(6_000)}`)).toEqual([422, [['query', '', type]]]);
  });

  it('reads no more of a list of ids than shows that it is too long', async () => {
    const refusal = [422, [['query', 'item_ids', 'value_error.list.max_items']]];
    expect(await problemOf(`item_ids=${','.repeat(16_000)}`)).toEqual(refusal);
    expect(await problemOf(`item_ids=${'a,'.repeat(99)}b&item_ids=c`)).toEqual(refusal);
    expect(await problemOf(`item_ids=${'a,'.repeat(98)}b&item_ids=c`)).toEqual([200, undefined]);
  });
});
