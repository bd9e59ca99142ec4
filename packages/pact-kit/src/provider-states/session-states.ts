// States about sessions: one that is there, in any condition that a join can meet, and one that is not.
import {
  Backfill,
  Browser,
  ClientSettingsInput,
  CrossplayPreferences,
  HostType,
  InstanceInput,
  Integer,
  JoinStatus,
  MatchInput,
  Matchmaking,
  MatchmakingResultsInput,
  NewPlatformSessionId,
  Platform,
  PlatformSessionId,
  PlayerStatus,
  Semver,
  ShortId,
  StringMap,
  TeamId,
  TeamInput,
  text,
  Uuid,
  VersionMatch,
} from '@muster/contract';
import { z } from 'zod';
import {
  defineState,
  EXAMPLE_PLATFORM_SESSION_ID,
  EXAMPLE_PLAYER_UUID,
  EXAMPLE_SESSION_ID,
  EXAMPLE_SESSION_TYPE,
} from './state-definition.ts';

const JOIN = ['joinByPlatformSession'] as const;
const READ = ['readSession'] as const;
const LIST = ['listPlayerSessions'] as const;

const namesPlatformSession = {
  platform: Platform.default('Steam'),
  platform_session_id_base64: PlatformSessionId.default(EXAMPLE_PLATFORM_SESSION_ID),
};

const FROM_JOIN_PATH = {
  platform: 'platform',
  platform_session_id_base64: 'platform_session_id_base64',
};

const namesSession = {
  type: ShortId.default(EXAMPLE_SESSION_TYPE),
  session_id: ShortId.default(EXAMPLE_SESSION_ID),
};

const FROM_SESSION_PATH = { type: 'type', session_id: 'session_id' };

const TeamParameters = z.strictObject({
  ...TeamInput.shape,
  players: z.int().min(0).max(100).default(0).meta({
    description: 'How many players already sit in the team, besides those that `seats` names.',
  }),
});

const SeatParameters = z.strictObject({
  player_uuid: Uuid,
  player_id: Integer.optional(),
  team_id: TeamId.default(0),
  status: PlayerStatus.default('member').meta({
    description: 'The first player seated leads, unless another one is named leader.',
  }),
  client_version: Semver.optional().meta({
    description: "When absent, the instance's version or 1.4.2.",
  }),
  client_settings: ClientSettingsInput.default({ platform: 'Steam', input: 'gamepad' }),
  crossplay_preferences: CrossplayPreferences.optional(),
  custom_data: StringMap.optional(),
  inviting_player_uuid: Uuid.optional(),
  source_session_id: ShortId.optional(),
});

const InstanceParameters = z.strictObject({
  ...InstanceInput.shape,
  instance_id: ShortId.default('instance-1'),
  host_type: HostType.default('dedicated'),
  join_status: JoinStatus.default('joinable'),
});

const DEFAULT_TEAMS = [
  { team_id: 0, max_size: 4, players: 0 },
  { team_id: 1, max_size: 4, players: 0 },
];

const SessionParameters = z.strictObject({
  ...namesSession,
  ...namesPlatformSession,
  platform_session_id_base64: NewPlatformSessionId.default(EXAMPLE_PLATFORM_SESSION_ID),
  platform_session_type: ShortId.default('default'),
  joinable: z.boolean().default(true),
  version_match: VersionMatch.default('patch').meta({
    description: "How much of the client's version must equal `instance.version`.",
  }),
  teams: z.array(TeamParameters).min(1).max(100).default(DEFAULT_TEAMS).meta({
    description: 'When absent, teams 0 and 1 with four places each.',
  }),
  seats: z.array(SeatParameters).max(100).default([]).meta({
    description: 'Players who are in the session already, with a seat or with one held.',
  }),
  instance: InstanceParameters.optional().meta({
    description: 'The host; a session without one is never refused by version or join_status.',
  }),
  region_id: ShortId.optional(),
  custom_data: StringMap.optional(),
  browser: Browser.optional(),
  match: MatchInput.optional(),
  matchmaking: Matchmaking.optional(),
  matchmaking_results: MatchmakingResultsInput.optional(),
  backfill: Backfill.optional(),
  created_by_matchmaking: z.boolean().optional(),
});

