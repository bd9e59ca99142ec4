// Signs the tokens of the kit: one for what it sets up, one for each interaction.
import { SignJWT } from 'jose';

export type TokenClaims = { sub?: string; permissions: readonly string[]; platform?: string };

export type Signer = { secret: string; issuer?: string; audience?: string };

const TTL_SECONDS = 600;

/** `ageSeconds` moves the token into the past: one that is older than its life has expired. */
export const signToken = (
  claims: TokenClaims,
  { secret, issuer, audience }: Signer,
  ageSeconds = 0,
): Promise<string> => {
  const issuedAt = Math.floor(Date.now() / 1000) - ageSeconds;
  const { sub, permissions, platform } = claims;
  const token = new SignJWT({ permissions, ...(platform && { platform }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TTL_SECONDS);
  if (sub !== undefined) token.setSubject(sub);
  if (issuer) token.setIssuer(issuer);
  if (audience) token.setAudience(audience);
  return token.sign(new TextEncoder().encode(secret));
};
