// The join endpoint written the usual way with Express: a JSON body parser, a token check, zod, a handler.

import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { JoinRequest } from '@muster/contract';
import { contract, parseSemver } from '@muster/contract';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import express from 'express';
import { jwtVerify } from 'jose';
import type { LoadedSession, PeerJoin } from './loaded-session.ts';
import { etagOf, toAnswer } from './loaded-session.ts';

/** Seats the player and answers the session as it is afterwards. Throws JoinRefusedError. */
type SeatPlayer = (join: PeerJoin) => Promise<LoadedSession>;

const PATH =
  '/session/v1/platform/:platform/platform-session/:platform_session_id_base64/player/:player_uuid';

export const serveJoins = (seatPlayer: SeatPlayer): void => {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json());
  app.post(PATH, requireToken(process.env.AUTH_JWT_SECRET ?? ''), joinRoute(seatPlayer));
  app.use(answerError);
  listen(app);
};

/** On a free port, which the line names that a run waits for. */
export const listen = (app: Express): void => {
  const server = app.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`ready at http://127.0.0.1:${port}\n`);
  });
};

const joinRoute =
  (seatPlayer: SeatPlayer): RequestHandler =>
  async (request, response) => {
    const { pathParams, body } = contract.joinByPlatformSession;
    const params = pathParams.parse(request.params);
    const { sub, permissions } = response.locals.claims;
    if (sub !== params.player_uuid || !permissions.includes('session:update-player:self')) {
      throw new JoinRefusedError(403, 'insufficient_permissions');
    }
    const session = await seatPlayer({
      digest: digestOf(params.platform, params.platform_session_id_base64),
      playerUuid: params.player_uuid,
      accountId: sub,
      request: body.parse(request.body),
    });
    response.setHeader('ETag', etagOf(session));
    response.json(toAnswer(session));
  };

const digestOf = (platform: string, id: string): Buffer => {
  const canonical = id.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return createHash('sha256').update(`${platform}:${canonical}`).digest();
};

const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  const { status, code } =
    error instanceof JoinRefusedError ? error : { status: 500, code: String(error) };
  if (status === 409) response.setHeader('Retry-After', '1');
  response.status(status).json({ auth_success: true, error_code: code, desc: code });
};

// The token check of the peers: jose on every request, as its documentation shows.

export const requireToken = (secret: string): RequestHandler => {
  const key = new TextEncoder().encode(secret);
  return async (request, response, next) => {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const verified = await jwtVerify(token, key, { algorithms: ['HS256'] }).catch(() => null);
    if (!verified) {
      response.status(403).json({ auth_success: false, error_code: 'auth_token_sig_invalid' });
      return;
    }
    response.locals.claims = verified.payload;
    next();
  };
};

// Limits the number of concurrent calls; the others wait in order of arrival.

/** As many as the pool has connections: waiting there would count against its time to connect. */
export const POOL_SIZE = 10;

export const limitConcurrency = <Input, Output>(
  limit: number,
  work: (input: Input) => Promise<Output>,
): ((input: Input) => Promise<Output>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (input) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work(input);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

// The same rules as the service's for what the benchmark sends, written the usual way.

export class JoinRefusedError extends Error {
  override readonly name = 'JoinRefusedError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

type Instance = { join_status?: string; version?: string } | null;

const PERMITTED: Record<string, string> = {
  desired_platforms_xboxlike: 'XboxLive',
  desired_platforms_playstationlike: 'PSN',
  desired_inputs_keyboardandmouse: 'keyboardandmouse',
  desired_inputs_gamepad: 'gamepad',
  desired_inputs_touch: 'touch',
};

const permits = (preference: string | null | undefined, value: string | null | undefined) =>
  !preference || PERMITTED[preference] === undefined || PERMITTED[preference] === value;

/** Throws JoinRefusedError. Answers whether the player is seated already. */
export const checkJoin = (session: LoadedSession, playerUuid: string, request: JoinRequest) => {
  const team = session.teams.find(({ teamId }) => Number(teamId) === request.team_id);
  if (!team) throw new JoinRefusedError(422, 'team_not_found');
  const seats = session.teams.flatMap((each) => each.seats);
  const seated = seats.some((seat) => seat.playerUuid === playerUuid);
  const instance = session.instance as Instance;
  if (!seated) checkDoors(session, instance);
  checkVersion(instance?.version, request.client_version);
  for (const seat of seats) if (seat.playerUuid !== playerUuid) checkCrossplay(seat, request);
  if (!seated && team.seats.length >= team.maxSize) {
    const isFull = session.teams.every((each) => each.seats.length >= each.maxSize);
    throw new JoinRefusedError(409, isFull ? 'session_full' : 'team_full');
  }
  return { seated, isFirst: !seats.some((seat) => seat.status === 'leader') };
};

const checkDoors = (session: LoadedSession, instance: Instance): void => {
  if (instance?.join_status === 'closed') throw new JoinRefusedError(409, 'instance_closed');
  if (instance?.join_status === 'unjoinable')
    throw new JoinRefusedError(409, 'instance_unjoinable');
  if (!session.joinable) throw new JoinRefusedError(403, 'session_not_joinable');
};

const checkVersion = (instanceVersion: string | undefined, clientVersion: string): void => {
  if (instanceVersion === undefined) return;
  const [instance, client] = [parseSemver(instanceVersion), parseSemver(clientVersion)];
  const parts = ['major', 'minor', 'patch'] as const;
  if (!parts.every((part) => instance?.[part] === client?.[part])) {
    throw new JoinRefusedError(403, 'version_incompatible');
  }
};

const checkCrossplay = (
  seat: LoadedSession['teams'][number]['seats'][number],
  { client_settings: settings, crossplay_preferences: preferences }: JoinRequest,
): void => {
  const compatible =
    permits(preferences?.permitted_platform, seat.platform) &&
    permits(preferences?.permitted_input, seat.input) &&
    permits(seat.permittedPlatform, settings.platform) &&
    permits(seat.permittedInput, settings.input);
  if (!compatible) throw new JoinRefusedError(403, 'crossplay_incompatible');
};
