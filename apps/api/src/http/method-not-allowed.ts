import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../errors/service-error.ts';

/** Throws `method_not_allowed` with the Allow header (RFC 9110 section 15.5.6) for any other method. */
export const refuseMethod = (
  request: Request,
  response: Response,
  allowed: readonly string[],
): void => {
  if (allowed.includes(request.method)) return;
  response.setHeader('Allow', allowed.join(', '));
  throw new ServiceError('method_not_allowed');
};

export const allowMethods =
  (...allowed: string[]): RequestHandler =>
  (request, response, next) => {
    refuseMethod(request, response, allowed);
    next();
  };
