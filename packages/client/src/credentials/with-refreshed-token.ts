import { ServiceError, TimeoutError, TokenError } from '../errors/errors.ts';
import { abortable } from '../http/abortable.ts';
import { startDeadline } from '../http/deadline.ts';
import type { ExchangeLimits } from '../http/exchange.ts';
import type { TokenSource } from './token-source.ts';

/**
 * Sends with the current token and, once for the whole call, again with a refreshed one when the
 * answer says `auth_success: false`. Further attempts of the call keep to one refresh in all.
 */
export const withRefreshedToken = (tokens: TokenSource, limits: ExchangeLimits) => {
  let isRefreshSpent = false;

  return async <Answer>(send: (token: string | null) => Promise<Answer>): Promise<Answer> => {
    const token = await inTime(tokens.get(), limits);
    try {
      return await send(token);
    } catch (error) {
      if (isRefreshSpent || token === null || !isTokenRefused(error)) throw error;
      isRefreshSpent = true;
      const fresh = await inTime(tokens.refresh(token), limits);
      if (fresh === null) throw error;
      return send(fresh).catch((again: unknown) => {
        if (isTokenRefused(again)) tokens.forget(token);
        throw again;
      });
    }
  };
};

/** Whoever gives tokens has as long as one attempt may take; a token that never comes is no reason to ask again. */
const inTime = async <Value>(
  promise: Promise<Value>,
  { timeoutMs, signal }: ExchangeLimits,
): Promise<Value> => {
  const deadline = startDeadline(timeoutMs, signal);
  try {
    return await abortable(promise, deadline.signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw deadline.isOver() ? new TokenError(new TimeoutError(timeoutMs)) : error;
  } finally {
    deadline.end();
  }
};

const isTokenRefused = (error: unknown): boolean =>
  error instanceof ServiceError && !error.authSuccess;
