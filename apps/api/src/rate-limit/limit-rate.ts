import type { Authenticate, Caller } from '../auth/index.ts';
import type { RateLimit } from '../config/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createCredentialRates } from './credential-rates.ts';

/**
 * Authenticates, and counts who asks: before anything costly is done for them, and after the credential was verified, so that
 * nobody uses up what is another's. Tokens count by their account, since a player has many; keys by themselves. Throws
 * `rate_limited` with the time to wait.
 */
export const limitRate = (
  authenticate: Authenticate,
  rateLimit: RateLimit | undefined,
  onRefused: () => void,
): Authenticate => {
  if (!rateLimit) return authenticate;
  const rates = createCredentialRates(rateLimit);
  return async (authorization) => {
    const caller = await authenticate(authorization);
    const retryAfterSeconds = rates.take(nameCredential(caller));
    if (retryAfterSeconds === 0) return caller;
    onRefused();
    throw new ServiceError('rate_limited', { retryAfterSeconds });
  };
};

const nameCredential = ({ accountId, key }: Caller): string =>
  key ? `key ${key.keyId}` : `account ${accountId}`;
