// One call of each mutation of the admin API, in an order in which each call has an effect.
import { randomUUID } from 'node:crypto';
import { listProcedures } from '../../../api/src/admin/testing/list-procedures.ts';

export type Answer = Record<string, unknown>;

/** Every procedure that is declared as a mutation, such as "items.update". */
export const listMutations = (): string[] =>
  listProcedures().flatMap(({ name, type }) => (type === 'mutation' ? name : []));

/** The results of earlier calls by procedure; the last call of each. */
type Made = Readonly<Record<string, Answer>>;

export type Step = {
  procedure: string;
  input: object | ((made: Made) => object);
  /** The name of the target on the audit page. */
  target: string;
  /** The account of the change, if it is not the calling owner. */
  by?: string;
};

const step = (procedure: string, target: string, input: Step['input'], by?: string): Step => ({
  procedure,
  target,
  input,
  ...(by !== undefined && { by }),
});

const [PLAYER, SECOND_PLAYER, GONE] = [randomUUID(), randomUUID(), randomUUID()];
const PARTY = [randomUUID(), randomUUID()];
/** A deleted player has no name. */
const GONE_TARGET = `…${GONE.slice(-8)}`;
const [SANDBOX, OTHER, PURGED] = [randomUUID(), randomUUID(), randomUUID()];
const PLATFORM = { platform: 'Steam', platform_session_id_base64: 'YXVkaXRlZA' };
const SECOND = { platform: 'PSN', platform_session_id_base64: 'c2Vjb25k' };

export const OWNER = 'Olive Owner';

/** It has to be linked before. */
export const KIMS_IDENTITY = 'identity-of-kim';

const people = (kim: string): Step[] => [
  step('people.setRole', 'Kim', { account_id: kim, role: 'editor' }),
  step('people.setDisabled', 'Kim', { account_id: kim, disabled: true }),
  step('people.removeIdentity', 'Kim', { account_id: kim, identity_id: KIMS_IDENTITY }),
  step('people.resetPassword', 'Kim', { account_id: kim }),
  step('people.resetTwoFactor', 'Kim', { account_id: kim }),
  step('people.remove', 'Kim', { account_id: kim }),
  step('people.invite', 'lee@example.com', { email: 'lee@example.com', role: 'viewer' }),
  step('people.revokeInvitation', 'lee@example.com', (made) => ({
    invitation_id: made['people.invite']?.invitation_id,
  })),
  step('me.rename', OWNER, { name: OWNER }),
  step('me.endSignIns', OWNER, {}),
];

const keys: Step[] = [
  step('keys.createAccount', 'Old server', { name: 'Old server' }),
  step('keys.removeAccount', 'Old server', (made) => ({
    account_id: made['keys.createAccount']?.account_id,
  })),
  step('keys.createAccount', 'Build server', { name: 'Build server' }),
  step('keys.create', 'Nightly', (made) => ({
    account_id: made['keys.createAccount']?.account_id,
    name: 'Nightly',
    permissions: ['audit:view'],
  })),
  step('keys.rotate', 'Nightly', (made) => ({ key_id: made['keys.create']?.key_id })),
  step('keys.revoke', 'Nightly', (made) => ({ key_id: made['keys.rotate']?.key_id })),
];

/** A delivery and its webhook, which have to be in the database before. */
export const DELIVERED = { webhook_id: randomUUID(), delivery_id: randomUUID() };

/** The audit trail names a receiver by its origin: a path may hold a secret. */
const WEBHOOK_ORIGIN = 'https://hooks.example';
const WEBHOOK_URL = `${WEBHOOK_ORIGIN}/audited`;

export const WEBHOOK = {
  endpointId: DELIVERED.webhook_id,
  url: WEBHOOK_URL,
  kinds: ['session_ended'],
  secrets: [],
  readFrom: new Date(0),
  createdAt: new Date(0),
};

const webhook = (procedure: string, input: object = {}): Step =>
  step(`webhooks.${procedure}`, WEBHOOK_ORIGIN, (made) => ({
    webhook_id: made['webhooks.create']?.webhook_id,
    ...input,
  }));

const webhooks: Step[] = [
  step('webhooks.create', WEBHOOK_ORIGIN, {
    url: WEBHOOK_URL,
    kinds: ['session_ended'],
  }),
  webhook('update', { expected_version: 1, kinds: ['session_created'] }),
  webhook('rotateSecret'),
  webhook('disable'),
  webhook('enable'),
  webhook('resume', { from: '2026-01-01T00:00:00Z' }),
  webhook('resend', DELIVERED),
  // The name does not exist: the attempt fails and is recorded.
  webhook('test'),
  webhook('delete'),
];

