// The feed of changes: complete, in order for each session, and never past what commits later.
import { randomUUID } from 'node:crypto';
import { withClient } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asPlayer, createCompanionClient } from '../../test/companion-client.ts';
import { readMetric } from '../../test/read-metrics.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { createEventFeed, createFeedStore } from '../events/index.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession, join } from './testing/admin-client.ts';

type Event = { event_id: string; kind: string; session_id?: string } & Record<string, unknown>;

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const list = async (input: object = {}, client: AdminClient = admin) => {
  const answer = await client.query('events.list', input);
  if (answer.error) throw new Error(answer.error.error_code);
  const { events, page_meta } = answer.data as { events: Event[]; page_meta: { cursor: string } };
  return { events, cursor: page_meta.cursor };
};

/** Waits until written events are visible: transactions of other tests run on the same server. */
const settle = async (): Promise<void> => {
  const type = `marker-${randomUUID()}`;
  await createSession(admin, { type });
  const find = async () => (await list({ session_type: type })).events.length;
  await expect.poll(find, { timeout: 60_000 }).toBe(1);
};

const mutate = async (procedure: string, input: object): Promise<void> => {
  const { error } = await admin.mutate(procedure, input);
  if (error) throw new Error(`${procedure}: ${error.error_code}`);
};

const isOfTest = ({ type }: Event): boolean => !String(type).startsWith('marker-');

/** All events from the cursor on. */
const listAll = async (cursor?: string, input: object = {}) => {
  await settle();
  const all: Event[] = [];
  for (let next = cursor; ; ) {
    const page = await list({ ...input, ...(next !== undefined && { cursor: next }) });
    if (page.events.length === 0) return { events: all.filter(isOfTest), cursor: page.cursor };
    all.push(...page.events);
    next = page.cursor;
  }
};

test('has the changes of a session in order, even after it is deleted', async () => {
  const { cursor } = await listAll();
  const { name, platformSessionId } = await createSession(admin, { teams: [{ max_size: 2 }] });
  const [player, invited] = [randomUUID(), randomUUID()];
  expect((await join(service, platformSessionId, player)).status).toBe(200);
  await mutate('sessions.invitePlayer', {
    ...name,
    player_uuid: invited,
    team_id: 0,
    status: 'invited',
  });
  await join(service, platformSessionId, randomUUID());
  await mutate('sessions.setPresence', { ...name, player_uuid: player, present: false });
  expect((await join(service, platformSessionId, player)).status).toBe(200);
  await createCompanionClient(service).leave(name, player, asPlayer(player));
  await mutate('sessions.end', name);
  await mutate('sessions.delete', name);
  // A refused join is recorded after its response.
  await expect
    .poll(async () => (await listAll(cursor, { kinds: ['join_refused'] })).events.length)
    .toBe(1);
  const { events } = await listAll(cursor);
  const kinds = events.filter(({ kind }) => kind !== 'join_refused').map(({ kind }) => kind);
  expect(kinds).toEqual([
    'session_created',
    'player_joined',
    'leader_changed',
    'player_invited',
    'session_full',
    'player_absent',
    'player_present',
    'player_left',
    'session_ended',
  ]);
  for (const event of events) {
    expect(event).toMatchObject(name);
    expect(event).not.toHaveProperty('session_key');
  }
  expect(events[1]).toMatchObject({ player_uuid: player, account_id: player, session_version: 2 });
  const versions = events.flatMap(({ session_version }) => (session_version as number) ?? []);
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
});

test('has every change of a seat, even those beyond the limit of the timeline', async () => {
  const { cursor } = await listAll();
  const { name, platformSessionId } = await createSession(admin);
  const player = randomUUID();
  for (let count = 0; count < 15; count += 1) {
    await join(service, platformSessionId, player, { custom_data: { count: String(count) } });
  }
  const { events } = await listAll(cursor, { kinds: ['player_joined', 'player_updated'] });
  expect(events).toHaveLength(15);
  expect(events[14]).not.toHaveProperty('unlisted');
  const timeline = await admin.query('sessions.events', name);
  const listed = (timeline.data.events as Event[]).filter(({ kind }) => kind === 'player_updated');
  expect(listed).toHaveLength(10);
});

