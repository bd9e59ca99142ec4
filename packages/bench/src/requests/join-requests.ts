// The joins of a run: every request its own player, URL, token and body.
import { platformSessionIdOf, playerUuidOf, signPlayerToken, uuidOf } from './identities.ts';

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

export const writeGet = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;

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

// From the description of requests, which crosses process borders, to the bytes.

export type RequestPlan =
  | { kind: 'joins'; joins: JoinPlan }
  | { kind: 'texts'; texts: readonly string[] };

export const prepareRequests = (plan: RequestPlan): RequestSet =>
  plan.kind === 'joins'
    ? buildJoinRequests(plan.joins)
    : buildRequestSet(plan.texts.length, (index) => plan.texts[index] ?? '');

// Many prepared requests in one buffer: sending one costs a view of it and no formatting.
export type RequestSet = { bytes: Buffer; ends: Float64Array; count: number };

const START_BYTES = 2 ** 20;

export const buildRequestSet = (count: number, write: (index: number) => string): RequestSet => {
  const ends = new Float64Array(count);
  let bytes: Buffer = Buffer.allocUnsafe(START_BYTES);
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const text = write(index);
    while (used + text.length > bytes.length) {
      bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
    }
    used += bytes.write(text, used, 'latin1');
    ends[index] = used;
  }
  return { bytes, ends, count };
};

/** The bytes of one request; indexes past the end begin again at the first. */
export const requestAt = ({ bytes, ends, count }: RequestSet, index: number): Buffer => {
  const at = index % count;
  return bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
};

/** The numbers from 0 to `count` - 1, each once, in an order that looks random and is the same for the same seed. */
export const shuffle = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, number) => ({ number, key: uuidOf(`${seed}:${number}`) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ number }) => number);
