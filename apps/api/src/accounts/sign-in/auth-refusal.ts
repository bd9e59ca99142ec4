// Turns what the accounts library refuses into errors of the one catalogue.
import type { ErrorCode } from '@muster/contract';
import { ServiceError } from '../../errors/service-error.ts';
import { readAnswer } from './auth-answer.ts';

/** The library said no. What it throws otherwise is a fault or an outage. */
export class LibraryRefusal extends Error {
  override readonly name = 'LibraryRefusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, body: { code?: string; message?: string }) {
    super(body.message ?? 'The request was refused');
    this.status = status;
    this.code = body.code ?? '';
  }
}

/** Hands an answer on. Throws LibraryRefusal for a refusal, and an Error for a fault of the library. */
export const refuseFailed = async (answer: Response): Promise<Response> => {
  if (answer.status < 400) return answer;
  const body = ((await readAnswer(answer)) ?? {}) as { code?: string; message?: string };
  if (answer.status < 500) throw new LibraryRefusal(answer.status, body);
  throw new Error(`The accounts library failed: ${body.message ?? answer.status}`);
};

const LOCK_SECONDS = 900;

const CODES: Record<string, ErrorCode> = {
  INVALID_EMAIL: 'sign_in_refused',
  INVALID_EMAIL_OR_PASSWORD: 'sign_in_refused',
  ACCOUNT_DISABLED: 'sign_in_refused',
  INVALID_PASSWORD: 'password_refused',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'password_refused',
  PASSWORD_TOO_SHORT: 'password_unfit',
  PASSWORD_TOO_LONG: 'password_unfit',
  INVALID_CODE: 'two_factor_refused',
  INVALID_BACKUP_CODE: 'two_factor_refused',
  INVALID_TWO_FACTOR_COOKIE: 'two_factor_refused',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'two_factor_refused',
  TOTP_NOT_ENABLED: 'two_factor_refused',
};

export const toRefusal = (refusal: LibraryRefusal): ServiceError => {
  const evidence = { cause: refusal };
  if (refusal.code === 'ACCOUNT_TEMPORARILY_LOCKED') {
    return new ServiceError('rate_limited', { ...evidence, retryAfterSeconds: LOCK_SECONDS });
  }
  const known = CODES[refusal.code];
  if (known) return new ServiceError(known, evidence);
  if (refusal.status === 401) return new ServiceError('auth_session_ended', evidence);
  const desc = `${refusal.message.replace(/\.$/, '')}.`;
  return new ServiceError('account_request_refused', { ...evidence, desc });
};
