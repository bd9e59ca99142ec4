import { randomUUID } from 'node:crypto';
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainScans } from '../catalogue/testing/explain.ts';
import { createExpiryStore } from './expiry-store.ts';
import type { ListPosition, SessionFilter } from './session-list-store.ts';
import { createSessionListStore, listStatement, MAX_SCANNED } from './session-list-store.ts';

const SESSIONS = 100_000;
const NOON = new Date('2026-03-14T12:00:00.000Z');
const RARE_PLAYER = '11111111-0000-4000-8000-000000000000';

let database: Database;

/** One session per second before noon; nine of ten have ended. Every session has one team of two. */
const FILL = `
  INSERT INTO session (session_key, type, session_id, incarnation, joinable, created_at, ended_at, instance)
  SELECT gen_random_uuid(), CASE WHEN i % 100 = 0 THEN 'rare' ELSE 'common' END, i::text, 'i',
    i % 3 > 0, $1::timestamptz - i * interval '1 second',
    CASE WHEN i % 10 > 0 THEN $1::timestamptz END,
    CASE WHEN i % 4 = 0 THEN json_build_object('instance_id', 'i', 'host_type', 'dedicated',
      'join_status', CASE WHEN i % 8 = 0 THEN 'closed' ELSE 'joinable' END,
      'instance_health', CASE WHEN i = 99000 THEN 'unhealthy' ELSE 'healthy' END) END
  FROM generate_series(1, ${SESSIONS}) AS i`;
const FILL_TEAMS = `INSERT INTO session_team (session_key, team_id, position, max_size)
  SELECT session_key, 0, 0, 2 FROM session`;
const FILL_SEATS = `
  INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, joined_at)
  SELECT session_key, CASE WHEN seat = 1 AND session_id::int % 50000 = 0 THEN $1::uuid
    ELSE gen_random_uuid() END, 0, CASE seat WHEN 1 THEN 'leader' ELSE 'member' END, created_at, created_at
  FROM session, generate_series(1, session_id::int / 10 % 3) AS seat`;
const FILL_PLATFORM_SESSIONS = `
  INSERT INTO session_platform_session (session_key, digest, position, platform, platform_session_type, id_base64)
  SELECT session_key, sha256(session_id::bytea), 0, CASE WHEN session_id = '500' THEN 'Twitch' ELSE 'Steam' END,
    'lobby', session_id FROM session`;

beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 60_000 });
  const { pool } = database;
  await pool.query(FILL, [NOON]);
  await pool.query(FILL_TEAMS);
  await pool.query(FILL_SEATS, [RARE_PLAYER]);
  await pool.query(FILL_PLATFORM_SESSIONS);
  const { storeFills } = createExpiryStore(database);
  await pool.query(
    `UPDATE session SET last_activity_at = $1::timestamptz - interval '10 minutes' WHERE session_id::int % 99 = 0`,
    [NOON],
  );
  await pool.query(
    `UPDATE session_seat SET absent_since = $1 WHERE session_key = (SELECT session_key FROM session WHERE session_id = '98990')`,
    [NOON],
  );
  let batches = 1;
  while (!(await storeFills(1_000))) batches += 1;
  expect(batches).toBe(11);
  await pool.query('ANALYZE session, session_team, session_seat, session_platform_session');
}, 120_000);

afterAll(() => database.close());

/** All ids that a filter finds, over all pages. */
const walk = async (filter: SessionFilter, maxScanned = 3_000): Promise<string[]> => {
  const store = createSessionListStore(database, { maxScanned });
  const keys: string[] = [];
  for (let after: ListPosition | null = null; ; ) {
    const page = await store.listKeys(filter, after, 200);
    keys.push(...page.keys);
    after = page.next;
    if (!after) break;
  }
  const { rows } = await database.pool.query<{ session_id: string }>(
    `SELECT session_id FROM unnest($1::uuid[]) WITH ORDINALITY AS k(session_key, place)
     JOIN session USING (session_key) ORDER BY place`,
    [keys],
  );
  return rows.map((row) => row.session_id);
};

/** The expected matches of the same filter, from the numbers that define the sessions. */
const expected = (matches: (index: number) => boolean): string[] =>
  Array.from({ length: SESSIONS }, (_, index) => index + 1)
    .filter(matches)
    .map(String);

const seatsOf = (index: number): number => Math.floor(index / 10) % 3;
const live = (index: number): boolean => index % 10 === 0;

