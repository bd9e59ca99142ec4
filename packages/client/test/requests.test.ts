import { expect, test } from 'vitest';
import { createMusterClient } from '../src/index.ts';
import { JOIN, SANDBOX_ID } from './start/examples.ts';
import { startClient } from './start/start-client.ts';

const PAGE = { body: { transactions: [], page_meta: {} } };

test('a join names platform, platform session and player in the path, and sends JSON with the token', async () => {
  const { client, received } = await startClient([
    { headers: { etag: '"v1"', 'x-request-id': 'r1' } },
  ]);
  const joined = await client.joinByPlatformSession({ ...JOIN, player_id: 42 });
  expect(joined).toEqual({
    session: expect.objectContaining({ teams: [] }),
    etag: '"v1"',
    requestId: 'r1',
  });
  expect(received[0]).toMatchObject({
    method: 'POST',
    target: `/session/v1/platform/Steam/platform-session/bXVzdGVyLXNlc3Npb24/player/${JOIN.player_uuid}?player_id=42`,
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  });
  expect(JSON.parse(received[0]!.body)).toEqual(JOIN.body);
});

test.each([
  ['the standard alphabet', 'a+b/c==', 'a%2Bb%2Fc%3D%3D'],
  ['the URL-safe alphabet', 'a-b_c', 'a-b_c'],
  ['what is no base64 at all', 'é %2F?#.', '%C3%A9%20%252F%3F%23.'],
])('an id in %s arrives as it was given', async (_, id, encoded) => {
  const { client, received } = await startClient([{}]);
  await client.joinByPlatformSession({ ...JOIN, platform_session_id_base64: id });
  const segment = received[0]!.target.split('/')[6]!;
  expect(segment).toBe(encoded);
  expect(decodeURIComponent(segment)).toBe(id);
});

test('an id of 4,096 characters arrives whole, encoded to three times its length', async () => {
  const id = '/'.repeat(4096);
  const { client, received } = await startClient([{}]);
  await client.joinByPlatformSession({ ...JOIN, platform_session_id_base64: id });
  expect(received[0]!.target.split('/')[6]).toBe('%2F'.repeat(4096));
});

test.each(['', '.', '..', '\ud800'])('refuses the id %j, which no URL carries', async (id) => {
  const { client, received } = await startClient([{}]);
  const joining = client.joinByPlatformSession({ ...JOIN, platform_session_id_base64: id });
  await expect(joining).rejects.toThrow(/^platform_session_id_base64 cannot be sent in a path/);
  expect(received).toEqual([]);
});

test('lists repeat their key, and what is undefined is left out', async () => {
  const { client, received } = await startClient([PAGE]);
  await client.listItemHistory({
    sandbox_id: SANDBOX_ID,
    item_ids: ['a', 'b'],
    legacy_item_ids: [1, 2],
    name: 'Iron & Söhne+',
    sort_order: undefined,
    page_size: 7,
  });
  const query =
    'item_ids=a&item_ids=b&legacy_item_ids=1&legacy_item_ids=2&name=Iron%20%26%20S%C3%B6hne%2B&page_size=7';
  expect(received[0]!.target).toBe(`/v1/history/sandbox/${SANDBOX_ID}/item/?${query}`);
});

test('a history without filters has no query, and no body', async () => {
  const { client, received } = await startClient([PAGE]);
  await client.listXpHistory({ sandbox_id: SANDBOX_ID, xp_ids: [] });
  expect(received[0]).toMatchObject({
    method: 'GET',
    target: `/v1/history/sandbox/${SANDBOX_ID}/xp/`,
    body: '',
  });
  expect(received[0]!.headers).not.toHaveProperty('content-type');
});

test('keeps the path of the base URL, sends own headers, and no credential where there is none', async () => {
  const seen: [string, Headers][] = [];
  const client = createMusterClient({
    baseUrl: 'https://games.example/muster/',
    headers: { traceparent: '00-1' },
    fetch: async (url, init) => {
      seen.push([url, new Headers(init.headers)]);
      return Response.json({ transactions: [], page_meta: {} });
    },
  });
  await client.listItemHistory({ sandbox_id: SANDBOX_ID });
  const [url, headers] = seen[0]!;
  expect(url).toBe(`https://games.example/muster/v1/history/sandbox/${SANDBOX_ID}/item/`);
  expect(headers.get('traceparent')).toBe('00-1');
  expect(headers.has('authorization')).toBe(false);
});

test.each(['muster', 'ftp://muster.example', ''])('refuses the base URL %j at once', (baseUrl) => {
  expect(() => createMusterClient({ baseUrl })).toThrow(TypeError);
  expect(() => createMusterClient({ baseUrl })).toThrow(/^baseUrl must be /);
});
