// The list of refused joins over HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { createRefusedJoinStore } from '../sessions/refused-join-store.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession, join } from './testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

type Refused = {
  refusal_id: string;
  occurred_at: string;
  error_code: string;
  further?: number;
  [member: string]: unknown;
};

const listPage = async (input: object) => {
  const { status, data } = await admin.query('refusedJoins.list', input);
  expect(status).toBe(200);
  return data as { refused_joins: Refused[]; page_meta: { cursor?: string } };
};
const list = async (input: object) => (await listPage(input)).refused_joins;

const waitFor = async (input: object, count: number): Promise<Refused[]> => {
  const seen = async () => {
    const refused = await list(input);
    expect(refused).toHaveLength(count);
    return refused;
  };
  return vi.waitFor(seen, { timeout: 10_000 });
};

describe('refused joins are found', () => {
  const [player, other, platformSession] = [randomUUID(), randomUUID(), 'YW55LWxvYmJ5Pz8'];
  let session: Awaited<ReturnType<typeof createSession>>;
  beforeAll(async () => {
    session = await createSession(admin, { joinable: false });
    await join(service, session.platformSessionId, player);
    await join(service, platformSession, player);
    await join(service, platformSession, other, { team_id: 'x' });
    await waitFor({ player_uuid: player }, 2);
    await waitFor({ player_uuid: other }, 1);
  });

  test('by player, newest first, with everything that is known', async () => {
    const [newest, oldest] = await list({ player_uuid: player });
    expect(newest).toMatchObject({ error_code: 'platform_session_not_found' });
    expect(oldest).toEqual({
      refusal_id: expect.any(String),
      occurred_at: expect.stringMatching(/Z$/),
      player_uuid: player,
      account_id: player,
      platform: 'Steam',
      platform_session_id_base64: session.platformSessionId,
      ...session.name,
      error_code: 'session_not_joinable',
      desc: 'The session takes only players who were invited.',
      request_id: expect.any(String),
    });
  });

  test('by platform session in another spelling, and by code', async () => {
    const found = await list({ platform_session_id_base64: `${platformSession}=` });
    expect(found.map(({ error_code }) => error_code)).toEqual([
      'input_invalid',
      'platform_session_not_found',
    ]);
    const invalid = await list({ error_code: 'input_invalid', platform: 'Steam' });
    expect(invalid).toMatchObject([{ player_uuid: other }]);
    expect(await list({ platform: 'PSN' })).toEqual([]);
  });

  test('by time: from is included, to is not', async () => {
    const [newest, oldest] = await list({ player_uuid: player });
    const [from, to] = [oldest?.occurred_at, newest?.occurred_at];
    expect(await list({ player_uuid: player, from, to })).toEqual([oldest]);
    expect(await list({ player_uuid: player, from: to })).toEqual([newest]);
    expect(await list({ player_uuid: player, to: '1969-01-01T00:00:00Z' })).toEqual([]);
  });

  test('on pages', async () => {
    const first = await listPage({ page_size: 2 });
    const { cursor } = first.page_meta;
    const second = await listPage({ page_size: 2, cursor });
    const all = [...first.refused_joins, ...second.refused_joins];
    expect(all).toEqual(await list({}));
    expect(second.page_meta.cursor).toBeUndefined();
  });
});

test('the last entry of an hour counts the refusals that have no entry', async () => {
  const player = randomUUID();
  for (let count = 0; count < 23; count += 1) await join(service, 'bm9uZQ', player);
  // All of them, even if the hour ends during the test.
  const countAll = async () =>
    (await list({ player_uuid: player })).reduce((sum, { further = 0 }) => sum + 1 + further, 0);
  await expect.poll(countAll, { timeout: 10_000 }).toBe(23);
});

test('a page scans a bounded number of entries, and continues where it ended', async () => {
  const player = randomUUID();
  for (let count = 0; count < 5; count += 1) await join(service, 'bm9uZQ', player);
  await waitFor({ player_uuid: player }, 5);
  const store = createRefusedJoinStore(service.database, { maxScanned: 2 });
  const filter = { playerUuid: player, errorCode: 'team_full' };
  let after: string | null = null;
  const pages: number[] = [];
  do {
    const { rows, next } = await store.list(filter, after, 50);
    pages.push(rows.length);
    after = next;
  } while (after);
  expect(pages).toEqual([0, 0, 0]);
});

test('the list needs session:view', async () => {
  const reader = createAdminClient(service, { permissions: ['player:view'] });
  expect((await reader.query('refusedJoins.list')).status).toBe(403);
  const { status } = await admin.query('refusedJoins.list', { platform: 'PlayStation' });
  expect(status).toBe(400);
});

test('each list reads an index, however many refused joins there are', async () => {
  const { pool } = service.database;
  await pool.query(
    `INSERT INTO refused_join
     SELECT gen_random_uuid(), now(), 1, gen_random_uuid(), now(), 'a', NULL, 'PSN', 'x',
       sha256(n::text::bytea), NULL, NULL, 'team_full', '', '', 1 FROM generate_series(1, 20000) n`,
  );
  await pool.query('ANALYZE refused_join');
  for (const [condition, index] of [
    ['true', 'refused_join_newest'],
    [`player_uuid = '${randomUUID()}'`, 'refused_join_of_player'],
    [`platform_session_digest = sha256('x')`, 'refused_join_of_platform_session'],
  ]) {
    const { rows } = await pool.query(
      `EXPLAIN SELECT * FROM refused_join WHERE ${condition} ORDER BY refusal_id DESC LIMIT 51`,
    );
    expect(JSON.stringify(rows)).toContain(index);
  }
});