test('has each edit of a sandbox, for callers who may view the sandbox', async () => {
  const { cursor } = await listAll();
  const { data } = await admin.mutate('sandboxes.create', { name: `Feed ${randomUUID()}` });
  const { sandbox_id } = data as { sandbox_id: string };
  const created = await admin.mutate('xp.create', {
    sandbox_id,
    name: 'Levels',
    xp_thresholds: [{ level: 1, xp: 0 }],
  });
  expect(created.error).toBeUndefined();
  const { events } = await listAll(cursor);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ kind: 'catalogue_edited', sandbox_id, items: 0, xp: 1 });
  const backend = createAdminClient(service, { sub: 'backend', permissions: ['session:view'] });
  expect((await list({ cursor }, backend)).events.filter(isOfTest)).toEqual([]);
  const without = createAdminClient(service, { sub: 'other', permissions: ['metrics:view'] });
  expect(await without.query('events.list')).toMatchObject({ status: 403 });
});

test('has an event each time that a session becomes full, with the change that takes its last seat', async () => {
  const { cursor } = await listAll();
  const teams = [{ max_size: 1 }, { max_size: 1 }];
  const [first, second] = [randomUUID(), randomUUID()];
  const held = [{ player_uuid: second, team_id: 1, status: 'reserved' }];
  const { name, platformSessionId } = await createSession(admin, { teams, players: held });
  await join(service, platformSessionId, first);
  // The session stays full.
  await join(service, platformSessionId, second, { team_id: 1 });
  await createCompanionClient(service).leave(name, first, asPlayer(first));
  await mutate('sessions.invitePlayer', { ...name, player_uuid: randomUUID(), team_id: 0 });
  const created = await createSession(admin, {
    teams: [{ max_size: 1 }],
    players: [{ ...held[0], team_id: 0 }],
  });
  const { events } = await listAll(cursor, { kinds: ['session_full'] });
  expect(events).toMatchObject([
    { ...name, session_version: 2 },
    { ...name, session_version: 5 },
    { ...created.name, session_version: 1 },
  ]);
  const timeline = await admin.query('sessions.events', name);
  const listed = (timeline.data.events as Event[]).filter(({ kind }) => kind === 'session_full');
  expect(listed).toHaveLength(2);
});

test('has each change set that is applied, once, for callers who may view the sandbox', async () => {
  const { cursor } = await listAll();
  const { data } = await admin.mutate('sandboxes.create', { name: `Feed ${randomUUID()}` });
  const { sandbox_id } = data as { sandbox_id: string };
  const created = await admin.mutate('changeSets.create', { sandbox_id, title: 'Season 2' });
  const { change_set_id } = created.data as { change_set_id: string };
  const set = { sandbox_id, change_set_id };
  const xp = {
    kind: 'xp',
    operation: 'create',
    name: 'Levels',
    xp_thresholds: [{ level: 1, xp: 0 }],
  };
  const { data: filled } = await admin.mutate('changeSets.addOperations', {
    ...set,
    operations: [xp],
  });
  const input = { ...set, expected_revision: filled.revision };
  const { data: applied } = await admin.mutate('changeSets.apply', input);
  await mutate('changeSets.apply', input);
  const kinds = ['change_set_applied'];
  const { events } = await listAll(cursor, { kinds });
  const { transaction_id } = applied as { transaction_id: string };
  expect(events).toMatchObject([{ ...set, account_id: 'tester', transaction_id }]);
  const backend = createAdminClient(service, { sub: 'backend', permissions: ['session:view'] });
  expect((await list({ cursor, kinds }, backend)).events).toEqual([]);
});

test('leaves out events that the filters do not name, and moves the cursor past them', async () => {
  const { cursor } = await listAll();
  const type = `match-${randomUUID()}`;
  const session = await createSession(admin, { type });
  await createSession(admin);
  await join(service, session.platformSessionId, randomUUID());
  const { events } = await listAll(cursor, { session_type: type });
  expect(events.map(({ kind }) => kind)).toEqual([
    'session_created',
    'player_joined',
    'leader_changed',
  ]);
  const joined = await listAll(cursor, { session_type: type, kinds: ['player_joined'] });
  expect(joined.events.map(({ kind }) => kind)).toEqual(['player_joined']);
  const none = await list({ cursor, kinds: ['seat_expired'] });
  expect(none.events).toEqual([]);
  expect((await list({ cursor: none.cursor })).events).toEqual([]);
});

