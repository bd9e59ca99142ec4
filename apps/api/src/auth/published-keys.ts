// The published keys of an issuer, followed closely: a key that the issuer has withdrawn is refused within seconds, and an
// issuer that does not answer for a while stops nobody.
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { createRemoteJWKSet, errors } from 'jose';
import { ServiceError } from '../errors/service-error.ts';

export type PublishedKeysOptions = {
  url: URL;
  /** Hears that the issuer has published other keys than before. */
  onChange: () => void;
  /** Milliseconds from any moment on; never set back. */
  now?: () => number;
};

export type GetKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

export type PublishedKeys = {
  getKey: GetKey;
  /**
   * To be called before anything rests on the keys, remembered tokens included. Keys that are old are asked for again: in the
   * background, or, when nobody has asked for so long that they may have been withdrawn meanwhile, before the promise that it
   * then answers resolves. Rejects with `service_unavailable` when they are too old to be used.
   */
  keepFresh(): Promise<void> | undefined;
};

const REFRESH_AFTER_MS = 3_000;
/** With older keys nobody goes on without having asked the issuer. */
const WAIT_AFTER_MS = 4_500;
const MAX_AGE_MS = 600_000;

/** Unknown key ids cause one fetch per cooldown. */
const JWKS_OPTIONS = { timeoutDuration: 2_000, cacheMaxAge: MAX_AGE_MS, cooldownDuration: 30_000 };

export const createPublishedKeys = ({
  url,
  onChange,
  now = () => performance.now(),
}: PublishedKeysOptions): PublishedKeys => {
  const findKey = createRemoteJWKSet(url, JWKS_OPTIONS);
  let known: string | undefined;
  let knownAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let hasFailed = false;

  const noteKeys = (): void => {
    const published = JSON.stringify(findKey.jwks());
    if (known !== undefined && known !== published) onChange();
    known = published;
    knownAt = now();
  };

  const ask = async (): Promise<void> => {
    askedAt = now();
    try {
      await findKey.reload();
      noteKeys();
      hasFailed = false;
    } catch {
      hasFailed = true;
    } finally {
      asking = undefined;
    }
  };

  const waitForKeys = async (): Promise<void> => {
    // An issuer that did not answer just now is not waited for again by everybody.
    if (!hasFailed) await asking;
    if (now() - knownAt > MAX_AGE_MS) throw new ServiceError('service_unavailable');
  };

  return {
    keepFresh: () => {
      // Before the first token there is nothing to keep up to date.
      if (known === undefined) return undefined;
      if (!asking && now() - Math.max(askedAt, knownAt) >= REFRESH_AFTER_MS) asking = ask();
      return now() - knownAt < WAIT_AFTER_MS ? undefined : waitForKeys();
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
