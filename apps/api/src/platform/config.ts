// Turns the environment into the configuration, or lists everything that is wrong with it.
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import type { PropagatorName } from './environment.ts';
import { Environment, REMOVED_SETTINGS } from './environment.ts';
import { ConfigError } from './errors.ts';

/** A member is undefined, or absent, when its setting is not set and has no default, and when 0 switches a limit off. */
export type Config = ReturnType<typeof toConfig>;

export type OidcConfig = {
  issuer: URL;
  clientId: string;
  clientSecret: string;
};

type SigningKeys =
  /** The secret is made in DATA_DIR; only this machine may reach the service then. */
  | { kind: 'local' }
  /** `previous` only verifies, until the tokens that were signed with it have expired. */
  | { kind: 'secret'; secret: string; previous?: string }
  | { kind: 'jwks'; url: URL };

/** A token bucket: `burst` requests at once, and `perSecond` more each second. */
export type RateLimit = { perSecond: number; burst: number };

export type TracingConfig = {
  sampler: string;
  ratio: number;
  scheduleDelayMs: number;
  /** Where several find a trace in a request, the last one decides. */
  propagators: readonly PropagatorName[];
};

/** Metrics that are sent over OTLP. */
export type OtlpMetricsConfig = { intervalMs: number };

/** Throws ConfigError with one sentence per problem. An empty variable counts as unset. */
export const loadConfig = (variables: Record<string, string | undefined>): Config => {
  const given = Object.entries(variables).filter(([, value]) => value?.trim());
  const removed = given.flatMap(([name]) => {
    const advice = Object.hasOwn(REMOVED_SETTINGS, name) ? REMOVED_SETTINGS[name] : undefined;
    return advice ? [`${name} is no longer a setting. ${advice}`] : [];
  });
  if (removed.length > 0) throw new ConfigError(removed);
  const parsed = Environment.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const { issues } = parsed.error;
    throw new ConfigError(issues.map(({ path: [name], message }) => `${String(name)} ${message}`));
  }
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
  env.RATE_LIMIT_BURST !== undefined &&
    env.RATE_LIMIT_PER_SECOND === undefined &&
    'RATE_LIMIT_BURST needs RATE_LIMIT_PER_SECOND.',
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

const toConfig = (env: Environment) => ({
  port: env.PORT,
  host: env.HOST.replace(/^\[(.*)\]$/, '$1'),
  databaseUrl: env.DATABASE_URL,
  replicaUrl: env.DATABASE_REPLICA_URL,
  dataDir: resolve(env.DATA_DIR),
  auth: {
    keys: toKeys(env),
    ...(env.AUTH_ISSUER && { issuer: env.AUTH_ISSUER }),
    ...(env.AUTH_AUDIENCE && { audience: env.AUTH_AUDIENCE }),
    permissionsClaims: env.AUTH_PERMISSIONS_CLAIM,
  },
  accounts: {
    publicUrl: env.PUBLIC_URL === undefined ? undefined : new URL(env.PUBLIC_URL),
    secret: env.ACCOUNTS_SECRET,
    trustProxy: toProxyTrust(env.TRUST_PROXY),
    /** Lower case. */
    ownerEmail: env.OWNER_EMAIL,
    oidc: toOidcConfig(env),
  },
  historyAccess: env.HISTORY_ACCESS,
  corsOrigins: env.CORS_ORIGINS,
  companionEndpoints: env.COMPANION_ENDPOINTS === 'on',
  logLevel: env.LOG_LEVEL,
  logSuccessSample: env.LOG_SUCCESS_SAMPLE,
  demoData: env.DEMO_DATA === '1',
  metricsPort: env.METRICS_PORT,
  limits: {
    maxConnections: env.MAX_CONNECTIONS,
    maxWaitingWatches: env.MAX_WAITING_WATCHES,
    bufferBytes: env.BUFFER_MEMORY_MB * MEGABYTE,
    maxSessionBytes: env.MAX_SESSION_KB * 1_024,
    requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1_000,
    transferTimeoutMs: env.TRANSFER_TIMEOUT_SECONDS * 1_000,
    playerRateLimit: toRateLimit(
      env.PLAYER_RATE_LIMIT_PER_SECOND,
      env.PLAYER_RATE_LIMIT_BURST,
      BURST_SECONDS.player,
    ),
    rateLimit: toRateLimit(env.RATE_LIMIT_PER_SECOND, env.RATE_LIMIT_BURST, BURST_SECONDS.service),
  },
  retention: {
    eventDays: env.EVENT_RETENTION_DAYS || undefined,
    refusedJoinDays: env.REFUSED_JOIN_RETENTION_DAYS || undefined,
    metricDays: env.METRIC_RETENTION_DAYS || undefined,
    auditDays: env.AUDIT_RETENTION_DAYS || undefined,
    endedSessionDays: env.ENDED_SESSION_RETENTION_DAYS || undefined,
  },
  deletedSandboxDays: env.SANDBOX_RETENTION_DAYS || undefined,
  webhooksAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE === '1',
  tracing: toTracingConfig(env),
  otlpMetrics: toOtlpMetricsConfig(env),
  workers: env.WORKERS,
  /** Undefined in a process that is the only one, or that starts the others. */
  workerIndex: env.WORKER_INDEX,
});

const toKeys = (env: Environment): SigningKeys => {
  const { AUTH_JWT_SECRET, AUTH_JWT_SECRET_PREVIOUS, AUTH_JWKS_URL } = env;
  if (AUTH_JWKS_URL) return { kind: 'jwks', url: new URL(AUTH_JWKS_URL) };
  if (!AUTH_JWT_SECRET) return { kind: 'local' };
  const previous = AUTH_JWT_SECRET_PREVIOUS;
  return { kind: 'secret', secret: AUTH_JWT_SECRET, ...(previous && { previous }) };
};

const toProxyTrust = (text: string | undefined): number | string[] | undefined =>
  text !== undefined && /^\d$/.test(text)
    ? Number(text)
    : text?.split(',').map((part) => part.trim());

const toOidcConfig = (env: Environment): OidcConfig | undefined => {
  const { OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!OIDC_ISSUER || !clientId || !clientSecret) return undefined;
  return { issuer: new URL(OIDC_ISSUER), clientId, clientSecret };
};

/** The default burst, in seconds of the rate: a player whose game starts, and a service. */
const BURST_SECONDS = { player: 6, service: 2 };

const toRateLimit = (
  perSecond = 0,
  burst: number | undefined,
  burstSeconds: number,
): RateLimit | undefined =>
  perSecond === 0 ? undefined : { perSecond, burst: burst ?? perSecond * burstSeconds };

const toTracingConfig = (env: Environment): TracingConfig | undefined => {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || isOff) return undefined;
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = env;
  const { OTEL_BSP_SCHEDULE_DELAY: scheduleDelayMs, OTEL_PROPAGATORS: propagators } = env;
  return { sampler, ratio, scheduleDelayMs, propagators };
};

const toOtlpMetricsConfig = (env: Environment): OtlpMetricsConfig | undefined => {
  const endpoint = env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isChosen = env.OTEL_METRICS_EXPORTER?.split(',').some((name) => name.trim() === 'otlp');
  const isOn = isChosen && endpoint !== undefined && env.OTEL_SDK_DISABLED !== 'true';
  return isOn ? { intervalMs: env.OTEL_METRIC_EXPORT_INTERVAL } : undefined;
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
