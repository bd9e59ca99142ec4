import { Session } from '@muster/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createSessionStore,
  findLeader,
  isSeated,
  platformSessionDigest,
  toSessionResource,
  withoutExpiredSeats,
} from '../../sessions/index.ts';
import { findCrossplayConflict, isVersionCompatible } from '../../sessions/join-rules.ts';
import { createDemoDatabase, NOW } from './testing/demo-database.ts';

let demo: Awaited<ReturnType<typeof createDemoDatabase>>;

beforeAll(async () => {
  demo = await createDemoDatabase();
}, 30_000);

afterAll(() => demo.close());

const readSessions = async () => {
  const keys = await demo.select<{ session_key: string }>('SELECT session_key FROM session');
  const store = createSessionStore(demo.database, { onBatch: () => {} });
  return [...(await store.readSessions(keys.map((row) => row.session_key))).values()];
};

test('every session matches the contract and the rules of joins', async () => {
  const sessions = await readSessions();
  expect(sessions).toHaveLength(60);
  for (const session of sessions) {
    const resource = JSON.parse(JSON.stringify(toSessionResource(session)));
    expect(Session.parse(resource)).toEqual(resource);
    const seats = [...session.seats.values()];
    const seated = seats.filter(isSeated);
    expect(findLeader(session.seats) === null).toBe(seated.length === 0);
    for (const { teamId, maxSize } of session.teams) {
      expect(seats.filter((seat) => seat.teamId === teamId).length).toBeLessThanOrEqual(maxSize);
    }
    for (const seat of seated) {
      const { platform, input, clientVersion = '', crossplay } = seat;
      const others = seated.filter((other) => other !== seat);
      expect(findCrossplayConflict({ platform, input, crossplay }, others)).toBeNull();
      const { version } = session.details.instance ?? {};
      expect(isVersionCompatible(session.rules.versionMatch, clientVersion, version)).toBe(true);
    }
    expect(withoutExpiredSeats(session, NOW)).toBe(session);
    const times = seats.flatMap(({ seatedAt, joinedAt, invitedAt }) => [
      seatedAt,
      joinedAt,
      invitedAt,
    ]);
    for (const time of times) {
      if (time && (time < session.createdAt || time > NOW)) throw new Error('A seat out of time.');
    }
  }
});

test('sessions are in all kinds of states', async () => {
  const sessions = await readSessions();
  const statuses = new Set(sessions.map(({ details }) => details.instance?.join_status));
  expect(statuses).toEqual(
    new Set([undefined, 'requested', 'allocated', 'pending', 'joinable', 'unjoinable', 'closed']),
  );
  const roomOf = (session: (typeof sessions)[number]) =>
    session.teams.reduce((sum, { maxSize }) => sum + maxSize, 0) - session.seats.size;
  expect(sessions.filter((session) => roomOf(session) === 0).length).toBeGreaterThan(4);
  expect(sessions.filter((session) => session.seats.size <= 1).length).toBeGreaterThan(4);
  expect(sessions.filter(({ details }) => !details.joinable).length).toBeGreaterThan(4);
  const seats = sessions.flatMap((session) => [...session.seats.values()]);
  expect(new Set(seats.map(({ status }) => status)).size).toBe(4);
  expect(new Set(seats.map(({ crossplay }) => crossplay?.permitted_platform)).size).toBe(4);
  for (const part of [
    'browser',
    'match',
    'matchmaking',
    'matchmakingResults',
    'backfill',
  ] as const) {
    expect(sessions.some(({ details }) => details[part])).toBe(true);
  }
  expect(sessions.filter((s) => s.platformSessions.length > 1).length).toBeGreaterThan(20);
});

test('every platform session leads to its session, and every player of a seat is registered', async () => {
  const sessions = await readSessions();
  const store = createSessionStore(demo.database, { onBatch: () => {} });
  for (const { key, platformSessions } of sessions) {
    for (const { platform, idBase64, digest } of platformSessions) {
      expect(platformSessionDigest(platform, idBase64)).toBe(digest);
      expect(await store.findKeyByPlatformSession(digest)).toBe(key);
    }
  }
  expect(
    await demo.count(
      'session_seat s LEFT JOIN player p USING (player_uuid) WHERE p.player_uuid IS NULL',
    ),
  ).toBe(0);
  expect(
    await demo.count(
      "session_seat s LEFT JOIN player_legacy_id l USING (player_uuid) WHERE s.status IN ('leader', 'member') AND s.player_id IS DISTINCT FROM l.player_id",
    ),
  ).toBe(0);
});

test('each timeline begins with the session and ends at its version', async () => {
  const events = await demo.select<{
    session_key: string;
    kind: string;
    session_version: number | null;
  }>(
    `SELECT session_key, kind, session_version::int FROM session_event ORDER BY session_key, event_id`,
  );
  const timelines = Map.groupBy(events, ({ session_key }) => session_key);
  for (const session of await readSessions()) {
    const timeline = timelines.get(session.key) ?? [];
    expect(timeline[0]).toMatchObject({ kind: 'session_created', session_version: 1 });
    const versions = timeline.flatMap(({ session_version: version }) => version ?? []);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(versions.at(-1)).toBe(session.version);
  }
  expect(new Set(events.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(7);
});

test('refused joins have the refusals of the timelines, and one that found no session', async () => {
  const ofTimelines = await demo.select(
    `SELECT player_uuid, detail->>'error_code' AS code FROM session_event WHERE kind = 'join_refused'`,
  );
  const refused = await demo.select<{ code: string; session_id: string | null }>(
    'SELECT player_uuid, error_code AS code, session_id FROM refused_join',
  );
  expect(ofTimelines.length).toBeGreaterThan(0);
  expect(refused).toHaveLength(ofTimelines.length + 1);
  expect(refused.filter(({ session_id }) => session_id === null)).toMatchObject([
    { code: 'platform_session_not_found' },
  ]);
});
