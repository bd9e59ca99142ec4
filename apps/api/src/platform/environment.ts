// The schema of the environment: every setting with its form and its default.
import { isIP } from 'node:net';
import { z } from 'zod';

const setting = (name: string, rule: string) => `${name} must be ${rule}.`;

const whole = (name: string, lowest: number, highest: number, what = 'a whole number') => {
  const error = setting(name, `${what} from ${lowest} to ${highest}`);
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= lowest && value <= highest, { error });
};
const port = (name: string, lowest: number) => whole(name, lowest, 65_535, 'a port number');
const seconds = (name: string) => whole(name, 1, 600);

const days = (name: string) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,4})$/, setting(name, 'a number of days up to 99999; 0 keeps for ever'))
    .transform(Number);

/** Separated by commas or white space. */
const list = z.string().transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));

const secret = (name: string) =>
  z.string().refine((value) => Buffer.byteLength(value) >= 32, {
    error: setting(name, 'at least 32 bytes long'),
  });

const url = (name: string, schemes: RegExp, rule: string) =>
  z.string().refine((text) => URL.canParse(text) && schemes.test(new URL(text).protocol), {
    error: setting(name, rule),
  });
const postgresUrl = (name: string) =>
  z.string().superRefine((text, { addIssue }) => {
    const unescaped = findUnescaped(text);
    const isUrl = URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
    if (unescaped === undefined && isUrl) return;
    const message =
      unescaped === undefined
        ? setting(name, 'a URL that starts with postgres:// or postgresql://')
        : `${name} has a ${unescaped} that ends or breaks the URL. Write it as ${encodeURIComponent(unescaped)} in the password or the user name.`;
    addIssue({ code: 'custom', message });
  });

