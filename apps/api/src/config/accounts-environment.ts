// The settings of people's accounts: every variable with its form and its default.
import { isIP } from 'node:net';
import { z } from 'zod';
import { isWebUrl } from './web-url.ts';

const setting = (name: string, rule: string) => `${name} must be ${rule}.`;

/** The names of address ranges that Express knows. */
const RANGES = ['loopback', 'linklocal', 'uniquelocal'];

const isAddress = (text: string): boolean => {
  const [address = '', prefix] = text.split('/', 2);
  const family = isIP(address);
  if (family === 0) return RANGES.includes(text);
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
  );
};

const isProxyTrust = (value: string): boolean =>
  /^[1-9]$/.test(value) || value.split(',').every((part) => isAddress(part.trim()));

export const AccountsEnvironment = z.object({
  PUBLIC_URL: z
    .string()
    .refine(isWebUrl, { error: setting('PUBLIC_URL', 'a URL that starts with https://') })
    .optional(),
  ACCOUNTS_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, {
      error: setting('ACCOUNTS_SECRET', 'at least 32 bytes long'),
    })
    .optional(),
  TRUST_PROXY: z
    .string()
    .refine(isProxyTrust, {
      error: setting(
        'TRUST_PROXY',
        'a number of proxies from 1 to 9, or their addresses with commas',
      ),
    })
    .optional(),
  OWNER_EMAIL: z
    .string()
    .toLowerCase()
    .pipe(z.email(setting('OWNER_EMAIL', 'an e-mail address')))
    // The library takes no address without a dot in its domain: `owner@localhost` could not sign in.
    .default('owner@muster.local'),
  OIDC_ISSUER: z
    .string()
    .refine(isWebUrl, { error: setting('OIDC_ISSUER', 'a URL that starts with https://') })
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(64, setting('OIDC_NAME', 'at most 64 characters long')).optional(),
});
export type AccountsEnvironment = z.infer<typeof AccountsEnvironment>;
