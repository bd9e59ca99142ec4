// The signing secrets of webhooks. The database has them encrypted, with a key that is derived from the secret of accounts.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** Newest first. A secret without an end is the current one. */
export const StoredSecrets = z.array(
  z.object({ sealed: z.string(), created_at: z.string(), expires_at: z.string().optional() }),
);
export type StoredSecrets = z.infer<typeof StoredSecrets>;

/** Rotations within one overlap: older secrets stop signing. */
const MAX_SECRETS = 3;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type SecretBox = ReturnType<typeof createSecretBox>;

export const createSecretBox = (accountsSecret: string) => {
  const key = Buffer.from(hkdfSync('sha256', accountsSecret, '', 'muster webhooks', 32));
  return {
    /** The result belongs to one endpoint and cannot be opened for another one. */
    seal: (secret: string, endpointId: string): string => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(endpointId));
      const parts = [iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(parts).toString('base64');
    },
    /** Throws when the secret was encrypted with another key. */
    open: (sealed: string, endpointId: string): string => {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(endpointId)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
};

/** In the form of Standard Webhooks. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Adds a secret; the others sign until the end of the overlap. */
export const rotate = (
  secrets: StoredSecrets,
  sealed: string,
  { now, overlapMs }: { now: Date; overlapMs: number },
): StoredSecrets => {
  const end = new Date(now.getTime() + overlapMs).toISOString();
  const kept = listActive(secrets, now).map((secret) => ({
    ...secret,
    expires_at:
      secret.expires_at !== undefined && secret.expires_at < end ? secret.expires_at : end,
  }));
  const all = [{ sealed, created_at: now.toISOString() }, ...kept];
  return listActive(all, now).slice(0, MAX_SECRETS);
};

/** The secrets that sign now. */
const listActive = (secrets: StoredSecrets, now: Date): StoredSecrets =>
  secrets.filter(({ expires_at }) => expires_at === undefined || expires_at > now.toISOString());

/** Without secrets that were encrypted with another key: after its change, a rotation repairs the endpoint at once. */
export const listReadable = (
  box: SecretBox,
  { secrets, endpointId }: { secrets: unknown; endpointId: string },
): StoredSecrets =>
  StoredSecrets.parse(secrets).filter(({ sealed }) => {
    try {
      box.open(sealed, endpointId);
      return true;
    } catch {
      return false;
    }
  });

/** The texts of the secrets that sign now. Throws when one was encrypted with another key. */
export const openActive = (
  box: SecretBox,
  { secrets, endpointId }: { secrets: unknown; endpointId: string },
  now: Date,
): string[] =>
  listActive(StoredSecrets.parse(secrets), now).map(({ sealed }) => box.open(sealed, endpointId));
