// Signs the tokens of the kit: one for what it sets up, and the Authorization header of each interaction.
import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import type { CallerStateParameters } from '../provider-states/resolve-state.ts';
import type { Aliases } from './aliases.ts';

type TokenClaims = { sub?: string; permissions: readonly string[]; platform?: string };

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

const LONG_AGO_SECONDS = 3600;

type Credential = CallerStateParameters['credential'];

/** The header's value, or null for none. Without a caller state, the caller is the player, if there is one, or a viewer of histories. */
export const signForCaller = async (
  caller: CallerStateParameters | undefined,
  player: string | undefined,
  aliases: Aliases,
  signer: Signer,
): Promise<string | null> => {
  const claims = describeCaller(caller, player, aliases);
  const credential = await CREDENTIALS[caller?.credential ?? 'accepted'](claims, signer);
  return credential === null ? null : `Bearer ${credential}`;
};

type MakeCredential = (claims: TokenClaims, signer: Signer) => Promise<string | null>;

const CREDENTIALS: Record<Credential, MakeCredential> = {
  accepted: signToken,
  missing: async () => null,
  not_jwt: async () => 'no-token-at-all',
  malformed: async () => 'no.readable.token',
  bad_signature: (claims) => signToken(claims, { secret: randomBytes(32).toString('hex') }),
  expired: (claims, signer) => signToken(claims, signer, LONG_AGO_SECONDS),
  invalid_claim: ({ sub: _sub, ...claims }, signer) => signToken(claims, signer),
  unknown_key: async () => `msk_${randomBytes(24).toString('hex')}`,
};

const describeCaller = (
  caller: CallerStateParameters | undefined,
  player: string | undefined,
  aliases: Aliases,
): TokenClaims => {
  const permissions = caller?.permissions ?? [
    player ? 'session:update-player:self' : 'sandbox:config:view',
  ];
  return {
    sub: aliases.uuidsIn(caller?.sub ?? player ?? KIT_ACCOUNT),
    permissions: permissions.map(aliases.uuidsIn),
    ...(caller?.platform && { platform: caller.platform }),
  };
};

/** The account that establishes a state, unless the state names one. */
export const KIT_ACCOUNT = 'pact-kit';
