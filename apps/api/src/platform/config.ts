// Turns the environment into the configuration, or lists everything that is wrong with it.
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { Environment, REMOVED_SETTINGS } from './environment.ts';
import { ConfigError } from './errors.ts';

export type Config = {
  port: number;
  host: string;
  /** Absent: the service starts the PostgreSQL that it brings along. */
  databaseUrl?: string;
  /** A replica of it, for the pages of histories. */
  replicaUrl?: string;
  /** Absolute. */
  dataDir: string;
  auth: AuthConfig;
  accounts: AccountsConfig;
  historyAccess: 'authenticated' | 'public';
  /** The origins whose pages may call the public endpoints. */
  corsOrigins: readonly string[];
  companionEndpoints: boolean;
  logLevel: Environment['LOG_LEVEL'];
  demoData: boolean;
  metricsPort?: number;
  limits: LimitsConfig;
  /** Absent: nothing is traced. */
  tracing?: TracingConfig;
  /** How many days session events, audit records, and ended sessions are kept; absent: for ever. */
  retention: { eventDays?: number; auditDays?: number; endedSessionDays?: number };
  /** How many days what a deleted sandbox held is kept; absent: for ever. */
  deletedSandboxDays?: number;
  /** Processes that share the port. */
  workers: number;
  /** The number of this worker; absent in a process that is the only one, or that starts the others. */
  workerIndex?: number;
};

type AuthConfig = {
  /** `local`: the secret is made in DATA_DIR; only this machine may reach the service then. */
  keys:
    | { kind: 'local' }
    /** `previous` only verifies, until the tokens that were signed with it have expired. */
    | { kind: 'secret'; secret: string; previous?: string }
    | { kind: 'jwks'; url: URL };
  issuer?: string;
  audience?: string;
  /** The claims with permissions, as a list or separated by spaces. At least one. */
  permissionsClaims: readonly string[];
};

type AccountsConfig = {
  /** The origin that browsers show; absent: the address that the service listens on. */
  publicUrl?: URL;
  /** Absent: derived from the signing secret, or made in DATA_DIR. */
  secret?: string;
  /** How many proxies, or which addresses, are trusted to name the client; 0 or absent: none. */
  trustProxy?: number | string[];
  /** Lower case. */
  ownerEmail: string;
  oidc?: OidcConfig;
};

export type OidcConfig = {
  issuer: URL;
  clientId: string;
  clientSecret: string;
};

type LimitsConfig = {
  maxConnections: number;
  /** For request bodies and unread responses together. */
  bufferBytes: number;
  /** Of the resource of one session. */
  maxSessionBytes: number;
  /** For request line and headers, and for the body of a join. */
  requestTimeoutMs: number;
  /** For a whole request, and the window in which the reader of a response is measured. */
  transferTimeoutMs: number;
  /** Per player; absent: no limit. */
  playerRateLimit?: RateLimit;
  /** Per service or API key; absent: no limit. */
  rateLimit?: RateLimit;
};

/** A token bucket: `burst` requests at once, and `perSecond` more each second. */
export type RateLimit = { perSecond: number; burst: number };

export type TracingConfig = { sampler: string; ratio: number; scheduleDelayMs: number };

/** Throws ConfigError with one sentence per problem. An empty variable counts as unset. */
export const loadConfig = (variables: Record<string, string | undefined>): Config => {
  const given = Object.entries(variables).filter(([, value]) => value?.trim());
  const removed = given.flatMap(([name]) => {
    const advice = Object.hasOwn(REMOVED_SETTINGS, name) ? REMOVED_SETTINGS[name] : undefined;
    return advice ? [`${name} is no longer a setting. ${advice}`] : [];
  });
  if (removed.length > 0) throw new ConfigError(removed);
  const parsed = Environment.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(({ message }) => message));
  const problems = findContradictions(parsed.data).filter((problem) => typeof problem === 'string');
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data);
};

type Problem = string | false | undefined;