const SEAT_FIELDS = ['version', 'client_settings', 'client_settings.platform'];
const players = (fields: readonly string[]) =>
  fields.map((field) => `teams[*].players[*].${field}`);

export const aSession = defineState({
  name: 'a session',
  description:
    'A session that the platform session belongs to. Full teams, closed instances, invitations and everything else ' +
    'that a join can meet are parameters. The player of the request is known.',
  parameters: SessionParameters,
  fromPath: { ...FROM_JOIN_PATH, ...FROM_SESSION_PATH },
  example: {
    type: 'match',
    teams: [{ team_id: 0, max_size: 4, players: 2 }],
    instance: { join_status: 'joinable', version: '1.4.2' },
  },
  guarantees: [
    {
      operations: JOIN,
      paths: ['platform_session', 'teams[*].team_id'],
      when: [],
      because: 'Every session that the state makes has them.',
    },
    {
      operations: JOIN,
      paths: players(SEAT_FIELDS),
      when: [{ noHeldSeats: true }],
      because: 'Everyone who joined has stated them.',
    },
    {
      operations: JOIN,
      paths: players(['joined']),
      when: [{ noHeldSeats: true }],
      because: 'Everyone in the session has joined.',
    },
    ...(['custom_data', 'crossplay_preferences'] as const).map((field) => ({
      operations: JOIN,
      paths: players([field, ...(field === 'custom_data' ? ['custom_data.*'] : [])]),
      when: [{ sent: `body.${field}` }, { onlyPlayer: true as const }],
      because: 'The only player has stated it in the request.',
    })),
  ],
  echoes: [
    {
      operations: JOIN,
      parameters: [
        'instance',
        'region_id',
        'custom_data',
        'browser',
        'match',
        'matchmaking',
        'matchmaking_results',
        'backfill',
        'created_by_matchmaking',
        'teams',
      ],
      to: '',
    },
  ],
  elements: [{ operations: JOIN, paths: ['platform_session', 'teams', 'teams[*].players'] }],
});

export const noSuchPlatformSession = defineState({
  name: 'no such platform session',
  description:
    'No session has the platform session; a join answers 404 platform_session_not_found.',
  parameters: z.strictObject(namesPlatformSession),
  fromPath: FROM_JOIN_PATH,
  example: { platform: 'Steam', platform_session_id_base64: EXAMPLE_PLATFORM_SESSION_ID },
});

// The states of the companion endpoints: the player has a seat in a session, or there is no such session.

export const aSeatedPlayer = defineState({
  name: 'a player is seated in a session',
  description:
    'The player of the request has a seat in the session, or an invitation: see status. The caller of a read is this ' +
    'player. The first player leads, so a member needs another player in teams or seats.',
  parameters: SessionParameters.extend({
    player_uuid: Uuid.default(EXAMPLE_PLAYER_UUID),
    team_id: TeamId.default(0),
    status: PlayerStatus.default('leader').meta({
      description:
        'invited and reserved hold the seat for the player, who then sees less of the session.',
    }),
  }),
  fromPath: { ...FROM_SESSION_PATH, player_uuid: 'player_uuid' },
  example: { type: 'match', session_id: 'session-1', player_uuid: EXAMPLE_PLAYER_UUID },
  guarantees: [
    {
      operations: READ,
      paths: ['platform_session', 'teams[*].team_id'],
      when: [],
      because: 'Every session that the state makes has them.',
    },
    {
      operations: READ,
      paths: players([...SEAT_FIELDS, 'joined']),
      when: [{ noHeldSeats: true }],
      because: 'Everyone in the session has joined.',
    },
  ],
  echoes: [
    {
      operations: READ,
      parameters: ['instance', 'region_id', 'custom_data', 'browser', 'teams'],
      to: '',
    },
  ],
  elements: [
    { operations: READ, paths: ['platform_session', 'teams', 'teams[*].players'] },
    { operations: LIST, paths: ['sessions', 'sessions[*].platform_session'] },
  ],
});

