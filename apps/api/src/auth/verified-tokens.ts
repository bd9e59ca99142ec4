// Tokens whose signature and claims were found good, so that a player's next request costs a digest and not a signature.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';

export type VerifiedTokens = {
  /**
   * What is known of a token, and a way to keep what a check of it finds. What was checked with keys that have changed
   * since the look is not kept.
   */
  look(token: string): Look;
  /** The keys have changed: every token is checked against the new ones. */
  clear(): void;
  /** How many are remembered. */
  count(): number;
};

export type Look = {
  /** Whose token it is; absent when it has to be checked. */
  caller?: Caller;
  /** `expiresAt` in milliseconds since 1970, with the tolerance for clocks in it. */
  keep(caller: Caller, expiresAt: number): void;
};

type Entry = { caller: Caller; expiresAt: number };

const MAX_TOKENS = 20_000;
/** A caller with very many permissions is not worth the room. */
const MAX_PERMISSIONS = 64;
/** The tokens of one kind of caller name the same permissions: of so many lists, each is kept once. */
const MAX_LISTS = 1_000;

/** Kept by their digests: whoever reads the memory of the service finds no credential in it. */
export const createVerifiedTokens = (now: () => number = Date.now): VerifiedTokens => {
  const entries = new LRUCache<string, Entry>({ max: MAX_TOKENS });
  const share = createListSharing();
  let generation = 0;
  const find = (digest: string): Caller | undefined => {
    const entry = entries.get(digest);
    if (!entry) return undefined;
    if (now() < entry.expiresAt) return entry.caller;
    entries.delete(digest);
    return undefined;
  };
  return {
    look: (token) => {
      const digest = digestOf(token);
      const caller = find(digest);
      const begun = generation;
      return {
        ...(caller && { caller }),
        keep: (checked, expiresAt) => {
          if (begun !== generation || checked.permissions.length > MAX_PERMISSIONS) return;
          const caller = { ...checked, permissions: share(checked.permissions) };
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

const createListSharing = () => {
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
