// Turns the credential of a request into its caller: a token, an API key, or the cookie of a signed-in person.
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../platform/index.ts';
import type { Caller } from './permissions.ts';
import { refusePendingPassword } from './permissions.ts';
import { createTokenCache } from './token-cache.ts';
import type { ClaimNames, SigningKeys } from './verify-token.ts';
import { createVerificationKeys, toCaller, toTokenError, verifyToken } from './verify-token.ts';

/**
 * Turns the Authorization header into the caller. Throws ServiceError: one of the `auth_…` codes, or
 * `service_unavailable` when the keys of the issuer cannot be read now. An API key that cannot be looked up
 * throws what the database throws: an outage, never a refusal.
 */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

type AuthenticateOptions = ClaimNames & {
  keys: SigningKeys;
  issuer?: string;
  audience?: string;
  verifyKey: (key: string) => Promise<Caller>;
  /** Registers the token cache with the metrics; the result is called with each hit or miss. */
  observeCache?: (countEntries: () => number) => (isHit: boolean) => void;
};

/** How far the clocks of issuer and service may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;

export const createAuthenticate = (options: AuthenticateOptions): Authenticate => {
  const cache = createTokenCache();
  const onLookUp = options.observeCache?.(cache.count);
  const keys = createVerificationKeys(options.keys, cache.clear);
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
    const refreshing = keys.refreshIfStale();
    if (refreshing) await refreshing;
    const cached = cache.lookUp(token);
    onLookUp?.(cached.caller !== undefined);
    if (cached.caller) return cached.caller;
    try {
      const claims = await verifyToken(token, keys, rules);
      const caller = toCaller(claims, options);
      cached.store(caller, ((claims.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000);
      return caller;
    } catch (error) {
      throw toTokenError(error, token);
    }
  };
};

/** API keys begin so; a JWT never does, since base64url of `{"` begins with `ey`. */
const API_KEY_PREFIX = 'msk_';

/**
 * Longer tokens are refused before anything is decoded, with `auth_success: true`: a fresh token would be as long. Issuers
 * stay far below, since proxies cut at 8 KiB.
 */
const MAX_TOKEN_LENGTH = 16_384;

type BearerCredential = { kind: 'token'; token: string } | { kind: 'key'; key: string };

/** The JWT or the API key of the header (RFC 6750 section 2.1). Throws ServiceError when there is none. */
const readBearerCredential = (authorization: string | undefined): BearerCredential => {
  const credential = /^bearer +(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (credential === undefined) throw new ServiceError('auth_missing');
  if (credential.length > MAX_TOKEN_LENGTH) throw new ServiceError('auth_token_too_large');
  if (credential.startsWith(API_KEY_PREFIX)) return { kind: 'key', key: credential };
  // An unsigned token has three parts too: its last one is empty.
  if (credential.split('.', 4).length !== 3) throw new ServiceError('auth_not_jwt');
  return { kind: 'token', token: credential };
};

/**
 * Turns a request to the admin API into its caller. Throws ServiceError: an `auth_…` code, `origin_refused`
 * for a cookie on a changing request from another origin, `password_change_required`, `service_unavailable`.
 * `isRepeated` says that the request was counted under the rate limit already.
 */
export type AuthenticateAdmin = (request: IncomingMessage, isRepeated?: boolean) => Promise<Caller>;

export type AdminAuthentication = {
  /** For routes: refuses a person whose password must be changed first. */
  authenticateAdmin: AuthenticateAdmin;
  /** For the procedures, which check the password themselves, since `me.get` answers all the same. */
  identifyAdmin: AuthenticateAdmin;
};

type AdminAuthenticationOptions = {
  authenticate: Authenticate;
  /** The same without the rate limit. */
  authenticateAgain: Authenticate;
  /** The person whose session the cookies name; null when they name none. */
  findPerson: (request: IncomingMessage) => Promise<Caller | null>;
  /** The origin that browsers show, where it is configured. */
  publicUrl?: URL;
};

/** Admins send a bearer credential, as scripts do, or the cookie of a signed-in person. */
export const createAdminAuthentication = (
  options: AdminAuthenticationOptions,
): AdminAuthentication => {
  const identifyAdmin: AuthenticateAdmin = async (request, isRepeated) => {
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined || cookie === undefined) {
      return isRepeated
        ? options.authenticateAgain(authorization)
        : options.authenticate(authorization);
    }
    const person = await options.findPerson(request);
    if (person === null) throw new ServiceError('auth_missing');
    refuseForeignOrigin(request, options.publicUrl);
    refuseFormType(request);
    return person;
  };
  return {
    identifyAdmin,
    authenticateAdmin: async (...asked) => refusePendingPassword(await identifyAdmin(...asked)),
  };
};

/**
 * Guards against cross-site request forgery. A browser names the origin of the page in every request that is not GET or
 * HEAD; a changing request with a cookie must come from a page of this service. An absent Origin is refused too, since it
 * proves nothing. Throws `origin_refused`.
 */
export const refuseForeignOrigin = (request: IncomingMessage, publicUrl?: URL): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin } = request.headers;
  if (origin === readOwnOrigin(request, publicUrl) && origin !== undefined) return;
  const own = publicUrl ? `${publicUrl.origin}, as PUBLIC_URL says` : 'its own address';
  const desc =
    origin === undefined
      ? 'Requests that change something must name their Origin.'
      : `The request comes from another site; this service takes only those of ${own}.`;
  throw new ServiceError('origin_refused', { desc });
};

/** The types that a page may send anywhere without asking first (https://fetch.spec.whatwg.org/#cors-safelisted-request-header). */
const FORM_TYPE =
  /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i;

/**
 * A second guard of the same kind: what changes something never comes in the types that a form can send, whatever the Origin
 * says, and with or without a body. Throws `origin_refused`.
 */
const refuseFormType = ({ method, headers }: IncomingMessage): void => {
  if (method === 'GET' || method === 'HEAD') return;
  if (!FORM_TYPE.test(headers['content-type'] ?? '')) return;
  throw new ServiceError('origin_refused', {
    desc: 'With a cookie, no body may have a type that forms send.',
  });
};

/**
 * The origin of this service's own pages. Without a configured one the Host header decides: a cookie belongs
 * to its host, and another site cannot make a browser send a different one.
 */
const readOwnOrigin = ({ headers }: IncomingMessage, publicUrl?: URL): string | undefined =>
  publicUrl ? publicUrl.origin : URL.parse(`http://${headers.host ?? ''}`)?.origin;
