import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminClient, createSession, join } from '../../src/admin/testing/admin-client.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** 20,000 bytes. */
const custom_data = Object.fromEntries(
  ['a', 'b', 'c', 'd', 'e'].map((key) => [key, 'x'.repeat(3_999)]),
);
/** Some 240 KB a session. */
const WIDE = { teams: Array.from({ length: 12 }, () => ({ max_size: 2, custom_data })) };
const SESSIONS = 22;
const MAX_PAGE_BYTES = 5 * 1_048_576;

type Listed = { session: { session_id: string } };

test('a list of large sessions has each once, in pages of bounded bytes, live or ended', async () => {
  const admin = createAdminClient(service);
  const made: Awaited<ReturnType<typeof createSession>>[] = [];
  for (let count = 0; count < SESSIONS; count += 1) made.push(await createSession(admin, WIDE));
  const ids = made.map(({ name }) => name.session_id);

  const readPages = async (filter: object) => {
    const pages: string[][] = [];
    for (let cursor: unknown; pages.length === 0 || cursor !== undefined; ) {
      const { data } = await admin.query('sessions.list', { ...filter, page_size: 200, cursor });
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(MAX_PAGE_BYTES);
      pages.push((data.sessions as Listed[]).map(({ session }) => session.session_id));
      ({ cursor } = data.page_meta as { cursor?: string });
    }
    return pages;
  };
  const live = await readPages({ type: 'duel' });
  expect(live.length).toBeGreaterThan(1);
  expect(live.flat().sort()).toEqual([...ids].sort());
  // The newest first, over the pages.
  expect(live.flat()[0]).toBe(ids.at(-1));

  const calls = Array.from({ length: 5 }, (_, index) => [index, { page_size: 200 }]);
  const input = encodeURIComponent(JSON.stringify(Object.fromEntries(calls)));
  const names = calls.map(() => 'sessions.list').join(',');
  const response = await fetch(`${service.baseUrl}/admin/trpc/${names}?batch=1&input=${input}`, {
    headers: await service.headers(),
  });
  const text = await response.text();
  expect(text.length).toBeLessThan(8 * 1_048_576);
  const answers: { result?: object; error?: { data: object } }[] = JSON.parse(text);
  expect(answers).toHaveLength(5);
  expect(answers.filter(({ result }) => result)).toHaveLength(1);
  expect(answers.at(-1)?.error?.data).toMatchObject({ error_code: 'body_too_large' });

  for (const { name } of made) await admin.mutate('sessions.end', name);
  const ended = await readPages({ type: 'duel', ended: true });
  expect(ended.length).toBeGreaterThan(1);
  expect(ended.flat().sort()).toEqual([...ids].sort());
});

test('MAX_SESSION_KB bounds what a join and an admin may make of a session, and nothing is written', async () => {
  const small = await startTestService({ env: { MAX_SESSION_KB: '16' } });
  const admin = createAdminClient(small);
  const refused = await admin.mutate('sessions.create', {
    type: 'duel',
    custom_data,
    teams: [{ max_size: 2 }],
  });
  expect([refused.status, refused.error.error_code]).toEqual([422, 'session_too_large']);
  expect(await admin.query('sessions.count')).toMatchObject({ data: { count: 0 } });

  const { name, platformSessionId, etag } = await createSession(admin);
  const data = { custom_data: { a: 'x'.repeat(3_999), b: 'x'.repeat(3_999) } };
  expect(await join(small, platformSessionId, randomUUID(), data)).toMatchObject({ status: 200 });
  const tooMuch = await join(small, platformSessionId, randomUUID(), data);
  expect(tooMuch).toMatchObject({
    status: 422,
    body: {
      detail: [{ loc: ['body', 'custom_data'], type: 'value_error.session_too_large' }],
    },
  });
  const stored = await admin.query('sessions.get', name);
  expect(JSON.stringify(stored.data).match(/"player_uuid"/g)).toHaveLength(1);
  expect(stored.data.etag).not.toBe(etag);
  await small.close();
});

test('a session can be filled to the last byte, and the refusal of a seated player names the member that does not fit', async () => {
  const small = await startTestService({ env: { MAX_SESSION_KB: '16' } });
  const admin = createAdminClient(small);
  const { a, b, c } = custom_data;
  const teams = [{ max_size: 2, custom_data: { a, b, c } }];
  const { name, platformSessionId } = await createSession(admin, { teams });
  const player = randomUUID();
  const joined = await join(small, platformSessionId, player);
  const fill = (bytes: number) =>
    admin.mutate('sessions.update', { ...name, custom_data: { a: 'x'.repeat(bytes) } });
  const left =
    16_384 - Buffer.byteLength(JSON.stringify(joined.body)) - '"custom_data":{"a":""},'.length;
  expect(await fill(left + 1)).toMatchObject({
    status: 422,
    error: { detail: [{ loc: ['body', 'custom_data'], type: 'value_error.session_too_large' }] },
  });
  expect(await fill(left)).toMatchObject({ status: 200 });
  const full = await join(small, platformSessionId, player);
  expect(Buffer.byteLength(JSON.stringify(full.body))).toBe(16_384);

  const crossplay_preferences = {
    permitted_platform: 'desired_platforms_any',
    permitted_input: 'desired_inputs_any',
  };
  const members = { crossplay_preferences, client_version: '1.4.2-rc.1' };
  for (const [member, value] of Object.entries(members)) {
    expect(await join(small, platformSessionId, player, { [member]: value })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', member], type: 'value_error.session_too_large' }] },
    });
  }
  expect(await join(small, platformSessionId, randomUUID())).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['path', 'player_uuid'], type: 'value_error.session_too_large' }] },
  });
  await small.close();
});
