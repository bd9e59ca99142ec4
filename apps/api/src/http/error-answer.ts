// Decides what an error is answered with. Pure: the one place where errors become statuses and bodies.
import type { ErrorCode, ServiceErrorBody, ValidationErrorBody } from '@muster/contract';
import { ERROR_CATALOGUE, toServiceErrorBody } from '@muster/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { RouteName } from './contract-routes.ts';
import { InvalidRequestError } from './request-problems.ts';

export type ErrorAnswer = {
  status: number;
  body: ServiceErrorBody | ValidationErrorBody;
  retryAfterSeconds?: number;
};

/** True for errors that say that the database does not answer now. */
export type IsOutage = (error: unknown) => boolean;

/** Whatever is not named here is `internal_error`; the caller logs it. */
export const toErrorAnswer = (
  error: unknown,
  isOutage: IsOutage,
  routeName?: RouteName,
): ErrorAnswer => {
  if (error instanceof InvalidRequestError)
    return { status: 422, body: { detail: error.problems } };
  const known = toServiceError(error, isOutage);
  const code = fitCode(known.code, routeName);
  const { status } = ERROR_CATALOGUE[code];
  return {
    status,
    body: toServiceErrorBody(code, known.evidence.desc),
    ...(RETRIED.has(status) && { retryAfterSeconds: known.evidence.retryAfterSeconds ?? 1 }),
  };
};

/** The statuses that tell a client to come back. */
const RETRIED = new Set([409, 429, 503]);

/** A database that does not answer now is no mistake of the program. */
export const toServiceError = (error: unknown, isOutage: IsOutage): ServiceError => {
  if (error instanceof ServiceError) return error;
  return new ServiceError(isOutage(error) ? 'service_unavailable' : 'internal_error', {
    cause: error,
  });
};

/** What a join that failed is told, as its error code. */
export const toJoinErrorCode = (error: unknown, isOutage: IsOutage): ErrorCode =>
  fitCode(toServiceError(error, isOutage).code, 'joinByPlatformSession');

/** The join has no 503 and no 429, and the histories have no 409: one trouble, two names. */
const fitCode = (code: ErrorCode, routeName?: RouteName): ErrorCode => {
  if (code === 'rate_limited') {
    return routeName === 'joinByPlatformSession' ? 'service_overloaded' : code;
  }
  if (code !== 'service_unavailable' && code !== 'service_overloaded') return code;
  return routeName === 'joinByPlatformSession' ? 'service_overloaded' : 'service_unavailable';
};
