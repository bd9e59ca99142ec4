// Better Auth, the accounts library: its configuration, when it is loaded, and how its errors map to ours.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import * as passwords from '@better-auth/utils/password';
import type { ErrorCode } from '@muster/contract';
import type { Prisma, PrismaClient } from '@muster/database';
import type { BetterAuthOptions } from 'better-auth/minimal';
import { z } from 'zod';
import { createSemaphore, memoize } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';

/** The library handles requests under this path. */
export const ACCOUNTS_PATH = '/admin/auth';

/** Passes the client's address to the library; the HTTP layer drops this header from clients. */
export const ADDRESS_HEADER = 'x-muster-address';

export const PASSWORD_LENGTH = { min: 12, max: 128 };

/**
 * A hash takes a tenth of a second of a processor and 32 MB. Hashes run one at a time, so that the other processors
 * stay free for players.
 */
const serialize = createSemaphore(1);
export const hashPassword = (password: string): Promise<string> =>
  serialize(() => passwords.hashPassword(password));
const verifyPassword = ({ hash, password }: { hash: string; password: string }) =>
  serialize(() => passwords.verifyPassword(hash, password));

const SESSION_DAYS = 7;
const DAY_SECONDS = 86_400;

/** A browser accepts `__Host-` cookies only from this host over https, so that another subdomain cannot set them. */
const COOKIE_PREFIX = 'muster';
const HOST_PREFIX = '__Host-';
const OWN_COOKIE = new RegExp(`^(?:${HOST_PREFIX})?${COOKIE_PREFIX}\\.`);
/** The library uses seven cookie names. */
const MAX_COOKIES = 20;

/**
 * Returns only the library's own cookies. The library reads each header several times, so thousands of cookies would
 * delay all requests before the sender is authenticated.
 */
export const pickOwnCookies = (header: string): string =>
  header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => OWN_COOKIE.test(pair))
    .slice(0, MAX_COOKIES)
    .join('; ');

type LibraryOptions = {
  client: PrismaClient;
  secret: string;
  /** The origin that the library expects. The HTTP layer has already compared origins. */
  origin: string;
  secureCookies: boolean;
  log: (level: string, message: string) => void;
  /** False for a disabled or removed person. */
  maySignIn: (accountId: string) => Promise<boolean>;
};

/** The state of one redirect to the issuer. */
type Redirect = { callbackURL: string; nonce: string; codeVerifier: string };

export type AccountsLibrary = {
  handle: (request: Request) => Promise<Response>;
  findSession: (headers: Headers) => Promise<{ accountId: string; signInId: string } | null>;
  /** The id of the verification that waits for a second factor, as the library's own endpoints read it. */
  findPendingStep: (headers: Headers) => Promise<string | null>;
  /** Stores the state of a redirect for some minutes and binds it to the browser with a cookie. */
  beginRedirect: (
    redirect: Omit<Redirect, 'codeVerifier'>,
  ) => Promise<{ state: string; codeVerifier: string; cookies: string[] }>;
  /** Returns and deletes that state, in the same browser only. Throws `sign_in_expired`, `service_unavailable`. */
  endRedirect: (headers: Headers, state: string) => Promise<Redirect>;
  /** Opens a session without a credential. Throws `account_disabled`. */
  openSession: (headers: Headers, accountId: string) => Promise<OpenedSession>;
};

type OpenedSession = { signInId: string; cookies: string[] };

/** Loads the library on first use, since it takes 40 MB and half a second. */
export const createGetLibrary = (options: LibraryOptions): (() => Promise<AccountsLibrary>) =>
  memoize(() => createLibrary(options));

/** Longer than a join takes, so that a join meets the loading of at most one part. */
const PAUSE_MS = 20;
const loadPart = async <Part>(part: Promise<Part>): Promise<Part> => {
  const loaded = await part;
  await delay(PAUSE_MS);
  return loaded;
};

/** Loading a part blocks the event loop. The pauses let joins finish; without them joins waited a tenth of a second. */
const loadParts = memoize(async () => {
  await loadPart(import('better-auth/crypto'));
  const oauth2 = await loadPart(import('better-auth/oauth2'));
  await loadPart(import('better-auth/db'));
  const api = await loadPart(import('better-auth/api'));
  const cookies = await loadPart(import('better-auth/cookies'));
  const { betterAuth } = await loadPart(import('better-auth/minimal'));
  const { twoFactor } = await loadPart(import('better-auth/plugins/two-factor'));
  const { prismaAdapter } = await loadPart(import('better-auth/adapters/prisma'));
  return { api, betterAuth, cookies, oauth2, prismaAdapter, twoFactor };
});

