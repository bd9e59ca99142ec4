import { ServiceError } from '../errors/errors.ts';
import { abortable } from '../http/abortable.ts';
import type { TokenSource } from './token-source.ts';

/**
 * Sends with the current token and, once for the whole call, again with a refreshed one when the
 * answer says `auth_success: false`. Further attempts of the call keep to one refresh in all.
 */
export const withRefreshedToken = (tokens: TokenSource, signal: AbortSignal | undefined) => {
  let isRefreshSpent = false;

  return async <Answer>(send: (token: string | null) => Promise<Answer>): Promise<Answer> => {
    const token = await abortable(tokens.get(), signal);
    try {
      return await send(token);
    } catch (error) {
      if (isRefreshSpent || token === null || !isTokenRefused(error)) throw error;
      isRefreshSpent = true;
      const fresh = await abortable(tokens.refresh(token), signal);
      if (fresh === null) throw error;
      return send(fresh).catch((again: unknown) => {
        if (isTokenRefused(again)) tokens.forget(token);
        throw again;
      });
    }
  };
};

const isTokenRefused = (error: unknown): boolean =>
  error instanceof ServiceError && !error.authSuccess;
