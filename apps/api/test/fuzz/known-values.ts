// Values that name something, by the property that they belong into: without them hardly any request would pass the door.
import type { AdminCaller } from '../admin-caller.ts';
import { PLATFORM_SESSIONS, PLAYERS, RECORDS, SANDBOXES } from './fuzz-world.ts';

type Made = { serviceAccountId: string; keyId: string; token: string; accountIds: string[] };
type Version = { version_id: string; transaction_id: string };

const encode = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

const ID = '1e000000-0000-4000-8000-000000000001';
const FAR = 9_007_199_254_740_991;
/** Cursors are opaque, but anybody can read and write them. */
const CURSORS = [
  ...['0', encode(ID), encode([1, ID]), encode([0, ID]), encode([FAR, ID]), encode([-FAR, ID])],
  ...[encode([1, 0, 5, null]), encode([FAR, -FAR, FAR, FAR]), encode([-1, 5, 0, 1])],
  ...[
    encode([ID, 0, 0, 0, 0]),
    encode([ID, FAR, FAR, FAR, FAR]),
    encode(['a', ID]),
    encode(['', ID]),
  ],
  ...[encode(null), encode({ a: 1 }), encode('a'), encode(['\u0000', '\ud800']), 'e30', '!!!'],
];

const DATES = [
  ...['2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', 0, 1.5, -1],
  ...[
    253_402_300_799,
    -62_135_596_800,
    '1969-12-31T23:59:60Z',
    '2026-01-01T00:00:00.123456789+14:00',
  ],
];

const NUMBERS = [0, 1, 2, 3, -1, FAR, -FAR];

export const knownValues = async (
  admin: AdminCaller,
  made: Made,
): Promise<Map<string, readonly unknown[]>> => {
  const { data } = await admin.query<{ versions: Version[] }>('versions.list', {
    ...{ sandbox_id: SANDBOXES[0], kind: 'item' },
  });
  const versions = data.versions.map(({ version_id }) => version_id);
  const accounts = [...made.accountIds, made.serviceAccountId];
  const session = await admin.query<{ etag: string }>('sessions.get', {
    ...{ type: 'duel', session_id: PLATFORM_SESSIONS[0] },
  });
  const entries: [string, readonly unknown[]][] = [
    ...['sandbox_id', 'source_sandbox_id'].map((name): [string, readonly unknown[]] => [
      name,
      SANDBOXES,
    ]),
    ...[...Object.keys({ item_id: 0, xp_id: 0, record_id: 0, level_xp_table_id: 0 })].map(
      (name): [string, readonly unknown[]] => [name, RECORDS],
    ),
    ...['version_id', 'from_version_id', 'to_version_id'].map(
      (name): [string, readonly unknown[]] => [name, versions],
    ),
    ...['player_uuid', 'inviting_player_uuid', 'host_player_uuid'].map(
      (name): [string, readonly unknown[]] => [name, PLAYERS],
    ),
    ...['created', 'from', 'to', 'at', 'created_from', 'created_to'].map(
      (name): [string, readonly unknown[]] => [name, DATES],
    ),
    ...[
      'expected_version',
      'expected_head_seq',
      'expected_source_head_seq',
      'seq',
      'after_seq',
      'legacy_item_id',
      'legacy_xp_id',
      'host_player_id',
    ].map((name): [string, readonly unknown[]] => [name, NUMBERS]),
    ['transaction_id', data.versions.map(({ transaction_id }) => transaction_id)],
    ['record_ids', [RECORDS, RECORDS.slice(0, 1)]],
    ['player_uuids', [PLAYERS]],
    ['account_id', accounts],
    ['account_ids', [accounts]],
    ['key_id', [made.keyId]],
    ['token', [made.token]],
    ['type', ['duel']],
    ['session_id', PLATFORM_SESSIONS],
    ['source_session_id', PLATFORM_SESSIONS],
    ['platform_session_id_base64', PLATFORM_SESSIONS],
    ['platform', ['Steam']],
    ['team_id', [0, 1]],
    ['expected_etag', [session.data.etag, '"x"']],
    ['if_none_match', [session.data.etag]],
    ['cursor', CURSORS],
    ['confirm_sandbox_name', ['Sandbox 3', 'Sandbox 1']],
    ['name', ['Iron', 'Größe', '%', '']],
    ['query', ['iron', 'P', ...RECORDS, '%']],
    ['client_version', ['1.0.0', '2.0.0-beta.1']],
    ['body', [JOIN_BODY]],
    ['client_settings', [JOIN_BODY.client_settings, { platform_id: 9, input: 'touch' }]],
  ];
  return new Map(entries);
};

export const JOIN_BODY = {
  client_version: '1.0.0',
  client_settings: { platform: 'Steam', input: 'gamepad' },
  team_id: 0,
};
