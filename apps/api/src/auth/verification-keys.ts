// The keys that signatures are checked against: one shared secret, or the published keys of an issuer.
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { createRemoteJWKSet, errors } from 'jose';
import { ServiceError } from '../errors/service-error.ts';

export type SigningKeys = { kind: 'secret'; secret: string } | { kind: 'jwks'; url: URL };

type GetKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** `algorithms` is the whole list per kind of key, so that a public key can never be used as a secret. */
export type VerificationKeys = { algorithms: string[]; getKey: GetKey };

export const createVerificationKeys = (keys: SigningKeys): VerificationKeys =>
  keys.kind === 'secret'
    ? { algorithms: ['HS256'], getKey: useSecret(keys.secret) }
    : {
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
        getKey: findPublishedKey(keys.url),
      };

export const signingSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(secret);

/** The key is imported once, not for each token. */
const useSecret = (secret: string): GetKey => {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = crypto.subtle.importKey('raw', signingSecret(secret), hmac, false, ['verify']);
  return () => key;
};

/** A retired key is accepted for `cacheMaxAge` at most; unknown key ids cause one fetch per cooldown. */
const JWKS_OPTIONS = { timeoutDuration: 2_000, cacheMaxAge: 600_000, cooldownDuration: 30_000 };

const findPublishedKey = (url: URL): GetKey => {
  const findKey = createRemoteJWKSet(url, JWKS_OPTIONS);
  return (header, token) =>
    findKey(header, token).catch((error: unknown) => {
      throw isAboutToken(error) ? error : new ServiceError('service_unavailable', { cause: error });
    });
};

/** A key set that cannot be read is the service's trouble, never a refusal of the caller. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
