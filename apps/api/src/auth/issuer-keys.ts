// The published keys (JWKS) of an issuer: a withdrawn key is refused within seconds, and an issuer that is down for some
// minutes locks out no one.
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { createRemoteJWKSet, errors } from 'jose';
import { ServiceError } from '../platform/index.ts';

type IssuerKeysOptions = {
  url: URL;
  /** Called when the issuer has published other keys than before. */
  onChange: () => void;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

export type GetKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

export type IssuerKeys = {
  getKey: GetKey;
  /**
   * To be called before the keys or the token cache are used. Fetches old keys again in the background. When they are so old
   * that they may have been withdrawn, it returns a promise that waits for the fetch, and that rejects with
   * `service_unavailable` when they are too old to be used.
   */
  refreshIfStale(): Promise<void> | undefined;
};

const REFRESH_AFTER_MS = 3_000;
/** Older keys are used only after the issuer was asked. */
const WAIT_AFTER_MS = 4_500;
const MAX_AGE_MS = 600_000;

/** Unknown key ids cause at most one fetch per second. */
const ASK_AGAIN_AFTER_MS = 1_000;
/** Requests that wait for such a fetch. Any client can name unknown keys, and each waiting request is in progress. */
const MOST_WAITING = 250;

const JWKS_OPTIONS = { timeoutDuration: 2_000, cacheMaxAge: MAX_AGE_MS, cooldownDuration: 30_000 };

export const createIssuerKeys = ({
  url,
  onChange,
  now = () => performance.now(),
}: IssuerKeysOptions): IssuerKeys => {
  const findKey = createRemoteJWKSet(url, JWKS_OPTIONS);
  let known: string | undefined;
  let knownAt = Number.NEGATIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;
  let hasFailed = false;
  let waiting = 0;

  const rememberKeys = (): void => {
    const published = JSON.stringify(findKey.jwks());
    if (known !== undefined && known !== published) onChange();
    known = published;
    knownAt = now();
  };

  const fetchKeys = async (): Promise<void> => {
    fetchedAt = now();
    try {
      await findKey.reload();
      rememberKeys();
      hasFailed = false;
    } catch {
      hasFailed = true;
    } finally {
      fetching = undefined;
    }
  };

  const waitForKeys = async (): Promise<void> => {
    // After a failed fetch, the next one does not delay requests.
    if (!hasFailed) await fetching;
    if (now() - knownAt > MAX_AGE_MS) throw new ServiceError('service_unavailable');
  };

  /**
   * An unknown key may be a new one, unless the issuer has just answered without it. Returns true after a new fetch. Errors:
   * `service_unavailable` while the issuer does not answer, or when too many requests wait for it.
   */
  const askForNewKeys = async (): Promise<boolean> => {
    if (!fetching && now() - Math.max(fetchedAt, knownAt) >= ASK_AGAIN_AFTER_MS)
      fetching = fetchKeys();
    const isAsked = fetching !== undefined;
    if (waiting >= MOST_WAITING) throw new ServiceError('service_unavailable');
    waiting += 1;
    await fetching;
    waiting -= 1;
    if (hasFailed) throw new ServiceError('service_unavailable');
    return isAsked;
  };

  return {
    refreshIfStale: () => {
      // Before the first token there is nothing to keep up to date.
      if (known === undefined) return undefined;
      if (!fetching && now() - Math.max(fetchedAt, knownAt) >= REFRESH_AFTER_MS)
        fetching = fetchKeys();
      return now() - knownAt < WAIT_AFTER_MS ? undefined : waitForKeys();
    },
    getKey: async (header, token) => {
      try {
        const key = await findKey(header, token);
        if (known === undefined) rememberKeys();
        return key;
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey && (await askForNewKeys())) {
          return findKey(header, token);
        }
        throw isAboutToken(error)
          ? error
          : new ServiceError('service_unavailable', { cause: error });
      }
    },
  };
};

/** A key set that cannot be read is an outage, never a refusal of the caller. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
