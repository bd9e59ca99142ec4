// What must be true of every answer, whatever was asked.
import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE, ServiceErrorBody, ValidationErrorBody } from '@muster/contract';
import type { WireAnswer, WireRequest } from './wire-request.ts';
import type { Write } from './write-watch.ts';

/** What is wrong with an answer, as sentences; none when all is well. */
export type Check = (request: WireRequest, answer: WireAnswer) => string[];

/** On a busy machine, too. */
const MAX_DURATION_MS = 5_000;

/** Traces of what is inside: paths of files, stacks, names of parts. */
const LEAKS = [
  /node_modules/,
  /\n {4}at /,
  /\.ts:\d+/,
  /prisma/i,
  /PostgreSQL/,
  /syntax error/,
  /"polluted"/,
];

/** Where apps/web was not built, its pages say so. */
const isUnbuiltPage = ({ status, text }: WireAnswer): boolean =>
  status === 503 && text.startsWith('The web app has not been built yet');

export const checkAlways: Check = (request, answer) => [
  ...(answer.status < 500 || isUnbuiltPage(answer) ? [] : [`The status is ${answer.status}.`]),
  ...(answer.durationMs < MAX_DURATION_MS ? [] : [`It took ${Math.round(answer.durationMs)} ms.`]),
  ...checkHeaders(answer),
  ...(answer.status < 400
    ? []
    : LEAKS.filter((leak) => leak.test(answer.text)).map((leak) => `It tells ${leak}.`)),
  ...(request.method === 'HEAD' && answer.text !== '' ? ['An answer to HEAD has a body.'] : []),
];

const checkHeaders = ({ headers }: WireAnswer): string[] => [
  ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['nosniff is missing.']),
  ...(/^[A-Za-z0-9._-]{1,128}$/.test(headers.get('x-request-id') ?? '')
    ? []
    : ['The request id is odd.']),
  ...(headers.has('x-injected') ? ['A header was injected.'] : []),
  ...(headers.has('access-control-allow-origin') ? ['CORS is open.'] : []),
  ...(headers.has('x-powered-by') ? ['It tells what it runs on.'] : []),
];

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A refusal of the edge: 422 with a list of problems, anything else with a code of the catalogue that has this status. */
export const checkRefusal: Check = ({ method }, { status, headers, text }) => {
  if (method === 'HEAD') return [];
  if (!headers.get('content-type')?.startsWith('application/json'))
    return ['A refusal is no JSON.'];
  const body = parseJson(text);
  if (status === 422)
    return ValidationErrorBody.safeParse(body).success ? [] : ['The body of a 422 is another.'];
  const parsed = ServiceErrorBody.safeParse(body);
  if (!parsed.success) return [`The body of a ${status} is another.`];
  return statusOf(parsed.data.error_code) === status
    ? []
    : [`The code ${parsed.data.error_code} does not belong to ${status}.`];
};

export const statusOf = (code: string): number | undefined =>
  Object.hasOwn(ERROR_CATALOGUE, code) ? ERROR_CATALOGUE[code as ErrorCode].status : undefined;

/** What a refusal leaves behind on purpose: counters against guessing, and records of what was refused. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  'session_event INSERT join_refused',
  'account_throttle INSERT',
  'account_throttle UPDATE',
  'account_throttle DELETE',
  'audit_record INSERT auth.signInRefused',
]);

export const checkWrites = ({ status }: WireAnswer, writes: readonly Write[]): string[] => {
  if (status < 400) return [];
  const described = writes.map(({ table, operation, detail }) =>
    [table, operation, ...(detail === null ? [] : [detail])].join(' '),
  );
  return described.filter((write) => !LEFT_BEHIND.has(write)).map((write) => `It wrote: ${write}.`);
};
