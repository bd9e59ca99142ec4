// What the accounts library (Better Auth) is told: names of tables, cookies, lives.
import type { PrismaClient } from '@muster/database';
import type { BetterAuthOptions } from 'better-auth/minimal';

/** The path that the library answers under. */
export const ACCOUNTS_PATH = '/admin/auth';

/** Carries the address that the edge found into the library; a client's own header never gets so far. */
export const ADDRESS_HEADER = 'x-muster-address';

export const SESSION_DAYS = 7;
const DAY_SECONDS = 86_400;

export const PASSWORD_LENGTH = { min: 12, max: 128 };

export type LibraryFacts = {
  client: PrismaClient;
  secret: string;
  /** What the library takes itself for. Origins are compared by the edge, before it. */
  origin: string;
  secureCookies: boolean;
  log: (level: string, message: string) => void;
};

/** Every table has a name of its own, since `session` and `account` mean other things here. */
export const composeOptions = ({ secret, origin, secureCookies, log }: LibraryFacts) =>
  ({
    appName: 'Muster',
    baseURL: origin,
    basePath: ACCOUNTS_PATH,
    secret,
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (level, message) => log(level, message) },
    // Errors come to our edge as they are; it knows an outage from a refusal.
    onAPIError: { throw: true, errorURL: '/login' },
    user: { modelName: 'accountUser' },
    session: {
      modelName: 'accountSession',
      expiresIn: SESSION_DAYS * DAY_SECONDS,
      // A sign-in ends a week after it began; reading it writes nothing.
      disableSessionRefresh: true,
      // Whoever is disabled, removed or given another role feels it with the next request.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'accountLogin',
      encryptOAuthTokens: true,
      accountLinking: { enabled: true, trustedProviders: [], disableImplicitLinking: false },
    },
    verification: { modelName: 'accountVerification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
    },
    // The edge counts attempts itself, in one statement, for every process.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'muster',
      useSecureCookies: secureCookies,
      cookies: { session_token: { attributes: { sameSite: 'strict' } } },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  }) satisfies BetterAuthOptions;