const findContradictions = (env: Environment): Problem[] => [
  ...findKeyProblems(env),
  env.AUTH_JWT_SECRET_PREVIOUS !== undefined &&
    env.AUTH_JWT_SECRET === undefined &&
    'AUTH_JWT_SECRET_PREVIOUS needs AUTH_JWT_SECRET, the secret that comes after it.',
  !isLoopbackHost(env.HOST) &&
    !env.AUTH_JWT_SECRET &&
    !env.AUTH_JWKS_URL &&
    `HOST ${env.HOST} can be reached from other machines: set AUTH_JWT_SECRET or AUTH_JWKS_URL first, or listen on 127.0.0.1.`,
  env.METRICS_PORT === env.PORT && 'METRICS_PORT must differ from PORT.',
  env.DATABASE_REPLICA_URL !== undefined &&
    env.DATABASE_URL === undefined &&
    'DATABASE_REPLICA_URL needs DATABASE_URL, the database that it is a replica of.',
  ...findPublicUrlProblems(env.PUBLIC_URL),
  // Otherwise all people would have the address of the proxy, and share the limits on wrong passwords.
  env.PUBLIC_URL !== undefined &&
    env.TRUST_PROXY === undefined &&
    'PUBLIC_URL needs TRUST_PROXY: the number of proxies in front of the service, or their addresses; 0 for none.',
  ...findOidcProblems(env),
];

const findKeyProblems = (env: Environment): Problem[] => {
  if (env.AUTH_JWKS_URL === undefined) return [];
  return [
    env.AUTH_JWT_SECRET && 'AUTH_JWT_SECRET and AUTH_JWKS_URL are both set: keep one of them.',
    !isProtected(env.AUTH_JWKS_URL) &&
      'AUTH_JWKS_URL must start with https:// (http:// only for this machine).',
    !env.AUTH_ISSUER && 'AUTH_ISSUER is required with AUTH_JWKS_URL.',
    !env.AUTH_AUDIENCE && 'AUTH_AUDIENCE is required with AUTH_JWKS_URL.',
  ];
};

const findPublicUrlProblems = (text: string | undefined): Problem[] => {
  if (text === undefined) return [];
  const { pathname, search, hash } = new URL(text);
  const isOrigin = pathname === '/' && search === '' && hash === '';
  return [
    !isProtected(text) && 'PUBLIC_URL must start with https:// (http:// only for this machine).',
    !isOrigin && 'PUBLIC_URL must be an origin without a path, such as https://muster.example.',
  ];
};

const findOidcProblems = (env: Environment): Problem[] => {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL } = env;
  if (!OIDC_ISSUER && !OIDC_CLIENT_ID && !OIDC_CLIENT_SECRET) return [];
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) {
    return ['OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three.'];
  }
  return [
    !isProtected(OIDC_ISSUER) &&
      'OIDC_ISSUER must start with https:// (http:// only for this machine).',
    !PUBLIC_URL && 'OIDC_ISSUER needs PUBLIC_URL, since issuers send people back there.',
  ];
};

/** Anything sent in the clear can be read and replaced on the way, except inside this machine. */
const isProtected = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
};

const MEGABYTE = 1_048_576;

