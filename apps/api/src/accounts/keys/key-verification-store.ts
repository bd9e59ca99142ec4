// The two statements behind every request with an API key.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

const FIND_KEY = {
  name: 'find_service_key',
  text: `
    SELECT key_id AS "keyId", account_id AS "accountId", permissions, sandbox_ids AS "sandboxIds",
           expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"
    FROM service_key WHERE digest = $1`,
};

/** Several processes may think it is time; one of them writes. */
const TOUCH_KEY = {
  name: 'touch_service_key',
  text: `
    UPDATE service_key SET last_used_at = $2
    WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
};

export type StoredKey = {
  keyId: string;
  accountId: string;
  permissions: string[];
  sandboxIds: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
};

export type KeyVerificationStore = ReturnType<typeof createKeyVerificationStore>;

export const createKeyVerificationStore = ({ pool }: Pick<Database, 'pool'>) => ({
  findKey: async (digest: Uint8Array): Promise<StoredKey | null> => {
    const [row] = await runPrepared<StoredKey>(pool, FIND_KEY, [Buffer.from(digest)]);
    return row ?? null;
  },
  touchKey: async (keyId: string, now: Date): Promise<void> => {
    await runPrepared(pool, TOUCH_KEY, [keyId, now]);
  },
});
