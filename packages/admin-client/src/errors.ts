import type { AdminErrorData } from './generated/admin-api.ts';

/** The parts of a response besides its body. */
type ResponseFacts = {
  status: number;
  requestId: string | null;
  retryAfterSeconds: number | undefined;
};

/** The service refused the call, or the response did not come from the service. */
export class AdminApiError extends Error {
  override readonly name = 'AdminApiError';
  /** The `error_code`, such as `session_not_found`; `unexpected_response` when another program responded, such as a gateway. */
  readonly code: string;
  /** The sentence of the service. Its wording may change. */
  readonly desc: string;
  /** The HTTP status. */
  readonly status: number;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | null;
  /** The shortest wait before the next attempt, where one can help. */
  readonly retryAfterSeconds: number | undefined;
  /** All members of the refusal, such as `detail` of `input_invalid` or `current_etag` of `session_etag_mismatch`. */
  readonly data: Partial<AdminErrorData>;

  constructor(code: string, desc: string, data: Partial<AdminErrorData>, facts: ResponseFacts) {
    super(`${code}: ${desc}`);
    this.code = code;
    this.desc = desc;
    this.data = data;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Reads a refusal from a response and its text. */
export const readRefusal = (response: Response, text: string): AdminApiError => {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const facts: ResponseFacts = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  };
  const data = readErrorData(text);
  if (typeof data?.error_code === 'string') {
    return new AdminApiError(data.error_code, data.desc ?? '', data, facts);
  }
  const desc = `The response with status ${status} is not one of the service.`;
  return new AdminApiError('unexpected_response', desc, {}, facts);
};

/** Errors of the HTTP layer have no `error` around their members. */
const readErrorData = (text: string): Partial<AdminErrorData> | undefined => {
  try {
    const body = JSON.parse(text);
    return body?.error?.data ?? body ?? undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