type Parts = Awaited<ReturnType<typeof loadParts>>;

const createLibrary = async (options: LibraryOptions): Promise<AccountsLibrary> => {
  const parts = await loadParts();
  const { api, betterAuth, twoFactor, prismaAdapter } = parts;
  const instance = betterAuth({
    ...composeSettings(options),
    database: prismaAdapter(options.client, { provider: 'postgresql', transaction: false }),
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            if (await options.maySignIn(userId)) return;
            throw new api.APIError('FORBIDDEN', { code: DISABLED });
          },
        },
      },
    },
    plugins: [
      twoFactor({ twoFactorTable: 'accountTwoFactor' }),
      { id: 'muster', endpoints: createEndpoints(parts) },
    ],
  });
  const { beginRedirect, endRedirect, getSession, openSession, readPendingStep } = instance.api;
  return {
    handle: instance.handler,
    findSession: async (headers) => {
      const found = await getSession({ headers }).catch((cause: unknown) => {
        // The library hides the cause. A session that cannot be read is an outage, never a sign-out.
        throw new ServiceError('service_unavailable', { cause });
      });
      return found && { accountId: found.user.id, signInId: found.session.id };
    },
    findPendingStep: (headers) => readPendingStep({ headers }),
    beginRedirect: async (body) => {
      const { headers, response } = await beginRedirect({ body, returnHeaders: true });
      return { ...response, cookies: headers.getSetCookie() };
    },
    endRedirect: (headers, state) =>
      endRedirect({ headers, query: { state } }).catch((error: unknown) => {
        throw api.isAPIError(error) ? toRedirectError(error) : error;
      }),
    openSession: async (headers, userId) => {
      const opened = await openSession({ headers, body: { userId }, returnHeaders: true }).catch(
        (cause: unknown) => {
          const isDisabled = api.isAPIError(cause) && cause.body?.code === DISABLED;
          throw isDisabled
            ? new ServiceError('account_disabled', { accountId: userId, cause })
            : cause;
        },
      );
      return { signInId: opened.response, cookies: opened.headers.getSetCookie() };
    },
  };
};

const DISABLED = 'ACCOUNT_DISABLED';

/** These have no paths, so only the service can call them. */
const createEndpoints = ({ api, cookies, oauth2 }: Parts) => ({
  // Reading cookies differently from the library would bypass the limits and locks of the person.
  readPendingStep: api.createAuthEndpoint(
    { method: 'GET', requireHeaders: true },
    async ({ context, getSignedCookie }) =>
      (await getSignedCookie(context.createAuthCookie('two_factor').name, context.secret)) || null,
  ),
  beginRedirect: api.createAuthEndpoint(
    { method: 'POST', body: z.object({ callbackURL: z.string(), nonce: z.string() }) },
    (context) => oauth2.generateState(context, { idTokenNonce: context.body.nonce }),
  ),
  endRedirect: api.createAuthEndpoint(
    { method: 'GET', requireHeaders: true, query: z.object({ state: z.string() }) },
    async (context) => {
      const { callbackURL, codeVerifier, idTokenNonce } = await oauth2.parseState(context);
      return { callbackURL, codeVerifier, nonce: idTokenNonce ?? '' };
    },
  ),
  openSession: api.createAuthEndpoint(
    { method: 'POST', requireHeaders: true, body: z.object({ userId: z.string() }) },
    async (context) => {
      const { internalAdapter } = context.context;
      const user = await internalAdapter.findUserById(context.body.userId);
      if (!user) throw new api.APIError('FORBIDDEN', { code: DISABLED });
      const session = await internalAdapter.createSession(user.id);
      await cookies.setSessionCookie(context, { session, user });
      return session.id;
    },
  ),
});

/** The library redirects to an error page. The code in its address also shows an outage. */
const toRedirectError = (error: {
  headers?: ConstructorParameters<typeof Headers>[0];
}): ServiceError => {
  const location = new Headers(error.headers).get('location') ?? '';
  const isOutage = location.includes('internal_server_error');
  return new ServiceError(isOutage ? 'service_unavailable' : 'sign_in_expired');
};