/** The character of a password that is not percent-encoded: URLs give it another meaning. Never returns more of the password. */
const findUnescaped = (text: string): string | undefined => {
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const [, end] = /^[^#/?]*([#/?])[^=]*@/s.exec(rest) ?? [];
  if (end !== undefined) return end;
  if (rest.includes('#')) return '#';
  const [userInfo = ''] = /^[^#/?]*(?=@)/.exec(rest) ?? [];
  return /%(?![0-9A-F]{2})/i.test(userInfo) ? '%' : undefined;
};
const webUrl = (name: string) => url(name, /^https?:$/, 'a URL that starts with https://');
/** The OpenTelemetry libraries would ignore any other value and send to their default address without a warning. */
const otlpUrl = (name: string) =>
  url(name, /^https?:$/, 'a URL that starts with http:// or https://');

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
  /^\d$/.test(value) || value.split(',').every((part) => isAddress(part.trim()));

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;
const KNOWN_SAMPLERS = [...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)];

export const Environment = z.object({
  PORT: port('PORT', 0).default(3000),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_[\]%-]+$/, setting('HOST', 'an address or a host name'))
    .default('127.0.0.1'),
  DATABASE_URL: postgresUrl('DATABASE_URL').optional(),
  DATABASE_REPLICA_URL: postgresUrl('DATABASE_REPLICA_URL').optional(),
  DATA_DIR: z.string().default('.data'),
  AUTH_JWT_SECRET: secret('AUTH_JWT_SECRET').optional(),
  AUTH_JWT_SECRET_PREVIOUS: secret('AUTH_JWT_SECRET_PREVIOUS').optional(),
  AUTH_JWKS_URL: url('AUTH_JWKS_URL', /./, 'a URL').optional(),
  AUTH_ISSUER: z.string().optional(),
  AUTH_AUDIENCE: z.string().optional(),
  AUTH_PERMISSIONS_CLAIM: list
    .refine((claims) => claims.length > 0, {
      error: setting('AUTH_PERMISSIONS_CLAIM', 'a list of claims'),
    })
    .default(['permissions', 'scope']),
  HISTORY_ACCESS: z
    .enum(['authenticated', 'public'], {
      error: setting('HISTORY_ACCESS', 'authenticated or public'),
    })
    .default('authenticated'),
  CORS_ORIGINS: list
    .refine((origins) => origins.every((origin) => URL.parse(origin)?.origin === origin), {
      error: setting('CORS_ORIGINS', 'a list of origins, such as https://play.example'),
    })
    .default([]),
  COMPANION_ENDPOINTS: z
    .enum(['on', 'off'], { error: setting('COMPANION_ENDPOINTS', 'on or off') })
    .default('on'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: setting('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`) })
    .default('info'),
  DEMO_DATA: z.enum(['0', '1'], { error: setting('DEMO_DATA', '0 or 1') }).default('1'),
  WORKERS: z
    .string()
    .regex(/^(?:[1-9]|[1-5]\d|6[0-4])$/, setting('WORKERS', 'a number of processes from 1 to 64'))
    .transform(Number)
    .default(1),
  /** The service sets it for each of its workers. */
  WORKER_INDEX: z
    .string()
    .regex(/^\d+$/, setting('WORKER_INDEX', 'left to the service, which numbers its workers'))
    .transform(Number)
    .optional(),
  METRICS_PORT: port('METRICS_PORT', 1).optional(),
  EVENT_RETENTION_DAYS: days('EVENT_RETENTION_DAYS').default(90),
  AUDIT_RETENTION_DAYS: days('AUDIT_RETENTION_DAYS').default(365),
  ENDED_SESSION_RETENTION_DAYS: days('ENDED_SESSION_RETENTION_DAYS').default(30),
  SANDBOX_RETENTION_DAYS: whole('SANDBOX_RETENTION_DAYS', 0, 99_999).default(30),

  // People's accounts.
  PUBLIC_URL: webUrl('PUBLIC_URL').optional(),
  ACCOUNTS_SECRET: secret('ACCOUNTS_SECRET').optional(),
  TRUST_PROXY: z
    .string()
    .refine(isProxyTrust, {
      error: setting(
        'TRUST_PROXY',
        'a number of proxies from 1 to 9, their addresses with commas, or 0 for none',
      ),
    })
    .optional(),
  OWNER_EMAIL: z
    .email(setting('OWNER_EMAIL', 'an e-mail address'))
    .toLowerCase()
    // Better Auth rejects an address without a dot in its domain: `owner@localhost` could not sign in.
    .default('owner@muster.local'),
  OIDC_ISSUER: webUrl('OIDC_ISSUER').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),

  // Limits that protect the service.
  MAX_CONNECTIONS: whole('MAX_CONNECTIONS', 10, 1_000_000).default(10_000),
  MAX_SESSION_KB: whole('MAX_SESSION_KB', 16, 8_192).default(256),
  BUFFER_MEMORY_MB: whole('BUFFER_MEMORY_MB', 32, 65_536).default(192),
  REQUEST_TIMEOUT_SECONDS: seconds('REQUEST_TIMEOUT_SECONDS').default(15),
  TRANSFER_TIMEOUT_SECONDS: seconds('TRANSFER_TIMEOUT_SECONDS').default(60),
  PLAYER_RATE_LIMIT_PER_SECOND: whole('PLAYER_RATE_LIMIT_PER_SECOND', 0, 100_000).default(10),
  RATE_LIMIT_PER_SECOND: whole('RATE_LIMIT_PER_SECOND', 1, 100_000).optional(),

  // OpenTelemetry. Its libraries read the other variables, such as the headers, themselves:
  // https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpUrl('OTEL_EXPORTER_OTLP_ENDPOINT').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otlpUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT').optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(KNOWN_SAMPLERS, {
      error: setting('OTEL_TRACES_SAMPLER', `one of ${KNOWN_SAMPLERS.join(', ')}`),
    })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(
      /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/,
      setting('OTEL_TRACES_SAMPLER_ARG', 'a ratio from 0 to 1'),
    )
    .default('1')
    .transform(Number),
  OTEL_BSP_SCHEDULE_DELAY: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, setting('OTEL_BSP_SCHEDULE_DELAY', 'a number of milliseconds'))
    .default('5000')
    .transform(Number),
});

export type Environment = z.infer<typeof Environment>;

const HEADERS_AND_BODY =
  'REQUEST_TIMEOUT_SECONDS limits the time for the headers and for the body of a join, and TRANSFER_TIMEOUT_SECONDS that for a whole request.';

/** Settings of earlier versions, and what to use instead. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  AUTH_SCOPE_CLAIM:
    'Name the claim in AUTH_PERMISSIONS_CLAIM, which takes several claims separated by commas.',
  MAX_CONCURRENT_REQUESTS: 'The service sets this limit by itself; remove it.',
  OIDC_NAME: 'The sign-in button shows the host of OIDC_ISSUER; remove it.',
  PLAYER_RATE_LIMIT_BURST:
    'Set PLAYER_RATE_LIMIT_PER_SECOND; the burst is what it allows in six seconds.',
  RATE_LIMIT_BURST: 'Set RATE_LIMIT_PER_SECOND; the burst is what it allows in two seconds.',
  MAX_WAITING_JOINS: 'The service sets this limit by itself; remove it.',
  MAX_UNREAD_ANSWER_MB: 'Set BUFFER_MEMORY_MB, the memory for request bodies and unread responses.',
  MAX_BODY_MB: 'Set BUFFER_MEMORY_MB, the memory for request bodies and unread responses.',
  HEADERS_TIMEOUT_SECONDS: HEADERS_AND_BODY,
  BODY_TIMEOUT_SECONDS: HEADERS_AND_BODY,
  ANSWER_TIMEOUT_SECONDS: 'Set TRANSFER_TIMEOUT_SECONDS, the time for a whole request or response.',
};
