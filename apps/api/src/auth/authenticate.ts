// Verifies the bearer credential of a request: a token, or the API key of a service account.
import { readBearerCredential } from './bearer.ts';
import type { Caller } from './caller.ts';
import type { ClaimNames } from './token-claims.ts';
import { readCaller } from './token-claims.ts';
import { toTokenError } from './token-errors.ts';
import type { SigningKeys } from './verification-keys.ts';
import { createVerificationKeys } from './verification-keys.ts';
import { createVerifiedTokens } from './verified-tokens.ts';
import { verifyToken } from './verify-token.ts';

/**
 * Turns the Authorization header into the caller. Throws ServiceError: one of the `auth_…` codes, or
 * `service_unavailable` when the keys of the issuer cannot be read now. An API key that cannot be looked up
 * throws what the database throws: an outage, never a refusal.
 */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

export type AuthenticateOptions = ClaimNames & {
  keys: SigningKeys;
  issuer?: string;
  audience?: string;
  verifyKey: (key: string) => Promise<Caller>;
  /** Watches the memory of verified tokens; what it answers hears of each look. */
  observeCache?: (countEntries: () => number) => (isHit: boolean) => void;
};

/** How far the clocks of issuer and service may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;

export const createAuthenticate = (options: AuthenticateOptions): Authenticate => {
  const verified = createVerifiedTokens();
  const looked = options.observeCache?.(verified.count);
  const keys = createVerificationKeys(options.keys, verified.clear);
  const rules = {
    algorithms: keys.algorithms,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp', 'sub'],
    ...(options.issuer && { issuer: options.issuer }),
    ...(options.audience && { audience: options.audience }),
  };
  return async (authorization) => {
    const credential = readBearerCredential(authorization);
    if (credential.kind === 'key') return options.verifyKey(credential.key);
    const { token } = credential;
    const becomingFresh = keys.keepFresh();
    if (becomingFresh) await becomingFresh;
    const look = verified.look(token);
    looked?.(look.caller !== undefined);
    if (look.caller) return look.caller;
    try {
      const claims = await verifyToken(token, keys, rules);
      const caller = readCaller(claims, options);
      look.keep(caller, ((claims.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000);
      return caller;
    } catch (error) {
      throw toTokenError(error, token);
    }
  };
};
