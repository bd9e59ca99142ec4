// Existing values by property name: without them hardly any request would pass validation.
import type { AdminCaller } from '../admin-caller.ts';

type Values = readonly unknown[];

const encode = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

const ID = '1e000000-0000-4000-8000-000000000001';
const FAR = 9_007_199_254_740_991;
/** Cursors are opaque, but clients can read and write them. */
const CURSORS = [
  '0',
  encode(ID),
  encode([1, ID]),
  encode([0, ID]),
  encode([FAR, ID]),
  encode([-FAR, ID]),
  encode([1, 0, 5, null]),
  encode([FAR, -FAR, FAR, FAR]),
  encode([-1, 5, 0, 1]),
  encode([ID, 0, 0, 0, 0]),
  encode([ID, FAR, FAR, FAR, FAR]),
  encode(['a', ID]),
  encode(['', ID]),
  encode(null),
  encode({ a: 1 }),
  encode('a'),
  'e30',
  '!!!',
  encode(['\u0000', '\ud800']),
];

const DATES = [
  '2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  0,
  1.5,
  -1,
  253_402_300_799,
  -62_135_596_800,
  '2026-01-01T00:00:00.123456789+14:00',
  '1969-12-31T23:59:60Z',
];

const NUMBERS = [0, 1, 2, 3, -1, FAR, -FAR];

/** Without a session, so that it can be deleted. */
export const SPARE_TYPE = 'spare';

const JOIN_BODY = {
  client_version: '1.0.0',
  client_settings: { platform: 'Steam', input: 'gamepad' },
  team_id: 0,
};

/** Values under several names. */
const under = (names: string, values: Values): [string, Values][] =>
  names.split(' ').map((name) => [name, values]);

export const knownValues = async (
  admin: AdminCaller,
  renewed: Renewed,
): Promise<Map<string, Values>> => {
  const { sessions, records, personIds, serviceAccountIds } = renewed;
  const list = async <Row>(procedure: string, input: object): Promise<Row> =>
    (await admin.query<Row>(procedure, input)).data;
  const { versions } = await list<{ versions: Record<string, string>[] }>('versions.list', {
    sandbox_id: SANDBOXES[0],
  });
  const { change_sets: sets } = await list<{ change_sets: Record<string, string>[] }>(
    'changeSets.list',
    { sandbox_id: SANDBOXES[0] },
  );
  const { views } = await list<{ views: Record<string, string>[] }>('views.list', {
    sandbox_id: SANDBOXES[0],
    kind: 'item',
  });
  const { records: audits } = await list<{ records: Record<string, string>[] }>('audit.list', {});
  const invited = await list<{ invitations: Record<string, string>[] }>('people.list', {});
  const { etag } = await list<{ etag: string }>('sessions.get', {
    type: 'duel',
    session_id: sessions[0],
  });
  const accounts = [...personIds, ...serviceAccountIds];
  return new Map<string, Values>([
    ...under('sandbox_id', [...SANDBOXES, ...renewed.deletedSandboxes]),
    // The sandbox with all records.
    ...under('source_sandbox_id', SANDBOXES.slice(0, 1)),
    ...under('item_id xp_id record_id level_xp_table_id', records),
    ...under('record_ids', [records, records.slice(0, 1)]),
    ...under('version_id from_version_id to_version_id', idsOf(versions, 'version_id')),
    ...under('transaction_id', idsOf(versions, 'transaction_id')),
    ...under('change_set_id', idsOf(sets, 'change_set_id')),
    ...under('view_id', idsOf(views, 'view_id')),
    ...under('expected_revision', [1, 2]),
    ...under('audit_id', idsOf(audits, 'audit_id')),
    ...under('invitation_id', idsOf(invited.invitations, 'invitation_id')),
    ...under('player_uuid inviting_player_uuid host_player_uuid', PLAYERS),
    ...under('player_uuids', [PLAYERS, PLAYERS.slice(0, 2)]),
    ...under('created from to at source_at created_from created_to', DATES),
    ...under('expected_version', [1, 1, 1, 2]),
    ...under('expected_source_version', [1, 2]),
    ...under('fields', [[{ key: 'price', type: 'number' }], []]),
    ...under('expected_head_seq expected_source_head_seq seq after_seq', NUMBERS),
    ...under('legacy_item_id legacy_xp_id host_player_id', NUMBERS),
    ...under('account_id', accounts),
    ...under('account_ids', [accounts]),
    ...under('identity_id', renewed.identityIds),
    ...under('key_id', renewed.keyIds),
    ...under('webhook_id', renewed.webhookIds),
    ...under('delivery_id', [ID]),
    ...under('url', [
      'https://hooks.example/a',
      'https://[::ffff:7f00:1]/',
      'http://x',
      'https://a:b@c',
    ]),
    ...under('token', renewed.tokens),
    ...under('email', renewed.emails),
    ...under('password', ['a password that is long enough']),
    ...under('type', ['duel', SPARE_TYPE]),
    ...under('session_id source_session_id', [...sessions, ...renewed.endedSessions]),
    ...under('platform_session_id_base64', sessions),
    ...under('platform', ['Steam']),
    ...under('team_id', [0, 1]),
    ...under('expected_etag', [etag, '"x"']),
    ...under('if_none_match', [etag]),
    ...under('cursor', CURSORS),
    ...under('confirm_sandbox_name', ['Sandbox 3', 'Sandbox 1']),
    ...under('name', ['Iron', 'Größe', '%', '']),
    ...under('query', ['iron', 'P', ...records, '%']),
    ...under('client_version', ['1.0.0', '2.0.0-beta.1']),
    ...under('client_settings', [JOIN_BODY.client_settings, { platform_id: 9, input: 'touch' }]),
    ...under('body', [JOIN_BODY]),
  ]);
};

const idsOf = (rows: Record<string, string>[], name: string): Values => {
  const ids = rows.map((row) => row[name]);
  if (ids.length === 0 || ids.includes(undefined)) throw new Error(`There is no ${name} to know.`);
  return ids;
};

// Permanent objects: players, sandboxes and their first records.

export const SANDBOXES = [
  '5a000000-0000-4000-8000-000000000001',
  '5a000000-0000-4000-8000-000000000002',
  '5a000000-0000-4000-8000-000000000003',
] as const;

export const idOf = (kind: string, number: number): string =>
  `${kind.padEnd(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const PLAYERS = [1, 2, 3, 4].map((number) => idOf('b1', number));

// Objects that requests consume, recreated: sessions with seats, keys, invitations, people, records at their first
// version.

export type Renewed = {
  /** Session ids, which are also those of their platform sessions. */
  sessions: string[];
  /** Ended sessions can be deleted. */
  endedSessions: string[];
  records: string[];
  serviceAccountIds: string[];
  keyIds: string[];
  webhookIds: string[];
  tokens: string[];
  personIds: string[];
  /** Of single sign-on, one for each person. */
  identityIds: string[];
  /** With the name of the first sandbox. They can be purged. */
  deletedSandboxes: string[];
  /** Unused addresses. */
  emails: string[];
};
