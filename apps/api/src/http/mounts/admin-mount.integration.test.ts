import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminCaller } from '../../../test/admin-caller.ts';
import { createAdminCaller } from '../../../test/admin-caller.ts';
import { openSlowClient } from '../../../test/raw-client.ts';
import type { TestService } from '../../../test/test-service.ts';
import { startTestService } from '../../../test/test-service.ts';
import { createAdminClient, createSession } from '../../admin/testing/admin-client.ts';

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  headers = await service.headers();
});
afterAll(() => service.close());

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${service.baseUrl}/admin/trpc${path}`, { headers, ...init });
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-request-id')).toBeTruthy();
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(await response.text()),
  };
};
const codeOf = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [
  status,
  body.error.data.error_code,
];
const input = (value: unknown) => `?input=${encodeURIComponent(JSON.stringify(value))}`;

describe('the admin API', () => {
  it('answers a query', async () => {
    const { status, body } = await ask(`/sandboxes.list${input({})}`);
    expect([status, Object.keys(body)]).toEqual([200, ['result']]);
  });

  it('answers a missing and a bad credential with 403 in its own shape', async () => {
    const path = `/sandboxes.list${input({})}`;
    expect(codeOf(await ask(path, { headers: {} }))).toEqual([403, 'auth_missing']);
    const authorization = 'Bearer a.b.c';
    expect(codeOf(await ask(path, { headers: { authorization } }))).toEqual([
      403,
      'auth_token_format',
    ]);
  });

  it('answers a lack of permission with 403', async () => {
    const weak = await service.headers({ permissions: ['metrics:view'] });
    const body = JSON.stringify({ name: 'x' });
    const answer = await ask('/sandboxes.create', { method: 'POST', headers: weak, body });
    expect(codeOf(answer)).toEqual([403, 'insufficient_permissions']);
  });

  it.each([
    ['/nothing.here', 404],
    ['/__proto__', 404],
    ['/sandboxes', 404],
    ['/sandboxes.list?input=%zz', 400],
    ['/sandboxes.list?input=%ff%', 400],
    ['/sandboxes.list?input={', 400],
    ['/%zz', 404],
    ['/%ff', 404],
    ['/sandboxes.list/', 404],
    ['/a/b', 404],
    ['', 404],
  ])('answers GET %s with %i, never with a 5xx', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'answers %s with 405 and Allow',
    async (method) => {
      const answer = await ask('/sandboxes.list', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    },
  );

  it('answers a GET to a mutation with 405', async () => {
    expect((await ask(`/sandboxes.create${input({ name: 'x' })}`)).status).toBe(405);
  });

  it('answers a query by POST as by GET, without a body where there is no input', async () => {
    const byGet = await ask(`/sandboxes.list${input({ status: 'archived' })}`);
    const byPost = await ask('/sandboxes.list', { method: 'POST', body: '{"status":"archived"}' });
    expect([byPost.status, byPost.body]).toEqual([200, byGet.body]);
    const { authorization = '' } = headers;
    const me = await ask('/me.get', { method: 'POST', headers: { authorization } });
    expect(me.status).toBe(200);
  });

  it.each(['{', '[', 'nonsense', '"', '{"name":1}', '[]', ''])(
    'answers a POST of %j with 400',
    async (body) => {
      expect((await ask('/sandboxes.create', { method: 'POST', body })).status).toBe(400);
    },
  );

  it('refuses a body over 8 MiB with 413', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(8 * 1_048_576) });
    expect((await ask('/sandboxes.create', { method: 'POST', body })).status).toBe(413);
  });

  it('answers the calls of a batch one by one', async () => {
    const calls = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }));
    const { status, body } = await ask(`/sandboxes.list,nothing.here?batch=1&input=${calls}`);
    expect([status, body[0].result.data !== undefined, body[1].error.data.httpStatus]).toEqual([
      207,
      true,
      404,
    ]);
  });

  it('answers 503 service_unavailable while the database is gone', async () => {
    const gone = await startTestService({ databaseUrl: 'postgresql://muster:x@127.0.0.1:1/none' });
    const url = `${gone.baseUrl}/admin/trpc/sandboxes.list${input({})}`;
    const response = await fetch(url, { headers });
    const body = (await response.json()) as { error: { data: { error_code: string } } };
    expect([response.status, body.error.data.error_code]).toEqual([503, 'service_unavailable']);
    expect(response.headers.get('retry-after')).toMatch(/^[1-3]$/);
    await gone.close();
  });

  it('sends Retry-After only where a retry can help', async () => {
    const admin = createAdminClient(service);
    const { name } = await createSession(admin, { teams: [{ max_size: 1 }, { max_size: 1 }] });
    const invite = (team_id: number) => ({
      ...name,
      team_id,
      status: 'invited',
      player_uuid: randomUUID(),
    });
    const refuse = async (procedure: string, value: object) => {
      const answer = await ask(`/${procedure}`, { method: 'POST', body: JSON.stringify(value) });
      return [...codeOf(answer), Number(answer.headers.get('retry-after'))];
    };
    await admin.mutate('sessions.invitePlayer', invite(0));
    const later = expect.toSatisfy((seconds: number) => seconds >= 5 && seconds <= 15);
    expect(await refuse('sessions.invitePlayer', invite(0))).toEqual([409, 'team_full', later]);
    await admin.mutate('sessions.invitePlayer', invite(1));
    expect(await refuse('sessions.invitePlayer', invite(1))).toEqual([409, 'session_full', later]);
    const again = { ...name, teams: [{ max_size: 1 }] };
    expect(await refuse('sessions.create', again)).toEqual([409, 'session_exists', 0]);
  });
});

describe('a body that takes more than a second to arrive', () => {
  let owner: AdminCaller;
  let sandbox_id: string;
  beforeAll(async () => {
    owner = createAdminCaller(service.baseUrl, await service.createPerson({ role: 'owner' }));
    const made = await owner.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Live' });
    ({ sandbox_id } = made.data);
  });

  /** Calls `items.create` with a body that ends after `beforeEnd`. */
  const createSlowly = async (
    credential: string[],
    beforeEnd: () => Promise<unknown>,
    { baseUrl } = service,
  ) => {
    const client = await openSlowClient(baseUrl);
    const body = JSON.stringify({ sandbox_id, name: 'Late', item_type: 'unit' });
    const head = ['POST /admin/trpc/items.create HTTP/1.1', 'Host: a', 'Connection: close'];
    const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    client.send(`${[...head, ...credential, ...type].join('\r\n')}\r\n\r\n${body.slice(0, 9)}`);
    await setTimeout(1_100);
    await beforeEnd();
    client.send(body.slice(9));
    await client.closed;
    client.destroy();
    return /"error_code":"(\w+)"/.exec(client.received())?.[1] ?? client.received().slice(9, 12);
  };

  it('is refused when the rights of its caller are withdrawn before it is complete', async () => {
    const createEditor = async () => {
      const { cookie, accountId } = await service.createPerson({ role: 'editor' });
      const credential = [`Cookie: ${cookie}`, 'Origin: http://a'];
      return { credential, account_id: accountId };
    };
    const [disabled, lowered, kept] = [
      await createEditor(),
      await createEditor(),
      await createEditor(),
    ];
    const { data } = await owner.mutate<{ account_id: string }>('keys.createAccount', {
      name: 'K',
    });
    const permissions = ['sandbox:config:edit'];
    const input = { account_id: data.account_id, name: 'k', permissions };
    const key = (await owner.mutate<{ key: string; key_id: string }>('keys.create', input)).data;
    const { account_id } = disabled;
    const role = { account_id: lowered.account_id, role: 'viewer' };
    const codes = await Promise.all([
      createSlowly([`Authorization: Bearer ${key.key}`], () =>
        owner.mutate('keys.revoke', { key_id: key.key_id }),
      ),
      createSlowly(disabled.credential, () =>
        owner.mutate('people.setDisabled', { account_id, disabled: true }),
      ),
      createSlowly(lowered.credential, () => owner.mutate('people.setRole', role)),
      createSlowly(kept.credential, async () => {}),
    ]);
    const expected = [
      'auth_token_unknown',
      'auth_session_ended',
      'insufficient_permissions',
      '200',
    ];
    expect(codes).toEqual(expected);
  });

  it('counts once under the rate limit', async () => {
    const limits = { rateLimit: { perSecond: 1, burst: 1 } };
    const limited = await startTestService({ databaseUrl: service.databaseUrl, limits });
    const authorization = `Bearer ${await limited.signToken()}`;
    const credential = [`Authorization: ${authorization}`];
    expect(await createSlowly(credential, async () => {}, limited)).toBe('200');
    const next = createAdminCaller(limited.baseUrl, { authorization });
    expect((await next.query('me.get')).status).toBe(200);
    await limited.close();
  });
});
