// The twelve adversaries: eight players with a token each, on 128 connections. Each has its own way to cost the service more than it
// costs the player.
import { randomBytes } from 'node:crypto';
import type { Behaviour } from './behaviours.ts';
import {
  disconnect,
  pipeline,
  readSlowly,
  sendBodySlowly,
  sendWithoutPause,
} from './behaviours.ts';
import type { Objectives } from './objectives.ts';
import { ABUSIVE_PLAYERS, SLOW_CLIENTS } from './objectives.ts';
import {
  historyPath,
  writeJoin,
  writeJoinBody,
  writeRequest,
  writeUnknownKeyToken,
} from './requests.ts';
import type { Targets } from './stage.ts';

export type Attacker = {
  /** UUID of the player. */
  player: string;
  /** May act for the player and read the history of one sandbox. */
  token: string;
  /** Local address of the connections. */
  address: string;
};

export type AttackRequest = {
  /** `count` differs from request to request. */
  write(count: number): string | Buffer;
  /** Statuses, one of which the service gives when nothing else happens: the proof that the request does what is said of it. */
  calm: readonly number[];
};

export type Situation = {
  attackers: number;
  connections: number;
  behave: Behaviour;
  /** The requests of one attacker, which it repeats in this order. */
  writeRequests(attacker: Attacker, targets: Targets): readonly AttackRequest[];
  objectives: Objectives;
  /** The service verifies tokens with the published keys of an issuer, not with a shared secret. */
  hasIssuer?: boolean;
};

const PLAYERS = { attackers: 8, connections: 128, objectives: ABUSIVE_PLAYERS };

const always = (bytes: string | Buffer, ...calm: number[]): AttackRequest => ({
  write: () => bytes,
  calm,
});

/** A join by the player that changes the data of the seat, so that each one writes. */
export const rejoin = (
  { player, token }: Pick<Attacker, 'player' | 'token'>,
  sessions: readonly string[],
): AttackRequest => ({
  write: (count) =>
    writeJoin({
      session: sessions[count % sessions.length] ?? '',
      player,
      token,
      body: writeJoinBody({ custom: { count: String(count) } }),
    }),
  calm: [200],
});

const readHistory = ({ token }: Attacker, { sandbox }: Targets, query: string): AttackRequest =>
  always(writeRequest({ path: historyPath(sandbox, query), token }), 200);

const HEALTH = always(writeRequest({ path: '/healthz' }), 200);

const KIB = 1_024;
/** Just below the 32 KiB that a request line and its headers may have. */
const LONG_HEADERS_BYTES = 30 * KIB;
const MOST_TOKEN_CHARACTERS = 16_384;

const writeLongHeaders = ({ player, token }: Attacker, targets: Targets): AttackRequest[] => {
  const [session = ''] = targets.sessions;
  const value = 'x'.repeat(60);
  const many = Array.from({ length: LONG_HEADERS_BYTES / 72 }, (_, n) => [`x-filler-${n}`, value]);
  const parameters = Array.from(
    { length: LONG_HEADERS_BYTES / 32 },
    (_, n) => `p${n}=${'y'.repeat(24)}`,
  );
  const longToken = `${token.slice(0, 100)}.${'A'.repeat(MOST_TOKEN_CHARACTERS - 250)}.${'B'.repeat(43)}`;
  const body = writeJoinBody();
  return [
    always(writeJoin({ session, player, token, headers: Object.fromEntries(many), body }), 200),
    always(writeRequest({ path: historyPath(targets.sandbox, parameters.join('&')), token }), 200),
    always(writeJoin({ session, player, token: longToken, body }), 403),
  ];
};

/** A join with this text in front of its other members. */
const insertMember = (text: string, body: string): string => `{${text},${body.slice(1)}`;

const MOST_JOIN_BODY_BYTES = 128 * KIB;

const writeLargeBodies = ({ player, token }: Attacker, { sessions }: Targets): AttackRequest[] => {
  const [session = ''] = sessions;
  const body = writeJoinBody();
  const join = (text: string) => Buffer.from(writeJoin({ session, player, token, body: text }));
  // 20 KiB of custom data, each character of it escaped.
  const escaped = (fill: string) => {
    const value = `\\u00${fill}`.repeat(4_000);
    const members = ['a', 'b', 'c', 'd', 'e'].map((name) => `"${name}":"${value}"`).join(',');
    return insertMember(`"custom_data":{${members}}`, body);
  };
  const nested = `"unknown":[${'[],'.repeat((MOST_JOIN_BODY_BYTES - 2 * KIB) / 3)}0]`;
  const tooLarge = `"unknown":"${'x'.repeat(KIB * KIB - 2 * KIB)}"`;
  return [
    always(join(escaped('41')), 200),
    always(join(insertMember(nested, body)), 200),
    always(join(escaped('42')), 200),
    always(join(insertMember(tooLarge, body)), 200, 413),
  ];
};

