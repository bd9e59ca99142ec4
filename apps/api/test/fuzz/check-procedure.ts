// What must be true of every answer of the admin API: the shape of tRPC, with the facts that this service adds to errors.

import { ValidationProblem } from '@muster/contract';
import { z } from 'zod';
import type { Check } from './check-answer.ts';
import { checkRefusal, parseJson, statusOf } from './check-answer.ts';

const Failure = z.object({
  error: z.object({
    message: z.string(),
    code: z.int(),
    data: z.looseObject({
      code: z.string(),
      httpStatus: z.int(),
      path: z.string().optional(),
      error_code: z.string(),
      desc: z.string().min(1),
      detail: z.array(ValidationProblem).optional(),
    }),
  }),
});
const Success = z.object({ result: z.object({ data: z.unknown().optional() }) });
const Outcome = z.union([Failure, Success]);

/** What tRPC itself refuses, before a procedure of this service runs. */
const OWN_CODES: Record<string, number> = {
  bad_request: 400,
  parse_error: 400,
  not_found: 404,
  method_not_supported: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
};

/** Of a batch whose calls end differently (RFC 4918 section 11.1). */
const MULTI_STATUS = 207;

export const checkProcedure: Check = (request, answer) => {
  const { method } = request;
  const { status, text } = answer;
  if (method === 'HEAD') return [];
  const body = parseJson(text);
  const outcomes = Array.isArray(body) ? body : [body];
  if (!outcomes.every((one) => Outcome.safeParse(one).success)) {
    // A bent path may lead to another route, whose answers are looked at elsewhere.
    const isOther = status < 400 && !request.target.startsWith('/admin/trpc');
    return isOther ? [] : checkRefusal(request, answer);
  }
  return outcomes.flatMap((one) => checkOutcome(one, Array.isArray(body) ? undefined : status));
};

const checkOutcome = (outcome: unknown, status: number | undefined): string[] => {
  const failure = Failure.safeParse(outcome);
  if (!failure.success) {
    return status === undefined || status === 200 || status === MULTI_STATUS
      ? []
      : [`A result came with ${status}.`];
  }
  const { error_code, httpStatus } = failure.data.error.data;
  const expected = statusOf(error_code) ?? OWN_CODES[error_code];
  if (httpStatus >= 500) return [`A call failed with ${httpStatus}.`];
  if (expected !== httpStatus) return [`The code ${error_code} does not belong to ${httpStatus}.`];
  return status === undefined || status === httpStatus
    ? []
    : [`${httpStatus} was sent as ${status}.`];
};