test.each<[string, SessionFilter, (index: number) => boolean]>([
  ['type', { type: 'rare' }, (i) => i % 100 === 0],
  ['platform', { platform: 'Twitch' }, (i) => i === 500],
  ['joinable', { joinable: false, type: 'rare' }, (i) => i % 300 === 0],
  ['fill empty', { fill: 'empty' }, (i) => live(i) && seatsOf(i) === 0],
  ['fill open', { fill: 'open' }, (i) => live(i) && seatsOf(i) < 2],
  ['fill full', { fill: 'full' }, (i) => live(i) && seatsOf(i) === 2],
  [
    'fill empty, ended',
    { fill: 'empty', ended: true, type: 'common' },
    (i) => !live(i) && seatsOf(i) === 0,
  ],
  ['join status', { joinStatus: 'closed' }, (i) => live(i) && i % 8 === 0],
  ['instance health', { instanceHealth: 'unhealthy' }, (i) => i === 99_000],
  ['player', { playerUuid: RARE_PLAYER }, (i) => i % 50_000 === 0 && seatsOf(i) > 0],
  [
    'age',
    {
      createdFrom: new Date(NOON.getTime() - 90_000),
      createdTo: new Date(NOON.getTime() - 30_000),
    },
    (i) => live(i) && i <= 90 && i > 30,
  ],
  // Sessions of 99 numbers have activity, in the ten minutes before noon.
  [
    'idle',
    { idleSince: new Date(NOON.getTime() - 3_000_000) },
    (i) => live(i) && i > 3_000 && i % 99 > 0,
  ],
  ['absent', { hasAbsent: true }, (i) => live(i) && i === 98_990],
  ['not absent', { hasAbsent: false, type: 'rare' }, (i) => i % 100 === 0],
  ['ended', { ended: true, type: 'common', joinStatus: 'closed' }, (i) => !live(i) && i % 8 === 0],
])('%s: every match once, newest first, over pages that end early', async (_, filter, matches) => {
  expect(await walk(filter)).toEqual(expected(matches));
});

test('a page without results within its scan limit has a position to continue from', async () => {
  const store = createSessionListStore(database, { maxScanned: 1_000 });
  const page = await store.listKeys({ instanceHealth: 'unhealthy' }, null, 10);
  expect(page).toEqual({ keys: [], next: expect.objectContaining({ key: expect.any(String) }) });
});

test('a count is exact within its limit, and shows when it is not', async () => {
  const store = createSessionListStore(database, { maxScanned: 3_000 });
  const count = (filter: SessionFilter, most = 10_000) => store.countSessions(filter, most);
  expect(await count({})).toEqual({ count: 10_000, isExact: true });
  expect(await count({}, 9_999)).toEqual({ count: 9_999, isExact: false });
  expect(await count({ ended: true })).toEqual({ count: 10_000, isExact: false });
  expect(await count({ type: 'rare', fill: 'full' })).toEqual({ count: 333, isExact: true });
  expect(await count({ fill: 'full' })).toEqual({ count: 3_333, isExact: true });
  expect(await count({ fill: 'open' }, 6_000)).toEqual({ count: 6_000, isExact: false });
  expect(await count({ fill: 'full', ended: true })).toEqual({ count: 999, isExact: false });
  expect(await count({ playerUuid: RARE_PLAYER })).toEqual({ count: 2, isExact: true });
});

test.each<[string, SessionFilter, number]>([
  ['nothing', {}, 60],
  ['type', { type: 'rare' }, 60],
  ['ended type', { type: 'rare', ended: true }, 60],
  ['player', { playerUuid: RARE_PLAYER }, 60],
  ['player of ended sessions', { playerUuid: RARE_PLAYER, ended: true }, 60],
  ['age', { createdTo: new Date(NOON.getTime() - 90_000_000) }, 60],
  // One probe of the session and one for the filter.
  ['platform', { platform: 'Twitch' }, 2 * 1_000],
  ['health', { instanceHealth: 'unhealthy' }, 1_000],
  ['fill', { fill: 'full' }, 60],
  ['fill of a type', { fill: 'full', type: 'rare' }, 60],
  ['fill of ended sessions', { fill: 'full', ended: true }, 3 * 1_000],
])('%s: a page reads a bounded number of rows, by an index', async (_, filter, most) => {
  const after = { createdAt: new Date(NOON.getTime() - 50_000), key: randomUUID() };
  for (const position of [null, after]) {
    const statement = { name: '', ...listStatement(filter, position, 51, 1_000) };
    const scans = await explainScans(database, serialise(statement), 'custom');
    expect(scans.every(({ type }) => type !== 'Seq Scan')).toBe(true);
    const read = scans.reduce((sum, { rowsRead, relation }) => sum + (relation ? rowsRead : 0), 0);
    expect(read).toBeLessThanOrEqual(most * 2);
  }
  expect(MAX_SCANNED).toBeLessThan(SESSIONS);
});

/** EXPLAIN takes values as text. */
const serialise = <Statement extends { values: unknown[] }>(statement: Statement): Statement => ({
  ...statement,
  values: statement.values.map((value) => (value instanceof Date ? value.toISOString() : value)),
});
