// The credential in the sample requests: shown only where nobody else can use it.
import type { SigningKeys } from '../auth/index.ts';
import { signToken } from '../auth/index.ts';
import type { Config } from '../config/index.ts';
import { isLoopbackHost } from '../config/index.ts';
import { writePrivately } from './write-privately.ts';

export type SampleCredential = { credential: string; credentialNote?: string };

const PERMISSIONS = ['session:update-player:self', 'sandbox:config:view'];
const TTL_SECONDS = 24 * 60 * 60;

/** Beyond loopback the token goes into a file of mode 0600, and the requests read it from there. */
export const makeSampleCredential = async (
  { auth, host, dataDir }: Config,
  keys: SigningKeys,
  playerUuid: string,
): Promise<SampleCredential> => {
  if (keys.kind === 'jwks') return PLACEHOLDER;
  const claims = { sub: playerUuid, permissions: PERMISSIONS };
  const { keys: _, ...names } = auth;
  const token = await signToken(claims, { ...names, ...keys, ttlSeconds: TTL_SECONDS });
  if (isLoopbackHost(host)) return { credential: token };
  const file = await writePrivately(dataDir, 'sample-token', token);
  return {
    credential: `$(cat ${quoteForShell(file)})`,
    credentialNote: `The token of these requests is in ${file}.`,
  };
};

const PLACEHOLDER = {
  credential: '<token>',
  credentialNote:
    'Put a token of your issuer in the place of <token>: this service cannot sign one.',
};

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