const writeRefusedJoins = (attacker: Attacker, targets: Targets): AttackRequest[] => {
  const { player, token } = attacker;
  const [session = ''] = targets.sessions;
  const body = writeJoinBody();
  const problems = JSON.stringify({
    custom_data: Object.fromEntries(Array.from({ length: 64 }, (_, n) => [n, n])),
  });
  return [
    always(writeJoin({ session: targets.fullSession, player, token, body }), 409),
    { write: (n) => writeJoin({ session: `none${n}`, player, token, body }), calm: [404] },
    always(writeJoin({ session, player: targets.victim, token, body }), 403),
    always(writeJoin({ session, player, token, body: writeJoinBody({ teamId: 99 }) }), 422),
    always(writeJoin({ session, player, token, body: problems }), 422),
  ];
};

const writeUnauthenticated = ({ player, token }: Attacker, targets: Targets): AttackRequest[] => {
  const [session = ''] = targets.sessions;
  const body = writeJoinBody();
  const forged = (count: number) => `${token.slice(0, -10)}${String(count).padStart(10, '0')}`;
  const key = (count: number) =>
    `msk_${String(count).padStart(43, randomBytes(24).toString('hex'))}`;
  const history = historyPath(targets.sandbox, 'page_size=1000');
  const calm = [403];
  return [
    always(writeJoin({ session, player, body }), 403),
    { write: (n) => writeJoin({ session, player, token: forged(n), body }), calm },
    { write: (n) => writeJoin({ session, player, token: key(n), body }), calm },
    { write: (n) => writeRequest({ path: history, token: forged(n) }), calm },
    always(writeRequest({ path: '/admin/trpc/me.get', token: 'none' }), 401, 403),
  ];
};

export const ADVERSARIES = {
  'probes and docs': {
    ...PLAYERS,
    behave: sendWithoutPause,
    writeRequests: ({ token }, { docsScript }) => [
      HEALTH,
      always(writeRequest({ path: '/readyz' }), 200),
      always(writeRequest({ path: '/openapi.json' }), 200),
      always(writeRequest({ path: '/docs' }), 200),
      // Not served on this port where the service has several workers.
      always(writeRequest({ path: '/metrics', token }), 403, 404),
      always(writeRequest({ path: docsScript }), 200),
    ],
  },
  pipelining: {
    ...PLAYERS,
    behave: pipeline,
    writeRequests: (attacker, targets) => [
      rejoin(attacker, targets.sessions),
      HEALTH,
      readHistory(attacker, targets, 'page_size=1'),
    ],
  },
  'long headers': { ...PLAYERS, behave: sendWithoutPause, writeRequests: writeLongHeaders },
  'large bodies': { ...PLAYERS, behave: sendWithoutPause, writeRequests: writeLargeBodies },
  'slow bodies': {
    ...PLAYERS,
    objectives: SLOW_CLIENTS,
    behave: sendBodySlowly,
    writeRequests: ({ player, token }, { sessions: [session = ''] }) => {
      const body = writeJoinBody({ custom: { filler: 'x'.repeat(2_000) } });
      return [always(writeJoin({ session, player, token, body }), 200)];
    },
  },
  'slow readers': {
    ...PLAYERS,
    objectives: SLOW_CLIENTS,
    behave: readSlowly,
    writeRequests: (attacker, targets) => [readHistory(attacker, targets, 'page_size=1000')],
  },
  'costly history pages': {
    ...PLAYERS,
    behave: sendWithoutPause,
    writeRequests: (attacker, targets) => [
      readHistory(attacker, targets, 'name=o&page_size=1000'),
      readHistory(attacker, targets, 'name=sword&sort_order=asc&page_size=1000'),
      readHistory(attacker, targets, 'page_size=1000'),
      readHistory(attacker, targets, 'name=nothing%20has%20this%20name'),
    ],
  },
  'refused joins': { ...PLAYERS, behave: sendWithoutPause, writeRequests: writeRefusedJoins },
  'unauthenticated requests': {
    ...PLAYERS,
    behave: sendWithoutPause,
    writeRequests: writeUnauthenticated,
  },
  'tokens of unknown keys': {
    ...PLAYERS,
    behave: sendWithoutPause,
    hasIssuer: true,
    writeRequests: ({ player, address }, { sessions: [session = ''] }) => [
      {
        write: (count) =>
          writeJoin({
            session,
            player,
            token: writeUnknownKeyToken(player, `${address}-${count}`),
            body: writeJoinBody(),
          }),
        calm: [403],
      },
    ],
  },
  'disconnecting clients': {
    ...PLAYERS,
    behave: disconnect,
    writeRequests: (attacker, targets) => [
      rejoin(attacker, targets.sessions),
      readHistory(attacker, targets, 'name=o&page_size=1000'),
    ],
  },
  'joins into the largest session': {
    ...PLAYERS,
    behave: sendWithoutPause,
    writeRequests: (attacker, { largestSession }) => [rejoin(attacker, [largestSession])],
  },
} satisfies Record<string, Situation>;