const name = { type: 'duel', session_id: 'audited' };
const session = (procedure: string, input: object = {}): Step =>
  step(`sessions.${procedure}`, 'duel audited', { ...name, ...input });

const join = (player_uuid: string): Step =>
  step('sessions.tryJoin', 'duel audited', {
    ...PLATFORM,
    player_uuid,
    body: {
      client_version: '1.4.2',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
    },
  });

const play: Step[] = [
  step('players.register', 'Moss', { player_uuid: PLAYER, display_name: 'Moss' }),
  step('sessionTypes.upsert', 'duel', { type: 'duel', version_match: 'patch' }),
  session('create', {
    teams: [{ max_size: 2 }, { max_size: 2 }],
    platform_session: [{ ...PLATFORM, platform_session_type: 'lobby' }],
  }),
  session('update', { custom_data: { mode: 'ranked' } }),
  session('addPlatformSession', { ...SECOND, platform_session_type: 'lobby' }),
  session('removePlatformSession', SECOND),
  session('setInstance', {
    instance: { instance_id: 'one', host_type: 'dedicated', join_status: 'joinable' },
  }),
  session('setInstanceStatus', { instance_health: 'healthy' }),
  session('invitePlayer', { player_uuid: PLAYER, team_id: 0 }),
  join(PLAYER),
  step('players.register', 'Fern', { player_uuid: SECOND_PLAYER, display_name: 'Fern' }),
  join(SECOND_PLAYER),
  session('setPresence', { player_uuid: PLAYER, present: false }),
  session('movePlayer', { player_uuid: PLAYER, team_id: 1 }),
  session('swapPlayers', { player_uuids: [PLAYER, SECOND_PLAYER] }),
  session('invitePlayers', {
    players: PARTY.map((player_uuid, team_id) => ({ player_uuid, team_id })),
  }),
  session('promotePlayer', { player_uuid: SECOND_PLAYER }),
  session('removePlayer', { player_uuid: PLAYER }),
  session('end'),
  session('delete'),
  // Other files create sessions of the type above.
  step('sessionTypes.upsert', 'audited-type', { type: 'audited-type' }),
  step('sessionTypes.delete', 'audited-type', { type: 'audited-type' }),
  step('players.register', GONE_TARGET, { player_uuid: GONE, display_name: 'Gone' }),
  step('players.delete', GONE_TARGET, { player_uuid: GONE }),
];

/** Creates, changes, deletes and restores a record, and changes it in a bulk edit, with the given procedures. */
const records = (kind: 'items' | 'xp', id: string, called: string, fields: object): Step[] => {
  const place = { sandbox_id: SANDBOX, [kind === 'items' ? 'item_id' : 'xp_id']: id };
  const on = (verb: string, version: number, more: object = {}) =>
    step(`${kind}.${verb}`, called, { ...place, expected_version: version, ...more });
  const { sandbox_id, ...which } = place;
  const description = 'Changed with others';
  return [
    step(`${kind}.create`, called, { ...place, name: called, ...fields }),
    on('update', 1, { description: 'Changed' }),
    on('delete', 2),
    on('restore', 3),
    step(`${kind}.bulk`, called, {
      sandbox_id,
      operations: [{ ...which, operation: 'update', expected_version: 4, description }],
    }),
  ];
};

const [ITEM, XP] = [randomUUID(), randomUUID()];

const SET = { sandbox_id: SANDBOX, change_set_id: randomUUID() };

const changeSets: Step[] = [
  step('changeSets.create', 'Season 2', { ...SET, title: 'Season 1' }),
  step('changeSets.update', 'Season 2', { ...SET, title: 'Season 2', expected_revision: 1 }),
  step('changeSets.addOperations', 'Season 2', {
    ...SET,
    operations: [
      { kind: 'item', operation: 'create', name: 'Bow', item_type: 'unit' },
      { kind: 'item', operation: 'delete', item_id: ITEM, expected_version: 1 },
    ],
  }),
  step('changeSets.removeOperations', 'Season 2', {
    ...SET,
    records: [{ kind: 'item', record_id: ITEM }],
  }),
  step('views.create', 'Audited', {
    sandbox_id: SANDBOX,
    kind: 'item',
    name: 'Rare ones',
    search: '?name=axe',
    shared: true,
  }),
  step('views.update', 'Audited', (made) => ({
    sandbox_id: SANDBOX,
    view_id: made['views.create']?.view_id,
    name: 'Rarer ones',
  })),
  step('views.remove', 'Audited', (made) => ({
    sandbox_id: SANDBOX,
    view_id: made['views.create']?.view_id,
  })),
  step('changeSets.addMatching', 'Season 2', {
    ...SET,
    matching: {
      kind: 'item',
      ids: [ITEM],
      operation: 'update',
      edits: [{ op: 'append_tags', tags: ['season-2'] }],
    },
  }),
  step('edits.revert', 'No levels', (made) => ({
    sandbox_id: SANDBOX,
    transaction_id: made['xp.create']?.transaction_id,
    title: 'No levels',
  })),
  step('changeSets.schedule', 'Season 2', {
    ...SET,
    expected_revision: 5,
    apply_at: new Date(Date.now() + 3_600_000).toISOString(),
  }),
  step('changeSets.unschedule', 'Season 2', { ...SET, expected_revision: 6 }),
  step('changeSets.acknowledge', 'Season 2', SET),
  step('changeSets.apply', 'Season 2', { ...SET, expected_revision: 8 }),
  step('changeSets.revert', 'No season', { ...SET, title: 'No season' }),
  step('changeSets.restorePast', 'Before the season', {
    sandbox_id: SANDBOX,
    kind: 'item',
    at: '2020-01-01T00:00:00Z',
    title: 'Before the season',
  }),
  step('changeSets.cancel', 'No season', (made) => ({
    sandbox_id: SANDBOX,
    change_set_id: made['changeSets.revert']?.change_set_id,
  })),
];

