// Signs tokens for developers and tests. In production the issuer of the platform does this.
import { SignJWT } from 'jose';
import type { Config } from '../platform/index.ts';
import { ensureLocalSecret } from '../platform/index.ts';
import type { SigningKeys } from './verify-token.ts';
import { signingSecret } from './verify-token.ts';

type TokenClaims = {
  sub: string;
  permissions: readonly string[];
  platform?: string;
};

type SignOptions = Pick<Config['auth'], 'issuer' | 'audience' | 'permissionsClaims'> & {
  secret: string;
  ttlSeconds: number;
};

/** Signs a token that a service with the same secret, issuer and audience accepts. */
export const signToken = (claims: TokenClaims, options: SignOptions): Promise<string> => {
  const { sub, permissions, platform } = claims;
  const [permissionsClaim = 'permissions'] = options.permissionsClaims;
  const token = new SignJWT({
    sub,
    [permissionsClaim]: permissions,
    ...(platform && { platform }),
  });
  if (options.issuer) token.setIssuer(options.issuer);
  if (options.audience) token.setAudience(options.audience);
  return token
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(`${options.ttlSeconds} s`)
    .sign(signingSecret(options.secret));
};

/** The configured keys, or the local secret, which the first start creates. */
export const getSigningKeys = async ({ auth, dataDir }: Config): Promise<SigningKeys> =>
  auth.keys.kind === 'local'
    ? { kind: 'secret', secret: await ensureLocalSecret(dataDir) }
    : auth.keys;
