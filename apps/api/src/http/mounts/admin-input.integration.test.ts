import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService } from '../../../test/test-service.ts';
import { startTestService } from '../../../test/test-service.ts';

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  headers = await service.headers();
});
afterAll(() => service.close());

type Failure = {
  error: {
    data: {
      error_code: string;
      desc: string;
      httpStatus: number;
      detail?: { msg: string; type: string }[];
    };
  };
};

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(service.baseUrl + path, { headers, ...init });
  return { status: response.status, body: await response.json() };
};
const askTrpc = async (path: string, init?: RequestInit) => {
  const { status, body } = await ask(`/admin/trpc/${path}`, init);
  const { error } = body as Failure;
  return { status, code: error?.data.error_code, desc: error?.data.desc };
};
const post = (body: NonNullable<RequestInit['body']>, more: RequestInit = {}) => ({
  method: 'POST',
  body,
  ...more,
});
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

/** A byte that no text in UTF-8 has, and half of a surrogate pair in UTF-8's form. */
const BROKEN = ['{"name":"a\xffb"}', '{"name":"a\xed\xa0\x80b"}', '\xff', '{"name":"a\xc3'];

describe('text that is no UTF-8', () => {
  it.each(BROKEN)('is refused in a body: %j', async (body) => {
    expect(await askTrpc('sandboxes.create', post(bytes(body)))).toEqual({
      status: 400,
      code: 'input_invalid',
      desc: 'body: Must be UTF-8.',
    });
    const { status, body: sandboxes } = await ask('/admin/trpc/sandboxes.list?input={}');
    expect([status, JSON.stringify(sandboxes)]).toEqual([
      200,
      expect.not.stringContaining('\ufffd'),
    ]);
  });

  it('is refused by procedures without a credential', async () => {
    const answer = await askTrpc('invitations.get', {
      ...post(bytes('{"token":"\xff"}')),
      headers: { 'content-type': 'application/json' },
    });
    expect(answer).toMatchObject({ code: 'input_invalid', desc: 'body: Must be UTF-8.' });
  });

  it('is refused in each call of a batch', async () => {
    const path = 'sandboxes.create,sandboxes.create?batch=1';
    const { status, body } = await ask(`/admin/trpc/${path}`, post(bytes('{"0":{"name":"\xff"}}')));
    expect(status).toBe(400);
    expect((body as Failure[]).map(({ error }) => error.data.error_code)).toEqual([
      'input_invalid',
      'input_invalid',
    ]);
  });

  it('is refused in a query', async () => {
    for (const bad of ['%ff', '%c3', '%zz']) {
      const answer = await askTrpc(`sandboxes.list?input={"name":"${bad}"}`);
      expect(answer).toMatchObject({ status: 400, code: 'input_invalid' });
    }
  });

  it('is refused in the query of an export', async () => {
    const path = '/admin/export/00000000-0000-0000-0000-000000000001/item?name=%ff';
    const { status, body } = await ask(path);
    expect([status, body]).toEqual([
      422,
      { detail: [expect.objectContaining({ loc: ['query', 'name'] })] },
    ]);
  });

  it('is refused in a sign-in', async () => {
    const answer = await ask('/admin/auth/sign-in/email', {
      ...post(bytes('{"email":"\xff","password":"x"}')),
      headers: { 'content-type': 'application/json', origin: service.baseUrl },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { error_code: 'input_invalid', desc: 'body: Must be UTF-8.' },
    });
  });

  it('is not reported to a caller without a credential', async () => {
    const anonymous = { 'content-type': 'application/json' };
    const answer = await askTrpc('sandboxes.create', {
      ...post(bytes('\xff')),
      headers: anonymous,
    });
    expect(answer).toMatchObject({ status: 403, code: 'auth_missing' });
  });
});

describe('a body', () => {
  it('in UTF-8, with a byte order mark too, is read as it is', async () => {
    const name = 'Größe 🗡';
    for (const mark of ['', '\ufeff']) {
      const body = mark + JSON.stringify({ name });
      const { status, body: answer } = await ask('/admin/trpc/sandboxes.create', post(body));
      expect([status, answer]).toMatchObject([200, { result: { data: { name } } }]);
    }
  });

  it('in another encoding, or compressed, is refused', async () => {
    const charset = { ...headers, 'content-type': 'application/json; charset=utf-16' };
    expect(
      await askTrpc('sandboxes.create', { ...post('{"name":"x"}'), headers: charset }),
    ).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    const compressed = { ...headers, 'content-encoding': 'gzip' };
    expect(
      await askTrpc('sandboxes.create', { ...post('{"name":"x"}'), headers: compressed }),
    ).toMatchObject({ status: 415, code: 'body_compressed' });
  });
});

