// Authenticates the Authorization header of a request: a token or an API key. Verified tokens are cached, so that a
// player's next request costs a digest instead of a signature check.
import { hash } from 'node:crypto';
import { MAX_TOKEN_LENGTH } from '@muster/contract';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../platform/index.ts';
import type { Caller } from './permissions.ts';
import type { ClaimNames } from './token-claims.ts';
import { toCaller } from './token-claims.ts';
import type { SigningKeys } from './verify-token.ts';
import { createVerificationKeys, toTokenError, verifyToken } from './verify-token.ts';

/**
 * Returns the caller of the Authorization header. Throws ServiceError: one of the `auth_…` codes, or
 * `service_unavailable` when the issuer's keys cannot be read. When the look-up of an API key fails, the database error
 * is thrown, since that is an outage and not a refusal.
 */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

type AuthenticateOptions = ClaimNames & {
  keys: SigningKeys;
  issuer?: string;
  audience?: string;
  verifyKey: (key: string) => Promise<Caller>;
  /** Registers the token cache with the metrics; the result is called with each hit or miss. */
  observeCache: (countEntries: () => number) => (isHit: boolean) => void;
};

/** How far the clocks of issuer and service may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;

export const createAuthenticate = (options: AuthenticateOptions): Authenticate => {
  const cache = createTokenCache();
  const onLookUp = options.observeCache(cache.count);
  const keys = createVerificationKeys(options.keys, cache.clear);
  const rules = {
    algorithms: keys.algorithms,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp', 'sub'],
    ...(options.issuer && { issuer: options.issuer }),
    ...(options.audience && { audience: options.audience }),
  };
  return async (authorization) => {
    const token = readBearerCredential(authorization);
    if (token.startsWith(API_KEY_PREFIX)) return options.verifyKey(token);
    // An unsigned token has three parts too; its last one is empty.
    if (token.split('.', 4).length !== 3) throw new ServiceError('auth_not_jwt');
    const refreshing = keys.refreshIfStale?.();
    if (refreshing) await refreshing;
    const cached = cache.lookUp(token);
    onLookUp(cached.caller !== undefined);
    if (cached.caller) return cached.caller;
    if (!BASE64URL_PARTS.test(token)) throw new ServiceError('auth_token_format');
    try {
      const claims = await verifyToken(token, keys, rules);
      const caller = toCaller(claims, options);
      cached.store(caller, ((claims.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000);
      return caller;
    } catch (error) {
      throw toTokenError(error, token);
    }
  };
};

/**
 * Three parts in the base64url alphabet, without padding (RFC 7515 section 2). Decoders skip white space, some also other
 * characters, so that a token would have many spellings.
 */
const BASE64URL_PARTS = /^[\w-]*\.[\w-]*\.[\w-]*$/;

/** API keys start with this prefix; a JWT never does, since base64url of `{"` starts with `ey`. */
const API_KEY_PREFIX = 'msk_';

/** The credential of the header (RFC 6750 section 2.1). Throws ServiceError when there is none. */
const readBearerCredential = (authorization: string | undefined): string => {
  const credential = /^bearer +(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (credential === undefined) throw new ServiceError('auth_missing');
  if (credential.length > MAX_TOKEN_LENGTH) throw new ServiceError('auth_token_too_large');
  return credential;
};

type StoredCaller = { caller: Caller; expiresAt: number };

const MAX_TOKENS = 20_000;
/** Callers with more permissions are not cached, to save memory. */
const MAX_PERMISSIONS = 64;
/** Many tokens name the same permissions, so equal lists are stored once. */
const MAX_LISTS = 1_000;

/** Keyed by digest, so that a memory dump shows no credential. */
export const createTokenCache = (now: () => number = Date.now) => {
  const entries = new LRUCache<string, StoredCaller>({ max: MAX_TOKENS });
  const share = createListInterner();
  let generation = 0;
  const find = (digest: string): Caller | undefined => {
    const entry = entries.get(digest);
    if (!entry) return undefined;
    if (now() < entry.expiresAt) return entry.caller;
    entries.delete(digest);
    return undefined;
  };
  return {
    lookUp: (token: string) => {
      const digest = hash('sha256', token, 'base64');
      const startedIn = generation;
      return {
        /** Undefined when the token must be verified. */
        caller: find(digest),
        /**
         * Caches a verified token, unless the cache was cleared since the look-up, when the result may depend on old
         * keys. `expiresAt` is in milliseconds since 1970 and includes the clock tolerance.
         */
        store: (verified: Caller, expiresAt: number): void => {
          if (startedIn !== generation || verified.permissions.length > MAX_PERMISSIONS) return;
          const caller = { ...verified, permissions: share(verified.permissions) };
          entries.set(digest, { caller, expiresAt });
        },
      };
    },
    /** Call this when the keys change. */
    clear: (): void => {
      generation += 1;
      entries.clear();
    },
    count: (): number => entries.size,
  };
};

const createListInterner = () => {
  const lists = new LRUCache<string, readonly string[]>({ max: MAX_LISTS });
  return (list: readonly string[]): readonly string[] => {
    const text = JSON.stringify(list);
    const known = lists.get(text);
    if (known) return known;
    lists.set(text, list);
    return list;
  };
};
