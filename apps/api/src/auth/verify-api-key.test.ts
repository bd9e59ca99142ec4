import { expect, it } from 'vitest';
import type { StoredKey } from './api-key-store.ts';
import { makeKey } from './api-keys.ts';
import { createKeyVerifier } from './verify-api-key.ts';

const { key } = makeKey();
const STORED: StoredKey = {
  keyId: 'k',
  accountId: 'a',
  permissions: ['session:view'],
  sandboxIds: [],
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

/** A verifier over a controllable store, with its own clocks. `setBack` is how far the system clock was set back. */
const createSubject = () => {
  const state = {
    now: 0,
    setBack: 0,
    reads: 0,
    touches: 0,
    down: false,
    stored: STORED as StoredKey | null,
  };
  const verifier = createKeyVerifier(
    {
      findKey: async () => {
        state.reads += 1;
        if (state.down) throw new Error('the database is down');
        return state.stored;
      },
      touchKey: async () => {
        state.touches += 1;
      },
    },
    () => new Date(1_000_000 + state.now - state.setBack),
    () => {},
    () => state.now,
  );
  return { state, verifier };
};

it('reads a busy key once in four seconds and writes its last use once a minute', async () => {
  const { state, verifier } = createSubject();
  for (state.now = 0; state.now <= 59_000; state.now += 1_000) await verifier.verify(key);
  expect([state.reads, state.touches]).toEqual([15, 1]);
  state.now = 61_000;
  await verifier.verify(key);
  expect(state.touches).toBe(2);
});

it('uses a cache entry for less than five seconds, and never beyond the expiry of the key', async () => {
  const { state, verifier } = createSubject();
  await verifier.verify(key);
  state.stored = { ...STORED, revokedAt: new Date(0) };
  state.now = 3_999;
  await verifier.verify(key);
  state.now = 4_000;
  await expect(verifier.verify(key)).rejects.toMatchObject({ code: 'auth_token_unknown' });
  state.stored = { ...STORED, expiresAt: new Date(1_010_000) };
  state.now = 9_000;
  await verifier.verify(key);
  state.now = 10_000;
  await expect(verifier.verify(key)).rejects.toMatchObject({ code: 'auth_token_expired' });
});

it('does not extend a cache entry when the system clock is set back', async () => {
  const { state, verifier } = createSubject();
  await verifier.verify(key);
  state.stored = { ...STORED, revokedAt: new Date(0) };
  state.setBack = 600_000;
  state.now = 4_000;
  await expect(verifier.verify(key)).rejects.toMatchObject({ code: 'auth_token_unknown' });
});

it('throws an outage, does not cache it, and never reports it as a refusal', async () => {
  const { state, verifier } = createSubject();
  state.down = true;
  await expect(verifier.verify(key)).rejects.toThrow('the database is down');
  state.down = false;
  await expect(verifier.verify(key)).resolves.toMatchObject({ accountId: 'a' });
});

it('does not query the database for a malformed key', async () => {
  const { state, verifier } = createSubject();
  await expect(verifier.verify('msk_short')).rejects.toMatchObject({ code: 'auth_token_unknown' });
  expect(state.reads).toBe(0);
});

it('clears the cache when keys change', async () => {
  const { state, verifier } = createSubject();
  await verifier.verify(key);
  state.stored = null;
  verifier.clear();
  await expect(verifier.verify(key)).rejects.toMatchObject({ code: 'auth_token_unknown' });
});
