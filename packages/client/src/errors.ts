// Everything that a call can reject with, but for the reason of an aborted signal.
import type { ErrorCode, ValidationProblem } from './wire/error-types.ts';

/** What is known of the answer that an error came with. */
export type AnswerFacts = {
  /** HTTP status; absent when no answer arrived. */
  status?: number;
  /** Names the request in the logs of the service; quote it in reports. */
  requestId?: string | null;
  /** The shortest wait before the next attempt, from the header Retry-After. */
  retryAfterSeconds?: number;
};

/** Parent of the errors of this client: `error instanceof MusterError`, then `error.kind`. */
export abstract class MusterError extends Error {
  abstract readonly kind: 'service' | 'validation' | 'unexpected' | 'network' | 'timeout' | 'token';
  readonly status: number | undefined;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: AnswerFacts = {}, options?: ErrorOptions) {
    super(message, options);
    this.status = facts.status;
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** A code that a newer service may send keeps its spelling; known ones complete in an editor. */
export type AnyErrorCode = ErrorCode | (string & Record<never, never>);

/** The service refused: `code` is the `error_code` and `desc` the sentence of its answer. */
export class ServiceError<Code extends AnyErrorCode = AnyErrorCode> extends MusterError {
  override readonly name = 'ServiceError';
  readonly kind = 'service';
  readonly code: Code;
  readonly desc: string;
  /** False when the credential was not accepted. */
  readonly authSuccess: boolean;

  constructor(refusal: { code: Code; desc: string; authSuccess: boolean }, facts: AnswerFacts) {
    super(`${refusal.code}: ${refusal.desc}`, facts);
    this.code = refusal.code;
    this.desc = refusal.desc;
    this.authSuccess = refusal.authSuccess;
  }
}

/** The request is not valid (422): `detail` lists every problem with its place. */
export class ValidationError extends MusterError {
  override readonly name = 'ValidationError';
  readonly kind = 'validation';
  readonly detail: readonly ValidationProblem[];

  constructor(detail: readonly ValidationProblem[], facts: AnswerFacts) {
    const problems = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    super(`The request is not valid. ${problems.join('; ')}`, facts);
    this.detail = detail;
  }
}

/** An answer that the service does not give: most often something in between spoke in its place. */
export class UnexpectedAnswerError extends MusterError {
  override readonly name = 'UnexpectedAnswerError';
  readonly kind = 'unexpected';
}

/** No answer arrived, or only a part of one. `cause` is what `fetch` rejected with. */
export class NetworkError extends MusterError {
  override readonly name = 'NetworkError';
  readonly kind = 'network';

  constructor(cause: unknown) {
    super('The service could not be reached.', {}, { cause });
  }
}

/** No complete answer arrived within `timeoutMs`. Whether a join took effect is not known. */
export class TimeoutError extends MusterError {
  override readonly name = 'TimeoutError';
  readonly kind = 'timeout';

  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms.`);
  }
}

/** The token function or token provider failed, or gave no token in time. `cause` is what it rejected with, or a TimeoutError. */
export class TokenError extends MusterError {
  override readonly name = 'TokenError';
  readonly kind = 'token';

  constructor(cause: unknown) {
    super('No token could be had.', {}, { cause });
  }
}

/**
 * Whether the service refused with one of `codes`, or at all when none is given.
 * Example: `if (isServiceError(error, 'team_full', 'session_full')) chooseAnotherTeam();`
 */
export const isServiceError = <Code extends AnyErrorCode = AnyErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is ServiceError<Code> =>
  error instanceof ServiceError &&
  (codes.length === 0 || (codes as readonly string[]).includes(error.code));
