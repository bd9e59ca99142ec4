// Converts errors to statuses and bodies.
import type {
  ErrorCode,
  ServiceErrorBody,
  ValidationErrorBody,
  ValidationProblem,
} from '@muster/contract';
import {
  drawRetryAfter,
  ERROR_CATALOGUE,
  RETRIED_STATUSES,
  statusOfJoinError,
  toServiceErrorBody,
} from '@muster/contract';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from '../platform/index.ts';
import { InvalidRequestError, ServiceError } from '../platform/index.ts';
import type { RefusedRequest } from '../sessions/index.ts';
import { logFailure } from './failure-log.ts';
import { toRefusedJoin } from './refused-join.ts';
import type { RouteName } from './request.ts';
import { localsOf, RequestAbortedError } from './request.ts';
import { noteRefusal, toRefusal } from './request-log.ts';

/** True for errors of an unavailable database. */
export type IsOutage = (error: unknown) => boolean;

/** The first problem as a sentence, for answers without a list of them. */
export const toInputError = ([problem]: readonly ValidationProblem[]): ServiceError | undefined =>
  problem &&
  new ServiceError('input_invalid', { desc: `${problem.loc.join('.')}: ${problem.msg}.` });

type ErrorAnswer = {
  status: number;
  body: ServiceErrorBody | ValidationErrorBody;
  retryAfterSeconds?: number;
};

/** An error of an unknown type is `internal_error`. The caller logs it. */
export const toErrorAnswer = (
  error: unknown,
  isOutage: IsOutage,
  routeName?: RouteName,
): ErrorAnswer => {
  if (error instanceof InvalidRequestError) {
    return { status: 422, body: { detail: error.problems } };
  }
  const known = toServiceError(error, isOutage);
  const code = fitCode(known.code, routeName);
  const status =
    routeName === 'joinByPlatformSession' ? statusOfJoinError(code) : ERROR_CATALOGUE[code].status;
  // An import that waits for review names its change set. The public interface has no such error.
  const facts = code === 'review_required' ? known.evidence.facts : undefined;
  return {
    status,
    body: { ...toServiceErrorBody(code, known.evidence.desc), ...facts },
    ...(RETRIED_STATUSES.has(status) && {
      retryAfterSeconds: known.evidence.retryAfterSeconds ?? drawRetryAfter(code),
    }),
  };
};

/** An outage of the database is not a mistake of the program. */
export const toServiceError = (error: unknown, isOutage: IsOutage): ServiceError => {
  if (error instanceof ServiceError) return error;
  return new ServiceError(isOutage(error) ? 'service_unavailable' : 'internal_error', {
    cause: error,
  });
};

/** The error code that a failed join is answered with. */
export const toJoinErrorCode = (error: unknown, isOutage: IsOutage): ErrorCode =>
  fitCode(toServiceError(error, isOutage).code, 'joinByPlatformSession');

/** A join has no 503, and everything else has no 409 for an overload: the same failure has two codes. */
const fitCode = (code: ErrorCode, routeName?: RouteName): ErrorCode => {
  const isJoin = routeName === 'joinByPlatformSession';
  if (code !== 'service_unavailable' && code !== 'service_overloaded') return code;
  return isJoin ? 'service_overloaded' : 'service_unavailable';
};

/**
 * Answers every error with JSON, and logs an unforeseen one once. Calls `recordRefusedJoin` for each refused join of a verified
 * caller.
 */
export const createErrorHandler =
  (
    logger: Logger,
    isOutage: IsOutage,
    recordRefusedJoin?: (refused: RefusedRequest) => void,
  ): ErrorRequestHandler =>
  // Express knows an error handler by its four parameters.
  (error: unknown, request, response, _next) => {
    if (error instanceof RequestAbortedError || response.headersSent) {
      request.socket.destroy();
      return;
    }
    const { routeName } = localsOf(response);
    const { status, body, retryAfterSeconds } = toErrorAnswer(error, isOutage, routeName);
    const cause: unknown = error instanceof ServiceError ? error.evidence.cause : error;
    if (status === 500) logFailure(logger, response, 'failed', error);
    else if (cause instanceof Error && isUnavailable(error)) {
      // The response does not contain the cause of an outage.
      logFailure(logger, response, 'unavailable', cause);
    }
    noteRefusal(response, error, toRefusal(error, body, routeName !== undefined));
    const refusedJoin = recordRefusedJoin && toRefusedJoin(localsOf(response), error, body);
    if (refusedJoin) recordRefusedJoin(refusedJoin);
    if (retryAfterSeconds) response.setHeader('Retry-After', String(retryAfterSeconds));
    response.status(status).json(body);
  };

/** True for outages. Their cause is logged, and not part of the response. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError
    ? UNAVAILABLE.has(error.code)
    : !(error instanceof InvalidRequestError);

const UNAVAILABLE: ReadonlySet<ErrorCode> = new Set([
  'service_unavailable',
  'service_overloaded',
  'issuer_unavailable',
]);
