import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession, join } from './testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const codeOf = async (answer: ReturnType<AdminClient['mutate']>): Promise<string> =>
  (await answer).error.error_code;

const kindsOf = async (name: object): Promise<string[]> => {
  const { data } = await admin.query('sessions.events', name);
  return (data.events as { kind: string }[]).map(({ kind }) => kind);
};

const auditsOf = async (action: string, sessionId: string): Promise<number> => {
  const records = await service.database.prisma.auditRecord.findMany({ where: { action } });
  return records.filter(({ target }) => JSON.stringify(target).includes(sessionId)).length;
};

const INSTANCE = { instance_id: 'i-1', host_type: 'dedicated', join_status: 'joinable' };

test('a session shows the states that its instance may move to', async () => {
  const { name } = await createSession(admin, { instance: INSTANCE });
  const hosted = await admin.query('sessions.get', name);
  expect(hosted.data.instance_transitions).toEqual(['unjoinable', 'pending', 'closed']);
  const bare = await admin.query('sessions.get', (await createSession(admin)).name);
  expect(bare.data.instance_transitions).toEqual([]);
  const { etag } = hosted.data;
  const again = await admin.query('sessions.get', { ...name, if_none_match: etag });
  expect(again.data).toEqual({ unchanged: true });
});

test.each([
  ['has a line break', 'YWJj\r\nZGVm'],
  ['is too long for a path', '🎲'.repeat(4_096)],
])('an id that %s is refused at its member, and can be removed', async (_, id) => {
  const { name } = await createSession(admin);
  const child = { ...name, platform: 'Steam', platform_session_id_base64: id };
  const added = { ...child, platform_session_type: 'lobby' };
  expect(await admin.mutate('sessions.addPlatformSession', added)).toMatchObject({
    status: 400,
    error: {
      error_code: 'input_invalid',
      detail: [
        {
          loc: ['body', 'platform_session_id_base64'],
          type: 'value_error.platform_session_id',
        },
      ],
    },
  });
  // An earlier version may have registered it.
  expect((await admin.mutate('sessions.removePlatformSession', child)).status).toBe(200);
});

test('a poll of an ended or unknown session is no error', async () => {
  const { name } = await createSession(admin);
  const live = await admin.query('sessions.find', name);
  expect(live.data).toEqual((await admin.query('sessions.get', name)).data);
  const { etag } = live.data;
  const again = await admin.query('sessions.find', { ...name, if_none_match: etag });
  expect(again.data).toEqual({ unchanged: true });
  await admin.mutate('sessions.end', name);
  const end = await admin.query('sessions.find', { ...name, if_none_match: etag });
  expect(end.data).toMatchObject({ session: name, ended: expect.stringMatching(/Z$/) });
  const authorization = `Bearer ${await service.signToken()}`;
  const caller = createAdminCaller(service.baseUrl, { authorization });
  const never = await caller.query('sessions.find', { ...name, session_id: randomUUID() });
  expect(never).toMatchObject({ status: 200, data: null });
});

test('sessions are counted by the filters of their list', async () => {
  const type = randomUUID();
  for (const _ of [1, 2, 3]) await createSession(admin, { type });
  const { data } = await admin.query('sessions.count', { type, fill: 'empty' });
  expect(data).toEqual({ count: 3, is_exact: true });
  expect((await admin.query('sessions.count', { type, fill: 'full' })).data).toEqual({
    count: 0,
    is_exact: true,
  });
});

test('pages contain their size and, while there is more, a cursor', async () => {
  const type = randomUUID();
  const oldest = await createSession(admin, { type });
  await createSession(admin, { type });
  await createSession(admin, { type });
  const first = await admin.query('sessions.list', { type, page_size: 2 });
  expect(first.data.page_meta).toEqual({ page_size: 2, cursor: expect.any(String) });
  const { cursor } = first.data.page_meta as { cursor: string };
  const second = await admin.query('sessions.list', { type, page_size: 2, cursor });
  expect(second.data).toMatchObject({
    sessions: [{ session: oldest.name, seats: 0, capacity: 4 }],
    page_meta: { page_size: 2 },
  });
  expect(second.data.page_meta).not.toHaveProperty('cursor');
  const events = await admin.query('sessions.events', { ...oldest.name, page_size: 1 });
  expect(events.data.page_meta).toEqual({ page_size: 1 });
  expect(await codeOf(admin.query('sessions.list', { cursor: 'nonsense' }))).toBe('input_invalid');
});

