import { expect, onTestFinished, test, vi } from 'vitest';
import { createMusterClient } from '../src/index.ts';
import { JOIN } from './start/examples.ts';

const EXPIRED = { auth_success: false, error_code: 'auth_token_expired', desc: 'Expired.' };

const after = <Value>(ms: number, value: Value): Promise<Value> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));

test('one attempt lasts no longer than timeoutMs: token, request, refresh and second request together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const fetch = vi.fn(() => new Promise<Response>(() => {}));
  fetch.mockImplementationOnce(() => after(300, Response.json(EXPIRED, { status: 403 })));
  const client = createMusterClient({
    ...{
      baseUrl: 'http://127.0.0.1',
      fetch,
      token: () => after(300, `token ${fetch.mock.calls.length}`),
    },
    ...{ timeoutMs: 1_000, retry: { budgetMs: 0 } },
  });
  let outcome = 'none yet';
  client.joinByPlatformSession(JOIN).catch(({ name }: Error) => {
    outcome = name;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(outcome).toBe('none yet');
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe('TimeoutError');
});
