// Requests to join and the sessions that they result in.
import type { z } from 'zod';
import type { PlayerSessions } from '../companion/session-references.ts';
import type { ItemHistory, XpHistory } from '../history/history.ts';
import type { JoinRequest } from '../session/join-request.ts';
import type { Session } from '../session/session.ts';
import { PATH_EXAMPLES } from './error-examples.ts';

type Examples<Value> = Record<string, { summary: string; value: Value }>;

const PLAYER = PATH_EXAMPLES.player_uuid ?? '';
const PLATFORM_SESSION = PATH_EXAMPLES.platform_session_id_base64 ?? '';
const HOST = '3f6a1c58-92d4-4b7e-8c05-e1d27f90ab34';

export const JOIN_REQUESTS = {
  minimal: {
    summary: 'The least that a client sends',
    value: {
      client_version: '1.4.2',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
    },
  },
  everything: {
    summary: 'A wish to lead, with crossplay preferences and data of the game',
    value: {
      status: 'leader',
      client_version: '1.4.2-beta.1',
      client_settings: { platform: 'XboxLive', input: 'gamepad' },
      team_id: 0,
      crossplay_preferences: {
        permitted_platform: 'desired_platforms_any',
        permitted_input: 'desired_inputs_gamepad',
      },
      custom_data: { skin: 'crimson', rank: '17' },
    },
  },
  legacy_platform: {
    summary: 'An older client, which names its platform by number',
    value: {
      client_version: '1.2.0',
      client_settings: { platform_id: 5, input: 'keyboardandmouse' },
      team_id: 0,
    },
  },
  reservation: {
    summary: 'A game backend holds a seat for a player who has not arrived',
    value: {
      status: 'reserved',
      client_version: '1.4.2',
      client_settings: { platform: 'PSN', input: 'gamepad' },
      team_id: 0,
    },
  },
} satisfies Examples<z.input<typeof JoinRequest>>;

export const JOINED_SESSIONS = {
  second_player: {
    summary: 'A seat beside the leader, on a dedicated server',
    value: {
      type: 'social-hub',
      session_id: 'welcome',
      instance: {
        allocation_id: 'alloc-7c41d09be2f5',
        instance_id: 'inst-5f0c2a9d41be',
        host_type: 'dedicated',
        host_dedicated_server_id: 'eu-central-17',
        join_status: 'joinable',
        join_params: {
          public_conn_str: '203.0.113.24:27015',
          private_conn_str: '10.0.4.24:27015',
        },
        version: '1.4.2',
        created: '2026-03-14T09:20:11.402Z',
        instance_health: 'healthy',
      },
      browser: { custom_data: { title: 'Everyone is welcome' } },
      joinable: true,
      teams: [
        {
          players: [
            {
              player_uuid: HOST,
              status: 'leader',
              version: '1.4.2',
              client_settings: { platform: 'Steam', input: 'gamepad' },
              joined: '2026-03-14T09:21:40.118Z',
            },
            {
              player_uuid: PLAYER,
              status: 'member',
              inviting_player_uuid: HOST,
              version: '1.4.2',
              client_settings: { platform: 'Steam', input: 'gamepad' },
              crossplay_preferences: {
                permitted_platform: 'desired_platforms_any',
                permitted_input: 'desired_inputs_any',
              },
              custom_data: { skin: 'crimson' },
              invited: '2026-03-14T09:22:55.730Z',
              joined: '2026-03-14T09:26:53.589Z',
            },
          ],
          max_size: 20,
          team_id: 0,
        },
      ],
      platform_session: [
        {
          platform: 'Steam',
          platform_session_type: 'steam-lobby',
          platform_session_id_base64: PLATFORM_SESSION,
          players: [],
        },
      ],
      custom_data: { map: 'Glass Harbour' },
      created: '2026-03-14T09:20:10.977Z',
      region_id: 'eu-central',
    },
  },
  first_player: {
    summary: 'The first to arrive leads; a seat is held for a friend',
    value: {
      type: 'duel',
      session_id: '0197f3b2-7c1e-7b60-8a56-3f2c9be0d111',
      joinable: false,
      teams: [
        {
          players: [
            {
              player_id: 104_233,
              player_uuid: PLAYER,
              status: 'leader',
              version: '1.4.2',
              client_settings: { platform: 'PSN', input: 'gamepad' },
              joined: '2026-03-14T09:26:53.589Z',
            },
          ],
          max_size: 1,
          team_id: 0,
        },
        {
          players: [
            {
              player_uuid: HOST,
              status: 'invited',
              inviting_player_uuid: PLAYER,
              invited: '2026-03-14T09:26:54.001Z',
            },
          ],
          max_size: 1,
          team_id: 1,
        },
      ],
      platform_session: [
        {
          platform: 'PSN',
          platform_session_type: 'psn-session',
          platform_session_id_base64: 'ZHVlbC0xNzQy',
          players: [],
        },
      ],
      created: '2026-03-14T09:26:50.300Z',
    },
  },
} satisfies Examples<z.output<typeof Session>>;