test('an ended session is listed and shown with its last state when ended ones are requested', async () => {
  const type = randomUUID();
  const { name } = await createSession(admin, { type });
  await admin.mutate('sessions.end', name);
  expect((await admin.query('sessions.list', { type })).data.sessions).toEqual([]);
  expect((await admin.query('sessions.list', { type, ended: true })).data.sessions).toMatchObject([
    { session: name, ended: expect.stringMatching(/Z$/) },
  ]);
  expect(await codeOf(admin.query('sessions.get', name))).toBe('session_not_found');
  const shown = await admin.query('sessions.get', { ...name, ended: true });
  expect(shown.data).toMatchObject({ session: name, ended: expect.stringMatching(/Z$/) });
});

test('moving and promoting a player each write one event and one audit record', async () => {
  const { name, platformSessionId } = await createSession(admin);
  const [leader, member] = [randomUUID(), randomUUID()];
  await join(service, platformSessionId, leader);
  await join(service, platformSessionId, member);
  const promote = { ...name, player_uuid: member };
  expect((await admin.mutate('sessions.promotePlayer', promote)).data).toMatchObject({
    session: { teams: [{ players: [{ status: 'member' }, { status: 'leader' }] }, {}] },
  });
  const move = { ...name, player_uuid: leader, team_id: 1 };
  const moved = await admin.mutate('sessions.movePlayer', move);
  expect(moved.data).toMatchObject({
    session: { teams: [{}, { players: [{ player_uuid: leader }] }] },
  });
  for (const again of ['sessions.promotePlayer', 'sessions.movePlayer']) {
    const input = again === 'sessions.movePlayer' ? move : promote;
    expect((await admin.mutate(again, input)).data.etag).toBe(moved.data.etag);
    expect(await auditsOf(again, name.session_id)).toBe(1);
  }
  expect((await kindsOf(name)).slice(0, 2)).toEqual(['player_moved', 'leader_changed']);
});

test('a move is refused for a full team, an unknown team, an unseated player and a stale ETag', async () => {
  const { name, platformSessionId, etag } = await createSession(admin, {
    teams: [{ max_size: 1 }, { max_size: 2 }, { max_size: 9 }],
  });
  const [first, second] = [randomUUID(), randomUUID()];
  await join(service, platformSessionId, first);
  await join(service, platformSessionId, second, { team_id: 1 });
  const move = (change: object) =>
    codeOf(admin.mutate('sessions.movePlayer', { ...name, player_uuid: second, ...change }));
  expect(await move({ team_id: 0 })).toBe('team_full');
  expect(await move({ team_id: 7 })).toBe('team_not_found');
  expect(await move({ team_id: 0, player_uuid: randomUUID() })).toBe('seat_not_found');
  expect(await move({ team_id: 2, expected_etag: etag })).toBe('session_etag_mismatch');
  expect(await move({ team_id: 'blue' })).toBe('input_invalid');
  expect(await move({ team_id: 0, session_id: 'none' })).toBe('session_not_found');
});

test('an invited player cannot be promoted', async () => {
  const { name } = await createSession(admin);
  const player_uuid = randomUUID();
  await admin.mutate('sessions.invitePlayer', { ...name, player_uuid, team_id: 0 });
  const promote = (input: object) => codeOf(admin.mutate('sessions.promotePlayer', input));
  expect(await promote({ ...name, player_uuid })).toBe('seat_held');
  expect(await promote({ ...name, player_uuid: 'x' })).toBe('input_invalid');
});

