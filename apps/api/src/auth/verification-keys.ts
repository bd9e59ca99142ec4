// The keys that signatures are checked against: one shared secret, or the published keys of an issuer.
import type { GetKey, PublishedKeys } from './published-keys.ts';
import { createPublishedKeys } from './published-keys.ts';

export type SigningKeys =
  /** `previous` still verifies, and signs nothing: tokens that were signed with it run out. */
  { kind: 'secret'; secret: string; previous?: string } | { kind: 'jwks'; url: URL };

/** `algorithms` is the whole list per kind of key, so that a public key can never be used as a secret. */
export type VerificationKeys = PublishedKeys & {
  algorithms: string[];
  /** The shared secret, where there is one: what `getKey` answers, in the form that the short way takes. */
  secret?: string;
  getPreviousKey?: GetKey;
};

/** `onChange` hears that the keys are others than before. */
export const createVerificationKeys = (
  keys: SigningKeys,
  onChange: () => void,
): VerificationKeys =>
  keys.kind === 'secret'
    ? {
        algorithms: ['HS256'],
        secret: keys.secret,
        getKey: useSecret(keys.secret),
        ...(keys.previous !== undefined && { getPreviousKey: useSecret(keys.previous) }),
        keepFresh: () => undefined,
      }
    : {
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
        ...createPublishedKeys({ url: keys.url, onChange }),
      };

export const signingSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(secret);

/** The key is imported once, not for each token. */
const useSecret = (secret: string): GetKey => {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = crypto.subtle.importKey('raw', signingSecret(secret), hmac, false, ['verify']);
  return () => key;
};
