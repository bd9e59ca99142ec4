import { ServiceError, TokenError } from './errors.ts';
import type { Deadline } from './timers.ts';
import { abortable } from './timers.ts';

/** Where tokens come from, for those who keep them themselves. */
export type TokenProvider = {
  /** The token to send now. Called before every request. */
  getToken(): string | Promise<string>;
  /** A new token in place of one that the service did not accept. */
  refreshToken(refused: string): string | Promise<string>;
};

/**
 * A token that never changes, a function, or a provider. The function is called when a token is first
 * needed, and again when the service did not accept the one it gave, or when it gave none in time.
 */
export type TokenOption = string | (() => string | Promise<string>) | TokenProvider;

// One place that hands out tokens, so that many calls at once refresh a refused one together.

export type TokenSource = {
  /** The token to send, or null when the client has none. Rejects with TokenError. */
  get(deadline: Deadline): Promise<string | null>;
  /**
   * The token that replaces `refused`, or null when there is no other. Calls that were refused with
   * the same token share one refresh. Rejects with TokenError.
   */
  refresh(refused: string, deadline: Deadline): Promise<string | null>;
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
  return shareRefreshes(typeof token === 'function' ? rememberToken(token) : askAlways(token));
};

/** Where tokens come from; both reject with TokenError. */
type Origin = {
  get(): Promise<string>;
  refresh(refused: string): Promise<string>;
  /** Says that a token did not come in time, so that the next call asks anew. */
  drop(asked: Promise<string>): void;
};

const askAlways = (provider: TokenProvider): Origin => ({
  get: () => attempt(() => provider.getToken()),
  refresh: (refused) => attempt(() => provider.refreshToken(refused)),
  drop: () => {},
});

/** Asks the function once for each token that it is to give. */
const rememberToken = (getToken: () => string | Promise<string>): Origin => {
  let current: Promise<string> | null = null;
  let [asks, newest] = [0, 0];
  const drop = (asked: Promise<string>): void => {
    if (current === asked) current = null;
  };
  const ask = (): Promise<string> => {
    asks += 1;
    const number = asks;
    const asked = attempt(getToken);
    current = asked;
    // A token that comes late, as after a sign-in by hand, serves later calls, unless a newer one came before it.
    const remember = () => {
      if (number < newest) return;
      newest = number;
      current = asked;
    };
    // A failure is not remembered: the next call asks again.
    asked.then(remember, () => drop(asked));
    return asked;
  };
  return { get: () => current ?? ask(), refresh: ask, drop };
};

const shareRefreshes = (origin: Origin): TokenSource => {
  let last: { refused: string; fresh: Promise<string> } | null = null;

  const start = (refused: string): Promise<string> => {
    const fresh = origin.refresh(refused);
    last = { refused, fresh };
    // A refresh without a new token must not block the next one.
    const end = () => drop(fresh);
    fresh.then((token) => token === refused && end(), end);
    return fresh;
  };
  const drop = (fresh: Promise<string>): void => {
    if (last?.fresh === fresh) last = null;
  };

  return {
    get: (deadline) => waitForToken(origin.get(), deadline, origin.drop),
    refresh: async (refused, deadline) => {
      const shared = last?.refused === refused ? last.fresh : start(refused);
      const fresh = await waitForToken(shared, deadline, (late) => {
        drop(late);
        origin.drop(late);
      });
      return fresh === refused ? null : fresh;
    },
    forget: (refused) => {
      if (last?.refused === refused) last = null;
    },
  };
};

/** Tokens have the time of the attempt that needs them; for one that does not come, the call does not ask again. */
const waitForToken = async (
  asked: Promise<string>,
  deadline: Deadline,
  drop: (asked: Promise<string>) => void,
): Promise<string> => {
  try {
    return await abortable(asked, deadline.signal);
  } catch (error) {
    if (!deadline.isOver()) throw error;
    drop(asked);
    throw new TokenError(deadline.signal.reason);
  }
};

/** Rejects a token that no header can carry, without naming it: the error of `Headers` would contain it. */
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

/** Runs work that has the time of one attempt. */
type InTime = <Result>(work: (deadline: Deadline) => Promise<Result>) => Promise<Result>;

/**
 * Sends with the current token and, once for the whole call, again with a refreshed one when the
 * answer says `auth_success: false`; both have time of their own, so that a slow refusal leaves enough for a slow refresh.
 * Further attempts of the call keep to one refresh in all.
 */
export const withRefreshedToken = (tokens: TokenSource, inTime: InTime) => {
  let isRefreshSpent = false;

  return async <Answer>(
    send: (token: string | null, deadline: Deadline) => Promise<Answer>,
  ): Promise<Answer> => {
    let token: string | null = null;
    try {
      return await inTime(async (deadline) => {
        token = await tokens.get(deadline);
        return send(token, deadline);
      });
    } catch (error) {
      const refused = token as string | null;
      if (isRefreshSpent || refused === null || !isTokenRefused(error)) throw error;
      isRefreshSpent = true;
      return inTime(async (deadline) => {
        const fresh = await tokens.refresh(refused, deadline);
        if (fresh === null) throw error;
        return send(fresh, deadline).catch((again: unknown) => {
          if (isTokenRefused(again)) tokens.forget(refused);
          throw again;
        });
      });
    }
  };
};

const isTokenRefused = (error: unknown): boolean =>
  error instanceof ServiceError && !error.authSuccess;
