// The endpoints of the accounts library that this service exposes, each with its input. All others are left out:
// sign-up, change of e-mail, deletion, and access to tokens.
import { nullAsAbsent, text } from '@muster/contract';
import { z } from 'zod';

/** Only limits the size of the hashed input: the library checks new passwords. */
const Password = text(1, 256);
const Code = z.string().regex(/^[A-Za-z0-9-]{1,32}$/);

/** A path on this service: `//host`, backslashes and control characters would lead a browser elsewhere. */
const OwnPath = z
  .string()
  .max(2_048)
  .regex(/^\/(?![/\\])[!-[\]-~]*$/);

/** One request to the accounts library, as the HTTP layer has read it. */
export type AuthRequest = {
  /** Relative to the library's own path, such as `/sign-in/email`. */
  path: string;
  /** With its question mark; empty where there is none. */
  query: string;
  body: unknown;
  cookie?: string;
  userAgent?: string;
  requestId: string;
  address?: string;
  /** Called with the account of the person whom the cookie signs in. */
  onPerson: (accountId: string) => void;
};

/** What the HTTP layer sends back. */
export type AuthResponse = {
  status: number;
  /** Absent on a redirect. */
  body?: unknown;
  cookies: string[];
  location?: string;
};

export type AuthEndpoint = {
  method: 'GET' | 'POST';
  /** Selects the handler. */
  kind: 'sign-in' | 'second-factor' | 'change' | 'session' | 'issuer';
  body?: z.ZodType<Record<string, unknown>>;
  /** The audit record's action. */
  action?: string;
};

const SIGN_IN = 'auth.signIn';

const SECOND_FACTOR: AuthEndpoint = {
  method: 'POST',
  kind: 'second-factor',
  action: SIGN_IN,
  body: nullAsAbsent(z.object({ code: Code, trustDevice: z.boolean().optional() })),
};

/** A change that a signed-in person confirms with nothing but the password. */
const confirmed = (action: string): AuthEndpoint => ({
  method: 'POST',
  kind: 'change',
  action,
  body: z.object({ password: Password }),
});

/** The redirect URI at the issuer ends with this path. */
export const CALLBACK_PATH = '/callback/oidc';

export const AUTH_ENDPOINTS: Record<string, AuthEndpoint> = {
  '/sign-in/email': {
    method: 'POST',
    kind: 'sign-in',
    action: SIGN_IN,
    body: nullAsAbsent(
      z.object({
        email: text(1, 254).trim().toLowerCase(),
        password: Password,
        rememberMe: z.boolean().optional(),
      }),
    ),
  },
  '/two-factor/verify-totp': SECOND_FACTOR,
  '/two-factor/verify-backup-code': SECOND_FACTOR,
  '/change-password': {
    method: 'POST',
    kind: 'change',
    action: 'auth.changePassword',
    // A person who changes the password may suspect that someone else is signed in.
    body: z
      .object({ currentPassword: Password, newPassword: Password })
      .transform((body) => ({ ...body, revokeOtherSessions: true })),
  },
  '/two-factor/enable': confirmed('auth.prepareTwoFactor'),
  '/two-factor/disable': confirmed('auth.disableTwoFactor'),
  '/two-factor/generate-backup-codes': confirmed('auth.replaceBackupCodes'),
  '/sign-out': { method: 'POST', kind: 'session', action: 'auth.signOut' },
  '/get-session': { method: 'GET', kind: 'session' },
  '/sign-in/social': {
    method: 'POST',
    kind: 'issuer',
    body: nullAsAbsent(z.object({ callbackURL: OwnPath.default('/') })),
  },
  [CALLBACK_PATH]: { method: 'GET', kind: 'issuer', action: SIGN_IN },
};
