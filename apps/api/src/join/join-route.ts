import { contract } from '@muster/contract';
import { initServer } from '@ts-rest/express';
import type { Response } from 'express';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AnswerJoin } from './answer-join.ts';

const server = initServer();

export const createJoinRoutes = (answerJoin: AnswerJoin) => ({
  joinByPlatformSession: server.route(
    contract.joinByPlatformSession,
    async ({ params, query, body, res }) => {
      const { etag, ...answer } = await answerJoin(getCaller(res), { params, query, body });
      if (etag !== undefined) res.setHeader('ETag', etag);
      return answer;
    },
  ),
});

/** The front door has set the caller before any route runs. */
const getCaller = (res: Response): Caller => {
  const { caller } = res.locals as { caller?: Caller | null };
  if (!caller) throw new ServiceError('auth_missing');
  return caller;
};
