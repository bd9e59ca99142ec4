import { expect, onTestFinished, test, vi } from 'vitest';
import { createMusterClient } from '../src/index.ts';
import { JOIN } from './start/examples.ts';

const EXPIRED = { auth_success: false, error_code: 'auth_token_expired', desc: 'Expired.' };

const after = <Value>(ms: number, value: Value): Promise<Value> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));

test('an attempt lasts no longer than timeoutMs, token and request together; a refresh and its request as long again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const fetch = vi.fn(() => new Promise<Response>(() => {}));
  fetch.mockImplementationOnce(() => after(300, Response.json(EXPIRED, { status: 403 })));
  const client = createMusterClient({
    baseUrl: 'http://127.0.0.1',
    fetch,
    token: () => after(300, `token ${fetch.mock.calls.length}`),
    timeoutMs: 1_000,
    retry: { budgetMs: 0 },
  });
  let outcome = 'none yet';
  client.joinByPlatformSession(JOIN).catch(({ name }: Error) => {
    outcome = name;
  });
  // The refusal comes after 600, the second request leaves after 900.
  await vi.advanceTimersByTimeAsync(1_599);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(outcome).toBe('none yet');
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe('TimeoutError');
});

test('the timeout of a read that waits is longer by its wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const client = createMusterClient({
    baseUrl: 'http://127.0.0.1',
    fetch: () => new Promise<Response>(() => {}),
    token: 'a token',
    timeoutMs: 1_000,
    retry: { budgetMs: 0 },
  });
  let outcome = 'none yet';
  const request = { type: 'duel', session_id: 'd-1', if_none_match: '"v1"', wait: 25 };
  client.readSession(request).catch(({ name }: Error) => {
    outcome = name;
  });
  await vi.advanceTimersByTimeAsync(25_999);
  expect(outcome).toBe('none yet');
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe('TimeoutError');
});

test('a slow refusal leaves a slow refresh its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const fetch = vi.fn(async () => Response.json(EXPIRED, { status: 403 }));
  fetch.mockImplementationOnce(() => after(900, Response.json(EXPIRED, { status: 403 })));
  const token = vi.fn(() => after(900, 'a token'));
  token.mockImplementationOnce(async () => 'the first token');
  const client = createMusterClient({
    baseUrl: 'http://127.0.0.1',
    fetch,
    token,
    timeoutMs: 1_000,
    retry: { budgetMs: 0 },
  });
  const outcome = client.joinByPlatformSession(JOIN).catch(({ name }: Error) => name);
  await vi.advanceTimersByTimeAsync(1_800);
  expect(await outcome).toBe('ServiceError');
  expect([fetch.mock.calls.length, token.mock.calls.length]).toEqual([2, 2]);
});
