import type { AnyErrorCode } from './errors.ts';
import { ServiceError } from './errors.ts';

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
