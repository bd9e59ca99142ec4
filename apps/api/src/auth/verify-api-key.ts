// Verifies API keys. A key is cached for some seconds, so that a busy client costs one read.
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../platform/index.ts';
import type { KeyVerificationStore, StoredKey } from './api-key-store.ts';
import { toKeyCaller } from './api-key-store.ts';
import { digestSecret, isWellFormedKey } from './api-keys.ts';
import type { Caller } from './permissions.ts';

/** How long a revoked key may still work in other processes: below the promised 5 s. */
const CACHE_MS = 4_000;
const MAX_CACHED = 5_000;
const TOUCH_INTERVAL_MS = 60_000;

type CachedKey = { found: Promise<StoredKey | null>; readAt: number; touchedAt: number };

export const createKeyVerifier = (
  store: KeyVerificationStore,
  now: () => Date,
  onTouchFailure: (error: unknown) => void,
  /** A clock that is never set back, since that would keep a revoked key in the cache. */
  monotonicMs: () => number = () => performance.now(),
) => {
  const cached = new LRUCache<string, CachedKey>({ max: MAX_CACHED });
  const pendingTouches = new Set<Promise<void>>();

  const lookUp = (id: string, digest: Buffer): CachedKey => {
    const at = monotonicMs();
    const known = cached.get(id);
    if (known && at - known.readAt < CACHE_MS) return known;
    // The time before the read counts, so that a key revoked during the read is not cached longer.
    const entry = { found: store.findKey(digest), readAt: at, touchedAt: known?.touchedAt ?? 0 };
    cached.set(id, entry);
    return entry;
  };

  const touch = (entry: CachedKey, { keyId, lastUsedAt }: StoredKey): void => {
    const at = now();
    const last = Math.max(lastUsedAt?.getTime() ?? 0, entry.touchedAt);
    if (at.getTime() - last < TOUCH_INTERVAL_MS) return;
    entry.touchedAt = at.getTime();
    const touching = store
      .touchKey(keyId, at)
      .catch(onTouchFailure)
      .finally(() => pendingTouches.delete(touching));
    pendingTouches.add(touching);
  };

  return {
    /** Throws `auth_token_unknown`, `auth_token_expired`, or what the database throws. */
    async verify(key: string): Promise<Caller> {
      if (!isWellFormedKey(key)) throw new ServiceError('auth_token_unknown');
      const digest = digestSecret(key);
      const id = digest.toString('base64url');
      const entry = lookUp(id, digest);
      const stored = await entry.found.catch((error: unknown) => {
        cached.delete(id);
        throw error;
      });
      if (stored === null) cached.delete(id);
      const caller = toKeyCaller(stored, now());
      if (stored) touch(entry, stored);
      return caller;
    },
    /** Empties the cache, since this process changed a key. */
    clear: (): void => cached.clear(),
    /** Resolves when the times of last use are written. */
    finish: async (): Promise<void> => {
      await Promise.all(pendingTouches);
    },
  };
};
