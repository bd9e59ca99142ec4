// Correct pacts about joins that are accepted: every kind of matcher.
import type { CorrectPact } from './join-interaction.ts';
import {
  BACKEND,
  BODY,
  JSON_TYPE,
  join,
  OTHER_PLAYER,
  PLAYER,
  STATUS,
  session,
  UUID,
} from './join-interaction.ts';
import { atLeast, boolean, include, integer, like, regex, timestamp } from './write-pact.ts';

export const ACCEPTED_JOINS: CorrectPact[] = [
  {
    name: 'join with types, lists and an ETag',
    version: '4.0',
    interactions: [
      join('a join', 'am9pbi0x', [session()], {
        status: 200,
        headers: { ETag: '"abc-1"', 'Content-Type': 'application/json' },
        body: {
          type: 'match',
          session_id: 'session-1',
          joinable: true,
          created: '2026-03-14T09:26:53.589Z',
          teams: [
            {
              max_size: 4,
              team_id: 0,
              players: [{ player_uuid: PLAYER, status: 'leader', version: '1.4.2' }],
            },
          ],
        },
        rules: {
          header: { ETag: regex('^"[^"]+"$'), 'Content-Type': regex('^application/json(;.*)?$') },
          body: {
            '$.session_id': like,
            '$.joinable': boolean,
            '$.created': timestamp,
            '$.teams': atLeast(1),
            '$.teams[*].max_size': integer,
            '$.teams[*].team_id': integer,
            '$.teams[*].players': [{ match: 'type', min: 0 }],
            '$.teams[*].players[*].player_uuid': regex(UUID),
            '$.teams[*].players[*].status': STATUS,
            '$.teams[*].players[*].version': like,
          },
        },
      }),
    ],
  },
  {
    name: 'join of a session with a dedicated instance',
    version: '3.0.0',
    interactions: [
      join(
        'a join that tells where to connect',
        'am9pbi0y',
        [
          session({
            instance: {
              version: '1.4.0',
              join_params: { public_conn_str: 'udp://a:1', private_conn_str: 'udp://b:1' },
            },
            version_match: 'minor',
          }),
        ],
        {
          status: 200,
          body: {
            instance: {
              version: '1.4.0',
              join_status: 'joinable',
              join_params: { public_conn_str: 'udp://a:1' },
            },
          },
          rules: { body: { '$.instance.join_params.public_conn_str': include('udp://') } },
        },
      ),
    ],
  },
  {
    name: 'join with custom data and crossplay preferences',
    version: '4.0',
    interactions: [
      join(
        'a join that states everything',
        'am9pbi0z',
        [session({ custom_data: { mode: 'ranked' }, region_id: 'eu' })],
        {
          status: 200,
          body: {
            region_id: 'eu',
            custom_data: { mode: 'ranked' },
            teams: [
              {
                players: [
                  {
                    player_uuid: PLAYER,
                    custom_data: { mood: 'keen' },
                    crossplay_preferences: { permitted_platform: 'desired_platforms_any' },
                  },
                ],
              },
              { players: [] },
            ],
          },
        },
        {
          body: {
            ...BODY,
            custom_data: { mood: 'keen' },
            crossplay_preferences: {
              permitted_platform: 'desired_platforms_any',
              permitted_input: 'desired_inputs_any',
            },
          },
          rules: {
            body: { '$.client_settings.input': regex('^(gamepad|touch)$'), '$.team_id': integer },
          },
        },
      ),
    ],
  },
  {
    name: 'join beside a player who is there already',
    version: '4.0',
    interactions: [
      join(
        'a join as the second player',
        'am9pbi00',
        [session({ seats: [{ player_uuid: OTHER_PLAYER }] })],
        {
          status: 200,
          body: {
            teams: [
              {
                players: [
                  { player_uuid: OTHER_PLAYER, status: 'leader' },
                  { player_uuid: PLAYER, status: 'member' },
                ],
              },
            ],
          },
          rules: {
            body: {
              '$.teams': atLeast(1),
              '$.teams[*].players': [{ match: 'type', min: 0 }],
              '$.teams[*].players[*].player_uuid': regex(UUID),
              '$.teams[*].players[*].status': STATUS,
            },
          },
        },
      ),
    ],
  },
  {
    name: 'join of an invited player, found among all teams',
    version: '4.0',
    interactions: [
      join(
        'a join by invitation',
        'am9pbi01',
        [session({ joinable: false, seats: [{ player_uuid: PLAYER, status: 'invited' }] })],
        {
          status: 200,
          body: { joinable: false, teams: [{ max_size: 4, players: [{ player_uuid: PLAYER }] }] },
          rules: {
            body: {
              '$.teams': [
                {
                  match: 'arrayContains',
                  variants: [
                    {
                      index: 0,
                      rules: { '$.max_size': { combine: 'AND', matchers: integer } },
                      generators: {},
                    },
                  ],
                },
              ],
            },
          },
        },
      ),
    ],
  },
  {
    name: 'join by a game backend with a legacy id',
    version: '3.0.0',
    interactions: [
      join(
        'a join on behalf of a player',
        'am9pbi02',
        [session(), { name: 'a known player', params: { player_id: 4711 } }, BACKEND],
        {
          status: 200,
          body: {
            teams: [{ players: [{ player_id: 4711, player_uuid: PLAYER }] }, { players: [] }],
          },
          rules: { body: { '$.teams[0].players[0].player_id': integer } },
        },
        {
          query: { player_id: ['4711'] },
          headers: { ...JSON_TYPE, Authorization: 'Bearer token' },
          rules: {
            query: { player_id: regex('^\\d+$') },
            header: { Authorization: regex('^Bearer .+$') },
          },
        },
      ),
    ],
  },
];
