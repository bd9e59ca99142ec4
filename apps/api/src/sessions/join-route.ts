// Answers joins over HTTP, and for admins who try out a join as any player.
import type { ErrorCode, Session, ValidationProblem } from '@muster/contract';
import { contract } from '@muster/contract';
import { initServer } from '@ts-rest/express';
import type { z } from 'zod';
import type { Caller } from '../auth/index.ts';
import type { Actor } from '../platform/index.ts';
import { InvalidRequestError, ServiceError } from '../platform/index.ts';
import type { Tracing } from '../telemetry/index.ts';
import type { JoinInput, JoinService } from './join-service.ts';
import type { SessionName, SessionState } from './session.ts';
import { auditSession } from './session-audit.ts';
import { etagOf, toResponseBody } from './session-resource.ts';

const server = initServer();

/** What a join reads from and writes to `res.locals`. */
type JoinLocals = {
  /** Set by the middleware of public requests before any route runs. */
  caller: Caller;
  /** Explains a refused join in the log. */
  session?: SessionName;
};

export const createJoinRoutes = (answerJoin: AnswerJoin) => ({
  joinByPlatformSession: server.route(
    contract.joinByPlatformSession,
    async ({ params, query, body, res }) => {
      const locals = res.locals as JoinLocals;
      const onSession = ({ type, sessionId }: SessionName) => {
        locals.session = { type, sessionId };
      };
      const session = await answerJoin(locals.caller, { params, query, body }, { onSession });
      const { etag, ...answer } = toAnswer(session);
      res.setHeader('ETag', etag);
      return answer;
    },
  ),
});

type Route = typeof contract.joinByPlatformSession;

/** The validated parts of a join request. */
type JoinParts = {
  params: z.output<Route['pathParams']>;
  query: z.output<Route['query']>;
  body: z.output<Route['body']>;
};

type JoinAnswer = { status: 200; etag: string; body: Session };

type AnswerJoinOptions = {
  joins: JoinService;
  /** Throws during maintenance. */
  refuseChanges: () => void;
  /** Absent: joins are not traced. */
  trace: Tracing['trace'] | undefined;
  /** Called with the outcome of each join: `joined`, `maintenance`, or the error code of the response. */
  countOutcome: (outcome: string) => void;
  /** Returns the error code of the response. */
  nameFailure: (error: unknown) => ErrorCode;
};

type AnswerJoin = ReturnType<typeof createAnswerJoin>;

/**
 * The session as it is stored. Errors:
 * JOIN_ERROR_CODES of the contract, and InvalidRequestError.
 */
export const createAnswerJoin =
  ({
    joins,
    refuseChanges,
    trace = (_, work) => work(),
    countOutcome,
    nameFailure,
  }: AnswerJoinOptions) =>
  async (
    caller: Caller,
    { params, query, body }: JoinParts,
    { audit, onSession }: Pick<JoinInput, 'audit' | 'onSession'> = {},
  ): Promise<SessionState> => {
    try {
      refuseChanges();
      const input = {
        platform: params.platform,
        platformSessionIdBase64: params.platform_session_id_base64,
        playerUuid: params.player_uuid,
        playerId: query.player_id,
        request: body,
        audit,
        onSession,
      };
      const session = await trace('join', () => joins.join(caller, input));
      countOutcome('joined');
      return session;
    } catch (error) {
      const isPlanned = error instanceof ServiceError && error.evidence.isPlanned;
      countOutcome(isPlanned ? 'maintenance' : nameFailure(error));
      const problem = error instanceof ServiceError && toProblem(error);
      throw problem ? new InvalidRequestError([problem], error.code) : error;
    }
  };

const toAnswer = (session: SessionState): JoinAnswer => ({
  status: 200,
  etag: etagOf(session),
  body: toResponseBody(session),
});

/** Problems of the request itself: its body names a missing team, or is larger than the session allows. */
const toProblem = ({ code, evidence, message }: ServiceError): ValidationProblem | null => {
  if (code === 'team_not_found') {
    const msg = 'The session has no such team';
    return { loc: ['body', 'team_id'], msg, type: 'value_error.team' };
  }
  if (code !== 'session_too_large') return null;
  const { place = '' } = evidence;
  const loc = GROWING_MEMBERS.includes(place) ? ['body', place] : ['path', 'player_uuid'];
  return { loc, msg: message, type: 'value_error.session_too_large' };
};

/** The members of a body that make a seat larger. */
const GROWING_MEMBERS = [
  'client_version',
  'client_settings',
  'crossplay_preferences',
  'custom_data',
] as readonly string[];

/** Not validated here: the simulated endpoint reports its problems. */
type TryJoinInput = {
  platform: string;
  platformSessionIdBase64: string;
  playerUuid: string;
  playerId?: string | undefined;
  /** The body as JSON; undefined sends none. */
  body: unknown;
};

export type SimulatedResponse = { status: number; headers: Record<string, string>; body: unknown };

/**
 * Runs a request through the validation, errors and headers of the public endpoint, with `handle` as its
 * handler.
 */
export type SimulateRequest = (
  request: { target: string; body: string; requestId: string },
  handle: (parts: JoinParts) => Promise<JoinAnswer>,
) => Promise<SimulatedResponse>;

export type TryJoin = ReturnType<typeof createTryJoin>;

/** A little more than the limit of a join, whose refusal can be tried. The response repeats the body. */
const MAX_TRIED_BYTES = 1_200_000;

/** Returns the response of the public endpoint, and the request that a client would send. */
export const createTryJoin =
  (answerJoin: AnswerJoin, simulateRequest: SimulateRequest) =>
  async (actor: Actor, caller: Caller, input: TryJoinInput) => {
    const path = toTarget(input);
    const body = JSON.stringify(input.body) ?? '';
    if (Buffer.byteLength(body) > MAX_TRIED_BYTES) throw new ServiceError('body_too_large');
    const request = { target: path, body, requestId: actor.requestId ?? '' };
    const about = { player_uuid: input.playerUuid };
    const audit = auditSession({ actor, action: 'sessions.tryJoin', about });
    const answer = await simulateRequest(request, async (parts) =>
      toAnswer(await answerJoin(caller, parts, { audit })),
    );
    return {
      request: { method: 'POST', path, body: input.body },
      ...answer,
      curl: toCurl(path, body),
    };
  };

const encode = (segment: string): string => encodeURIComponent(segment.toWellFormed());

const toTarget = (input: TryJoinInput): string => {
  const path = `/session/v1/platform/${encode(input.platform)}/platform-session/${encode(
    input.platformSessionIdBase64,
  )}/player/${encode(input.playerUuid)}`;
  return input.playerId === undefined ? path : `${path}?player_id=${encode(input.playerId)}`;
};

/** Linux gives no program a longer argument (MAX_ARG_STRLEN in execve(2)). */
const MAX_ARGUMENT_BYTES = 131_071;

/**
 * For a POSIX shell. Address and credential are variables: neither belongs in a text that people share. A body that fits into no
 * command is read from a file.
 */
const toCurl = (target: string, body: string): string =>
  [
    `curl -sS -i -X POST "$BASE_URL"${quote(target)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(body === '' ? [] : [`-H 'Content-Type: application/json'`, toData(body)]),
  ].join(' ');

const toData = (body: string): string =>
  Buffer.byteLength(body) > MAX_ARGUMENT_BYTES
    ? `--data-binary '@body.json'`
    : `--data-raw ${quote(body)}`;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
