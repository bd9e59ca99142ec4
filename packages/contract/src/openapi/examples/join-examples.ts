// Requests to join and the sessions that they result in.
import type { z } from 'zod';
import type { JoinRequest } from '../../session/join-request.ts';
import type { Session } from '../../session/session.ts';
import { PATH_EXAMPLES } from './path-examples.ts';

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
