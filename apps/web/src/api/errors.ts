// One shape for every error that a page can receive from the service.
import type { ErrorCode, ValidationProblem } from '@muster/contract';
import { ERROR_CATALOGUE } from '@muster/contract';
import { TRPCClientError } from '@trpc/client';

export type ApiError = {
  /** A code of the catalogue, or `unreachable` when no response arrived. */
  code: string;
  /** The service's message, written for users. */
  desc: string;
  /** HTTP status; 0 when no response arrived. */
  status: number;
  requestId?: string;
  retryAfterMs?: number;
  /** Every problem of the input, with its location. */
  detail: readonly ValidationProblem[];
  /** Further data of the error, such as `current_version`. */
  facts: Readonly<Record<string, unknown>>;
};

const UNREACHABLE: ApiError = {
  code: 'unreachable',
  desc: 'The service did not answer. Check the connection; what you typed is still here.',
  status: 0,
  detail: [],
  facts: {},
};

/** Converts any thrown value. Distinguishes an error in the page's own code from an unreachable service. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiFailure) return error.facts;
  if (error instanceof TRPCClientError) return readTrpcError(error);
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) {
    return UNREACHABLE;
  }
  return {
    ...UNREACHABLE,
    code: 'page_error',
    desc: `An error occurred in this page: ${error instanceof Error ? error.message : String(error)}`,
  };
};

/** Thrown by calls that do not use tRPC, such as sign-in and import. */
export class ApiFailure extends Error {
  readonly facts: ApiError;
  constructor(facts: Pick<ApiError, 'code' | 'desc' | 'status'> & Partial<ApiError>) {
    super(facts.desc);
    this.facts = { detail: [], facts: {}, ...facts };
  }
}

/** Creates the error for a query whose response is null. */
export const toFailure = (code: ErrorCode): ApiFailure => {
  const { status, desc } = ERROR_CATALOGUE[code];
  return new ApiFailure({ code, desc, status });
};

/** Converts a response that is not `ok` into an error. Handles the formats of all parts of the service. */
export const readFailure = async (response: Response): Promise<ApiFailure> => {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  return new ApiFailure(describe(response, body));
};

const readTrpcError = (error: TRPCClientError<never>): ApiError => {
  const response = error.meta?.response;
  if (!(response instanceof Response)) return UNREACHABLE;
  return describe(response, (error.data as Record<string, unknown> | null) ?? {});
};

const describe = (response: Response, data: Record<string, unknown>): ApiError => {
  const { error_code, desc, detail, httpStatus: _, path: __, code: ___, ...facts } = data;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    code: typeof error_code === 'string' ? error_code : 'unexpected_answer',
    desc: typeof desc === 'string' ? desc : `The service answered ${response.status}.`,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined,
    detail: Array.isArray(detail) ? (detail as ValidationProblem[]) : [],
    facts,
  };
};

/** The change set in which a change waits for review. Undefined for another error, and for a change that cannot wait. */
export const readWaiting = ({ code, facts }: ApiError) => {
  const { sandbox_id: sandbox, change_set_id: id } = facts;
  const isNamed = typeof sandbox === 'string' && typeof id === 'string';
  return code === 'review_required' && isNamed ? { sandbox, id } : undefined;
};

/** True when the request has no valid session, so that the user must sign in again. */
export const isSignInError = (error: unknown): boolean => {
  const { code, status } = toApiError(error);
  if (status === 401) return true;
  const entry = Object.hasOwn(ERROR_CATALOGUE, code) && ERROR_CATALOGUE[code as ErrorCode];
  return entry !== false && 'authFailed' in entry;
};

/**
 * Messages by form path, as @mantine/form expects them: `loc` `["body", "teams", 0, "max_size"]` is the
 * field `teams.0.max_size`. Problems without a field are left out; see `listOtherProblems`.
 */
export const toFieldErrors = ({ detail }: ApiError): Record<string, string> => {
  const errors: Record<string, string> = {};
  for (const { loc, msg } of detail) {
    const path = loc.slice(1).join('.');
    if (path !== '') errors[path] = errors[path] ? `${errors[path]} ${msg}.` : `${msg}.`;
  }
  return errors;
};

/** The problems that no field in `fields` shows. The form lists them above its fields. */
export const listOtherProblems = (error: ApiError, fields: readonly string[]): string[] => {
  const shown = (path: string) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`));
  return error.detail
    .map(({ loc, msg }) => ({ path: loc.slice(1).join('.'), msg }))
    .filter(({ path }) => !shown(path))
    .map(({ path, msg }) => (path === '' ? `${msg}.` : `${path}: ${msg}.`));
};

/** The message with every problem, for a text without fields. The message of `input_invalid` only refers to its problems. */
export const describeFailure = (error: ApiError): string => {
  const problems = listOtherProblems(error, []);
  if (problems.length === 0) return error.desc;
  return error.code === 'input_invalid' ? problems.join(' ') : [error.desc, ...problems].join(' ');
};
