// Reads what a request brings to the admin API. tRPC's own reading puts U+FFFD where bytes are no UTF-8; this one refuses.
import type { Request } from 'express';
import { ServiceError } from '../errors/service-error.ts';
import { readJsonText } from './json-body.ts';
import { findBadQueryEscapes } from './percent-decoding.ts';
import { readBody } from './read-body.ts';
import { toInputError } from './request-problems.ts';
import { splitTarget } from './request-target.ts';

/**
 * Leaves the text of the body for tRPC. Answers what is wrong with query or body, for the procedures to tell once they
 * know the caller: input_invalid, body_too_large, body_compressed. Throws RequestAbortedError.
 */
export const readAdminInput = async (
  request: Request,
  maxBytes: number,
): Promise<ServiceError | undefined> => {
  const queryProblems = findBadQueryEscapes(splitTarget(request.originalUrl).query);
  if (request.method !== 'POST') return toInputError(queryProblems);
  // What is refused must not be read by tRPC either.
  request.body = '';
  try {
    const bytes = await readBody(request, maxBytes);
    if (bytes.length === 0) return toInputError(queryProblems);
    const { text, problems } = readJsonText(bytes, request.headers['content-type']);
    request.body = text ?? '';
    return toInputError([...queryProblems, ...problems]);
  } catch (error) {
    if (error instanceof ServiceError) return nameLimit(error, maxBytes);
    throw error;
  }
};

/** The catalogue names the limit of public routes. */
const nameLimit = (error: ServiceError, maxBytes: number): ServiceError =>
  error.code === 'body_too_large'
    ? new ServiceError(error.code, {
        desc: `The body is larger than ${maxBytes / 1_048_576} MiB.`,
      })
    : error;
