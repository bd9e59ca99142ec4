import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE } from '@muster/contract';
import { toApiError } from '../api/api-error.ts';

/** Whether the service does not know who asks: only signing in (again) helps. */
export const isSignInError = (error: unknown): boolean => {
  const { code, status } = toApiError(error);
  if (status === 401) return true;
  const entry = Object.hasOwn(ERROR_CATALOGUE, code) && ERROR_CATALOGUE[code as ErrorCode];
  return entry !== false && 'authFailed' in entry;
};
