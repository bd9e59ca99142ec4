import type { JoinByPlatformSessionRequest } from '../../src/index.ts';
import { JOIN } from '../start/examples.ts';
import type { Interaction } from './interaction.ts';
import { refuse } from './interaction.ts';
import {
  authFailureWith,
  ETAG,
  JSON_TYPE,
  problemsAt,
  refusalWith,
  sessionWith,
} from './matchers.ts';

const { player_uuid } = JOIN;
const pathOf = (player: string) =>
  `/session/v1/platform/Steam/platform-session/${JOIN.platform_session_id_base64}/player/${player}`;
const BACKEND = { sub: 'game-backend', permissions: ['session:*'] };

const sending = (request: JoinByPlatformSessionRequest): Pick<Interaction, 'request' | 'call'> => ({
  request: {
    method: 'POST',
    path: pathOf(request.player_uuid),
    body: request.body,
    ...(request.player_id !== undefined && { query: { player_id: String(request.player_id) } }),
  },
  call: (client) => client.joinByPlatformSession(request),
});

const joined = (status: 'leader' | 'member') => ({
  response: {
    status: 200,
    headers: { 'Content-Type': JSON_TYPE, ETag: ETAG },
    body: sessionWith(player_uuid, status),
  },
  outcome: { etag: '"v1"', session: { teams: [{ players: [{ player_uuid, status }] }] } },
});

const refused = (status: number, code: string) => ({
  response: refuse(status, refusalWith(code)),
  outcome: { name: 'ServiceError', status, code, ...(status === 409 && { retryAfterSeconds: 1 }) },
});

/** Null values, which callers without types may send instead of leaving a field out. */
const NULLS: object = { status: null, crossplay_preferences: null, custom_data: null };

const ONE_TEAM = [{ team_id: 0, max_size: 4 }];
const FULL = { team_id: 0, max_size: 1, players: 1 };

export const JOIN_INTERACTIONS: Interaction[] = [
  {
    description: 'a join of an empty session',
    states: [['a session', { teams: ONE_TEAM }]],
    ...sending(JOIN),
    ...joined('leader'),
  },
  {
    description: 'a join that states everything about the player',
    states: [
      ['a session', { teams: ONE_TEAM }],
      ['a known player', { player_uuid, player_id: 4711 }],
      ['the caller', BACKEND],
    ],
    ...sending({
      ...JOIN,
      player_id: 4711,
      body: {
        ...JOIN.body,
        status: 'leader',
        crossplay_preferences: {
          permitted_platform: 'desired_platforms_any',
          permitted_input: 'desired_inputs_any',
        },
        custom_data: { loadout: 'sniper' },
      },
    }),
    ...joined('leader'),
  },
  {
    description:
      'a join by a player who has the seat already, with null and a UUID without hyphens',
    states: [['a session', { teams: ONE_TEAM, seats: [{ player_uuid }] }]],
    ...sending({
      ...JOIN,
      player_uuid: player_uuid.replaceAll('-', '').toUpperCase(),
      body: { ...JOIN.body, ...NULLS },
    }),
    ...joined('leader'),
  },
  {
    description: 'a join of a full team where another one has room',
    states: [['a session', { teams: [FULL, { team_id: 1, max_size: 1 }] }]],
    ...sending(JOIN),
    ...refused(409, 'team_full'),
  },
  {
    description: 'a join of a full session',
    states: [['a session', { teams: [FULL] }]],
    ...sending(JOIN),
    ...refused(409, 'session_full'),
  },
  {
    description: 'a join of a session whose instance takes no new players',
    states: [['a session', { instance: { join_status: 'unjoinable' } }]],
    ...sending(JOIN),
    ...refused(409, 'instance_unjoinable'),
  },
  {
    description: 'a join of a session for invited players only',
    states: [['a session', { joinable: false }]],
    ...sending(JOIN),
    ...refused(403, 'session_not_joinable'),
  },
  {
    description: 'a join with another version than the instance',
    states: [['a session', { instance: { version: '2.0.0' } }]],
    ...sending(JOIN),
    ...refused(403, 'version_incompatible'),
  },
  {
    description: 'a join of a platform session that does not exist',
    states: [['no such platform session']],
    ...sending(JOIN),
    ...refused(404, 'platform_session_not_found'),
  },
  {
    description: 'a join for a player whom the service has never seen',
    states: [['a session'], ['no such player'], ['the caller', BACKEND]],
    ...sending(JOIN),
    ...refused(404, 'player_not_found'),
  },
  {
    description: 'a join for another player without the permission',
    states: [
      ['a session'],
      ['the caller', { sub: 'somebody-else', permissions: ['session:update-player:self'] }],
    ],
    ...sending(JOIN),
    ...refused(403, 'insufficient_permissions'),
  },
  {
    description: 'a join with an expired token',
    states: [['a session'], ['the caller', { credential: 'expired' }]],
    ...sending(JOIN),
    response: refuse(403, authFailureWith('auth_token_expired')),
    outcome: { name: 'ServiceError', code: 'auth_token_expired', authSuccess: false },
  },
  {
    description: 'a join of a team that the session does not have',
    states: [['a session', { teams: ONE_TEAM }]],
    ...sending({ ...JOIN, body: { ...JOIN.body, team_id: 7 } }),
    response: refuse(422, problemsAt(['body', 'team_id'], 'value_error.team')),
    outcome: { name: 'ValidationError', detail: [{ loc: ['body', 'team_id'] }] },
  },
];
