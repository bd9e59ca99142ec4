import type { Session, ValidationErrorBody } from '@muster/contract';
import { contract } from '@muster/contract';
import { initServer } from '@ts-rest/express';
import type { Response } from 'express';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { etagOf, toSessionResource } from '../sessions/index.ts';
import type { JoinService } from './join-service.ts';

export type JoinRouteOptions = {
  joins: JoinService;
  /** Hears how each join ended: `joined` or the error's code. */
  countOutcome: (outcome: string) => void;
};

const server = initServer();

export const createJoinRoutes = ({ joins, countOutcome }: JoinRouteOptions) => ({
  joinByPlatformSession: server.route(
    contract.joinByPlatformSession,
    async ({ params, query, body, res }) => {
      try {
        const session = await joins.join(getCaller(res), {
          platform: params.platform,
          platformSessionIdBase64: params.platform_session_id_base64,
          playerUuid: params.player_uuid,
          playerId: query.player_id,
          request: body,
        });
        countOutcome('joined');
        res.setHeader('ETag', etagOf(session));
        return { status: 200, body: toSessionResource(session) satisfies Session };
      } catch (error) {
        countOutcome(error instanceof ServiceError ? error.code : 'failed');
        if (error instanceof ServiceError && error.code === 'team_not_found') return UNKNOWN_TEAM;
        throw error;
      }
    },
  ),
});

/** The front door has set the caller before any route runs. */
const getCaller = (res: Response): Caller => {
  const { caller } = res.locals as { caller?: Caller | null };
  if (!caller) throw new ServiceError('auth_missing');
  return caller;
};

const UNKNOWN_TEAM = {
  status: 422 as const,
  body: {
    detail: [
      { loc: ['body', 'team_id'], msg: 'The session has no such team', type: 'value_error.team' },
    ],
  } satisfies ValidationErrorBody,
};
