// The join endpoint written the usual way with Express: a JSON body parser, a token check, zod, a handler.
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { JoinRequest } from '@muster/contract';
import { contract } from '@muster/contract';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import express from 'express';
import { JoinRefusedError } from './check-join.ts';
import type { LoadedSession } from './loaded-session.ts';
import { etagOf, toAnswer } from './loaded-session.ts';
import { requireToken } from './require-token.ts';

export type PeerJoin = {
  digest: Buffer;
  playerUuid: string;
  accountId: string;
  request: JoinRequest;
};

/** Seats the player and answers the session as it is afterwards. Throws JoinRefusedError. */
export type SeatPlayer = (join: PeerJoin) => Promise<LoadedSession>;

const PATH =
  '/session/v1/platform/:platform/platform-session/:platform_session_id_base64/player/:player_uuid';

export const serveJoins = (seatPlayer: SeatPlayer): void => {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json());
  app.post(PATH, requireToken(process.env.AUTH_JWT_SECRET ?? ''), joinRoute(seatPlayer));
  app.use(answerError);
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
