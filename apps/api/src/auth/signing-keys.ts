import type { Config } from '../config/index.ts';
import { ensureLocalSecret } from '../config/index.ts';
import type { SigningKeys } from './verification-keys.ts';

/** The configured keys, or the local secret, which is made on the first start. */
export const getSigningKeys = async ({ auth, dataDir }: Config): Promise<SigningKeys> =>
  auth.keys.kind === 'local'
    ? { kind: 'secret', secret: await ensureLocalSecret(dataDir) }
    : auth.keys;
