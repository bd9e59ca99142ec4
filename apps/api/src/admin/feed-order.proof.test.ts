// The feed where other changes or many events stand between a reader and an event.
import { randomUUID } from 'node:crypto';
import { withClient } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { readMetric } from '../../test/read-metrics.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession, join } from './testing/admin-client.ts';

type Event = { kind: string; player_uuid?: string };

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const list = async (input: object) => {
  const { data, error } = await admin.query('events.list', input);
  if (error) throw new Error(error.error_code);
  const { events, page_meta } = data as { events: Event[]; page_meta: { cursor: string } };
  return { events, cursor: page_meta.cursor };
};

test('a player who reconnects while a disconnect is stored has the events in the order of the changes', async () => {
  const type = `match-${randomUUID()}`;
  const { name, platformSessionId } = await createSession(admin, { type });
  const player = randomUUID();
  await join(service, platformSessionId, player);
  await admin.mutate('sessions.setPresence', { ...name, player_uuid: player, present: false });
  const connection = { connectionString: service.databaseUrl };
  await withClient(connection, (client) =>
    withClient(connection, async (observer) => {
      // The statements of `sessions.setPresence`, with the join between them.
      await client.query('BEGIN');
      const locked = await client.query(
        'SELECT session_key FROM session WHERE type = $1 FOR NO KEY UPDATE',
        [type],
      );
      const key = locked.rows[0].session_key;
      let isAnswered = false;
      const joining = join(service, platformSessionId, player).then((answer) => {
        isAnswered = true;
        return answer;
      });
      const isBlocked = async () => {
        const { rows } = await observer.query(
          `SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return isAnswered || rows.length > 0;
      };
      await expect.poll(isBlocked, { timeout: 10_000 }).toBe(true);
      const event = {
        event_id: uuidv7(),
        occurred_at: new Date(),
        account_id: 'backend',
        kind: 'player_absent',
        type,
        session_id: name.session_id,
        player_uuid: player,
      };
      await client.query(
        `WITH marked AS (
           UPDATE session_seat SET absent_since = now()
           WHERE session_key = $1 AND player_uuid = $2 AND absent_since IS NULL RETURNING session_key)
         INSERT INTO event_outbox (subject_key, entry_id, events)
         SELECT session_key, $3::uuid, $4::json FROM marked`,
        [key, player, event.event_id, JSON.stringify([event])],
      );
      await client.query('COMMIT');
      expect((await joining).status).toBe(200);
      const { rows } = await client.query(
        'SELECT absent_since FROM session_seat WHERE session_key = $1 AND player_uuid = $2',
        [key, player],
      );
      const kinds = ['player_absent', 'player_present'];
      const last = async () => (await list({ session_type: type, kinds })).events.at(-1)?.kind;
      const state = rows[0].absent_since === null ? 'player_present' : 'player_absent';
      await expect.poll(last, { timeout: 120_000 }).toBe(state);
    }),
  );
});

test('a reader that waits finds its event behind tens of thousands of others', async () => {
  const type = `match-${randomUUID()}`;
  const { cursor } = await list({ kinds: ['seat_expired'] });
  const at = new Date();
  const other = {
    event_id: uuidv7(),
    occurred_at: at,
    account_id: 'other',
    kind: 'player_joined',
    type: 'other',
    session_id: 'other',
  };
  await withClient({ connectionString: service.databaseUrl }, (client) =>
    client.query(
      `INSERT INTO event_outbox (subject_key, entry_id, events)
       SELECT gen_random_uuid(), (left($1::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, $2::json
       FROM generate_series(1, 30000)`,
      [other.event_id, JSON.stringify([other])],
    ),
  );
  await createSession(admin, { type });
  const { events } = await list({ cursor, session_type: type, wait_seconds: 15 });
  expect(events).toMatchObject([{ kind: 'session_created', type }]);
});

test('a reader who may no longer view a sandbox after the wait gets no edit of it', async () => {
  const { data } = await admin.mutate('sandboxes.create', { name: `Feed ${randomUUID()}` });
  const { sandbox_id } = data as { sandbox_id: string };
  const { accountId, cookie } = await service.createPerson({
    role: 'editor',
    sandboxIds: [sandbox_id],
  });
  const caller = createAdminCaller(service.baseUrl, { cookie });
  const kinds = ['catalogue_edited'];
  const start = await caller.query<{ page_meta: { cursor: string } }>('events.list', { kinds });
  const { cursor } = start.data.page_meta;
  const waiting = caller.query<{ events: Event[] }>('events.list', {
    cursor,
    kinds,
    wait_seconds: 20,
  });
  await expect.poll(() => readMetric(service, 'muster_watches_waiting')).toBe(1);
  const change = { account_id: accountId, role: 'editor', sandbox_ids: [randomUUID()] };
  expect((await admin.mutate('people.setRole', change)).error).toBeUndefined();
  const table = { name: 'Levels', xp_thresholds: [{ level: 1, xp: 0 }] };
  expect((await admin.mutate('xp.create', { sandbox_id, ...table })).error).toBeUndefined();
  expect(await waiting).toMatchObject({ status: 200, data: { events: [] } });
});
