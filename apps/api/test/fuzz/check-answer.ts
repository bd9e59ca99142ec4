// Requirements for every response, to any request.
import type { ErrorCode } from '@muster/contract';
import {
  ERROR_CATALOGUE,
  ServiceErrorBody,
  ValidationErrorBody,
  ValidationProblem,
} from '@muster/contract';
import { z } from 'zod';
import { isPage } from '../../src/http/mounts/web-mount.ts';
import { splitTarget } from '../../src/http/request.ts';
import type { WireAnswer, WireRequest } from './wire-request.ts';
import type { Write } from './write-observer.ts';

/** The faults of a response as sentences; none when it is valid. */
export type Check = (request: WireRequest, answer: WireAnswer) => string[];

/** Also on a busy machine. */
const MAX_DURATION_MS = 5_000;

/** Traces of internals: file paths, stacks, names of components. */
const LEAKS = [
  /node_modules/,
  /\n {4}at /,
  /\.ts:\d+/,
  /prisma/i,
  /PostgreSQL/,
  /syntax error/,
  /"polluted"/,
];

/** When apps/web was not built, its pages return this, without the text for HEAD. */
const isUnbuiltPage = ({ method, target }: WireRequest, { status, text }: WireAnswer): boolean =>
  status === 503 &&
  (text.startsWith('The web app has not been built yet') ||
    (method === 'HEAD' && text === '' && isPage(splitTarget(target).path)));

/** The service of the fuzz lets no request wait, since a wait proves nothing and takes up to 55 seconds. */
const isRefusedWait = ({ method, target }: WireRequest, { status, text }: WireAnswer): boolean =>
  status === 503 &&
  /sessions\.watch|events\.list/.test(target) &&
  (method === 'HEAD' ? text === '' : text.includes('"service_unavailable"'));

export const checkAlways: Check = (request, answer) => [
  ...(answer.status < 500 || isUnbuiltPage(request, answer) || isRefusedWait(request, answer)
    ? []
    : [`The status is ${answer.status}.`]),
  ...(answer.durationMs < MAX_DURATION_MS ? [] : [`It took ${Math.round(answer.durationMs)} ms.`]),
  ...checkHeaders(answer),
  ...(answer.status < 400
    ? []
    : LEAKS.filter((leak) => leak.test(answer.text)).map((leak) => `It contains ${leak}.`)),
  ...(request.method === 'HEAD' && answer.text !== '' ? ['An answer to HEAD has a body.'] : []),
];

const checkHeaders = ({ headers }: WireAnswer): string[] => [
  ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['nosniff is missing.']),
  ...(/^[A-Za-z0-9._-]{1,128}$/.test(headers.get('x-request-id') ?? '')
    ? []
    : ['The request id is malformed.']),
  ...(headers.has('x-injected') ? ['A header was injected.'] : []),
  ...(headers.has('access-control-allow-origin') ? ['CORS is open.'] : []),
  ...(headers.has('x-powered-by') ? ['It reveals its server.'] : []),
];

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** An error of the HTTP layer: 422 with a list of problems, otherwise a code of the catalogue with this status. */
export const checkRefusal: Check = ({ method }, { status, headers, text }) => {
  if (method === 'HEAD') return [];
  if (!headers.get('content-type')?.startsWith('application/json'))
    return ['A refusal is no JSON.'];
  const body = parseJson(text);
  if (status === 422)
    return ValidationErrorBody.safeParse(body).success ? [] : ['The body of a 422 is different.'];
  const parsed = ServiceErrorBody.safeParse(body);
  if (!parsed.success) return [`The body of a ${status} is different.`];
  return statusOf(parsed.data.error_code) === status
    ? []
    : [`The code ${parsed.data.error_code} does not belong to ${status}.`];
};

const statusOf = (code: string): number | undefined =>
  Object.hasOwn(ERROR_CATALOGUE, code) ? ERROR_CATALOGUE[code as ErrorCode].status : undefined;

/** Intended writes of refusals: counters against guessing, and records of refused requests. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  'session_event INSERT join_refused',
  'event_outbox INSERT',
  'refused_join INSERT',
  'refused_join UPDATE',
  'account_throttle INSERT',
  'account_throttle UPDATE',
  'account_throttle DELETE',
  'audit_record INSERT auth.signInRefused',
]);

/** A change that needs a review is refused, and waits as a change set. */
const HELD: ReadonlySet<string> = new Set([
  'change_set INSERT',
  'change_set UPDATE',
  'change_set_operation INSERT',
  'audit_record INSERT changeSets.submit',
]);

export const checkWrites = ({ status, text }: WireAnswer, writes: readonly Write[]): string[] => {
  if (status < 400) return [];
  const isHeld = text.includes('"error_code":"review_required"');
  const isIntended = (write: string) => LEFT_BEHIND.has(write) || (isHeld && HELD.has(write));
  const described = writes.map(({ table, operation, detail }) =>
    [table, operation, ...(detail === null ? [] : [detail])].join(' '),
  );
  return described.filter((write) => !isIntended(write)).map((write) => `It wrote: ${write}.`);
};

// Requirements for every response of the admin API: the shape of tRPC, with the additional error facts of this service.

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

/** Errors of tRPC itself, before a procedure of this service runs. */
const OWN_CODES: Record<string, number> = {
  bad_request: 400,
  parse_error: 400,
  not_found: 404,
  method_not_supported: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
};

/** For a batch with different results (RFC 4918 section 11.1). */
const MULTI_STATUS = 207;

export const checkProcedure: Check = (request, answer) => {
  if (isRefusedWait(request, answer)) return checkAlways(request, answer);
  const { method } = request;
  const { status, text } = answer;
  if (method === 'HEAD') return [];
  const body = parseJson(text);
  const outcomes = Array.isArray(body) ? body : [body];
  if (!outcomes.every((one) => Outcome.safeParse(one).success)) {
    // A mutated path may lead to another route, whose responses are checked elsewhere.
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
