import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { newEventId } from '../sessions/index.ts';
import type { RetentionOptions } from './retention.ts';
import { createRetention } from './retention.ts';
import { createRetentionStore } from './retention-store.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = new Date('2026-11-22T12:00:00.000Z');
const NOTHING = { session_events: 0, refused_joins: 0, metric_minutes: 0, audit_records: 0 };
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(() => service.database.pool.query('DELETE FROM audit_record'));

const query = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await service.database.pool.query<Row>(sql, values)).rows;

const createSession = async (): Promise<string> => {
  const id = randomUUID();
  const admin = createAdminCaller(service.baseUrl, await bearer());
  await admin.mutate('sessions.create', {
    type: 'kept',
    session_id: id,
    teams: [{ max_size: 4 }],
    platform_session: [
      { platform: 'Steam', platform_session_type: 'lobby', platform_session_id_base64: id },
    ],
  });
  const [row] = await query<{ key: string }>(
    'SELECT session_key AS key FROM session WHERE session_id = $1',
    [id],
  );
  return row?.key ?? '';
};
const bearer = async () => ({ authorization: `Bearer ${await service.signToken()}` });

const addEvents = async (key: string, count: number, at: Date) => {
  for (let n = 0; n < count; n += 1) {
    const values = [key, newEventId(at), at];
    await query(
      `INSERT INTO session_event (session_key, event_id, occurred_at, kind, account_id) VALUES ($1, $2, $3, 'old', 'me')`,
      values,
    );
  }
};
const agesOf = async (key: string) =>
  (
    await query<{ at: Date }>(
      `SELECT occurred_at AS at FROM session_event WHERE session_key = $1 AND kind = 'old' ORDER BY 1`,
      [key],
    )
  ).map(({ at }) => (NOW.getTime() - at.getTime()) / DAY_MS);

const KEEP_ALL: RetentionOptions['rules'] = {
  eventDays: undefined,
  refusedJoinDays: undefined,
  metricDays: undefined,
  auditDays: undefined,
};

const open = (rules: Partial<RetentionOptions['rules']>, more: Partial<RetentionOptions> = {}) => {
  const seen = { batches: [] as number[], runs: [] as object[], failures: [] as unknown[] };
  const retention = createRetention({
    store: createRetentionStore(service.database),
    rules: { ...KEEP_ALL, ...rules },
    now: () => NOW,
    countDeleted: (_, count) => seen.batches.push(count),
    onDeleted: (deleted) => seen.runs.push(deleted),
    onFailure: (error) => seen.failures.push(error),
    rowsPerBatch: 3,
    sessionsPerStep: 2,
    ...more,
  });
  return { ...seen, retention };
};

test('events are deleted when they are older than their days, of every session, in bounded batches', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, createSession));
  for (const key of keys) {
    await addEvents(key, 4, daysAgo(31));
    await addEvents(key, 1, new Date(daysAgo(30).getTime()));
    await addEvents(key, 1, daysAgo(1));
  }
  const { retention, batches, runs } = open({ eventDays: 30 });
  expect(await retention.run()).toBe(true);
  for (const key of keys) expect(await agesOf(key)).toEqual([30, 1]);
  expect(runs).toEqual([{ ...NOTHING, session_events: 20 }]);
  expect(Math.max(...batches)).toBe(3);
  await retention.run();
  expect(runs).toHaveLength(1);
});

test('a join is answered as before when the events of its session are gone', async () => {
  const key = await createSession();
  const [session] = await query<{ id: string }>(
    'SELECT session_id AS id FROM session WHERE session_key = $1',
    [key],
  );
  const join = async (player: string) =>
    fetch(
      `${service.baseUrl}/session/v1/platform/Steam/platform-session/${session?.id}/player/${player}`,
      {
        method: 'POST',
        headers: await service.headers({ sub: player }),
        body: JSON.stringify({
          status: 'member',
          client_version: '1.0.0',
          team_id: 0,
          client_settings: { platform: 'Steam', input: 'gamepad' },
          crossplay_preferences: {
            permitted_platform: 'desired_platforms_any',
            permitted_input: 'desired_inputs_any',
          },
        }),
      },
    );
  const player = randomUUID();
  const first = await join(player);
  expect(first.status).toBe(200);
  const { retention } = open({ eventDays: 1 }, { now: () => new Date(Date.now() + 2 * DAY_MS) });
  await retention.run();
  expect(await query('SELECT FROM session_event WHERE session_key = $1', [key])).toEqual([]);
  const again = await join(player);
  expect([again.status, again.headers.get('etag')]).toEqual([200, first.headers.get('etag')]);
  expect(await again.text()).toBe(await first.text());
  expect((await join(randomUUID())).status).toBe(200);
});

