import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { Fetch } from '../src/call-service.ts';
import { JOIN } from './start/examples.ts';
import type { ReceivedRequest } from './start/scripted-server.ts';
import { refusal } from './start/scripted-server.ts';
import { startClient } from './start/start-client.ts';

const EXPIRED = refusal(403, 'auth_token_expired', { auth_success: false });
const BUSY = refusal(409, 'session_busy', { headers: { 'retry-after': '1' } });

/** Accepts one token and refuses every other. */
const accepting = (token: string) => (request: ReceivedRequest) =>
  request.headers.authorization === `Bearer ${token}`
    ? { body: { session_id: 's', teams: [] } }
    : EXPIRED;

const sentTokens = (received: ReceivedRequest[]) =>
  received.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

const never = () => new Promise<string>(() => {});
const SOON = { timeoutMs: 20 };
const TOO_LATE = { name: 'TokenError', cause: { name: 'TimeoutError' } };

/** Gives a, then b, then c… */
const countUp = () => {
  let next = 'a'.charCodeAt(0);
  return vi.fn(async () => String.fromCharCode(next++));
};

describe('a token function', () => {
  test('is asked once for many calls', async () => {
    const token = countUp();
    const { client } = await startClient([accepting('a')], { token });
    await Promise.all([1, 2, 3].map(() => client.joinByPlatformSession(JOIN)));
    await client.joinByPlatformSession(JOIN);
    expect(token).toHaveBeenCalledTimes(1);
  });

  test('is asked once more when the service does not accept its token, and the call succeeds', async () => {
    const token = countUp();
    const { client, received } = await startClient([accepting('b')], { token });
    await client.joinByPlatformSession(JOIN);
    await client.joinByPlatformSession(JOIN);
    expect(sentTokens(received)).toEqual(['a', 'b', 'b']);
    expect(token).toHaveBeenCalledTimes(2);
  });

  test('is asked once more for twenty calls that were refused together', async () => {
    const token = countUp();
    const { client, received } = await startClient([accepting('b')], { token });
    await Promise.all(Array.from({ length: 20 }, () => client.joinByPlatformSession(JOIN)));
    expect(token).toHaveBeenCalledTimes(2);
    expect(sentTokens(received).filter((sent) => sent === 'b')).toHaveLength(20);
  });

  test('is not asked a second time within one call', async () => {
    const token = countUp();
    const { client, received } = await startClient([EXPIRED], { token });
    await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({
      code: 'auth_token_expired',
      authSuccess: false,
    });
    expect(sentTokens(received)).toEqual(['a', 'b']);
  });

  test('is not asked a second time by the retries of a call', async () => {
    const token = countUp();
    const { client, received } = await startClient([EXPIRED, BUSY, EXPIRED], { token });
    await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({ authSuccess: false });
    expect(sentTokens(received)).toEqual(['a', 'b', 'b']);
  });

  test('is asked again by the next call after it failed', async () => {
    const token = vi.fn(async () => 'a').mockRejectedValueOnce(new Error('offline'));
    const { client, received } = await startClient([accepting('a')], { token });
    const failed = client.joinByPlatformSession(JOIN);
    await expect(failed).rejects.toMatchObject({ name: 'TokenError', cause: new Error('offline') });
    expect(received).toEqual([]);
    await client.joinByPlatformSession(JOIN);
  });

  test('is asked again by the next call after it gave what no header can carry', async () => {
    const token = vi.fn(async () => 'a').mockResolvedValueOnce('a\nb');
    const { client, received } = await startClient([accepting('a')], { token });
    await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({ name: 'TokenError' });
    await client.joinByPlatformSession(JOIN);
    expect(sentTokens(received)).toEqual(['a']);
  });

  test('is asked again by the next call when it gave nothing in time', async () => {
    const token = vi.fn(async () => 'a').mockReturnValueOnce(never());
    const { client, received } = await startClient([accepting('a')], { token });
    await expect(client.joinByPlatformSession(JOIN, SOON)).rejects.toMatchObject(TOO_LATE);
    await client.joinByPlatformSession(JOIN);
    expect(sentTokens(received)).toEqual(['a']);
  });

  test('that is slower than a call may be gives its token to later calls', async () => {
    const slow = Promise.withResolvers<string>();
    const token = vi.fn(never).mockReturnValueOnce(slow.promise);
    const { client, received } = await startClient([accepting('a')], { token });
    await expect(client.joinByPlatformSession(JOIN, SOON)).rejects.toMatchObject(TOO_LATE);
    await expect(client.joinByPlatformSession(JOIN, SOON)).rejects.toMatchObject(TOO_LATE);
    slow.resolve('a');
    await setImmediate();
    await client.joinByPlatformSession(JOIN);
    expect(sentTokens(received)).toEqual(['a']);
    expect(token).toHaveBeenCalledTimes(2);
  });

  test('that gives an old token late does not replace a newer one', async () => {
    const slow = Promise.withResolvers<string>();
    const token = vi.fn(async () => 'new').mockReturnValueOnce(slow.promise);
    const { client, received } = await startClient([accepting('new')], { token });
    await expect(client.joinByPlatformSession(JOIN, SOON)).rejects.toMatchObject(TOO_LATE);
    await client.joinByPlatformSession(JOIN);
    slow.resolve('old');
    await setImmediate();
    await client.joinByPlatformSession(JOIN);
    expect(sentTokens(received)).toEqual(['new', 'new']);
  });

  test('that gives the refused token again ends the call without another request', async () => {
    const { client, received } = await startClient([EXPIRED], { token: () => 'a' });
    await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({ authSuccess: false });
    expect(received).toHaveLength(1);
  });
});

