import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE } from '@muster/contract';

export type ServiceErrorEvidence = {
  /** Replaces the catalogue's sentence where the request deserves a more exact one. */
  desc?: string;
  /** Whole seconds, at least 1; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Public facts that a caller can act on, such as `current_version`; never secrets. */
  facts?: Record<string, string | number>;
  cause?: unknown;
};

/** The one error that services throw: a code of the catalogue and its evidence. Edges map it to an answer. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly evidence: ServiceErrorEvidence;

  constructor(code: ErrorCode, evidence: ServiceErrorEvidence = {}) {
    super(evidence.desc ?? ERROR_CATALOGUE[code].desc, { cause: evidence.cause });
    this.code = code;
    this.evidence = evidence;
  }
}
