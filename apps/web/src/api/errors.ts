// What went wrong, as the service says it: one shape for every failure that a page can meet.
import type { ErrorCode, ValidationProblem } from '@muster/contract';
import { ERROR_CATALOGUE } from '@muster/contract';
import { TRPCClientError } from '@trpc/client';

export type ApiError = {
  /** A code of the catalogue, or `unreachable` when no answer came. */
  code: string;
  /** The sentence of the service, made to be shown. */
  desc: string;
  /** HTTP status; 0 when no answer came. */
  status: number;
  requestId?: string;
  retryAfterMs?: number;
  /** Every problem of the input, with its place. */
  detail: readonly ValidationProblem[];
  /** What the code carries besides, such as `current_version`. */
  facts: Readonly<Record<string, unknown>>;
};

const UNREACHABLE: ApiError = {
  code: 'unreachable',
  desc: 'The service did not answer. Check the connection; what you typed is still here.',
  status: 0,
  detail: [],
  facts: {},
};

/** Reads any thrown value. An error of the page itself is distinguished from an unreachable service. */
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

/** Thrown by calls that are not tRPC, such as signing in and importing. */
export class ApiFailure extends Error {
  readonly facts: ApiError;
  constructor(facts: Pick<ApiError, 'code' | 'desc' | 'status'> & Partial<ApiError>) {
    super(facts.desc);
    this.facts = { detail: [], facts: {}, ...facts };
  }
}

/** The failure of a question that the service answered with "there is none". */
export const toFailure = (code: ErrorCode): ApiFailure => {
  const { status, desc } = ERROR_CATALOGUE[code];
  return new ApiFailure({ code, desc, status });
};

/** Turns an answer that is not `ok` into the error to throw, whichever part of the service sent it. */
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

/** Whether the service does not know who asks: only signing in (again) helps. */
export const isSignInError = (error: unknown): boolean => {
  const { code, status } = toApiError(error);
  if (status === 401) return true;
  const entry = Object.hasOwn(ERROR_CATALOGUE, code) && ERROR_CATALOGUE[code as ErrorCode];
  return entry !== false && 'authFailed' in entry;
};

/**
 * Sentences by form path, as @mantine/form wants them: `loc` `["body", "teams", 0, "max_size"]` is the
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

/** What `fields` do not show: to be listed above the form, so that no reason is lost. */
export const listOtherProblems = (error: ApiError, fields: readonly string[]): string[] => {
  const shown = (path: string) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`));
  return error.detail
    .map(({ loc, msg }) => ({ path: loc.slice(1).join('.'), msg }))
    .filter(({ path }) => !shown(path))
    .map(({ path, msg }) => (path === '' ? `${msg}.` : `${path}: ${msg}.`));
};