describe('a token provider', () => {
  test('keeps its own token: it is asked for every request, and refreshed with the refused one', async () => {
    let current = 'old';
    const refreshToken = vi.fn(async () => {
      current = 'new';
      return current;
    });
    const { client, received } = await startClient([accepting('new')], {
      token: { getToken: () => current, refreshToken },
    });
    await client.joinByPlatformSession(JOIN);
    await client.joinByPlatformSession(JOIN);
    expect(refreshToken.mock.calls).toEqual([['old']]);
    expect(sentTokens(received)).toEqual(['old', 'new', 'new']);
  });

  test('whose refresh fails is asked again by the next call', async () => {
    const refreshToken = vi.fn(async () => 'new').mockRejectedValueOnce(new Error('offline'));
    const { client } = await startClient([accepting('new')], {
      token: { getToken: () => 'old', refreshToken },
    });
    await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({ name: 'TokenError' });
    await client.joinByPlatformSession(JOIN);
    expect(refreshToken).toHaveBeenCalledTimes(2);
  });

  test('whose refresh gives nothing in time is asked again by the next call', async () => {
    const refreshToken = vi.fn(async () => 'new').mockReturnValueOnce(never());
    // Answers at once, so that all of the time is the refresh's.
    const fetch: Fetch = async (_url, { headers }) =>
      (headers as Headers).get('authorization') === 'Bearer new'
        ? Response.json({ session_id: 's', teams: [] })
        : Response.json(EXPIRED.body, { status: 403 });
    const token = { getToken: () => 'old', refreshToken };
    const { client } = await startClient(['hang'], { fetch, token });
    await expect(client.joinByPlatformSession(JOIN, SOON)).rejects.toMatchObject(TOO_LATE);
    await client.joinByPlatformSession(JOIN);
    expect(refreshToken).toHaveBeenCalledTimes(2);
  });
});

test('a provider that does not keep what it refreshed is asked anew once that expired too', async () => {
  const refreshToken = vi.fn(countUp());
  const { client, received } = await startClient([EXPIRED, {}, EXPIRED, EXPIRED, EXPIRED, {}], {
    token: { getToken: () => 'old', refreshToken },
  });
  await client.joinByPlatformSession(JOIN);
  await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({ authSuccess: false });
  await client.joinByPlatformSession(JOIN);
  expect(sentTokens(received)).toEqual(['old', 'a', 'old', 'a', 'old', 'b']);
  expect(refreshToken).toHaveBeenCalledTimes(2);
});

test('a fixed token is sent as it is, and its refusal is final', async () => {
  const { client, received } = await startClient([EXPIRED], { token: 'fixed' });
  await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({ authSuccess: false });
  expect(sentTokens(received)).toEqual(['fixed']);
});

test('a refusal for another reason refreshes nothing', async () => {
  const token = countUp();
  const { client } = await startClient(
    [refusal(403, 'insufficient_permissions', { auth_success: true })],
    { token },
  );
  await expect(client.joinByPlatformSession(JOIN)).rejects.toThrow();
  expect(token).toHaveBeenCalledTimes(1);
});
