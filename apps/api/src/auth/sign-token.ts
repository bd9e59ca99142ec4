import { SignJWT } from 'jose';
import { signingSecret } from './verification-keys.ts';

export type TokenClaims = {
  sub: string;
  permissions: readonly string[];
  platform?: string;
};

export type SignOptions = {
  secret: string;
  ttlSeconds: number;
  issuer?: string;
  audience?: string;
  permissionsClaim: string;
};

/** A token as a service with the same secret, issuer and audience accepts it. */
export const signToken = (claims: TokenClaims, options: SignOptions): Promise<string> => {
  const { sub, permissions, platform } = claims;
  const token = new SignJWT({
    sub,
    [options.permissionsClaim]: permissions,
    ...(platform && { platform }),
  });
  if (options.issuer) token.setIssuer(options.issuer);
  if (options.audience) token.setAudience(options.audience);
  const expiresAt = Math.floor(Date.now() / 1000) + options.ttlSeconds;
  return token
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(signingSecret(options.secret));
};
