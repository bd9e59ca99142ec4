// One place that hands out tokens, so that many calls at once refresh a refused one together.
import { TokenError } from '../errors/errors.ts';
import type { TokenOption, TokenProvider } from './token-provider.ts';

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
