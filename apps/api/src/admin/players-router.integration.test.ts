import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { explainScans } from '../catalogue/testing/explain.ts';
import { listStatement } from '../sessions/player-store.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession, join } from './testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const register = async (display_name: string, player_id?: number): Promise<string> => {
  const player_uuid = randomUUID();
  await admin.mutate('players.register', { player_uuid, player_id, display_name });
  return player_uuid;
};

const find = async (query: string): Promise<string[]> => {
  const { data } = await admin.query('players.list', { query });
  return (data.players as { player_uuid: string }[]).map(({ player_uuid }) => player_uuid);
};

const codeOf = async (answer: ReturnType<AdminClient['query']>): Promise<string> =>
  (await answer).error.error_code;

test('a player is found by UUID, legacy id, and a part of the name in any case', async () => {
  const [ada, bob] = [await register('Ada 100%', 77), await register('Bob_Ada77')];
  expect(await find(ada.toUpperCase())).toEqual([ada]);
  expect(await find(` ${ada.replaceAll('-', '').toUpperCase()} `)).toEqual([ada]);
  expect(await find(' 77 ')).toEqual([bob, ada]);
  expect(await find('ADA 1')).toEqual([ada]);
  expect(await find('0%')).toEqual([ada]);
  expect(await find('b_a')).toEqual([bob]);
  expect(await find(randomUUID())).toEqual([]);
});

test('names are found for many UUIDs at once, and unregistered players are left out', async () => {
  const [dora, emil] = [await register('Dora', 4712), await register('Emil <b>')];
  const { data } = await admin.query('players.names', {
    player_uuids: [emil, randomUUID(), dora.toUpperCase(), emil],
  });
  expect(data).toEqual({
    players: [
      { player_uuid: emil, display_name: 'Emil <b>' },
      { player_uuid: dora, player_id: 4712, display_name: 'Dora' },
    ],
  });
  const most = Array.from({ length: 201 }, () => randomUUID());
  expect(await codeOf(admin.query('players.names', { player_uuids: most }))).toBe('input_invalid');
});

test('players are listed newest first, each once, with every page size', async () => {
  const made: string[] = [];
  const name = randomUUID().slice(0, 8);
  for (let index = 0; index < 5; index += 1) made.unshift(await register(`${name} ${index}`));
  for (const page_size of [1, 2, 5]) {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { data } = await admin.query('players.list', { query: name, page_size, cursor });
      seen.push(...(data.players as { player_uuid: string }[]).map((player) => player.player_uuid));
      cursor = (data.page_meta as { cursor?: string }).cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(made);
  }
});

test('the page of a player shows identities, seats and events, including refusals with reasons', async () => {
  const player_uuid = await register('Cleo', 4711);
  const open = await createSession(admin);
  const shut = await createSession(admin, { joinable: false });
  await join(service, open.platformSessionId, player_uuid);
  await join(service, shut.platformSessionId, player_uuid);
  await admin.mutate('sessions.setPresence', { ...open.name, player_uuid, present: false });
  const { data } = await admin.query('players.get', { player_uuid });
  expect(data).toEqual({
    player_uuid,
    player_id: 4711,
    display_name: 'Cleo',
    platforms: ['Steam'],
    registered: expect.stringMatching(/Z$/),
  });
  const seats = await admin.query('players.sessions', { player_uuid });
  expect(seats.data).toEqual({
    seats: [
      {
        ...open.name,
        team_id: 0,
        status: 'leader',
        platform: 'Steam',
        version: '1.0.0',
        joined: expect.any(String),
        absent_since: expect.any(String),
      },
    ],
    page_meta: { page_size: 50 },
  });
  const refusal = {
    ...shut.name,
    kind: 'join_refused',
    account_id: player_uuid,
    detail: {
      error_code: 'session_not_joinable',
      team_id: 0,
      desc: 'The session takes only players who were invited.',
    },
  };
  await expect
    .poll(async () => (await admin.query('players.events', { player_uuid })).data.events)
    .toContainEqual(expect.objectContaining(refusal));
  const { data: told } = await admin.query('sessions.events', shut.name);
  expect(told.events).toContainEqual(
    expect.objectContaining({ detail: refusal.detail, player_uuid }),
  );
  const first = await admin.query('players.events', { player_uuid, page_size: 2 });
  const { cursor } = first.data.page_meta as { cursor: string };
  const rest = await admin.query('players.events', { player_uuid, page_size: 2, cursor });
  const kinds = [first, rest].flatMap(({ data: { events } }) =>
    (events as { kind: string }[]).map(({ kind }) => kind),
  );
  expect(kinds.toSorted()).toEqual([
    'join_refused',
    'leader_changed',
    'player_absent',
    'player_joined',
  ]);
});

test('seats of ended sessions are listed, each once over all pages', async () => {
  const player_uuid = randomUUID();
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { name, platformSessionId } = await createSession(admin);
    await join(service, platformSessionId, player_uuid);
    await admin.mutate('sessions.end', name);
    ids.unshift(name.session_id);
  }
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await admin.query('players.sessions', { player_uuid, page_size: 1, cursor });
    const [seat] = page.data.seats as { session_id: string; session_ended: string }[];
    expect(seat?.session_ended).toMatch(/Z$/);
    seen.push(seat?.session_id ?? '');
    cursor = (page.data.page_meta as { cursor?: string }).cursor;
    if (cursor === undefined) break;
  }
  expect(seen).toEqual(ids);
});

test('an unregistered player, bad input and a missing permission are errors', async () => {
  const player_uuid = randomUUID();
  expect(await codeOf(admin.query('players.get', { player_uuid }))).toBe('player_not_found');
  const outsider = createAdminClient(service, { permissions: ['session:*'] });
  for (const procedure of ['get', 'list', 'names', 'sessions', 'events']) {
    const refused = outsider.query(`players.${procedure}`, { player_uuid, player_uuids: [] });
    expect(await codeOf(refused)).toBe('insufficient_permissions');
    const bad = admin.query(`players.${procedure}`, { player_uuid: 'x', page_size: 0 });
    expect(await codeOf(bad)).toBe('input_invalid');
  }
});

test('a page of 20,000 players reads few rows, by an index', async () => {
  const { pool } = service.database;
  for (let thousand = 0; thousand < 20; thousand += 1) {
    await pool.query(
      `INSERT INTO player (player_uuid, display_name, registered_at)
       SELECT gen_random_uuid(), CASE WHEN i % 2 = 0 THEN 'player ' || md5((i + $1)::text) END,
         now() - (i + $1) * interval '1 minute' FROM generate_series(1, 1000) i`,
      [thousand * 1000],
    );
  }
  await pool.query('ANALYZE player');
  const after = { registeredAt: new Date(Date.now() - 3_600_000), playerUuid: randomUUID() };
  const query = { text: 'md5fe', uuid: undefined, playerId: 7 };
  for (const statement of [
    listStatement(null, null, 51),
    listStatement(null, after, 51),
    listStatement(query, null, 51),
    listStatement({ ...query, uuid: randomUUID() }, null, 51),
  ]) {
    const values = statement.values.map((value) =>
      value instanceof Date ? value.toISOString() : value,
    );
    const scans = await explainScans(
      service.database,
      { name: '', ...statement, values },
      'custom',
    );
    const read = scans.filter(({ relation }) => relation === 'player');
    expect(read.every(({ type }) => type !== 'Seq Scan')).toBe(true);
    expect(read.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(500);
  }
});
