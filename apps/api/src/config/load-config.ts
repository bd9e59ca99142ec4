// Turns the environment into the configuration, or lists everything that is wrong with it.
import { resolve } from 'node:path';
import type { AccountsConfig } from './accounts-config.ts';
import { findAccountsProblems, toAccountsConfig } from './accounts-config.ts';
import { ConfigError } from './config-error.ts';
import { Environment } from './environment.ts';
import type { LimitsConfig } from './limits-config.ts';
import { findLimitsProblem, toLimitsConfig } from './limits-config.ts';
import { isLoopbackHost } from './loopback.ts';
import type { TracingConfig } from './tracing-environment.ts';
import { findTracing } from './tracing-environment.ts';

export type AuthConfig = {
  /** `local`: the secret is made in DATA_DIR; only this machine may reach the service then. */
  keys:
    | { kind: 'local' }
    | { kind: 'secret'; secret: string; previous?: string }
    | { kind: 'jwks'; url: URL };
  issuer?: string;
  audience?: string;
  permissionsClaim: string;
  scopeClaim: string;
};

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
  logLevel: Environment['LOG_LEVEL'];
  demoData: boolean;
  metricsPort?: number;
  limits: LimitsConfig;
  /** Absent: nothing is traced. */
  tracing?: TracingConfig;
  /** How many days session events and audit records are kept; absent: for ever. */
  retention: { eventDays?: number; auditDays?: number };
  /** Processes that share the port. */
  workers: number;
  /** Which of them this one is; absent where it is the only one, or starts the others. */
  workerIndex?: number;
};

/** Throws ConfigError with one sentence per problem. An empty variable counts as unset. */
export const loadConfig = (variables: Record<string, string | undefined>): Config => {
  const given = Object.entries(variables).filter(([, value]) => value?.trim());
  const parsed = Environment.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(({ message }) => message));
  const problems = findContradictions(parsed.data);
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data);
};

const findContradictions = (env: Environment): string[] =>
  [
    ...findKeyProblems(env),
    findLonePrevious(env),
    findExposure(env),
    findPortClash(env),
    env.DATABASE_REPLICA_URL && !env.DATABASE_URL
      ? 'DATABASE_REPLICA_URL needs DATABASE_URL, the database that it is a replica of.'
      : undefined,
    ...findAccountsProblems(env),
    findLimitsProblem(env),
  ].filter((p) => p !== undefined);

const findKeyProblems = (env: Environment): (string | undefined)[] => {
  if (env.AUTH_JWKS_URL === undefined) return [];
  return [
    env.AUTH_JWT_SECRET && 'AUTH_JWT_SECRET and AUTH_JWKS_URL are both set: keep one of them.',
    isProtected(new URL(env.AUTH_JWKS_URL))
      ? undefined
      : 'AUTH_JWKS_URL must start with https:// (http:// only for this machine).',
    env.AUTH_ISSUER ? undefined : 'AUTH_ISSUER is required with AUTH_JWKS_URL.',
    env.AUTH_AUDIENCE ? undefined : 'AUTH_AUDIENCE is required with AUTH_JWKS_URL.',
  ];
};

const findLonePrevious = (env: Environment): string | undefined =>
  env.AUTH_JWT_SECRET_PREVIOUS && !env.AUTH_JWT_SECRET
    ? 'AUTH_JWT_SECRET_PREVIOUS needs AUTH_JWT_SECRET, the secret that comes after it.'
    : undefined;

/** Keys that travel in the clear can be replaced on the way, except inside this machine. */
const isProtected = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));

const findExposure = (env: Environment): string | undefined =>
  isLoopbackHost(env.HOST) || env.AUTH_JWT_SECRET || env.AUTH_JWKS_URL
    ? undefined
    : `HOST ${env.HOST} can be reached from other machines: set AUTH_JWT_SECRET or AUTH_JWKS_URL first, or listen on 127.0.0.1.`;

const findPortClash = ({ PORT, METRICS_PORT }: Environment): string | undefined =>
  METRICS_PORT === PORT ? 'METRICS_PORT must differ from PORT.' : undefined;

const toConfig = (env: Environment): Config => {
  const tracing = findTracing(env);
  return {
    port: env.PORT,
    host: env.HOST.replace(/^\[(.*)\]$/, '$1'),
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
    ...(env.DATABASE_REPLICA_URL && { replicaUrl: env.DATABASE_REPLICA_URL }),
    dataDir: resolve(env.DATA_DIR),
    auth: toAuthConfig(env),
    accounts: toAccountsConfig(env),
    historyAccess: env.HISTORY_ACCESS,
    logLevel: env.LOG_LEVEL,
    demoData: env.DEMO_DATA === '1',
    ...(env.METRICS_PORT && { metricsPort: env.METRICS_PORT }),
    limits: toLimitsConfig(env),
    retention: {
      ...(env.EVENT_RETENTION_DAYS && { eventDays: env.EVENT_RETENTION_DAYS }),
      ...(env.AUDIT_RETENTION_DAYS && { auditDays: env.AUDIT_RETENTION_DAYS }),
    },
    ...(tracing && { tracing }),
    workers: env.WORKERS,
    ...(env.WORKER_INDEX !== undefined && { workerIndex: env.WORKER_INDEX }),
  };
};

const toAuthConfig = (env: Environment): AuthConfig => ({
  keys: toKeys(env),
  ...(env.AUTH_ISSUER && { issuer: env.AUTH_ISSUER }),
  ...(env.AUTH_AUDIENCE && { audience: env.AUTH_AUDIENCE }),
  permissionsClaim: env.AUTH_PERMISSIONS_CLAIM,
  scopeClaim: env.AUTH_SCOPE_CLAIM,
});

const toKeys = (env: Environment): AuthConfig['keys'] => {
  const { AUTH_JWT_SECRET, AUTH_JWT_SECRET_PREVIOUS, AUTH_JWKS_URL } = env;
  if (AUTH_JWKS_URL) return { kind: 'jwks', url: new URL(AUTH_JWKS_URL) };
  if (!AUTH_JWT_SECRET) return { kind: 'local' };
  const previous = AUTH_JWT_SECRET_PREVIOUS;
  return { kind: 'secret', secret: AUTH_JWT_SECRET, ...(previous && { previous }) };
};