const toConfig = (env: Environment): Config => ({
  port: env.PORT,
  host: env.HOST.replace(/^\[(.*)\]$/, '$1'),
  ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
  ...(env.DATABASE_REPLICA_URL && { replicaUrl: env.DATABASE_REPLICA_URL }),
  dataDir: resolve(env.DATA_DIR),
  auth: {
    keys: toKeys(env),
    ...(env.AUTH_ISSUER && { issuer: env.AUTH_ISSUER }),
    ...(env.AUTH_AUDIENCE && { audience: env.AUTH_AUDIENCE }),
    permissionsClaims: env.AUTH_PERMISSIONS_CLAIM,
  },
  accounts: {
    ...(env.PUBLIC_URL && { publicUrl: new URL(env.PUBLIC_URL) }),
    ...(env.ACCOUNTS_SECRET && { secret: env.ACCOUNTS_SECRET }),
    ...(env.TRUST_PROXY && { trustProxy: toProxyTrust(env.TRUST_PROXY) }),
    ownerEmail: env.OWNER_EMAIL,
    ...toOidcConfig(env),
  },
  historyAccess: env.HISTORY_ACCESS,
  corsOrigins: env.CORS_ORIGINS,
  companionEndpoints: env.COMPANION_ENDPOINTS === 'on',
  logLevel: env.LOG_LEVEL,
  demoData: env.DEMO_DATA === '1',
  ...(env.METRICS_PORT && { metricsPort: env.METRICS_PORT }),
  limits: {
    maxConnections: env.MAX_CONNECTIONS,
    bufferBytes: env.BUFFER_MEMORY_MB * MEGABYTE,
    maxSessionBytes: env.MAX_SESSION_KB * 1_024,
    requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1_000,
    transferTimeoutMs: env.TRANSFER_TIMEOUT_SECONDS * 1_000,
    ...toRateLimits(env),
  },
  retention: {
    ...(env.EVENT_RETENTION_DAYS && { eventDays: env.EVENT_RETENTION_DAYS }),
    ...(env.AUDIT_RETENTION_DAYS && { auditDays: env.AUDIT_RETENTION_DAYS }),
    ...(env.ENDED_SESSION_RETENTION_DAYS && {
      endedSessionDays: env.ENDED_SESSION_RETENTION_DAYS,
    }),
  },
  ...(env.SANDBOX_RETENTION_DAYS && { deletedSandboxDays: env.SANDBOX_RETENTION_DAYS }),
  ...toTracingConfig(env),
  workers: env.WORKERS,
  ...(env.WORKER_INDEX !== undefined && { workerIndex: env.WORKER_INDEX }),
});

const toKeys = (env: Environment): AuthConfig['keys'] => {
  const { AUTH_JWT_SECRET, AUTH_JWT_SECRET_PREVIOUS, AUTH_JWKS_URL } = env;
  if (AUTH_JWKS_URL) return { kind: 'jwks', url: new URL(AUTH_JWKS_URL) };
  if (!AUTH_JWT_SECRET) return { kind: 'local' };
  const previous = AUTH_JWT_SECRET_PREVIOUS;
  return { kind: 'secret', secret: AUTH_JWT_SECRET, ...(previous && { previous }) };
};

const toProxyTrust = (text: string): number | string[] =>
  /^\d$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim());

const toOidcConfig = (env: Environment): { oidc?: OidcConfig } => {
  const { OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!OIDC_ISSUER || !clientId || !clientSecret) return {};
  return { oidc: { issuer: new URL(OIDC_ISSUER), clientId, clientSecret } };
};

/** The burst after a pause, in seconds of the rate: a player whose game starts, and a service. */
const BURST_SECONDS = { player: 6, service: 2 };

const toRateLimits = ({
  PLAYER_RATE_LIMIT_PER_SECOND: ofPlayer,
  RATE_LIMIT_PER_SECOND: ofService,
}: Environment): Pick<LimitsConfig, 'playerRateLimit' | 'rateLimit'> => ({
  ...(ofPlayer && {
    playerRateLimit: { perSecond: ofPlayer, burst: ofPlayer * BURST_SECONDS.player },
  }),
  ...(ofService && {
    rateLimit: { perSecond: ofService, burst: ofService * BURST_SECONDS.service },
  }),
});

const toTracingConfig = (env: Environment): { tracing?: TracingConfig } => {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || isOff) return {};
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = env;
  return { tracing: { sampler, ratio, scheduleDelayMs: env.OTEL_BSP_SCHEDULE_DELAY } };
};

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/** True when only this machine can reach a server that listens on `host`. Accepts the brackets of a URL. */
export const isLoopbackHost = (host: string): boolean => {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(bare);
  // The names that RFC 6761 section 6.3 reserves for this machine; any other name may lead elsewhere.
  if (family === 0) return /^(.+\.)?localhost\.?$/i.test(bare);
  return LOOPBACK.check(bare, family === 4 ? 'ipv4' : 'ipv6');
};
