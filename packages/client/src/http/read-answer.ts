// An answer is what was asked for, or one of the two error bodies, or not from the service at all.
import type { AnswerFacts, MusterError } from '../errors/errors.ts';
import { ServiceError, UnexpectedAnswerError, ValidationError } from '../errors/errors.ts';
import type { ServiceErrorBody, ValidationErrorBody } from '../wire/error-types.ts';
import type { Answer } from './exchange.ts';
import { readRetryAfter } from './retry-after.ts';

type JsonObject = Record<string, unknown>;

/** Whether a body has what callers reach into; a portal between us answers 200 with something else. */
export type IsBody = (body: Readonly<Record<string, unknown>>) => boolean;

/** The body of a 200 answer, with the headers that clients need. Throws a MusterError otherwise. */
export const readAnswer = <Body>(answer: Answer, isBody: IsBody) => {
  const body = parseObject(answer.text);
  if (answer.status !== 200 || !body || !isBody(body)) throw toError(answer, body);
  return {
    body: body as Body,
    etag: answer.headers.get('etag'),
    requestId: answer.headers.get('x-request-id'),
  };
};

const parseObject = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : null;
  } catch {
    return null;
  }
};

const toError = (answer: Answer, body: JsonObject | null): MusterError => {
  const facts = readFacts(answer);
  if (answer.status === 422 && isValidationErrorBody(body)) {
    return new ValidationError(body.detail, facts);
  }
  if (answer.status >= 400 && isServiceErrorBody(body)) {
    const { error_code: code, desc, auth_success: authSuccess = true } = body;
    return new ServiceError({ code, desc, authSuccess }, facts);
  }
  const type = answer.headers.get('content-type') ?? 'no content type';
  const message = `The answer is not one of the service: status ${answer.status}, ${type}.`;
  return new UnexpectedAnswerError(message, facts);
};

const readFacts = ({ status, headers }: Answer): AnswerFacts => {
  const retryAfterSeconds = readRetryAfter(headers);
  return {
    status,
    requestId: headers.get('x-request-id'),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
};

const isServiceErrorBody = (body: object | null): body is ServiceErrorBody =>
  body !== null &&
  'error_code' in body &&
  typeof body.error_code === 'string' &&
  'desc' in body &&
  typeof body.desc === 'string';

const isValidationErrorBody = (body: object | null): body is ValidationErrorBody =>
  body !== null && 'detail' in body && Array.isArray(body.detail) && body.detail.every(isProblem);

const isProblem = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && 'loc' in one && Array.isArray(one.loc);
