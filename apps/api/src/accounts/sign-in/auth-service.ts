// Passes requests on to the accounts library: counts attempts before, leaves audit records after.
import { readAnswer, withoutTokens } from './auth-answer.ts';
import type { AuthAnswer, AuthCall } from './auth-call.ts';
import type { AuthEndpoint } from './auth-endpoints.ts';
import { createHandlers } from './auth-handlers.ts';
import { LibraryRefusal, toRefusal } from './auth-refusal.ts';
import type { AuthParts } from './auth-steps.ts';
import { createAuthSteps } from './auth-steps.ts';

export type AuthService = {
  /** Errors: those of signing in, `rate_limited`, `auth_session_ended`, `password_change_required`. */
  handle(endpoint: AuthEndpoint, call: AuthCall): Promise<AuthAnswer>;
};

export const createAuthService = (parts: AuthParts): AuthService => {
  const handlers = createHandlers(createAuthSteps(parts), parts);
  return {
    async handle(endpoint, call) {
      const answer = await handlers[endpoint.kind](endpoint, call).catch((error: unknown) => {
        throw error instanceof LibraryRefusal ? toRefusal(error) : error;
      });
      return toAnswer(answer);
    },
  };
};

const toAnswer = async (answer: Response): Promise<AuthAnswer> => {
  const location = answer.headers.get('location');
  const cookies = answer.headers.getSetCookie();
  if (answer.status >= 300 && answer.status < 400 && location !== null) {
    return { status: answer.status, cookies, location };
  }
  return { status: answer.status, body: withoutTokens(await readAnswer(answer)), cookies };
};