/** In a sandbox of its own; another account is its author. It has to be in the database before. */
export const REVIEWED = { sandboxId: randomUUID(), changeSetId: randomUUID(), title: 'Season 9' };

const review = (verb: string, more: object): Step =>
  step(`changeSets.${verb}`, REVIEWED.title, {
    sandbox_id: REVIEWED.sandboxId,
    change_set_id: REVIEWED.changeSetId,
    ...more,
  });

const reviews: Step[] = [
  review('submit', { expected_revision: 1 }),
  review('approve', { expected_revision: 2 }),
  review('comment', { text: 'Good for the launch' }),
  review('reject', { expected_revision: 3, reason: 'Too early' }),
];

const catalogue: Step[] = [
  step('sandboxes.create', 'Staging', { sandbox_id: OTHER, name: 'Staging' }),
  step('sandboxes.create', 'Audited', { sandbox_id: SANDBOX, name: 'Draft' }),
  step('sandboxes.update', 'Audited', { sandbox_id: SANDBOX, name: 'Audited' }),
  ...records('items', ITEM, 'Axe', { item_type: 'unit' }),
  ...records('xp', XP, 'Levels of heroes', { xp_thresholds: [{ level: 1, xp: 0 }] }),
  ...changeSets,
  ...reviews,
  step('changeSets.promote', 'Release', {
    sandbox_id: OTHER,
    source_sandbox_id: SANDBOX,
    kind: 'item',
    record_ids: [ITEM],
    title: 'Release',
  }),
  step('maintenance.set', '–', { enabled: true, reason: 'Upgrade of the database' }),
  step('maintenance.set', '–', { enabled: false }),
  step('itemSchemas.set', 'Audited', {
    sandbox_id: SANDBOX,
    item_type: 'entitlement',
    fields: [{ key: 'price', type: 'number' }],
    expected_version: 0,
  }),
  step('itemSchemas.promote', 'Staging', {
    sandbox_id: OTHER,
    source_sandbox_id: SANDBOX,
    item_type: 'entitlement',
    expected_version: 0,
    expected_source_version: 1,
  }),
  step('sandboxes.archive', 'Staging', { sandbox_id: OTHER }),
  step('sandboxes.unarchive', 'Staging', { sandbox_id: OTHER }),
  step('sandboxes.delete', 'Staging', { sandbox_id: OTHER, confirm_sandbox_name: 'Staging' }),
  step('sandboxes.restore', 'Staging', { sandbox_id: OTHER }),
  step('sandboxes.create', 'Season 1', { sandbox_id: PURGED, name: 'Season 1' }),
  step('sandboxes.delete', 'Season 1', { sandbox_id: PURGED, confirm_sandbox_name: 'Season 1' }),
  step('sandboxes.purge', 'Season 1', { sandbox_id: PURGED, confirm_sandbox_name: 'Season 1' }),
];

const PASSWORD = 'a long password of the audit';

export const INVITE = step('people.invite', 'kim@example.com', {
  email: 'kim@example.com',
  role: 'viewer',
});

export const accept = (token: string): Step =>
  step('invitations.accept', 'Kim', { token, name: 'Kim', password: PASSWORD }, 'Kim');

/** `kim` is the account of the person who accepted the invitation. */
export const listSteps = (kim: string): Step[] => [
  ...people(kim),
  ...keys,
  ...webhooks,
  ...play,
  ...catalogue,
];

export const readToken = (made: Answer): string =>
  new URL(String(made.url)).hash.replace(/^#(?:token=)?/, '');
