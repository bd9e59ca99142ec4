// Tokens whose signature and claims were found good, so that a player's next request costs a digest and not a signature.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';

export type VerifiedTokens = {
  find(token: string): Caller | undefined;
  /** To be called before a token is verified: what was verified with keys that have changed since is not kept. */
  beginCheck(): Keep;
  /** The keys have changed: every token is checked against the new ones. */
  clear(): void;
};

/** `expiresAt` in milliseconds since 1970, with the tolerance for clocks in it. */
export type Keep = (token: string, caller: Caller, expiresAt: number) => void;

type Entry = { caller: Caller; expiresAt: number };

const MAX_TOKENS = 20_000;
/** A caller with very many permissions is not worth the room. */
const MAX_PERMISSIONS = 64;

/** Kept by their digests: whoever reads the memory of the service finds no credential in it. */
export const createVerifiedTokens = (now: () => number = Date.now): VerifiedTokens => {
  const entries = new LRUCache<string, Entry>({ max: MAX_TOKENS });
  let generation = 0;
  return {
    find: (token) => {
      const digest = digestOf(token);
      const entry = entries.get(digest);
      if (!entry) return undefined;
      if (now() < entry.expiresAt) return entry.caller;
      entries.delete(digest);
      return undefined;
    },
    beginCheck: () => {
      const begun = generation;
      return (token, caller, expiresAt) => {
        if (begun !== generation || caller.permissions.length > MAX_PERMISSIONS) return;
        entries.set(digestOf(token), { caller, expiresAt });
      };
    },
    clear: () => {
      generation += 1;
      entries.clear();
    },
  };
};

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64');
