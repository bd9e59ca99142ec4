import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import { BODY, ITEMS, joinPath } from '../public-client.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '3' } });
});
afterAll(() => service.close());

const JOIN = joinPath('nowhere');
const join = (headers: Record<string, string>) =>
  fetch(service.baseUrl + JOIN, { method: 'POST', headers, body: JSON.stringify(BODY) });

/** The first that is refused of five in a row, which take less than the time of two. */
const askUntilRefused = async (ask: () => Promise<Response>): Promise<Response> => {
  for (let count = 0; count < 20; count += 1) {
    const response = await ask();
    if (response.headers.has('retry-after')) {
      expect(count).toBeGreaterThanOrEqual(3);
      return response;
    }
  }
  throw new Error('No request was refused.');
};

test('a player who asks too often is told on a join by 409 when to come back, and then served', async () => {
  const headers = await service.headers({ sub: 'eager' });
  const refused = await askUntilRefused(() => join(headers));
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ error_code: 'service_overloaded' });
  expect(refused.headers.get('retry-after')).toMatch(/^[1-3]$/);
  await expect.poll(async () => (await join(headers)).status, { interval: 300 }).toBe(404);
});

test('another token of the same account does not help, and other accounts are not in the way', async () => {
  const first = await service.headers({ sub: 'renewing', ttlSeconds: 100 });
  const second = await service.headers({ sub: 'renewing', ttlSeconds: 200 });
  let count = 0;
  const refused = await askUntilRefused(() => {
    count += 1;
    return join(count % 2 ? first : second);
  });
  expect(refused.status).toBe(409);
  expect((await join(await service.headers({ sub: 'patient' }))).status).toBe(404);
});

test('elsewhere it is 429', async () => {
  const headers = await service.headers({ sub: 'reader' });
  const refused = await askUntilRefused(() => fetch(service.baseUrl + ITEMS, { headers }));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error_code: 'rate_limited' });
});

test('a key of an administrator is limited too, in the shape of the admin API', async () => {
  const { cookie } = await service.createPerson({ role: 'owner' });
  const owner = createAdminCaller(service.baseUrl, { cookie });
  type Made = { account_id: string; key: string };
  const { data: account } = await owner.mutate<Made>('keys.createAccount', { name: 'robot' });
  const permissions = ['session:view'];
  const { data } = await owner.mutate<Made>('keys.create', {
    ...{ account_id: account.account_id, name: 'one', permissions, expires_in_days: 1 },
  });
  const headers = { authorization: `Bearer ${data.key}` };
  const url = `${service.baseUrl}/admin/trpc/me.get`;
  const codes: (string | undefined)[] = [];
  const key = createAdminCaller(service.baseUrl, headers);
  for (let count = 0; count < 10; count += 1) codes.push((await key.query('me.get')).code);
  expect(codes.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  expect(codes).toContain('rate_limited');
  const refused = await askAgain(() => fetch(url, { headers }));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

const askAgain = async (ask: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    const response = await ask();
    if (!response.ok) return response;
  }
};

test('who forges a credential uses up nobody’s share', async () => {
  const forged = { authorization: 'Bearer aaaa.bbbb.cccc', 'content-type': 'application/json' };
  for (let count = 0; count < 10; count += 1) expect((await join(forged)).status).toBe(403);
});
