// The published keys of an issuer, followed closely: a key that the issuer has withdrawn is refused within seconds, and an
// issuer that does not answer for a while stops nobody.
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { createRemoteJWKSet, errors } from 'jose';
import { ServiceError } from '../errors/service-error.ts';

export type PublishedKeysOptions = {
  url: URL;
  /** Hears that the issuer has published other keys than before. */
  onChange: () => void;
  /** How old the keys may be, in milliseconds, before they are asked for again in the background. */
  refreshAfterMs?: number;
};

export type GetKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

export type PublishedKeys = {
  getKey: GetKey;
  /** Asks the issuer again when the keys are old; to be called with each request, and waited for by none. */
  refresh(): void;
};

/**
 * Keys that cannot be fetched again are used for `cacheMaxAge` at most; unknown key ids cause one fetch
 * per cooldown.
 */
const JWKS_OPTIONS = { timeoutDuration: 2_000, cacheMaxAge: 600_000, cooldownDuration: 30_000 };

export const createPublishedKeys = ({
  url,
  onChange,
  refreshAfterMs = 3_000,
}: PublishedKeysOptions): PublishedKeys => {
  const findKey = createRemoteJWKSet(url, JWKS_OPTIONS);
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let known: string | undefined;

  const noteKeys = (): void => {
    const published = JSON.stringify(findKey.jwks());
    if (known !== undefined && known !== published) onChange();
    known = published;
  };

  return {
    refresh: () => {
      // Before the first token there is nothing to keep up to date.
      if (known === undefined || performance.now() - refreshedAt < refreshAfterMs) return;
      refreshedAt = performance.now();
      findKey.reload().then(noteKeys, () => {});
    },
    getKey: async (header, token) => {
      try {
        const key = await findKey(header, token);
        if (known === undefined) noteKeys();
        return key;
      } catch (error) {
        throw isAboutToken(error)
          ? error
          : new ServiceError('service_unavailable', { cause: error });
      }
    },
  };
};

/** A key set that cannot be read is the service's trouble, never a refusal of the caller. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
