// The schema of the environment: every setting with its form and its default.
import { z } from 'zod';
import { AccountsEnvironment } from './accounts-environment.ts';
import { LimitsEnvironment } from './limits-environment.ts';
import { TracingEnvironment } from './tracing-environment.ts';

const setting = (name: string, rule: string) => `${name} must be ${rule}.`;

const port = (name: string, lowest: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, setting(name, `a port number from ${lowest} to 65535`))
    .transform(Number)
    .refine((value) => value >= lowest && value <= 65_535, {
      error: setting(name, `a port number from ${lowest} to 65535`),
    });

const days = (name: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/, setting(name, 'a number of days from 1 to 99999'))
    .transform(Number);

const secret = (name: string) =>
  z.string().refine((value) => Buffer.byteLength(value) >= 32, {
    error: setting(name, 'at least 32 bytes long'),
  });

const isPostgresUrl = (value: string): boolean =>
  URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const Environment = z.object({
  PORT: port('PORT', 0).default(3000),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_[\]%-]+$/, setting('HOST', 'an address or a host name'))
    .default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .refine(isPostgresUrl, {
      error: setting('DATABASE_URL', 'a URL that starts with postgres:// or postgresql://'),
    })
    .optional(),
  DATABASE_REPLICA_URL: z
    .string()
    .refine(isPostgresUrl, {
      error: setting('DATABASE_REPLICA_URL', 'a URL that starts with postgres:// or postgresql://'),
    })
    .optional(),
  DATA_DIR: z.string().default('.data'),
  AUTH_JWT_SECRET: secret('AUTH_JWT_SECRET').optional(),
  AUTH_JWT_SECRET_PREVIOUS: secret('AUTH_JWT_SECRET_PREVIOUS').optional(),
  AUTH_JWKS_URL: z
    .string()
    .refine((value) => URL.canParse(value), { error: setting('AUTH_JWKS_URL', 'a URL') })
    .optional(),
  AUTH_ISSUER: z.string().optional(),
  AUTH_AUDIENCE: z.string().optional(),
  AUTH_PERMISSIONS_CLAIM: z.string().default('permissions'),
  AUTH_SCOPE_CLAIM: z.string().default('scope'),
  HISTORY_ACCESS: z
    .enum(['authenticated', 'public'], {
      error: setting('HISTORY_ACCESS', 'authenticated or public'),
    })
    .default('authenticated'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: setting('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`) })
    .default('info'),
  DEMO_DATA: z.enum(['0', '1'], { error: setting('DEMO_DATA', '0 or 1') }).default('1'),
  WORKERS: z
    .string()
    .regex(/^(?:[1-9]|[1-5]\d|6[0-4])$/, setting('WORKERS', 'a number of processes from 1 to 64'))
    .transform(Number)
    .default(1),
  /** Set by the service itself for each of its workers. */
  WORKER_INDEX: z
    .string()
    .regex(/^\d+$/, setting('WORKER_INDEX', 'left to the service, which numbers its workers'))
    .transform(Number)
    .optional(),
  METRICS_PORT: port('METRICS_PORT', 1).optional(),
  EVENT_RETENTION_DAYS: days('EVENT_RETENTION_DAYS').optional(),
  AUDIT_RETENTION_DAYS: days('AUDIT_RETENTION_DAYS').optional(),
  ...AccountsEnvironment.shape,
  ...LimitsEnvironment.shape,
  ...TracingEnvironment.shape,
});
export type Environment = z.infer<typeof Environment>;
