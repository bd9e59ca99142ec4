// One run of calls through the whole admin API: every procedure at least once, the lists with each of their filters.
import { vi } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import type { TestService } from '../test-service.ts';
import { callRecords, callSandboxes, callTransfers, callVersions } from './catalogue-calls.ts';
import type { RecordedCall, Recorder } from './recorder.ts';
import { createRecorder, idOf, ITEMS as items, MAIN } from './recorder.ts';

const players = [1, 2, 3, 4].map((number) => idOf('d00', number));

/** Calls the service, whose database is empty, and returns its normalised responses. */
export const runAdminCalls = async (service: TestService): Promise<RecordedCall[]> => {
  const recorder = await createRecorder(service);
  const parts = [
    callSandboxes,
    callAccounts,
    callPlayers,
    callRefusedJoins,
    callRecords,
    callSessions,
    callVersions,
  ];
  for (const part of [...parts, callTransfers, callAudit]) await part(recorder);
  return recorder.calls;
};

/** Joins that find no platform session. Their entries are written in the background. */
const callRefusedJoins = async ({ admin, walk, service }: Recorder) => {
  const id = 'refused';
  for (const sub of [...players.slice(0, 2), ...players.slice(0, 1)]) {
    const path = `/session/v1/platform/PSN/platform-session/${id}/player/${sub}`;
    const body = { client_version: '1.0.0', team_id: 0, client_settings: PSN_SETTINGS };
    const headers = await service.headers({ sub, permissions: ['session:update-player:self'] });
    await fetch(service.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  }
  const isComplete = async () => {
    const { data } = await admin.query<{ refused_joins: object[] }>('refusedJoins.list', {});
    if (data.refused_joins.length < 3) throw new Error('A refused join is missing.');
  };
  await vi.waitFor(isComplete, { timeout: 20_000 });
  const filters = [
    {},
    { player_uuid: players[0] },
    { platform: 'PSN' },
    { platform_session_id_base64: id },
    { error_code: 'platform_session_not_found', from: new Date(0).toISOString() },
  ];
  for (const filter of filters) await walk('refusedJoins.list', { ...filter, page_size: 2 });
};

const PSN_SETTINGS = { platform: 'PSN', input: 'gamepad' };

const callAccounts = async ({ query, mutate, record, service }: Recorder) => {
  const owner = await service.createPerson({ role: 'owner' });
  const own = createAdminCaller(service.baseUrl, { cookie: owner.cookie });
  const other = await service.createPerson({ role: 'viewer' });
  const gone = await service.createPerson({ role: 'viewer' });
  await query('me.get');
  for (const name of ['me.get', 'me.find', 'me.signIns', 'me.identities']) {
    await record(own, 'query', name, {});
  }
  await record(own, 'mutate', 'me.rename', { name: 'Olga' });
  await mutate('people.setRole', {
    account_id: other.accountId,
    role: 'editor',
    sandbox_ids: [MAIN],
  });
  await mutate('people.setDisabled', { account_id: other.accountId, disabled: true });
  const identity_id = 'identity-of-other';
  await service.database.prisma.accountLogin.create({
    data: {
      id: identity_id,
      providerId: 'oidc',
      issuer: 'https://issuer.example',
      accountId: 'subject-of-other',
      userId: other.accountId,
    },
  });
  await query('people.identities', { account_id: other.accountId });
  await mutate('people.removeIdentity', { account_id: other.accountId, identity_id });
  await mutate('people.resetPassword', { account_id: other.accountId });
  await mutate('people.resetTwoFactor', { account_id: other.accountId });
  await mutate('people.remove', { account_id: gone.accountId });
  const invite = (email: string) => mutate('people.invite', { email, role: 'viewer' });
  const { url } = await invite('ines@muster.example');
  const token = String(url).split('#token=')[1];
  await mutate('invitations.get', { token });
  await mutate('invitations.accept', {
    token,
    name: 'Ines',
    password: 'a password that is never guessed',
  });
  const { invitation_id } = await invite('jan@muster.example');
  await query('people.list');
  await mutate('people.revokeInvitation', { invitation_id });
  const { account_id } = await mutate('keys.createAccount', { name: 'Backend' });
  const key = { account_id, name: 'first', permissions: ['session:view'] };
  const { key_id } = await mutate('keys.create', { ...key, expires_in_days: 30 });
  const rotated = await mutate('keys.rotate', { key_id, grace_seconds: 60 });
  await query('keys.list');
  await query('keys.use', { key_id });
  await mutate('keys.revoke', { key_id: rotated.key_id });
  await query('accounts.names', { account_ids: [account_id, owner.accountId, 'tester'] });
  await query('accounts.signInMethods');
  await mutate('keys.removeAccount', { account_id });
  await query('keys.list');
  await query('people.list');
  await record(own, 'mutate', 'me.endSignIns', {});
};

const callPlayers = async ({ query, mutate, walk }: Recorder) => {
  for (const [index, player_uuid] of players.entries()) {
    await mutate('players.register', {
      player_uuid,
      player_id: index + 1,
      display_name: `Player ${index}`,
    });
  }
  await mutate('players.register', { player_uuid: idOf('d00', 9), player_id: 1 });
  await mutate('players.delete', { player_uuid: players[3] });
  await query('players.get', { player_uuid: players[0] });
  await query('players.names', { player_uuids: players });
  await walk('players.list', { page_size: 2 });
  for (const text of ['player 1', '2', players[2], 'none']) {
    await query('players.list', { query: text });
    await query('players.count', { query: text });
  }
  await query('players.count');
};

const createSession = async (
  { mutate }: Recorder,
  session_id: string,
  platform: string,
  fields: object = {},
) =>
  mutate('sessions.create', {
    type: 'duel',
    session_id,
    teams: [{ max_size: 2 }, { max_size: 2 }],
    ...fields,
    platform_session: [
      { platform, platform_session_type: 'lobby', platform_session_id_base64: session_id },
    ],
  });

const callSessions = async (recorder: Recorder) => {
  const { query, mutate, walk } = recorder;
  const instance = { instance_id: 'i', host_type: 'dedicated', join_status: 'joinable' };
  await mutate('sessionTypes.upsert', {
    type: 'duel',
    version_match: 'minor',
    default_teams: [{ team_id: 0, max_size: 3 }],
  });
  await mutate('sessionTypes.upsert', { type: 'spare' });
  await query('sessionTypes.get', { type: 'duel' });
  await query('sessionTypes.list');
  await mutate('sessionTypes.delete', { type: 'spare' });
  await createSession(recorder, 'one', 'Steam', { instance });
  await createSession(recorder, 'two', 'PSN', { joinable: false });
  await createSession(recorder, 'three', 'Steam');
  await createSession(recorder, 'three', 'Steam');
  await mutate('sessions.create', { type: 'arena', session_id: 'four' });
  const body = {
    client_version: '1.0.0',
    team_id: 0,
    client_settings: { platform: 'Steam', input: 'gamepad' },
  };
  const join = { platform: 'Steam', platform_session_id_base64: 'one', body };
  for (const player_uuid of players.slice(0, 3))
    await mutate('sessions.tryJoin', { ...join, player_uuid });
  const one = { type: 'duel', session_id: 'one' };
  await mutate('sessions.invitePlayer', {
    ...one,
    player_uuid: players[2],
    team_id: 1,
    player_id: 3,
  });
  await mutate('sessions.movePlayer', { ...one, player_uuid: players[1], team_id: 1 });
  const created = { type: 'crowd', session_id: 'many', teams: [{ max_size: 1 }] };
  const seat = { player_uuid: idOf('d00', 11), team_id: 0, player_id: 11 };
  await mutate('sessions.createMany', { sessions: [{ ...created, players: [seat] }] });
  const lobby = { platform: 'Steam', platform_session_type: 'lobby' };
  await mutate('sessions.createMany', {
    sessions: [
      { ...created, joinable: false },
      {
        ...created,
        session_id: 'claims',
        platform_session: [{ ...lobby, platform_session_id_base64: 'one' }],
      },
      {
        ...created,
        session_id: 'takes',
        players: [{ ...seat, player_uuid: idOf('d00', 12) }],
      },
    ],
  });
  const party = [{ player_uuid: players[3], team_id: 0 }];
  await mutate('sessions.invitePlayers', { ...one, players: party });
  await mutate('sessions.swapPlayers', { ...one, player_uuids: [players[0], players[1]] });
  await mutate('sessions.promotePlayer', { ...one, player_uuid: players[1] });
  await mutate('sessions.setPresence', { ...one, player_uuid: players[1], present: false });
  await mutate('sessions.setPresence', { ...one, player_uuid: players[1], present: true });
  await mutate('sessions.removePlayer', { ...one, player_uuid: players[2] });
  await mutate('sessions.update', { ...one, region_id: 'eu', custom_data: { mode: 'fast' } });
  const extra = { platform: 'Epic', platform_session_id_base64: 'extra' };
  await mutate('sessions.addPlatformSession', {
    ...one,
    ...extra,
    platform_session_type: 'party',
  });
  await mutate('sessions.removePlatformSession', { ...one, ...extra });
  await mutate('sessions.setInstanceStatus', { ...one, join_status: 'unjoinable' });
  await mutate('sessions.setInstance', { ...one, instance: { ...instance, instance_id: 'j' } });
  await query('sessions.get', one);
  await query('sessions.find', one);
  await query('sessions.watch', { ...one, wait_seconds: 1 });
  await query('events.list', { kinds: ['seat_expired'] });
  const hook = { url: 'https://hooks.example/', kinds: ['session_ended'] };
  const made = (await mutate('webhooks.create', hook)) as { webhook_id: string } | undefined;
  const webhook_id = made?.webhook_id;
  await query('webhooks.get', { webhook_id });
  await query('webhooks.list');
  await mutate('webhooks.update', { webhook_id, expected_version: 1, kinds: ['session_created'] });
  await mutate('webhooks.rotateSecret', { webhook_id });
  for (const verb of ['disable', 'enable']) await mutate(`webhooks.${verb}`, { webhook_id });
  await mutate('webhooks.resume', { webhook_id, from: '2026-01-01T00:00:00Z' });
  await query('webhooks.listDeliveries', { webhook_id });
  await mutate('webhooks.resend', { webhook_id, delivery_id: webhook_id });
  // Its duration differs from run to run.
  await recorder.admin.mutate('webhooks.test', { webhook_id });
  await mutate('webhooks.delete', { webhook_id });
  await mutate('maintenance.set', { enabled: true, reason: 'Upgrade' });
  await mutate('maintenance.set', { enabled: false });
  await query('maintenance.get');
  await query('sessions.find', { type: 'duel', session_id: 'none' });
  const past = new Date(0).toISOString();
  const filters = [
    {},
    { type: 'duel' },
    { platform: 'Steam' },
    { platform: 'PSN' },
    { player_uuid: players[0] },
    { joinable: false },
    { fill: 'empty' },
    { fill: 'open' },
    { fill: 'full' },
    { join_status: 'joinable' },
    { instance_health: 'healthy' },
    { created_from: past },
    { created_to: past },
    { idle_seconds: 3_600 },
    { has_absent: false },
    { has_absent: true },
    { platform: 'Steam', fill: 'empty', type: 'duel' },
  ];
  for (const filter of filters) {
    await walk('sessions.list', { ...filter, page_size: 2 });
    await query('sessions.count', filter);
  }
  await walk('sessions.events', { ...one, page_size: 3 });
  await walk('players.sessions', { player_uuid: players[0], page_size: 1 });
  await walk('players.events', { player_uuid: players[1], page_size: 1 });
  await query('players.get', { player_uuid: players[0] });
  await mutate('players.delete', { player_uuid: players[0] });
  await mutate('sessions.end', { type: 'duel', session_id: 'two' });
  await query('sessions.list', { ended: true });
  await query('sessions.get', { type: 'duel', session_id: 'two', ended: true });
  await mutate('sessions.endMatching', { type: 'duel', fill: 'empty' });
  await query('sessions.count', { ended: true });
  await mutate('sessions.delete', { type: 'duel', session_id: 'three' });
  await query('sessions.list');
};

type SystemFacts = { database: { tables: { name: string }[] } };

const callAudit = async ({ admin, query, walk, record, note, service }: Recorder) => {
  await query('audit.choices');
  const past = new Date(0).toISOString();
  const filters = [
    {},
    { account_id: 'tester' },
    { action: 'items.update' },
    { sandbox_id: MAIN },
    { target: items[0] },
    { from: past },
    { to: past },
    { account_id: 'tester', action: 'players.register' },
  ];
  for (const filter of filters) await walk('audit.list', { ...filter, page_size: 20 });
  const listed = await query('audit.list', { action: 'items.update' });
  const [first] = (Object.values(listed ?? {}).find(Array.isArray) ?? []) as {
    audit_id: string;
  }[];
  await query('audit.get', { audit_id: first?.audit_id });
  // The view of a person who is narrowed to a sandbox.
  const narrowed = await service.createPerson({ role: 'admin', sandboxIds: [MAIN] });
  const caller = createAdminCaller(service.baseUrl, { cookie: narrowed.cookie });
  await record(caller, 'query', 'audit.list', { page_size: 30 });
  // The values depend on the machine; only the list of sizes is the same.
  const { database, ...system } = (await admin.query<SystemFacts>('system.get')).data;
  const tables = database.tables.map(({ name }) => name).toSorted();
  note('system.get', 200, { facts: Object.keys(system).toSorted(), tables });
  const series = await admin.query<object>('system.series');
  note('system.series', series.status, Object.keys(series.data).toSorted());
};
