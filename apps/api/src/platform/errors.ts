// The error types of the service: responses to clients, and failures that stop a start with one sentence.
import type { ErrorCode, ValidationProblem } from '@muster/contract';
import { ERROR_CATALOGUE, limitProblems } from '@muster/contract';

type ServiceErrorEvidence = {
  /** Replaces the catalogue's sentence where the request deserves a more exact one. */
  desc?: string;
  /** Whole seconds, at least 1; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Public facts that a caller can act on, such as `current_version`; never secrets. */
  facts?: Record<string, string | number>;
  /** An operator has planned it: maintenance. Metrics do not count it as a failure. */
  isPlanned?: true;
  /** The member of the request body that is not acceptable. */
  place?: string;
  /** Members of the request body that are not acceptable, each with its path. */
  problems?: ValidationProblem[];
  /** For the log: the claim of the token that is missing or not accepted. */
  claim?: string;
  /** For the log and the audit trail, instead of the sentence of the code: a sentence without values of the request. */
  reason?: string;
  /** For the timeline of the session, never for the response: the player whom the joining player cannot play with. */
  otherPlayerUuid?: string;
  /** For the log: the verified account of a caller who is refused during authentication or sign-in. */
  accountId?: string;
  cause?: unknown;
};

/** The one error that services throw: a code of the catalogue and its evidence. HTTP and tRPC map it to an answer. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly evidence: ServiceErrorEvidence;

  constructor(code: ErrorCode, evidence: ServiceErrorEvidence = {}) {
    const { stackTraceLimit } = Error;
    // The code describes the failure. A stack costs as much as the rest of a refusal; the cause has its own.
    Error.stackTraceLimit = 0;
    super(evidence.desc ?? ERROR_CATALOGUE[code].desc, { cause: evidence.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.evidence = evidence;
  }
}

/** A request whose parameters or body are not what the contract says. `code` is for the log: the response lists the problems. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly problems: ValidationProblem[];
  readonly code: ErrorCode;

  constructor(problems: ValidationProblem[], code: ErrorCode = 'input_invalid') {
    super('The request is not valid.');
    this.problems = limitProblems(problems, (problem) => problem);
    this.code = code;
  }
}

/** Settings that cannot be used: one sentence per problem, each naming its variable. Never quotes a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The service cannot start, for a reason that one sentence explains. Printed without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Runs a part of the start whose failures have no sentence of their own, such as those of the file system, and gives
 * them one: what was tried, the first line of the reason, and the advice. Errors for which `hasUserMessage` is true pass unchanged.
 */
export const withUserMessage = async <Result>(
  what: string,
  work: () => Promise<Result>,
  hasUserMessage: (error: Error) => boolean = () => false,
  advice = '',
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartError) throw error;
    if (error instanceof Error && hasUserMessage(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new StartError(`${what}: ${message.trim().split('\n')[0]}${advice}`, { cause: error });
  }
};
