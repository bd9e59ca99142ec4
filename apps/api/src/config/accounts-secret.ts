// The secret that cookies are signed and second factors are encrypted with.
import { hkdfSync } from 'node:crypto';
import type { Config } from './load-config.ts';
import { ensureLocalSecret } from './local-secret.ts';

/**
 * ACCOUNTS_SECRET; else one derived from the shared signing secret, so that several processes agree; else one
 * made in DATA_DIR. Another secret signs everybody out and voids second factors.
 */
export const getAccountsSecret = async ({ accounts, auth, dataDir }: Config): Promise<string> => {
  if (accounts.secret) return accounts.secret;
  if (auth.keys.kind === 'secret') return derive(auth.keys.secret);
  return ensureLocalSecret(dataDir, 'accounts-secret');
};

/** RFC 5869: what is signed for accounts can never be taken for a token, nor the other way round. */
const derive = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'muster accounts', 32)).toString('base64url');