test('waits for an event, and replies without one after the wait', async () => {
  const { cursor } = await listAll();
  const type = `match-${randomUUID()}`;
  const waiting = list({ cursor, session_type: type, wait_seconds: 55 });
  await expect.poll(() => readMetric(service, 'muster_watches_waiting')).toBe(1);
  await createSession(admin);
  await createSession(admin, { type });
  expect((await waiting).events).toMatchObject([{ kind: 'session_created', type }]);
  const { cursor: last } = await listAll();
  expect((await list({ cursor: last, wait_seconds: 1 })).events).toEqual([]);
});

test('an event that commits late is not skipped, and those after it wait', async () => {
  const { cursor } = await listAll();
  await withClient({ connectionString: service.databaseUrl }, async (client) => {
    await client.query('BEGIN');
    const event = {
      event_id: uuidv7({ msecs: Date.now() - 60_000 }),
      occurred_at: new Date(),
      account_id: 'late',
      kind: 'session_updated',
      type: 'duel',
      session_id: 'late',
    };
    await client.query(
      'INSERT INTO event_outbox (subject_key, entry_id, events) VALUES ($1, $2, $3)',
      [randomUUID(), event.event_id, JSON.stringify([event])],
    );
    const { name } = await createSession(admin);
    const early = await list({ cursor });
    expect(early.events.filter(isOfTest)).toEqual([]);
    // The entry of the open transaction is not visible; that of the new session waits for it.
    await expect
      .poll(() => readMetric(service, 'muster_feed_delay_seconds'), { timeout: 10_000 })
      .toBeGreaterThan(1);
    await client.query('COMMIT');
    const { events } = await listAll(early.cursor);
    expect(events.map(({ session_id }) => session_id)).toEqual(['late', name.session_id]);
  });
  expect(await readMetric(service, 'muster_feed_delay_seconds')).toBe(0);
});

const change = (cursor: string, apply: (parsed: Record<string, unknown>) => object): string => {
  const parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  return Buffer.from(JSON.stringify(apply(parsed))).toString('base64url');
};

test('refuses a cursor that is older than the events, of another database or of a later time', async () => {
  const { cursor } = await listAll();
  const codeOf = async (input: object) =>
    (await admin.query('events.list', input)).error.error_code;
  const old = change(cursor, (parsed) => ({ ...parsed, at: Date.now() - 7 * 86_400_000 - 1_000 }));
  expect(await codeOf({ cursor: old })).toBe('cursor_expired');
  const changeNode = (member: object) =>
    change(cursor, (parsed) => {
      const [node] = parsed.nodes as object[];
      return { ...parsed, nodes: [{ ...node, ...member }] };
    });
  expect(await codeOf({ cursor: changeNode({ origin: '1-00000001' }) })).toBe('cursor_expired');
  // As after a restore to an earlier moment.
  expect(await codeOf({ cursor: changeNode({ transactionId: 2 ** 50 }) })).toBe('cursor_expired');
  for (const invalid of ['x', 'e30', changeNode({ entryId: 'no' }), changeNode({ node: -1 })]) {
    expect(await codeOf({ cursor: invalid })).toBe('input_invalid');
  }
  expect(await codeOf({ kinds: ['unknown'] })).toBe('input_invalid');
});

test('events older than seven days are deleted, and those of another server at the start', async () => {
  const store = createFeedStore(service.database);
  const at = new Date(Date.now() + 8 * 86_400_000);
  const feed = createEventFeed({ store, onFailure: () => {}, now: () => at });
  await createSession(admin);
  expect((await listAll()).events.length).toBeGreaterThan(0);
  // As several workers that start together.
  await Promise.all(Array.from({ length: 6 }, () => feed.prepare()));
  expect((await listAll()).events.length).toBeGreaterThan(0);
  await feed.deleteOld(new AbortController().signal);
  expect((await list()).events).toEqual([]);
  const { name } = await createSession(admin);
  expect((await listAll()).events).toMatchObject([name]);
  // As pg_restore leaves it on another server.
  await service.database.prisma.eventOutboxOrigin.updateMany({ data: { systemIdentifier: '1' } });
  await feed.prepare();
  expect((await list()).events).toEqual([]);
});
