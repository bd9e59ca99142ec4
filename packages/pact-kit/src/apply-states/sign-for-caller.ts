// The Authorization header of an interaction: who calls, or what is wrong with the credential.
import { randomBytes } from 'node:crypto';
import type { CallerStateParameters, RequestRoute } from '../provider-states/index.ts';
import type { Aliases } from './aliases.ts';
import { KIT_ACCOUNT } from './service-client.ts';
import type { Signer, TokenClaims } from './sign-token.ts';
import { signToken } from './sign-token.ts';

const LONG_AGO_SECONDS = 3600;

type Credential = CallerStateParameters['credential'];

/** The header's value, or null for none. Without a caller state, the player joins and a viewer reads. */
export const signForCaller = async (
  caller: CallerStateParameters | undefined,
  route: RequestRoute | null,
  aliases: Aliases,
  signer: Signer,
): Promise<string | null> => {
  const claims = describeCaller(caller, route, aliases);
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
  route: RequestRoute | null,
  aliases: Aliases,
): TokenClaims => {
  const player = route?.parameters.player_uuid;
  const permissions = caller?.permissions ?? [
    player ? 'session:update-player:self' : 'sandbox:config:view',
  ];
  return {
    sub: aliases.uuidsIn(caller?.sub ?? player ?? KIT_ACCOUNT),
    permissions: permissions.map(aliases.uuidsIn),
    ...(caller?.platform && { platform: caller.platform }),
  };
};
