import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import { BODY, ITEMS, joinPath } from '../public-client.ts';
import { startRateLimitedService } from './rate-limited-service.ts';

const BURST = 3;

const limited = startRateLimitedService({
  playerRateLimit: { perSecond: 1, burst: BURST },
  rateLimit: { perSecond: 1, burst: BURST },
});

const asPlayer = (sub: string) =>
  limited.service.headers({
    sub,
    permissions: ['session:update-player:self', 'sandbox:config:view'],
  });
const asService = (sub: string) =>
  limited.service.headers({
    sub,
    permissions: ['session:update-player:any', 'sandbox:config:view'],
  });

const send = async (path: string, headers: Record<string, string>, init: RequestInit = {}) => {
  const response = await fetch(limited.service.baseUrl + path, { headers, ...init });
  const body = (await response.json()) as { error_code?: string };
  const retryAfter = Number(response.headers.get('retry-after') ?? 0);
  return { status: response.status, code: body.error_code, retryAfter };
};
const join = (headers: Record<string, string>, player: string, body: unknown = BODY) =>
  send(joinPath('nowhere', 'Steam', player), headers, {
    method: 'POST',
    body: JSON.stringify(body),
  });

const statusesOf = async (count: number, ask: () => Promise<{ status: number }>) => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask()).status);
  return statuses;
};

describe.each([
  ['a player', asPlayer],
  ['a service', asService],
])('%s over its rate', (_, authorise) => {
  test('gets 409 on a join, at once, and is served after Retry-After', async () => {
    const player = randomUUID();
    const headers = await authorise(player);
    // There is no such session.
    expect(await statusesOf(BURST, () => join(headers, player))).toEqual(Array(BURST).fill(404));
    const refusal = { status: 409, code: 'rate_limited', retryAfter: 1 };
    expect(await join(headers, player)).toEqual(refusal);
    limited.moveClock(999);
    expect(await join(headers, player)).toEqual(refusal);
    limited.moveClock(1);
    expect((await join(headers, player)).status).toBe(404);
    expect(await join(headers, player)).toEqual(refusal);
  });

  test('gets 429 elsewhere, from the same limit', async () => {
    const player = randomUUID();
    const headers = await authorise(player);
    const read = () => send(ITEMS, headers);
    expect(await statusesOf(BURST, read)).toEqual(Array(BURST).fill(200));
    expect(await read()).toEqual({ status: 429, code: 'rate_limited', retryAfter: 1 });
    expect((await join(headers, player)).status).toBe(409);
    limited.moveClock(1_000);
    expect((await read()).status).toBe(200);
  });

  test('is the same caller with another token, and affects no other caller', async () => {
    const [player, other] = [randomUUID(), randomUUID()];
    const headers = await authorise(player);
    await statusesOf(BURST, () => join(headers, player));
    limited.moveClock(10);
    const permissions = ['session:update-player:self', 'session:update-player:any'];
    const renewed = await limited.service.headers({ sub: player, permissions, ttlSeconds: 100 });
    const again = { ...(await authorise(player)) };
    expect((await join(again, player)).status).toBe(409);
    expect((await join(await authorise(other), other)).status).toBe(404);
    expect(renewed.authorization).not.toBe(again.authorization);
  });
});

test('a costly history takes the whole burst of a player, and is served when it is full', async () => {
  const headers = await asPlayer(randomUUID());
  const search = () => send(`${ITEMS}?name=sword`, headers);
  expect((await search()).status).toBe(200);
  expect((await send(ITEMS, headers)).status).toBe(429);
  limited.moveClock(1_000 * BURST);
  expect((await search()).status).toBe(200);
});

test('the rate is checked after route, method and credential, and before size and shape', async () => {
  const player = randomUUID();
  const headers = await asPlayer(player);
  const huge = { custom_data: 'x'.repeat(200_000) };
  // Requests that are refused for their size or shape count.
  expect((await join(headers, player, huge)).status).toBe(413);
  expect((await join(headers, player, {})).status).toBe(422);
  expect((await join(headers, player)).status).toBe(404);
  expect(await join(headers, player, huge)).toMatchObject({ status: 409, code: 'rate_limited' });
  expect(await join(headers, player, {})).toMatchObject({ status: 409, code: 'rate_limited' });
  expect((await send('/v1/nothing', headers)).code).toBe('route_not_found');
  expect((await send(joinPath('nowhere'), headers)).code).toBe('method_not_allowed');
  expect((await join({}, player)).code).toBe('auth_missing');
});

test('a forged credential does not count for the caller that it names', async () => {
  const player = randomUUID();
  const { authorization = '' } = await asPlayer(player);
  const forged = { authorization: `${authorization.slice(0, -8)}AAAAAAAA` };
  expect(await statusesOf(10, () => join(forged, player))).toEqual(Array(10).fill(403));
  expect((await join(await asPlayer(player), player)).status).toBe(404);
});

test('an API key is limited in the shape of the admin API, and a person is not', async () => {
  const { cookie } = await limited.service.createPerson({ role: 'owner' });
  const owner = createAdminCaller(limited.service.baseUrl, { cookie });
  type Made = { account_id: string; key: string };
  const { data: account } = await owner.mutate<Made>('keys.createAccount', { name: 'robot' });
  const { data } = await owner.mutate<Made>('keys.create', {
    account_id: account.account_id,
    name: 'one',
    permissions: ['session:view'],
    expires_in_days: 1,
  });
  const headers = { authorization: `Bearer ${data.key}` };
  const ask = () => fetch(`${limited.service.baseUrl}/admin/trpc/me.get`, { headers });
  expect(await statusesOf(BURST, ask)).toEqual(Array(BURST).fill(200));
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({ error: { data: { error_code: 'rate_limited' } } });
  limited.moveClock(1_000);
  expect((await ask()).status).toBe(200);
  const me = () => owner.query('me.get');
  expect(await statusesOf(10, me)).toEqual(Array(10).fill(200));
});
