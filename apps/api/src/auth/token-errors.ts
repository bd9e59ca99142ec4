// Maps what the JWT library finds wrong with a token to the codes of the error catalogue.
import type { ErrorCode } from '@muster/contract';
import { decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { ServiceError } from '../errors/service-error.ts';

/** Every failure refuses the token, also one that this table does not know. */
export const toTokenError = (error: unknown, token: string): ServiceError =>
  error instanceof ServiceError
    ? error
    : new ServiceError(isReadable(token) ? findCode(error) : 'auth_token_format', {
        cause: error,
      });

/** The form comes first: an unreadable token is malformed, whatever its signature. */
const isReadable = (token: string): boolean => {
  try {
    decodeProtectedHeader(token);
    decodeJwt(token);
    return true;
  } catch {
    return false;
  }
};

const findCode = (error: unknown): ErrorCode => {
  if (error instanceof errors.JOSEError) return CODES[error.code] ?? 'auth_token_sig_invalid';
  return 'auth_token_sig_invalid';
};

const CODES: Record<string, ErrorCode> = {
  [errors.JWTExpired.code]: 'auth_token_expired',
  [errors.JWTClaimValidationFailed.code]: 'auth_token_invalid_claim',
  [errors.JWKSNoMatchingKey.code]: 'auth_token_unknown',
  [errors.JWSInvalid.code]: 'auth_token_format',
  [errors.JWTInvalid.code]: 'auth_token_format',
};
