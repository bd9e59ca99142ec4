// The settings of people's accounts as values, and what cannot go together among them.
import type { AccountsEnvironment } from './accounts-environment.ts';
import { isLoopbackHost } from './loopback.ts';

export type OidcConfig = {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** What the button says. */
  name: string;
};

export type AccountsConfig = {
  /** The origin that browsers show; absent: the address that the service listens on. */
  publicUrl?: URL;
  /** Absent: derived from the signing secret, or made in DATA_DIR. */
  secret?: string;
  /** How many proxies, or which addresses, say truly who the client is; absent: none. */
  trustProxy?: number | string[];
  /** Lower case. */
  ownerEmail: string;
  oidc?: OidcConfig;
};

export const toAccountsConfig = (env: AccountsEnvironment): AccountsConfig => ({
  ...(env.PUBLIC_URL && { publicUrl: new URL(env.PUBLIC_URL) }),
  ...(env.ACCOUNTS_SECRET && { secret: env.ACCOUNTS_SECRET }),
  ...(env.TRUST_PROXY && { trustProxy: toTrust(env.TRUST_PROXY) }),
  ownerEmail: env.OWNER_EMAIL,
  ...toOidcConfig(env),
});

const toTrust = (text: string): number | string[] =>
  /^\d$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim());

const toOidcConfig = (env: AccountsEnvironment): { oidc?: OidcConfig } => {
  const { OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!OIDC_ISSUER || !clientId || !clientSecret) return {};
  const issuer = new URL(OIDC_ISSUER);
  return { oidc: { issuer, clientId, clientSecret, name: env.OIDC_NAME ?? issuer.hostname } };
};

export const findAccountsProblems = (env: AccountsEnvironment): (string | undefined)[] => [
  ...findPublicUrlProblems(env.PUBLIC_URL),
  ...findOidcProblems(env),
];

const findPublicUrlProblems = (text: string | undefined): (string | undefined)[] => {
  if (text === undefined) return [];
  const url = new URL(text);
  return [
    isProtected(url)
      ? undefined
      : 'PUBLIC_URL must start with https:// (http:// only for this machine).',
    url.pathname === '/' && url.search === '' && url.hash === ''
      ? undefined
      : 'PUBLIC_URL must be an origin without a path, such as https://muster.example.',
  ];
};

const findOidcProblems = (env: AccountsEnvironment): (string | undefined)[] => {
  const given = [env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET];
  if (given.every((value) => value === undefined)) return [];
  if (given.some((value) => value === undefined)) {
    return ['OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three.'];
  }
  return [
    isProtected(new URL(env.OIDC_ISSUER ?? ''))
      ? undefined
      : 'OIDC_ISSUER must start with https:// (http:// only for this machine).',
    env.PUBLIC_URL
      ? undefined
      : 'OIDC_ISSUER needs PUBLIC_URL, since issuers send people back there.',
  ];
};

/** What travels in the clear can be read and replaced on the way, except inside this machine. */
const isProtected = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || isLoopbackHost(hostname);
