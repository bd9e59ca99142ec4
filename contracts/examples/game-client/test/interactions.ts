// What the game relies on: the states it meets, what it reads of each answer, and what it then does.
import { MatchersV3 } from '@pact-foundation/pact';
import type { JsonMap } from '@pact-foundation/pact/src/common/jsonTypes.js';
import type { Step } from '../src/choose-next-step.ts';
import { JOIN } from './requests.ts';

const { eachLike, regex, string } = MatchersV3;

export type Interaction = {
  description: string;
  states: readonly [name: string, parameters?: JsonMap][];
  status: number;
  headers?: Record<string, unknown>;
  body: object;
  /** A part of what `joinGame` resolves with. */
  outcome: object;
};

export const AUTHORIZATION = regex('^Bearer \\S+$', 'Bearer token');
export const JSON_TYPE = regex('^application/json(;.*)?$', 'application/json; charset=utf-8');
export const ETAG = regex('^"[^"]+"$', '"v1"');
const RETRY_AFTER = regex('^[1-9]\\d*$', '1');

const { player_uuid } = JOIN;
const ONE_TEAM = [{ team_id: 0, max_size: 4 }];
const FULL = { team_id: 0, max_size: 1, players: 1 };
const HOST = 'eu-1.example.net:7777';
const OTHER_PLAYER = '9c1a7d30-52f4-4e0c-8a8f-7c2e3b6d4f02';

/** The game looks for its own seat, and whether it leads. */
const leading = { teams: eachLike({ players: eachLike({ player_uuid, status: 'leader' }) }) };

const seated = { status: 200, headers: { 'Content-Type': JSON_TYPE, ETag: ETAG } };

/** The game decides by code and shows sentences of its own: of `desc` the client only needs that it is there. */
export const refusal = (error_code: string) => ({ error_code, desc: string('A sentence.') });

const refused = (status: number, error_code: string, step: Step) => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...(status === 409 && { 'Retry-After': RETRY_AFTER }) },
  body: refusal(error_code),
  outcome: { next: { step, waitSeconds: status === 409 ? 1 : 0 } },
});

export const INTERACTIONS: readonly Interaction[] = [
  {
    description: 'a join of a session whose match runs',
    states: [
      [
        'a session',
        {
          teams: ONE_TEAM,
          instance: {
            join_status: 'joinable',
            join_params: {
              public_conn_str: HOST,
              private_conn_str: '10.0.0.7:7777',
              custom_data: { transport: 'udp' },
            },
          },
        },
      ],
    ],
    ...seated,
    body: {
      ...leading,
      instance: {
        join_status: 'joinable',
        join_params: { public_conn_str: string(HOST), custom_data: { transport: string('udp') } },
      },
    },
    outcome: {
      seat: {
        etag: '"v1"',
        isLeader: true,
        host: { state: 'ready', address: HOST, parameters: { transport: 'udp' } },
      },
    },
  },
  {
    description: 'a join of a session whose match is being prepared',
    states: [['a session', { teams: ONE_TEAM, instance: { join_status: 'pending' } }]],
    ...seated,
    body: { ...leading, instance: { join_status: 'pending' } },
    outcome: { seat: { host: { state: 'waiting' } } },
  },
  {
    description: 'a join of a full team where another one has room',
    states: [['a session', { teams: [FULL, { team_id: 1, max_size: 1 }] }]],
    ...refused(409, 'team_full', 'wait-in-queue'),
  },
  {
    description: 'a join of a full session',
    states: [['a session', { teams: [FULL] }]],
    ...refused(409, 'session_full', 'return-to-browser'),
  },
  {
    description: 'a join while the instance takes no new players',
    states: [['a session', { instance: { join_status: 'unjoinable' } }]],
    ...refused(409, 'instance_unjoinable', 'wait-in-queue'),
  },
  {
    description: 'a join after the instance has closed',
    states: [['a session', { instance: { join_status: 'closed' } }]],
    ...refused(409, 'instance_closed', 'wait-in-queue'),
  },
  {
    description: 'a join of a session for invited players only',
    states: [['a session', { joinable: false }]],
    ...refused(403, 'session_not_joinable', 'ask-for-invitation'),
  },
  {
    description: 'a join of a session that runs a newer version',
    states: [['a session', { instance: { version: '2.0.0' } }]],
    ...refused(403, 'version_incompatible', 'update-game'),
  },
  {
    description: 'a join of a session with a player who plays with one console only',
    states: [
      [
        'a session',
        {
          seats: [
            {
              player_uuid: OTHER_PLAYER,
              client_settings: { platform: 'PSN', input: 'gamepad' },
              crossplay_preferences: {
                permitted_platform: 'desired_platforms_playstationlike',
                permitted_input: 'desired_inputs_any',
              },
            },
          ],
        },
      ],
    ],
    ...refused(403, 'crossplay_incompatible', 'open-crossplay-settings'),
  },
  {
    description: 'a join of a platform session that is gone',
    states: [['no such platform session']],
    ...refused(404, 'platform_session_not_found', 'refresh-list'),
  },
  {
    description: 'a join with the token of another player',
    states: [
      ['a session'],
      ['the caller', { sub: OTHER_PLAYER, permissions: ['session:update-player:self'] }],
    ],
    ...refused(403, 'insufficient_permissions', 'sign-in'),
  },
];
