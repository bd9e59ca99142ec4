import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendCurl } from '../../test/send-curl.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession } from './testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const BODY = {
  client_version: '1.0.0',
  client_settings: { platform: 'Steam', input: 'gamepad' },
  team_id: 0,
  custom_data: { quote: `it's "$HOME" \\ \`x\` ü` },
};

type Tried = {
  request: { method: string; path: string; body: unknown };
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  curl: string;
};

const tryJoin = async (input: object, client = admin): Promise<Tried> => {
  const { data, error } = await client.mutate('sessions.tryJoin', input);
  if (error) throw new Error(error.error_code);
  return data as Tried;
};

const attempt = async (change: object = {}) => {
  const { name, platformSessionId } = await createSession(admin, change);
  const player_uuid = randomUUID();
  await admin.mutate('players.register', { player_uuid });
  const ids = { platform: 'Steam', platform_session_id_base64: platformSessionId, player_uuid };
  return { name, ids, input: { ...ids, body: BODY } };
};

/** Sends the same request to the public endpoint. */
const send = async ({ request }: Tried) => {
  const response = await fetch(service.baseUrl + request.path, {
    method: request.method,
    headers: await service.headers(),
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

test('a tried join is a real join: seat, ETag, and the same response as the public endpoint', async () => {
  const { name, input, ids } = await attempt();
  const tried = await tryJoin(input);
  expect(tried.status).toBe(200);
  const repeated = await send(tried);
  expect(tried.body).toEqual(repeated.body);
  expect(tried.headers.etag).toBe(repeated.headers.get('etag'));
  const { data } = await admin.query('sessions.get', name);
  expect(data).toMatchObject({ etag: tried.headers.etag, session: tried.body });
  const records = await service.database.prisma.auditRecord.findMany({
    where: { action: 'sessions.tryJoin' },
  });
  expect(records).toMatchObject([
    { accountId: 'tester', target: { ...name, player_uuid: ids.player_uuid } },
  ]);
});

test('faults are answered as by the public endpoint', async () => {
  const { input, ids } = await attempt({ joinable: false });
  const { input: open } = await attempt({ teams: [{ max_size: 1 }] });
  await tryJoin(open);
  const other = randomUUID();
  await admin.mutate('players.register', { player_uuid: other });
  for (const [wrong, status] of [
    [input, 403],
    [{ ...open, player_uuid: other }, 409],
    [{ ...open, body: { ...BODY, team_id: 7 } }, 422],
    [{ ...open, player_uuid: randomUUID() }, 404],
    [{ ...open, platform_session_id_base64: 'none' }, 404],
    [{ ...open, platform_session_id_base64: 'a b/c+d=\u0000é' }, 422],
    [{ ...open, platform_session_id_base64: 'x'.repeat(5_000) }, 422],
    [{ ...open, platform: 'Xbox', player_id: 'seven', body: { team_id: 'x' } }, 422],
    [ids, 422],
    [{ ...open, body: null }, 422],
    [{ ...open, body: 'text' }, 422],
    [{ ...open, player_uuid: '' }, 404],
    [{ ...open, body: { ...BODY, padding: 'x'.repeat(1_100_000) } }, 413],
  ] as const) {
    const tried = await tryJoin(wrong);
    const sent = await send(tried);
    expect([tried.status, sent.status]).toEqual([status, status]);
    expect(tried.body).toEqual(sent.body);
    for (const [header, value] of Object.entries(tried.headers)) {
      // New for each response.
      if (header === 'x-request-id' || header === 'retry-after') continue;
      expect([header, sent.headers.get(header)]).toEqual([header, value]);
    }
    expect('retry-after' in tried.headers).toBe(sent.headers.has('retry-after'));
  }
});

test('the curl command sends the request, with a variable for the credential', async () => {
  const { input } = await attempt();
  const { curl, body } = await tryJoin({ ...input, player_id: 5 });
  expect(curl).toContain('Authorization: Bearer $TOKEN');
  const variables = { BASE_URL: service.baseUrl, TOKEN: await service.signToken() };
  const response = await sendCurl(curl, variables);
  expect([response.status, await response.json()]).toEqual([200, body]);
});

test('only callers who may join for any player may try a join', async () => {
  const { input } = await attempt();
  const editor = createAdminClient(service, { permissions: ['session:update-player:any'] });
  expect((await tryJoin(input, editor)).status).toBe(200);
  const viewer = createAdminClient(service, { permissions: ['session:view', 'player:*'] });
  await expect(tryJoin(input, viewer)).rejects.toThrow('insufficient_permissions');
  await expect(tryJoin({ ...input, platform: 7 })).rejects.toThrow('input_invalid');
});

/** Sends the raw text of a tried join, for batches and for text that no client writes. */
const sendRaw = async (path: string, body: string) => {
  const response = await fetch(`${service.baseUrl}/admin/trpc/${path}`, {
    method: 'POST',
    headers: await service.headers(),
    body,
  });
  return { status: response.status, text: await response.text() };
};

test('a deeply nested body is refused with a sentence', async () => {
  const { ids } = await attempt();
  const body = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const input = `${JSON.stringify(ids).slice(0, -1)},"body":${body}}`;
  const { status, text } = await sendRaw('sessions.tryJoin', input);
  expect(status).toBe(400);
  expect(text).toContain('Must not nest deeper than 100 levels');
});

test.each([
  ['pieces', Array(50_000).fill([])],
  ['bytes', 'x'.repeat(200_000)],
])('a body over 128 KiB of many %s is answered as the public endpoint answers it', async (_, x) => {
  const { input } = await attempt();
  const tried = await tryJoin({ ...input, body: { ...BODY, x } });
  const sent = await send(tried);
  expect([tried.status, tried.body]).toEqual([413, sent.body]);
  expect(tried.body).toMatchObject({ error_code: 'body_too_large' });
  expect(sent.status).toBe(413);
});

test('a body that is much larger than that of any join is refused', async () => {
  const { input } = await attempt();
  const body = 'x'.repeat(1_400_000);
  await expect(tryJoin({ ...input, body })).rejects.toThrow('body_too_large');
});

test('the response to a large join is little larger than the join', async () => {
  const { input } = await attempt();
  const padding = 'x'.repeat(130_000);
  const { status, text } = await sendRaw(
    'sessions.tryJoin',
    JSON.stringify({ ...input, body: { ...BODY, padding } }),
  );
  expect(status).toBe(200);
  expect(text.length).toBeLessThan(280_000);
  const { result } = JSON.parse(text) as { result: { data: Tried } };
  expect(result.data).toMatchObject({ status: 200, request: { body: { padding } } });
});

test.each(['audit.list', 'sessions.list', 'players.list'])(
  'a cursor of %s with a time out of range is refused',
  async (procedure) => {
    const position = [-8.64e15, randomUUID()];
    const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
    expect((await admin.query(procedure, { cursor })).error.error_code).toBe('input_invalid');
  },
);
