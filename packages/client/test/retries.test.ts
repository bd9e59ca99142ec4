import { describe, expect, test } from 'vitest';
import type { RetryNotice } from '../src/index.ts';
import { JOIN, SANDBOX_ID } from './start/examples.ts';
import type { Step } from './start/scripted-server.ts';
import { refusal } from './start/scripted-server.ts';
import { startClient } from './start/start-client.ts';

const after = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } });
const BUSY = refusal(409, 'session_busy', after(1));
const JOINED = { body: { session_id: 's', teams: [] } };
const PAGE = { body: { transactions: [], page_meta: {} } };

describe('a join', () => {
  test.each<[string, Step]>([
    ['session_busy', BUSY],
    ['service_overloaded', refusal(409, 'service_overloaded', after(1))],
    ['rate_limited', refusal(409, 'rate_limited', after(1))],
    ['a dropped connection', 'drop'],
    ['an answer that breaks off', 'cut'],
    ['a gateway that cannot reach the service', { status: 502, body: '<html>' }],
  ])('is sent again after %s', async (_, failure) => {
    const { client, received } = await startClient([failure, failure, JOINED]);
    const { session } = await client.joinByPlatformSession(JOIN);
    expect(session.session_id).toBe('s');
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  test.each<[string, Step]>([
    ['team_full', refusal(409, 'team_full', after(1))],
    ['session_full', refusal(409, 'session_full', after(1))],
    ['instance_closed', refusal(409, 'instance_closed', after(1))],
    ['session_not_joinable', refusal(403, 'session_not_joinable')],
    ['platform_session_not_found', refusal(404, 'platform_session_not_found')],
    ['internal_error', refusal(500, 'internal_error')],
    ['a request that is not valid', { status: 422, body: { detail: [] } }],
  ])('is not sent again after %s', async (_, failure) => {
    const { client, received } = await startClient([failure, JOINED]);
    await expect(client.joinByPlatformSession(JOIN)).rejects.toThrow();
    expect(received).toHaveLength(1);
  });

  test('is sent again after the codes that the caller names, and then only after these', async () => {
    const { client, received } = await startClient([refusal(409, 'team_full', after(2)), BUSY]);
    const joining = client.joinByPlatformSession(JOIN, { retry: { joinCodes: ['team_full'] } });
    await expect(joining).rejects.toMatchObject({ code: 'session_busy' });
    expect(received).toHaveLength(2);
  });
});

describe('a history', () => {
  test.each<[string, Step]>([
    ['503', refusal(503, 'service_unavailable')],
    ['429', refusal(429, 'rate_limited', after(1))],
    ['503 of a gateway', { status: 503, body: 'down' }],
    ['a dropped connection', 'drop'],
  ])('is asked for again after %s', async (_, failure) => {
    const { client, received } = await startClient([failure, PAGE]);
    await client.listXpHistory({ sandbox_id: SANDBOX_ID });
    expect(received).toHaveLength(2);
  });

  test.each<[string, Step]>([
    ['403', refusal(403, 'insufficient_permissions')],
    ['500', refusal(500, 'internal_error')],
  ])('is not asked for again after %s', async (_, failure) => {
    const { client, received } = await startClient([failure, PAGE]);
    await expect(client.listItemHistory({ sandbox_id: SANDBOX_ID })).rejects.toThrow();
    expect(received).toHaveLength(1);
  });
});

describe('the waits', () => {
  test.each([
    [0, [1000, 4000]],
    [0.999, [1500, 5998]],
  ])(
    'are never shorter than Retry-After, and at most half longer (chance %d)',
    async (random, waits) => {
      const longer = refusal(409, 'service_overloaded', after(4));
      const { client, clock } = await startClient([BUSY, longer, JOINED], { random });
      await client.joinByPlatformSession(JOIN);
      expect(clock.waits).toEqual(waits);
    },
  );

  test('are exactly Retry-After when the caller is over its rate limit', async () => {
    const join = await startClient([refusal(409, 'rate_limited', after(3)), JOINED], {
      random: 0.5,
    });
    await join.client.joinByPlatformSession(JOIN);
    const history = await startClient([refusal(429, 'rate_limited', after(2)), PAGE], {
      random: 0.5,
    });
    await history.client.listItemHistory({ sandbox_id: SANDBOX_ID });
    expect([join.clock.waits, history.clock.waits]).toEqual([[3000], [2000]]);
  });

  test('do not begin when the rate limit asks for more than the budget has left', async () => {
    const limited = refusal(409, 'rate_limited', after(6));
    const { client, received } = await startClient([limited, JOINED], {
      retry: { budgetMs: 5_999 },
    });
    const joining = client.joinByPlatformSession(JOIN);
    await expect(joining).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 6 });
    expect(received).toHaveLength(1);
  });

  test('double without Retry-After, up to five seconds, spread over their upper half', async () => {
    const low = await startClient(['drop'], { random: 0 });
    await expect(low.client.joinByPlatformSession(JOIN)).rejects.toThrow();
    expect(low.clock.waits.slice(0, 7)).toEqual([100, 200, 400, 800, 1600, 2500, 2500]);
    const high = await startClient(['drop'], { random: 0.5 });
    await expect(high.client.joinByPlatformSession(JOIN)).rejects.toThrow();
    expect(high.clock.waits.slice(0, 3)).toEqual([150, 300, 600]);
  });

  test('end with the budget, and the last refusal is what the caller gets', async () => {
    const { client, clock, received } = await startClient([BUSY], { retry: { budgetMs: 3500 } });
    const joining = client.joinByPlatformSession(JOIN);
    await expect(joining).rejects.toMatchObject({ code: 'session_busy', retryAfterSeconds: 1 });
    expect(clock.waits).toEqual([1000, 1000, 1000]);
    expect(received).toHaveLength(4);
  });

  test('do not begin when the service asks for more than the budget has left', async () => {
    const { client, clock } = await startClient([refusal(409, 'session_busy', after(60)), JOINED]);
    await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({
      retryAfterSeconds: 60,
    });
    expect(clock.waits).toEqual([]);
  });

  test('are announced, in whole milliseconds', async () => {
    const notices: RetryNotice[] = [];
    const { client } = await startClient([BUSY, 'cut', JOINED], {
      random: 1 / 3,
      retry: { onRetry: (notice) => notices.push(notice) },
    });
    await client.joinByPlatformSession(JOIN);
    expect(notices.map(({ error, attempts, waitMs }) => [error.name, attempts, waitMs])).toEqual([
      ['ServiceError', 1, 1167],
      ['NetworkError', 2, 267],
    ]);
  });
});