test('the state and health of an instance change separately', async () => {
  const { name, etag } = await createSession(admin, { instance: INSTANCE });
  const set = (change: object) =>
    admin.mutate('sessions.setInstanceStatus', { ...name, ...change });
  const closed = await set({ join_status: 'unjoinable', expected_etag: etag });
  expect(closed.data).toMatchObject({ session: { instance: { join_status: 'unjoinable' } } });
  expect((await set({ instance_health: 'degraded' })).data).toMatchObject({
    session: { instance: { join_status: 'unjoinable', instance_health: 'degraded' } },
  });
  expect(await codeOf(set({ join_status: 'requested' }))).toBe('instance_transition');
  expect(await codeOf(set({ join_status: 'closed', expected_etag: etag }))).toBe(
    'session_etag_mismatch',
  );
  expect(await codeOf(set({}))).toBe('input_invalid');
  const bare = (await createSession(admin)).name;
  expect(await codeOf(set({ ...bare, instance_health: 'healthy' }))).toBe('instance_not_found');
  expect(await auditsOf('sessions.setInstanceStatus', name.session_id)).toBe(2);
});

test('viewers change nothing, and callers without the permission see nothing', async () => {
  const { name } = await createSession(admin);
  const viewer = createAdminClient(service, { permissions: ['session:view'] });
  const stranger = createAdminClient(service, { permissions: ['player:*'] });
  const player_uuid = randomUUID();
  for (const [procedure, input] of [
    ['sessions.movePlayer', { ...name, player_uuid, team_id: 0 }],
    ['sessions.promotePlayer', { ...name, player_uuid }],
    ['sessions.setInstanceStatus', { ...name, join_status: 'closed' }],
    ['sessionTypes.upsert', { type: 'x' }],
  ] as const) {
    expect(await codeOf(viewer.mutate(procedure, input))).toBe('insufficient_permissions');
  }
  expect((await viewer.query('sessions.list')).status).toBe(200);
  for (const procedure of ['sessions.list', 'sessions.get', 'sessions.events']) {
    expect(await codeOf(stranger.query(procedure, name))).toBe('insufficient_permissions');
  }
});

test('a session type keeps its lifetimes; the old one for held seats sets both new ones', async () => {
  const type = randomUUID();
  const lives = {
    invitation_ttl_seconds: 60,
    reservation_ttl_seconds: 120,
    absent_ttl_seconds: 30,
    ended_retention_seconds: 86_400,
  };
  const { data } = await admin.mutate('sessionTypes.upsert', { type, ...lives });
  const rules = { type, version_match: 'patch', default_teams: [] };
  expect(data).toEqual({ ...rules, ...lives });
  expect((await admin.query('sessionTypes.get', { type })).data).toEqual(data);
  await admin.mutate('sessionTypes.upsert', {
    type,
    held_seat_ttl_seconds: 9,
    reservation_ttl_seconds: 7,
  });
  expect((await admin.query('sessionTypes.get', { type })).data).toEqual({
    ...rules,
    invitation_ttl_seconds: 9,
    reservation_ttl_seconds: 7,
  });
  const bad = { type, absent_ttl_seconds: 0 };
  expect(await codeOf(admin.mutate('sessionTypes.upsert', bad))).toBe('input_invalid');
  const unknown = admin.query('sessionTypes.get', { type: randomUUID() });
  expect(await codeOf(unknown)).toBe('session_type_not_found');
});

test('marking a player absent changes neither resource nor ETag, and is shown next to them', async () => {
  const { name, platformSessionId } = await createSession(admin);
  const player_uuid = randomUUID();
  const { etag, body } = await join(service, platformSessionId, player_uuid);
  const mark = { ...name, player_uuid, present: false };
  const marked = await admin.mutate('sessions.setPresence', mark);
  expect(marked.data).toEqual({ etag, session: body });
  expect((await admin.mutate('sessions.setPresence', mark)).data.etag).toBe(etag);
  expect((await admin.query('sessions.get', name)).data).toMatchObject({
    etag,
    session: body,
    absent_players: [{ player_uuid, since: expect.stringMatching(/Z$/) }],
  });
  const polled = await admin.query('sessions.get', { ...name, if_none_match: etag });
  expect(polled.data).toEqual({
    unchanged: true,
    absent_players: [{ player_uuid, since: expect.any(String) }],
  });
  expect(await auditsOf('sessions.setPresence', name.session_id)).toBe(1);
  const again = await join(service, platformSessionId, player_uuid);
  expect(again).toMatchObject({ status: 200, etag });
  expect((await admin.query('sessions.get', name)).data).not.toHaveProperty('absent_players');
  expect((await kindsOf(name)).slice(0, 2)).toEqual(['player_present', 'player_absent']);
});

