import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOIN } from '../public-client.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const SANDBOX = '6b5ef782-5c91-4a87-81a8-ad9b22921497';

const post = async (path: string, permissions: string[], body: string) => {
  const authorization = `Bearer ${await service.signToken({ permissions })}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(service.baseUrl + path, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
};

/** A large body that is cheap to parse. */
const LARGE = JSON.stringify({ sandbox_id: SANDBOX, x: 'x'.repeat(2_000_000) });
const smallest = (member: string, count: number) =>
  `{"sandbox_id":"${SANDBOX}","x":[${member}${`,${member}`.repeat(count - 1)}]}`;

test.each([
  ['permissions of a player', ['session:update-player:self', 'session:view'], 413],
  ['a permission to edit', ['sandbox:config:edit'], 400],
  ['one for a single sandbox', [`sandbox:${SANDBOX}:config:edit`], 400],
  ['one for all of a sandbox', [`sandbox:${SANDBOX}:*`], 400],
  ['one for sessions', ['session:*'], 403],
])('only those who may edit send more than 1 MiB: %s', async (_, permissions, status) => {
  expect((await post('/admin/trpc/items.bulk', permissions, LARGE)).status).toBe(status);
});

test('callers without a credential, or without a permission to change anything, may send 8 KiB to the admin API', async () => {
  const send = async (headers: Record<string, string>, length: number) => {
    const response = await fetch(`${service.baseUrl}/admin/trpc/invitations.get`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: `{"token":"${'x'.repeat(length)}"}`,
    });
    return JSON.parse(await response.text()).error.data.error_code;
  };
  const large = 10_000;
  const bearer = async (...permissions: string[]) => ({
    authorization: `Bearer ${await service.signToken({ permissions })}`,
  });
  expect(await send({}, large)).toBe('body_too_large');
  expect(await send({ authorization: 'Bearer nonsense' }, large)).toBe('body_too_large');
  expect(await send(await bearer('sandbox:config:view', 'session:view'), large)).toBe(
    'body_too_large',
  );
  expect(await send({}, 8_000)).toBe('input_invalid');
  expect(await send(await bearer('key:manage'), large)).toBe('input_invalid');
});

test('JSON that nests too deep is refused at any size', async () => {
  const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  const { status, text } = await post('/admin/trpc/items.bulk', ['sandbox:config:edit'], deep);
  expect([status, text]).toEqual([400, expect.stringContaining('input_invalid')]);
});

test.each([
  ['lists', '[]', 132_000],
  ['objects', '{}', 132_000],
  ['members', '{"a":0}', 66_000],
])('nothing but the smallest %s is refused before it is read', async (_, member, count) => {
  const admin = '/admin/trpc/items.bulk';
  const refused = await post(admin, ['key:manage'], smallest(member, count));
  expect(refused.status).toBe(413);
  expect(refused.text).toContain('more than 131,072 of the characters');
  expect((await post(admin, ['sandbox:config:view'], smallest(member, count))).status).toBe(413);
  expect((await post(admin, ['sandbox:config:edit'], smallest(member, count))).status).toBe(400);
  const most = smallest('[]', 524_289);
  expect((await post(admin, ['sandbox:config:edit'], most)).status).toBe(413);
});

test.each([
  ['of one object', (names: string[]) => `{${names.join(',')}}`],
  ['of many objects', (names: string[]) => `[{${names.join('},{')}}]`],
])('nothing but names that differ is refused before it is read: %s', async (_, write) => {
  const post413 = async (count: number, permission = 'sandbox:config:edit') => {
    const names = Array.from({ length: count }, (_, index) => `"${index.toString(36)}\\n" : 0`);
    const body = `{"sandbox_id":"${SANDBOX}","x":${write(names)}}`;
    const { status, text } = await post('/admin/trpc/items.bulk', [permission], body);
    return [status, text.includes('names that differ')];
  };
  expect(await post413(80_000)).toEqual([413, true]);
  // As many as a thousand records have custom data.
  expect(await post413(64_000)).toEqual([400, false]);
  expect(await post413(40_000, 'key:manage')).toEqual([413, true]);
  expect(await post413(20_000, 'key:manage')).toEqual([403, false]);
});

test.each([
  ['lists', '[]'],
  ['objects', '{}'],
  ['members', '{"a":0}'],
])('a join has at most 128 KiB, also of nothing but the smallest %s', async (_, member) => {
  const bodyOf = (bytes: number) => {
    const most = Math.floor((131_072 - smallest('', 1).length) / (member.length + 1));
    return smallest(member, most).padEnd(bytes);
  };
  expect((await post(JOIN, ['session:*'], bodyOf(131_072))).status).toBe(422);
  const { status, text } = await post(JOIN, ['session:*'], bodyOf(131_073));
  expect([status, JSON.parse(text)]).toEqual([
    413,
    expect.objectContaining({
      error_code: 'body_too_large',
      desc: 'The body is larger than 128 KiB.',
    }),
  ]);
});

test('a bulk edit of a thousand Xp tables of many levels is read', async () => {
  const threshold = (_: unknown, level: number) => `{"level":${level},"xp":${level}}`;
  const thresholds = Array.from({ length: 172 }, threshold).join(',');
  const create = `{"operation":"create","name":"a","xp_thresholds":[${thresholds}]}`;
  const operations = Array.from({ length: 1_000 }, () => create).join(',');
  const body = `{"sandbox_id":"${SANDBOX}","operations":[${operations}]}`;
  expect(body.length).toBeLessThan(8 * 1_048_576);
  expect(body.match(/[[{:]/g)?.length).toBeGreaterThan(520_000);
  const { status, text } = await post('/admin/trpc/xp.bulk', ['sandbox:config:edit'], body);
  expect([status, text]).toEqual([404, expect.stringContaining('sandbox_not_found')]);
});

test('a map of strings may be full of marks', async () => {
  const custom_data = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [index, ':[{'.repeat(1_300)]),
  );
  const body = JSON.stringify({ custom_data, x: 'x'.repeat(100_000) });
  const { status, text } = await post(JOIN, ['session:*'], body);
  expect([status, text.includes('custom_data')]).toEqual([422, false]);
});
