// The last middleware: every error becomes a JSON answer, and what nobody foresaw is logged once.
import { RequestValidationError } from '@ts-rest/express';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/index.ts';
import type { ErrorAnswer, IsOutage } from './error-answer.ts';
import { toErrorAnswer } from './error-answer.ts';
import { RequestAbortedError } from './read-body.ts';
import type { RequestLocals } from './request-context.ts';
import { findContractProblems, InvalidRequestError, mergeProblems } from './request-problems.ts';

export const createErrorHandler =
  (logger: Logger, isOutage: IsOutage): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    const locals = response.locals as RequestLocals;
    const error =
      thrown instanceof RequestValidationError ? describe(thrown, request, locals) : thrown;
    if (error instanceof RequestAbortedError || response.headersSent) {
      request.socket.destroy();
      return;
    }
    const answer = toErrorAnswer(error, isOutage, locals.match?.name);
    report(logger, error, answer.status, locals.requestId);
    send(response, answer);
  };

/** An outage is logged with its cause, which the answer keeps to itself. */
const report = (logger: Logger, error: unknown, status: number, requestId: string): void => {
  const cause = error instanceof ServiceError ? error.evidence.cause : error;
  if (status === 500) logger.error({ err: error, requestId }, 'failed');
  else if (cause instanceof Error && isUnavailable(error)) {
    logger.warn({ err: cause, requestId }, 'unavailable');
  }
};

const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.code === 'service_unavailable' || error.code === 'service_overloaded'
    : !(error instanceof InvalidRequestError);

const send = (response: Response, answer: ErrorAnswer): void => {
  const { status, body, retryAfterSeconds } = answer;
  if (retryAfterSeconds) response.setHeader('Retry-After', String(retryAfterSeconds));
  response.status(status).json(body);
};

/** The router says that something is wrong; the problems are told as for any other request. */
const describe = (
  error: RequestValidationError,
  request: Request,
  { match }: RequestLocals,
): Error =>
  match ? new InvalidRequestError(mergeProblems([], findContractProblems(match, request))) : error;
