import { ServiceError, TimeoutError, TokenError } from './errors.ts';
import type { ExchangeLimits } from './timers.ts';
import { abortable, startDeadline } from './timers.ts';

/** Where tokens come from, for those who keep them themselves. */
export type TokenProvider = {
  /** The token to send now. Called before every request. */
  getToken(): string | Promise<string>;
  /** A new token in place of one that the service did not accept. */
  refreshToken(refused: string): string | Promise<string>;
};

/**
 * A token that never changes, a function, or a provider. The function is called when a token is first
 * needed, and again when the service did not accept the one it gave.
 */
export type TokenOption = string | (() => string | Promise<string>) | TokenProvider;

// One place that hands out tokens, so that many calls at once refresh a refused one together.

export type TokenSource = {
  /** The token to send, or null when the client has none. Rejects with TokenError. */
  get(): Promise<string | null>;
  /**
   * The token that replaces `refused`, or null when there is no other. Calls that were refused with
   * the same token share one refresh. Rejects with TokenError.
   */
  refresh(refused: string): Promise<string | null>;
  /** Says that what replaced `refused` was not accepted either, so that the next call asks anew. */
  forget(refused: string): void;
};

const NOTHING: TokenSource = {
  get: async () => null,
  refresh: async () => null,
  forget: () => {},
};

/** A token that cannot be refreshed is sent as it is, for ever. */
export const createTokenSource = (token: TokenOption | undefined): TokenSource => {
  if (token === undefined) return NOTHING;
  if (typeof token === 'string') return { ...NOTHING, get: () => attempt(() => token) };
  return shareRefreshes(typeof token === 'function' ? rememberToken(token) : token);
};

/** Asks the function once for each token that it is to give. */
const rememberToken = (getToken: () => string | Promise<string>): TokenProvider => {
  let current: Promise<string> | null = null;
  const ask = (): Promise<string> => {
    const asked = Promise.resolve().then(getToken);
    current = asked;
    // A failure is not remembered: the next call asks again.
    asked.catch(() => {
      if (current === asked) current = null;
    });
    return asked;
  };
  return { getToken: () => current ?? ask(), refreshToken: ask };
};

const shareRefreshes = (provider: TokenProvider): TokenSource => {
  let last: { refused: string; fresh: Promise<string> } | null = null;

  const forget = (refused: string): void => {
    if (last?.refused === refused) last = null;
  };

  const start = (refused: string): Promise<string> => {
    const fresh = attempt(() => provider.refreshToken(refused));
    last = { refused, fresh };
    // A refresh that gave nothing new must not stand in the way of the next one.
    const end = () => forget(refused);
    fresh.then((token) => token === refused && end(), end);
    return fresh;
  };

  return {
    get: () => attempt(() => provider.getToken()),
    refresh: async (refused) => {
      const fresh = await (last?.refused === refused ? last.fresh : start(refused));
      return fresh === refused ? null : fresh;
    },
    forget,
  };
};

/** What no header can carry is said without the token itself, which `Headers` would put into its message. */
const checkToken = (token: unknown): string => {
  if (typeof token !== 'string') throw new TypeError('The token is not a string.');
  if (/^[\t\x20-\x7E\x80-\xFF]*$/.test(token.trim())) return token;
  throw new TypeError('The token has a character that no header can carry.');
};

const attempt = async (ask: () => string | Promise<string>): Promise<string> => {
  try {
    return checkToken(await ask());
  } catch (cause) {
    throw new TokenError(cause);
  }
};

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