export const noSuchSession = defineState({
  name: 'no such session',
  description:
    'No session has this type and id; a read and a leave answer 404 session_not_found, as a read does for a player ' +
    'without a seat.',
  parameters: z.strictObject(namesSession),
  fromPath: FROM_SESSION_PATH,
  example: { type: EXAMPLE_SESSION_TYPE, session_id: EXAMPLE_SESSION_ID },
});

// States about the player of a request: known to the service, or not.

const namesPlayer = { player_uuid: Uuid.default(EXAMPLE_PLAYER_UUID) };
const FROM_PATH = { player_uuid: 'player_uuid' };

export const aKnownPlayer = defineState({
  name: 'a known player',
  description: 'The service knows the player, with the legacy id where one is given.',
  parameters: z.strictObject({
    ...namesPlayer,
    player_id: Integer.optional().meta({ description: 'Legacy id; echoed in the seat.' }),
    display_name: text(1, 128).optional(),
  }),
  fromPath: FROM_PATH,
  example: { player_uuid: EXAMPLE_PLAYER_UUID, player_id: 4711 },
  guarantees: [
    {
      operations: JOIN,
      paths: ['teams[*].players[*].player_id'],
      when: [{ given: 'player_id' }, { onlyPlayer: true }],
      because: 'The only player has a legacy id.',
    },
  ],
});

export const noSuchPlayer = defineState({
  name: 'no such player',
  description:
    'The service has never seen the player. A caller who acts for others gets 404 player_not_found; a self-join ' +
    'makes the player known.',
  parameters: z.strictObject(namesPlayer),
  fromPath: FROM_PATH,
  example: { player_uuid: EXAMPLE_PLAYER_UUID },
});

// The state about temporary conditions.

export const REFUSAL_CODES = [
  'rate_limited',
  'session_busy',
  'service_overloaded',
  'service_unavailable',
] as const;

export const aTemporaryRefusal = defineState({
  name: 'a temporary refusal',
  description:
    'The service refuses this request for the moment. A join is refused with 409 rate_limited, session_busy or ' +
    'service_overloaded, any other request with 429 rate_limited or 503 service_unavailable, and a read or leave of a ' +
    'session also with 409 session_busy. A running service cannot be made to ' +
    'refuse only one request, so the kit responds in its place, with the body and headers of the contract.',
  parameters: z.strictObject({
    error_code: z.enum(REFUSAL_CODES).optional().meta({
      description: 'When absent: service_overloaded on a join, service_unavailable elsewhere.',
    }),
    retry_after: z.int().min(1).max(3600).default(1).meta({
      description:
        'Seconds of `Retry-After`. The service chooses a new number for each response, so match the header with a regular expression.',
    }),
  }),
  fromPath: {},
  example: { error_code: 'rate_limited', retry_after: 2 },
});

// The state about the caller: the kit signs a token for each interaction, and this state describes it.

const CREDENTIALS = [
  'accepted',
  'missing',
  'not_jwt',
  'malformed',
  'bad_signature',
  'expired',
  'invalid_claim',
  'unknown_key',
] as const;

const CallerParameters = z.strictObject({
  credential: z.enum(CREDENTIALS).default('accepted').meta({
    description:
      'What is wrong with the credential, if anything; all but accepted answer 403 with auth_success false.',
  }),
  sub: text(1, 128).optional().meta({
    description:
      'The account. When absent: the player of the path or of the state, an account of the kit on a history.',
  }),
  permissions: z.array(text(1, 256)).max(100).optional().meta({
    description:
      'When absent: session:update-player:self for a player, sandbox:config:view on a history.',
  }),
  platform: Platform.optional().meta({
    description: "The token's platform; it wins over the one in the body.",
  }),
});

export const theCaller = defineState({
  name: 'the caller',
  description:
    'The caller of the request. By default the player of the path sends a join, and a viewer reads a history. A ' +
    'game backend is {"sub": "game-backend", "permissions": ["session:*"]}.',
  parameters: CallerParameters,
  fromPath: {},
  example: { sub: EXAMPLE_PLAYER_UUID, permissions: ['session:update-player:self'] },
});