/** Every table has its own name, since `session` and `account` mean other things here. */
const composeSettings = ({ secret, origin, secureCookies, log }: LibraryOptions) =>
  ({
    appName: 'Muster',
    baseURL: origin,
    basePath: ACCOUNTS_PATH,
    secret,
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (level, message) => log(level, message) },
    // The HTTP layer receives errors unchanged and distinguishes outages from refusals.
    onAPIError: { throw: true, errorURL: '/login' },
    user: { modelName: 'accountUser' },
    session: {
      modelName: 'accountSession',
      expiresIn: SESSION_DAYS * DAY_SECONDS,
      // A sign-in ends a week after it started. Reading it writes nothing.
      disableSessionRefresh: true,
      // Without the cache, a disabled, removed or changed person is affected from the next request.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'accountLogin',
      // identities.ts links them.
      accountLinking: { enabled: false },
    },
    verification: { modelName: 'accountVerification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    // throttle.ts counts attempts across all processes.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: secureCookies ? `${HOST_PREFIX}${COOKIE_PREFIX}` : COOKIE_PREFIX,
      // True would put `__Secure-` before the name.
      useSecureCookies: false,
      defaultCookieAttributes: {
        sameSite: 'strict',
        httpOnly: true,
        secure: secureCookies,
        path: '/',
      },
      // The cookie must be sent when the issuer redirects the person back, which is a request from another site.
      cookies: { state: { attributes: { sameSite: 'lax' } } },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  }) satisfies BetterAuthOptions;

/**
 * A Prisma client that queries through the transaction of the current `runWithin`, if there is one. So a change that
 * the library makes and our audit record are committed together.
 */
export const createTransactionalClient = (prisma: PrismaClient) => {
  const current = new AsyncLocalStorage<Prisma.TransactionClient>();
  const client = new Proxy(prisma, {
    get: (_target, property) => {
      const transaction = current.getStore();
      if (!transaction) return Reflect.get(prisma, property);
      // Nested transactions use the outer transaction.
      if (property === '$transaction') {
        return (work: (inner: typeof transaction) => Promise<unknown>) => work(transaction);
      }
      return Reflect.get(transaction, property);
    },
  });
  const runWithin = <Result>(transaction: Prisma.TransactionClient, work: () => Promise<Result>) =>
    current.run(transaction, work);
  return { client, runWithin };
};

/** The library refused the request. Other errors are faults or outages. */
export class LibraryRefusal extends Error {
  override readonly name = 'LibraryRefusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, body: { code?: string; message?: string }) {
    super(body.message ?? 'The request was refused');
    this.status = status;
    this.code = body.code ?? '';
  }
}

/** Returns a successful response. Throws LibraryRefusal for a refusal, and an Error for a fault of the library. */
export const refuseFailed = async (response: Response): Promise<Response> => {
  if (response.status < 400) return response;
  const body = ((await readBody(response)) ?? {}) as { code?: string; message?: string };
  if (response.status < 500) throw new LibraryRefusal(response.status, body);
  throw new Error(`The accounts library failed: ${body.message ?? response.status}`);
};

/** Undefined for a redirect, which has no body. */
export const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.clone().text();
  return text === '' ? undefined : JSON.parse(text);
};

const LOCK_SECONDS = 900;

const CODES: Record<string, ErrorCode> = {
  INVALID_EMAIL: 'sign_in_refused',
  INVALID_EMAIL_OR_PASSWORD: 'sign_in_refused',
  [DISABLED]: 'sign_in_refused',
  INVALID_PASSWORD: 'password_refused',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'password_refused',
  PASSWORD_TOO_SHORT: 'password_unfit',
  PASSWORD_TOO_LONG: 'password_unfit',
  INVALID_CODE: 'two_factor_refused',
  INVALID_BACKUP_CODE: 'two_factor_refused',
  INVALID_TWO_FACTOR_COOKIE: 'two_factor_refused',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'two_factor_refused',
  TOTP_NOT_ENABLED: 'two_factor_refused',
};

/** Maps a refusal of the library to an error of the catalogue. */
export const toServiceError = (refusal: LibraryRefusal): ServiceError => {
  const evidence = { cause: refusal };
  if (refusal.code === 'ACCOUNT_TEMPORARILY_LOCKED') {
    return new ServiceError('rate_limited', { ...evidence, retryAfterSeconds: LOCK_SECONDS });
  }
  const known = CODES[refusal.code];
  if (known) return new ServiceError(known, evidence);
  if (refusal.status === 401) return new ServiceError('auth_session_ended', evidence);
  const desc = `${refusal.message.replace(/\.$/, '')}.`;
  return new ServiceError('account_request_refused', { ...evidence, desc });
};
