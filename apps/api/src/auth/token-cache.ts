// Remembers verified tokens, so that a player's next request costs a digest instead of a signature check.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from './permissions.ts';

type TokenCache = {
  lookUp(token: string): CacheEntry;
  /** To be called when the keys change. */
  clear(): void;
  count(): number;
};

type CacheEntry = {
  /** Absent for a token that must be verified. */
  caller?: Caller;
  /**
   * Keeps the result of the verification, unless the cache was cleared since the look-up: it may rest on old keys.
   * `expiresAt` is in milliseconds since 1970 and includes the tolerance for clocks.
   */
  store(caller: Caller, expiresAt: number): void;
};

type StoredCaller = { caller: Caller; expiresAt: number };

const MAX_TOKENS = 20_000;
/** A caller with more is not worth the memory. */
const MAX_PERMISSIONS = 64;
/** Many tokens name the same permissions, so equal lists are stored once. */
const MAX_LISTS = 1_000;

/** Keyed by digest, so that a memory dump shows no credential. */
export const createTokenCache = (now: () => number = Date.now): TokenCache => {
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
    lookUp: (token) => {
      const digest = digestOf(token);
      const caller = find(digest);
      const startedIn = generation;
      return {
        ...(caller && { caller }),
        store: (verified, expiresAt) => {
          if (startedIn !== generation || verified.permissions.length > MAX_PERMISSIONS) return;
          const caller = { ...verified, permissions: share(verified.permissions) };
          entries.set(digest, { caller, expiresAt });
        },
      };
    },
    clear: () => {
      generation += 1;
      entries.clear();
    },
    count: () => entries.size,
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

const digestOf = (token: string): string => hash('sha256', token, 'base64');