/** An invited player sees no connection data and no custom data of others. */
export const READ_SESSIONS = {
  seated: {
    summary: 'For a player with a seat, and for a service',
    value: JOINED_SESSIONS.second_player.value,
  },
  invited: {
    summary: 'For an invited player',
    value: {
      type: 'social-hub',
      session_id: 'welcome',
      instance: {
        instance_id: 'inst-5f0c2a9d41be',
        host_type: 'dedicated',
        join_status: 'joinable',
        version: '1.4.2',
        created: '2026-03-14T09:20:11.402Z',
      },
      joinable: false,
      teams: [
        {
          players: [
            {
              player_uuid: HOST,
              status: 'leader',
              version: '1.4.2',
              client_settings: { platform: 'Steam', input: 'gamepad' },
              joined: '2026-03-14T09:21:40.118Z',
            },
            {
              player_uuid: PLAYER,
              status: 'invited',
              inviting_player_uuid: HOST,
              invited: '2026-03-14T09:22:55.730Z',
            },
          ],
          max_size: 20,
          team_id: 0,
        },
      ],
      platform_session: [
        {
          platform: 'Steam',
          platform_session_type: 'steam-lobby',
          platform_session_id_base64: PLATFORM_SESSION,
          players: [],
        },
      ],
      created: '2026-03-14T09:20:10.977Z',
    },
  },
} satisfies Examples<z.output<typeof Session>>;

export const PLAYER_SESSIONS = {
  two_sessions: {
    summary: 'A seat and an invitation',
    value: {
      sessions: [
        {
          type: 'duel',
          session_id: '0197f3b2-7c1e-7b60-8a56-3f2c9be0d111',
          status: 'invited',
          team_id: 1,
          platform_session: [
            {
              platform: 'PSN',
              platform_session_type: 'psn-session',
              platform_session_id_base64: 'ZHVlbC0xNzQy',
            },
          ],
        },
        {
          type: 'social-hub',
          session_id: 'welcome',
          status: 'member',
          team_id: 0,
          platform_session: [
            {
              platform: 'Steam',
              platform_session_type: 'steam-lobby',
              platform_session_id_base64: PLATFORM_SESSION,
            },
          ],
        },
      ],
    },
  },
  none: { summary: 'The player has no session', value: { sessions: [] } },
} satisfies Examples<z.output<typeof PlayerSessions>>;

// Pages of histories: one with a cursor, the last one, and the empty one of an unknown sandbox.

type ItemPage = z.output<typeof ItemHistory>;
type XpPage = z.output<typeof XpHistory>;

const EMPTY = {
  summary: 'Nothing matches, or the sandbox is unknown',
  value: { transactions: [], page_meta: { page_size: 50, total: 0 } },
};

const CURSOR = 'AQAAAAAAAAQaAAAAAAAABJsAAAAAAAAAA3kMZ5mVQ8dX0Hq1cF2Yb3w';

const SWORD = {
  item_id: '5b1e7d02-3c94-4f6a-a8d1-07c2e94b6f13',
  legacy_item_id: 1042,
  item_type: 'unit' as const,
  tags: ['melee', 'starter'],
  level_xp_table_id: 'c20a6e9f-41b7-4d35-9e80-6f1b2d7a5c48',
} satisfies Partial<ItemPage['transactions'][number]['version']>;

const RENAMED_SWORD: ItemPage['transactions'][number] = {
  account_id: 'mara.lindqvist',
  transaction_id: '0197f3b2-7c1e-7b60-8a56-3f2c9be0d111',
  issued_at: '2026-03-14T09:26:53.589Z',
  operation: 'update',
  version_id: '0197f3b2-7c20-7a41-9a0e-5c1d2e3f4a5b',
  version_name: 'Iron Sword',
  version: { ...SWORD, name: 'Iron Sword', custom_data: { damage: '14' } },
};

const FIRST_SWORD: ItemPage['transactions'][number] = {
  account_id: 'import-service',
  transaction_id: '01956a10-22c4-7d1e-b7f3-90a1c2d3e4f5',
  issued_at: '2025-11-02T16:04:30.012Z',
  operation: 'insert',
  version_id: '01956a10-22c9-7e02-84aa-1b2c3d4e5f60',
  version_name: 'Sword',
  version: { ...SWORD, name: 'Sword', custom_data: {} },
};

export const ITEM_HISTORIES = {
  page: {
    summary: 'A page with a cursor for the next one',
    value: {
      transactions: [RENAMED_SWORD, FIRST_SWORD],
      page_meta: { cursor: CURSOR, page_size: 2, total: 3 },
    },
  },
  last_page: {
    summary: 'The last page has no cursor',
    value: {
      transactions: [FIRST_SWORD],
      page_meta: { page_size: 50, total: 1 },
    },
  },
  empty: EMPTY,
} satisfies Examples<ItemPage>;

const XP_TABLE = {
  xp_id: SWORD.level_xp_table_id,
  legacy_xp_id: 7,
  name: 'Weapon mastery',
  description: 'Levels of every weapon.',
  custom_data: {},
};

const STEEPER_TABLE: XpPage['transactions'][number] = {
  account_id: 'jonas.weber',
  transaction_id: '0197f3b2-9d40-7c55-b1e2-6a7b8c9d0e1f',
  issued_at: '2026-03-14T10:02:17.204Z',
  operation: 'update',
  version_id: '0197f3b2-9d43-7f19-8c3d-2e1f0a9b8c7d',
  version_name: 'Weapon mastery',
  version: {
    ...XP_TABLE,
    xp_thresholds: [
      { level: 1, xp: 0 },
      { level: 2, xp: 250 },
      { level: 3, xp: 700 },
    ],
  },
};

export const XP_HISTORIES = {
  page: {
    summary: 'A page with a cursor for the next one',
    value: {
      transactions: [STEEPER_TABLE],
      page_meta: { cursor: CURSOR, page_size: 1, total: 3 },
    },
  },
  last_page: {
    summary: 'The last page has no cursor',
    value: {
      transactions: [STEEPER_TABLE],
      page_meta: { page_size: 50, total: 1 },
    },
  },
  empty: EMPTY,
} satisfies Examples<XpPage>;
