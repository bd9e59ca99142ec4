// The joins of a run: every request its own player, URL, token and body.
import { platformSessionIdOf, playerUuidOf } from './identities.ts';
import { signPlayerToken } from './player-token.ts';
import type { RequestSet } from './request-set.ts';
import { buildRequestSet } from './request-set.ts';
import { shuffle } from './shuffle.ts';

export type JoinPlan = {
  /** Numbers of the players: `count` from `firstPlayer` on, each joins once. */
  firstPlayer: number;
  count: number;
  /** Numbers of the sessions; the players go round them, in an order of their own. */
  firstSession: number;
  sessions: number;
  /** A storm: this many players ask for one session before the next is asked for, in the order of their numbers. */
  stormSize?: number;
  /** The players of one session ask for its teams in turn. */
  teams: number;
  secret: string;
  /** Seconds since 1970. */
  expiresAt: number;
};

export type Join = { playerUuid: string; session: number; teamId: number; token: string };

/** The joins of a plan by their index. However few of a lap are made, the sessions they reach are spread over all. */
export const planJoins = (plan: JoinPlan): ((index: number) => Join) => {
  const order = shuffle(plan.sessions, plan.firstPlayer);
  const turnOf = (index: number): number =>
    plan.stormSize === undefined
      ? (order[index % plan.sessions] ?? 0)
      : Math.floor(index / plan.stormSize) % plan.sessions;
  return (index) => {
    const playerUuid = playerUuidOf(plan.firstPlayer + index);
    return {
      playerUuid,
      session: plan.firstSession + turnOf(index),
      teamId: Math.floor(index / plan.sessions) % plan.teams,
      token: signPlayerToken(playerUuid, plan.secret, plan.expiresAt),
    };
  };
};

/** What a game client sends: about 300 bytes. */
export const writeJoinBody = ({ playerUuid, teamId }: Pick<Join, 'playerUuid' | 'teamId'>) =>
  JSON.stringify({
    status: 'member',
    client_version: '1.4.2',
    client_settings: { platform: 'Steam', input: 'gamepad' },
    team_id: teamId,
    crossplay_preferences: {
      permitted_platform: 'desired_platforms_any',
      permitted_input: 'desired_inputs_any',
    },
    custom_data: { skin: `crimson-${playerUuid.slice(0, 8)}`, rank: '17', loadout: 'scout' },
  });

export const writePost = (path: string, token: string, body: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');

export const joinPathOf = ({ session, playerUuid }: Join): string => {
  const platformSession = encodeURIComponent(platformSessionIdOf(session));
  return `/session/v1/platform/Steam/platform-session/${platformSession}/player/${playerUuid}`;
};

export const buildJoinRequests = (plan: JoinPlan): RequestSet => {
  const joinAt = planJoins(plan);
  return buildRequestSet(plan.count, (index) => {
    const join = joinAt(index);
    return writePost(joinPathOf(join), join.token, writeJoinBody(join));
  });
};

/** The room of a session at Colyseus. */
export const roomIdOf = (session: number): string => `room-${session}`;

/** Colyseus matchmaking takes the same body as the options of the join. */
export const buildRoomRequests = (plan: JoinPlan): RequestSet => {
  const joinAt = planJoins(plan);
  return buildRequestSet(plan.count, (index) => {
    const join = joinAt(index);
    const path = `/matchmake/joinById/${roomIdOf(join.session)}`;
    return writePost(path, join.token, writeJoinBody(join));
  });
};