test('only a seated player of a live session can be absent', async () => {
  const { name } = await createSession(admin);
  const player_uuid = randomUUID();
  const mark = (change: object = {}) =>
    codeOf(
      admin.mutate('sessions.setPresence', { ...name, player_uuid, present: false, ...change }),
    );
  expect(await mark()).toBe('seat_not_found');
  await admin.mutate('sessions.invitePlayer', { ...name, player_uuid, team_id: 0 });
  expect(await mark()).toBe('seat_held');
  expect(await mark({ present: 'no' })).toBe('input_invalid');
  await admin.mutate('sessions.end', name);
  expect(await mark()).toBe('session_not_found');
  const viewer = createAdminClient(service, { permissions: ['session:view'] });
  const refused = viewer.mutate('sessions.setPresence', { ...name, player_uuid, present: false });
  expect(await codeOf(refused)).toBe('insufficient_permissions');
});

test('every change of one session is refused with a stale expected_etag, and accepted with the current one', async () => {
  const { name, platformSessionId } = await createSession(admin, { instance: INSTANCE });
  const [player, guest] = [randomUUID(), randomUUID()];
  await join(service, platformSessionId, player);
  await join(service, platformSessionId, guest);
  const child = { platform: 'PSN', platform_session_id_base64: randomUUID() };
  const changes: [string, object][] = [
    ['update', { joinable: false }],
    ['setInstanceStatus', { join_status: 'unjoinable' }],
    ['setInstance', { instance: null }],
    ['addPlatformSession', { ...child, platform_session_type: 'lobby' }],
    ['removePlatformSession', child],
    ['invitePlayer', { player_uuid: randomUUID(), team_id: 1 }],
    ['movePlayer', { player_uuid: player, team_id: 1 }],
    ['promotePlayer', { player_uuid: guest }],
    ['setPresence', { player_uuid: guest, present: false }],
    ['removePlayer', { player_uuid: guest }],
    ['end', {}],
    ['delete', {}],
  ];
  for (const [procedure, change] of changes) {
    const { data } = await admin.query('sessions.find', name);
    const stale = { ...name, ...change, expected_etag: '"stale-1"' };
    const { error } = await admin.mutate(`sessions.${procedure}`, stale);
    expect([procedure, error]).toMatchObject([
      procedure,
      { error_code: 'session_etag_mismatch', current_etag: data.etag },
    ]);
    expect((await admin.query('sessions.find', name)).data).toEqual(data);
    const current = { ...name, ...change, expected_etag: data.etag };
    expect(await admin.mutate(`sessions.${procedure}`, current)).toMatchObject({ status: 200 });
  }
});

test('an invitation of a seated player to another team is refused and changes nothing', async () => {
  const { name, platformSessionId } = await createSession(admin);
  const player_uuid = randomUUID();
  await join(service, platformSessionId, player_uuid);
  const { data } = await admin.query('sessions.get', name);
  const other = await admin.mutate('sessions.invitePlayer', { ...name, player_uuid, team_id: 1 });
  expect(other).toMatchObject({ status: 409, error: { error_code: 'player_seated' } });
  const same = await admin.mutate('sessions.invitePlayer', { ...name, player_uuid, team_id: 0 });
  expect(same).toMatchObject({ status: 200, data: { etag: data.etag } });
});

test('a platform session is registered again only unchanged, or with replace', async () => {
  const { name, etag } = await createSession(admin, { platform_session: [] });
  const child = {
    ...name,
    platform: 'Steam',
    platform_session_type: 'lobby',
    platform_session_id_base64: Buffer.from(randomUUID()).toString('base64'),
    custom_data: { map: 'sand' },
  };
  const add = (change: object) =>
    admin.mutate('sessions.addPlatformSession', { ...child, ...change });
  const added = await add({});
  expect(added.data.etag).not.toBe(etag);
  expect((await add({})).data.etag).toBe(added.data.etag);
  const other = { custom_data: { map: 'ice' } };
  const refused = await add(other);
  expect(refused).toMatchObject({
    status: 409,
    error: { error_code: 'platform_session_exists' },
  });
  expect((await admin.query('sessions.get', name)).data).toMatchObject({ etag: added.data.etag });
  const replaced = await add({ ...other, replace: true });
  expect(replaced.data).toMatchObject({ session: { platform_session: [other] } });
});
