// Proxies between a client and the service, and invalid arguments of callers.
import { expect, test } from 'vitest';
import { JOIN, SANDBOX_ID } from './start/examples.ts';
import type { Step } from './start/scripted-server.ts';
import { refusal } from './start/scripted-server.ts';
import { startClient } from './start/start-client.ts';

const walk = { kind: 'item', sandbox_id: SANDBOX_ID } as const;

test.each<[string, unknown]>([
  ['an empty object', {}],
  ['a list', []],
  ['fields of another kind', { teams: {}, transactions: null, page_meta: null }],
])('a 200 with %s is no answer of the service', async (_name, body) => {
  const { client } = await startClient([{ body }]);
  const expected = { name: 'UnexpectedAnswerError', status: 200 };
  await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject(expected);
  await expect(Array.fromAsync(client.walkHistory(walk))).rejects.toMatchObject(expected);
});

test('a 422 whose details are none is no answer of the service', async () => {
  const { client } = await startClient([{ status: 422, body: { detail: [null] } }]);
  const joining = client.joinByPlatformSession(JOIN);
  await expect(joining).rejects.toMatchObject({ name: 'UnexpectedAnswerError', status: 422 });
});

test.each<[string, unknown]>([
  ['a line break', 'sec\nret'],
  ['a character beyond a byte', 'secret☃'],
  ['nothing', undefined],
])('a token with %s is not sent, and not told', async (_name, token) => {
  const { client, received } = await startClient(['hang'], { token: () => token as string });
  const error = await client.joinByPlatformSession(JOIN).catch((caught: Error) => caught);
  expect(error).toMatchObject({ name: 'TokenError' });
  expect(String((error as Error).cause)).not.toMatch(/sec/);
  expect(received).toEqual([]);
});

test('a token that never comes ends the call in time', async () => {
  const never = () => new Promise<string>(() => {});
  const { client } = await startClient(['hang'], { token: never, timeoutMs: 20 });
  const joining = client.joinByPlatformSession(JOIN);
  await expect(joining).rejects.toMatchObject({
    name: 'TokenError',
    cause: { name: 'TimeoutError' },
  });
});

test('a budget that is no number allows one attempt', async () => {
  const busy: Step = refusal(409, 'session_busy');
  const { client, received } = await startClient([busy], { retry: { budgetMs: Number.NaN } });
  await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({ status: 409 });
  expect(received).toHaveLength(1);
});
