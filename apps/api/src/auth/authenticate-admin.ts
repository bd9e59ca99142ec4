// Authenticates requests to the admin API: by a bearer credential, or by the cookie of a signed-in person, which is
// accepted only on requests from this service's own pages.
import type { IncomingMessage } from 'node:http';
import type { CircuitBreaker } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { Authenticate } from './authenticate.ts';
import type { Caller } from './permissions.ts';
import { refusePendingPassword } from './permissions.ts';

/**
 * Returns the caller of a request to the admin API. Throws ServiceError: an `auth_…` code, `origin_refused` for a
 * cookie on a changing request from another origin, `password_change_required`, `service_unavailable`.
 */
export type AuthenticateAdmin = (request: IncomingMessage) => Promise<Caller>;

export type AdminAuthentication = {
  /** For routes: refuses a person whose password must be changed first. */
  authenticateAdmin: AuthenticateAdmin;
  /** For procedures, which check for a required password change themselves, since `me.get` is always allowed. */
  identifyAdmin: AuthenticateAdmin;
};

type AdminAuthenticationOptions = {
  authenticate: Authenticate;
  /** The person whom the session cookie identifies; null without a session. */
  findPerson: (request: IncomingMessage) => Promise<Caller | null>;
  /** Authentication needs the database. During an outage no caller is accepted. */
  breaker: Pick<CircuitBreaker, 'run'>;
  /** The public origin, when it is configured. */
  publicUrl: URL | undefined;
};

export const createAdminAuthentication = (
  options: AdminAuthenticationOptions,
): AdminAuthentication => {
  const identify: AuthenticateAdmin = async (request) => {
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined || cookie === undefined) {
      return options.authenticate(authorization);
    }
    const person = await options.findPerson(request);
    if (person === null) throw new ServiceError('auth_missing');
    refuseForeignOrigin(request, options.publicUrl, person.accountId);
    refuseFormType(request, person.accountId);
    return person;
  };
  const identifyAdmin: AuthenticateAdmin = (request) =>
    options.breaker.run(() => identify(request));
  return {
    identifyAdmin,
    authenticateAdmin: async (request) => refusePendingPassword(await identifyAdmin(request)),
  };
};

/**
 * Protects against cross-site request forgery. Browsers send the page's origin in every request that is not GET or
 * HEAD. A changing request with a cookie must come from a page of this service. A missing Origin is refused, since it
 * proves nothing. Throws `origin_refused`, with the account for the log.
 */
export const refuseForeignOrigin = (
  request: IncomingMessage,
  publicUrl: URL | undefined,
  accountId?: string,
): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin } = request.headers;
  if (origin === readOwnOrigin(request, publicUrl) && origin !== undefined) return;
  const own = publicUrl ? `${publicUrl.origin} (PUBLIC_URL)` : 'its own address';
  const desc =
    origin === undefined
      ? 'With a cookie, every request but GET and HEAD must send an Origin header.'
      : `The request comes from another site: this service accepts only requests from pages of ${own}.`;
  throw new ServiceError('origin_refused', { desc, ...(accountId && { accountId }) });
};

/** Types that a page may send to any site without a preflight (https://fetch.spec.whatwg.org/#cors-safelisted-request-header). */
const FORM_TYPE =
  /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i;

/**
 * A second protection: changing requests must not have a content type that HTML forms can send, whatever their Origin,
 * with or without a body. Throws `origin_refused`.
 */
const refuseFormType = ({ method, headers }: IncomingMessage, accountId: string): void => {
  if (method === 'GET' || method === 'HEAD') return;
  if (!FORM_TYPE.test(headers['content-type'] ?? '')) return;
  throw new ServiceError('origin_refused', {
    desc: 'With a cookie, a body must not have a content type that HTML forms can send: use application/json.',
    accountId,
  });
};

/**
 * The origin of this service's own pages. Without a configured one the Host header decides: a cookie belongs to its
 * host, and another site cannot make a browser send a different one.
 */
const readOwnOrigin = ({ headers }: IncomingMessage, publicUrl?: URL): string | undefined =>
  publicUrl ? publicUrl.origin : URL.parse(`http://${headers.host ?? ''}`)?.origin;