const addRefusedJoins = async (count: number, at: Date) => {
  for (let n = 0; n < count; n += 1) {
    await query(
      `INSERT INTO refused_join VALUES ($1, $2, 1, $3, $2, 'a', NULL, 'PSN', 'x', '', NULL, NULL, 'old', '', '', 1)`,
      [randomUUID(), at, newEventId(at)],
    );
  }
};

test('refused joins are deleted when they are older than their days, in bounded batches', async () => {
  await addRefusedJoins(7, new Date(daysAgo(30).getTime() - 1));
  await addRefusedJoins(2, daysAgo(30));
  const { retention, batches, runs } = open({ refusedJoinDays: 30 });
  await retention.run();
  const left = await query<{ at: Date }>(
    `SELECT refused_at AS at FROM refused_join WHERE error_code = 'old'`,
  );
  expect(left).toEqual([{ at: daysAgo(30) }, { at: daysAgo(30) }]);
  expect(runs).toEqual([{ ...NOTHING, refused_joins: 7 }]);
  expect(batches).toEqual([3, 3, 1]);
});

test('kept metrics are deleted after their days', async () => {
  const minutes = [new Date(daysAgo(7).getTime() - 60_000), daysAgo(7)];
  for (const minute of minutes) {
    await query(`INSERT INTO metric_minute (minute, counts) VALUES ($1, '{}')`, [minute]);
  }
  const { retention, runs } = open({ metricDays: 7 });
  await retention.run();
  expect(await query('SELECT minute FROM metric_minute')).toEqual([{ minute: daysAgo(7) }]);
  expect(runs).toEqual([{ ...NOTHING, metric_minutes: 1 }]);
});

test('audit records are deleted after their days, with an audit record; versions are never touched', async () => {
  const admin = createAdminCaller(service.baseUrl, await bearer());
  const { data } = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Kept' });
  const item = { sandbox_id: data.sandbox_id, name: 'Sword', item_type: 'unit' };
  await admin.mutate('items.create', item);
  const versions = await query('SELECT * FROM catalogue_version');
  await query('UPDATE audit_record SET occurred_at = $1', [daysAgo(91)]);
  await admin.mutate('items.create', item);
  const { retention, runs } = open({ auditDays: 90 });
  await retention.run();
  expect(runs).toEqual([{ ...NOTHING, audit_records: 2 }]);
  const left = await query<{ action: string; target: object; after: object }>(
    'SELECT action, target, after FROM audit_record ORDER BY action',
  );
  expect(left).toEqual([
    {
      action: 'audit.deleteOld',
      target: { before: daysAgo(90).toISOString() },
      after: { deleted: 2 },
    },
    expect.objectContaining({ action: 'items.create' }),
  ]);
  expect((await query('SELECT * FROM catalogue_version')).length).toBe(versions.length + 1);
  const check = await admin.query<object>('verification.check', {
    sandbox_id: data.sandbox_id,
    after_seq: 0,
    limit: 100,
  });
  expect(check.data).toMatchObject({ done: true, head_seq: 2 });
  expect(check.data).not.toHaveProperty('broken');
});

test('the retention and transactions that lock sessions do not wait for each other', async () => {
  const key = await createSession();
  await addEvents(key, 1, daysAgo(31));
  const holder = await service.database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM session WHERE session_key = $1 FOR UPDATE', [key]);
  await open({ eventDays: 30 }).retention.run();
  await holder.query('ROLLBACK');
  holder.release();
  expect(await agesOf(key)).toEqual([]);
});

test('one process at a time deletes', async () => {
  const [first, second] = [open({ eventDays: 30 }), open({ eventDays: 30 })];
  const store = createRetentionStore(service.database);
  await store.runAlone(async () => {
    expect(await first.retention.run()).toBe(false);
  });
  expect(await second.retention.run()).toBe(true);
});

test('a stop ends it after the current batch, and the next run continues', async () => {
  const key = await createSession();
  await addEvents(key, 10, daysAgo(31));
  const stopping = new AbortController();
  const { retention } = open(
    { eventDays: 30 },
    { countDeleted: (_, n) => n > 0 && stopping.abort() },
  );
  await retention.run(stopping.signal);
  expect((await agesOf(key)).length).toBe(7);
  await open({ eventDays: 30 }).retention.run();
  expect(await agesOf(key)).toEqual([]);
});

test('without rules nothing is ever deleted', async () => {
  const key = await createSession();
  await addEvents(key, 1, daysAgo(10_000));
  const { retention, batches } = open({});
  await retention.run();
  await retention.start()();
  expect(await agesOf(key)).toEqual([10_000]);
  expect(batches).toEqual([]);
});