describe('a body that is not declared as JSON', () => {
  const TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'json'];

  it.each(TYPES)('is refused with 415 by procedures: %s', async (type) => {
    const answer = await askTrpc('sandboxes.create', {
      ...post('{"name":"x"}'),
      headers: { ...headers, 'content-type': type },
    });
    expect(answer).toEqual({
      status: 415,
      code: 'unsupported_media_type',
      desc: 'The body must be declared as application/json, in UTF-8.',
    });
  });

  it('is refused with 415 without a content type, and in each call of a batch', async () => {
    const { authorization = '' } = headers;
    const untyped = { ...post(bytes('{"0":{"name":"x"}}')), headers: { authorization } };
    expect(await askTrpc('sandboxes.create', untyped)).toMatchObject({ status: 415 });
    const { status, body } = await ask(
      '/admin/trpc/sandboxes.create,sandboxes.create?batch=1',
      untyped,
    );
    const codes = (body as Failure[]).map(({ error }) => error.data.error_code);
    expect([status, ...codes]).toEqual([415, 'unsupported_media_type', 'unsupported_media_type']);
  });

  it('is refused with 415 by a sign-in', async () => {
    const answer = await ask('/admin/auth/sign-in/email', {
      ...post('{"email":"a@example.com","password":"x"}'),
      headers: { 'content-type': 'text/plain', origin: service.baseUrl },
    });
    expect(answer).toMatchObject({
      status: 415,
      body: { error_code: 'unsupported_media_type' },
    });
  });
});

describe('an input in the query of a POST', () => {
  it.each(['sandboxes.create?input={}', 'sandboxes.list?input={"status":"archived"}'])(
    'is refused, also beside a body: %s',
    async (path) => {
      for (const body of ['', '{"name":"Not created"}']) {
        expect(await askTrpc(path, post(body))).toEqual({
          status: 400,
          code: 'input_invalid',
          desc: 'query.input: The input of a POST belongs in its body.',
        });
      }
      const { body: sandboxes } = await ask('/admin/trpc/sandboxes.list?input={}');
      expect(JSON.stringify(sandboxes)).not.toContain('Not created');
    },
  );
});

describe('a batch', () => {
  const batch = (count: number) => {
    const names = Array(count).fill('sessionTypes.list').join('%2C');
    return `/admin/trpc/${names}?batch=1&input=${encodeURIComponent('{}')}`;
  };

  it('of 50 calls is answered', async () => {
    const { status, body } = await ask(batch(50));
    expect([status, (body as unknown[]).length]).toEqual([200, 50]);
  });

  it('of more calls is refused as a whole', async () => {
    const { status, body } = await ask(batch(51));
    expect([status, body]).toMatchObject([
      400,
      { error: { data: { error_code: 'bad_request', desc: /exceeds maximum size/ } } },
    ]);
  });
});

describe('an input with very many problems', () => {
  const SANDBOX = '00000000-0000-0000-0000-000000000001';
  const bulk = (operation: object) => ({
    sandbox_id: SANDBOX,
    operations: Array.from({ length: 1_000 }, () => operation),
  });
  const listOf = (count: number, element: unknown) => Array.from({ length: count }, () => element);
  const item = { operation: 'create', name: 'a', item_type: 'unit' };
  const table = (thresholds: unknown[]) =>
    bulk({ operation: 'create', name: 'a', xp_thresholds: thresholds });

  it.each([
    ['items.bulk', 'a field that lacks', bulk({ operation: 'create' })],
    ['items.bulk', 'every tag', bulk({ ...item, tags: listOf(100, 1) })],
    ['xp.bulk', 'every threshold', table(listOf(900, 0))],
    ['xp.bulk', 'every level', table(listOf(170, { level: 0, xp: 0 }))],
    ['items.bulk', 'a long key', bulk({ ...item, custom_data: { ['k'.repeat(4_000)]: 'v' } })],
    [
      'sessions.create',
      'every ticket',
      { type: 'x', teams: listOf(100, { max_size: 1, ticket_ids: listOf(1_000, 0) }) },
    ],
  ] as const)(
    'is answered in bounded bytes and in words of ours: %s, %s',
    async (...[procedure, , input]) => {
      const { status, body } = await ask(`/admin/trpc/${procedure}`, post(JSON.stringify(input)));
      const text = JSON.stringify(body);
      const { data } = (body as Failure).error;
      expect([status, data.error_code]).toEqual([400, 'input_invalid']);
      expect(text.length).toBeLessThan(80_000);
      expect(text).not.toMatch(/call stack|RangeError|zod/i);
      expect(data.detail?.at(-1)?.type).toBe('value_error.more_problems');
      // No more was looked for.
      expect(Number.parseInt(data.detail?.at(-1)?.msg ?? '', 10)).toBeLessThan(2_500);
    },
  );

  it('has a bounded response also on public routes', async () => {
    const name = 'x'.repeat(22);
    const query = Array.from({ length: 1_000 }, (_, index) => `${name}${index}=%ff`).join('&');
    const path = `/v1/history/sandbox/nothing/item/?${query}`;
    const { status, body } = await ask(path);
    expect(status).toBe(422);
    expect(JSON.stringify(body).length).toBeLessThan(80_000);
    expect((body as { detail: object[] }).detail.at(-1)).toMatchObject({
      type: 'value_error.more_problems',
    });
  });
});
