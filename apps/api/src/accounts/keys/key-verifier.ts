// Verifies API keys. A key that was found is remembered for a moment, so that a busy client costs one read.
import { narrowToSandboxes } from '@muster/contract';
import type { Caller } from '../../auth/index.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { digestKey, isWellFormedKey } from './api-key.ts';
import type { KeyVerificationStore, StoredKey } from './key-verification-store.ts';

/** A revoked key works for this long at most in processes that have just seen it: below the promised 5 s. */
const REMEMBER_MS = 4_000;
const MAX_REMEMBERED = 5_000;
const TOUCH_EVERY_MS = 60_000;

export type KeyVerifier = {
  /** Throws `auth_token_unknown`, `auth_token_expired`, or what the database throws. */
  verify(key: string): Promise<Caller>;
  /** Forgets what is remembered, since a key of this process changed. */
  forget(): void;
  /** Resolves when the times of last use are written. */
  finish(): Promise<void>;
};

type Remembered = { found: Promise<StoredKey | null>; readAt: number; touchedAt: number };

export const createKeyVerifier = (
  store: KeyVerificationStore,
  now: () => Date,
  onTouchFailed: (error: unknown) => void,
): KeyVerifier => {
  const remembered = new Map<string, Remembered>();
  const touches = new Set<Promise<void>>();

  const recall = (id: string, digest: Uint8Array): Remembered => {
    const at = now().getTime();
    const known = remembered.get(id);
    if (known && at - known.readAt < REMEMBER_MS) return known;
    remembered.delete(id);
    const oldest = remembered.keys().next();
    if (remembered.size >= MAX_REMEMBERED && !oldest.done) remembered.delete(oldest.value);
    // Counted from before the read: a key that is revoked while it is read is not trusted any longer for that.
    const entry = { found: store.findKey(digest), readAt: at, touchedAt: known?.touchedAt ?? 0 };
    remembered.set(id, entry);
    return entry;
  };

  const touch = (entry: Remembered, { keyId, lastUsedAt }: StoredKey): void => {
    const at = now();
    const last = Math.max(lastUsedAt?.getTime() ?? 0, entry.touchedAt);
    if (at.getTime() - last < TOUCH_EVERY_MS) return;
    entry.touchedAt = at.getTime();
    const touching = store
      .touchKey(keyId, at)
      .catch(onTouchFailed)
      .finally(() => touches.delete(touching));
    touches.add(touching);
  };

  return {
    async verify(key) {
      if (!isWellFormedKey(key)) throw new ServiceError('auth_token_unknown');
      const digest = digestKey(key);
      const id = Buffer.from(digest).toString('base64url');
      const entry = recall(id, digest);
      const stored = await entry.found.catch((error: unknown) => {
        remembered.delete(id);
        throw error;
      });
      if (stored === null) remembered.delete(id);
      const caller = toCaller(stored, now());
      if (stored) touch(entry, stored);
      return caller;
    },
    forget: () => remembered.clear(),
    finish: async () => {
      await Promise.all(touches);
    },
  };
};

const toCaller = (stored: StoredKey | null, now: Date): Caller => {
  if (!stored || (stored.revokedAt && stored.revokedAt <= now)) {
    throw new ServiceError('auth_token_unknown');
  }
  if (stored.expiresAt && stored.expiresAt <= now) {
    throw new ServiceError('auth_token_expired', { desc: 'The key has expired.' });
  }
  const sandboxIds = stored.sandboxIds.length > 0 ? stored.sandboxIds : undefined;
  return {
    accountId: stored.accountId,
    permissions: narrowToSandboxes(stored.permissions, sandboxIds),
    key: { keyId: stored.keyId, ...(sandboxIds && { sandboxIds }) },
  };
};
