// What a join is answered with, whoever carries the answer: the public route, or an admin who tries one out.
import type { contract, ErrorCode, Session, ValidationErrorBody } from '@muster/contract';
import type { z } from 'zod';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { etagOf, toAnswer } from '../sessions/index.ts';
import type { JoinInput } from './join-attempt.ts';
import type { JoinService } from './join-service.ts';

type Route = typeof contract.joinByPlatformSession;

/** The validated parts of a join request. */
export type JoinParts = {
  params: z.output<Route['pathParams']>;
  query: z.output<Route['query']>;
  body: z.output<Route['body']>;
};

export type JoinAnswer =
  | { status: 200; etag: string; body: Session }
  | { status: 422; etag?: undefined; body: ValidationErrorBody };

export type AnswerJoin = ReturnType<typeof createAnswerJoin>;

export type AnswerJoinOptions = {
  joins: JoinService;
  /** Hears how each join ended: `joined` or the code that the client is told. */
  countOutcome: (outcome: string) => void;
  /** What the client is told. */
  nameFailure: (error: unknown) => ErrorCode;
};

/** Errors: JOIN_ERROR_CODES of the contract. */
export const createAnswerJoin =
  ({ joins, countOutcome, nameFailure }: AnswerJoinOptions) =>
  async (
    caller: Caller,
    { params, query, body }: JoinParts,
    alsoWrite?: JoinInput['alsoWrite'],
  ): Promise<JoinAnswer> => {
    try {
      const session = await joins.join(caller, {
        platform: params.platform,
        platformSessionIdBase64: params.platform_session_id_base64,
        playerUuid: params.player_uuid,
        playerId: query.player_id,
        request: body,
        ...(alsoWrite && { alsoWrite }),
      });
      countOutcome('joined');
      return { status: 200, etag: etagOf(session), body: toAnswer(session) };
    } catch (error) {
      countOutcome(nameFailure(error));
      if (error instanceof ServiceError && error.code === 'team_not_found') return UNKNOWN_TEAM;
      throw error;
    }
  };

const UNKNOWN_TEAM = {
  status: 422 as const,
  body: {
    detail: [
      { loc: ['body', 'team_id'], msg: 'The session has no such team', type: 'value_error.team' },
    ],
  } satisfies ValidationErrorBody,
};
