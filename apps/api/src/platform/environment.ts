// The settings, read from environment variables: each with its form, its default and its meaning for people. `muster settings` and
// docs/reference/settings.md are made from it.
import { isIP } from 'node:net';
import { z } from 'zod';

/** The end of a sentence that begins with the name of the setting. */
const mustBe = (rule: string) => `must be ${rule}.`;

const whole = (lowest: number, highest: number, what = 'a whole number') => {
  const error = mustBe(`${what} from ${lowest} to ${highest}`);
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= lowest && value <= highest, { error });
};
const port = (lowest: number) => whole(lowest, 65_535, 'a port number');
const seconds = () => whole(1, 600);

const digits = (form: RegExp, rule: string) =>
  z.string().regex(form, mustBe(rule)).transform(Number);

const days = () => digits(/^(?:0|[1-9]\d{0,4})$/, 'a number of days up to 99999; 0 keeps for ever');

/** Separated by commas or white space. */
const list = z.string().transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));

const oneOf = <const Values extends readonly string[]>(values: Values) => {
  const rule = values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`;
  return z.enum(values, { error: mustBe(rule) });
};

const secret = () =>
  z.string().refine((value) => Buffer.byteLength(value) >= 32, {
    error: mustBe('at least 32 bytes long'),
  });

const url = (schemes: RegExp, rule: string) =>
  z.string().refine((text) => URL.canParse(text) && schemes.test(new URL(text).protocol), {
    error: mustBe(rule),
  });
const webUrl = () => url(/^https?:$/, 'a URL that starts with https://');
/** The OpenTelemetry libraries would ignore any other value and send to their default address without a warning. */
const otlpUrl = () => url(/^https?:$/, 'a URL that starts with http:// or https://');

const postgresUrl = () =>
  z.string().superRefine((text, { addIssue }) => {
    const unescaped = findUnescaped(text);
    const isUrl = URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
    if (unescaped === undefined && isUrl) return;
    const message =
      unescaped === undefined
        ? mustBe('a URL that starts with postgres:// or postgresql://')
        : `has a ${unescaped} that ends or breaks the URL. Write it as ${encodeURIComponent(unescaped)} in the password or the user name.`;
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

const PROPAGATORS = ['tracecontext', 'baggage', 'b3', 'b3multi'] as const;
export type PropagatorName = (typeof PROPAGATORS)[number];
const isPropagator = (name: string): name is PropagatorName =>
  PROPAGATORS.some((known) => known === name);

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

// `shownDefault` is for a setting without a default in the schema, or with one that needs explanation.

const BASICS = {
  PORT: port(0).default(3000).describe('Port that the service listens on; 0 takes a free one.'),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_[\]%-]+$/, mustBe('an address or a host name'))
    .default('127.0.0.1')
    .describe('Address that it listens on. Anything but loopback needs configured credentials.'),
  DATABASE_URL: postgresUrl().optional().meta({
    description:
      'A PostgreSQL ≥ 15, or the coordinator of a Citus cluster. The built-in PostgreSQL is for evaluation and small studios.',
    shownDefault: 'starts its own PostgreSQL',
  }),
  DATABASE_REPLICA_URL: postgresUrl()
    .optional()
    .describe('A streaming replica of it, for the pages of histories.'),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe(
      'Where its own PostgreSQL and the secrets that it makes live. The service makes it closed to other users (mode 0700; root makes it 0711, since its PostgreSQL runs as another user).',
    ),
  WORKERS: digits(/^(?:[1-9]|[1-5]\d|6[0-4])$/, 'a number of processes from 1 to 64')
    .default(1)
    .describe('Processes that share the port, for machines with several cores.'),
  DEMO_DATA: oneOf(['0', '1'])
    .default('1')
    .describe('1 loads demo data into an empty database, 0 leaves it empty.'),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe(
      'trace, debug, info, warn, error, fatal or silent. Logs are JSON lines on standard error.',
    ),
  LOG_SUCCESS_SAMPLE: digits(/^(?:0(?:\.\d{1,6})?|1(?:\.0+)?)$/, 'a ratio from 0 to 1')
    .default(1)
    .describe(
      'The part of successful requests that is logged, such as 0.1. Refused, failed and slow requests are always logged.',
    ),
};

const CREDENTIALS = {
  AUTH_JWT_SECRET: secret().optional().meta({
    description: 'Shared secret of at least 32 bytes for HS256 tokens.',
    shownDefault: 'made in DATA_DIR on the first start',
  }),
  AUTH_JWT_SECRET_PREVIOUS: secret()
    .optional()
    .describe('The previous secret, accepted during its rotation.'),
  AUTH_JWKS_URL: url(/./, 'a URL')
    .optional()
    .describe(
      'https URL of the public keys for RS256, PS256, ES256 and EdDSA tokens. Needs AUTH_ISSUER and AUTH_AUDIENCE.',
    ),
  AUTH_ISSUER: z
    .string()
    .optional()
    .meta({ description: 'Expected iss claim.', shownDefault: 'not checked' }),
  AUTH_AUDIENCE: z
    .string()
    .optional()
    .meta({ description: 'Expected aud claim.', shownDefault: 'not checked' }),
  AUTH_PERMISSIONS_CLAIM: list
    .refine((claims) => claims.length > 0, { error: mustBe('a list of claims') })
    .default(['permissions', 'scope'])
    .describe(
      'Claims that hold permissions, separated by commas. A claim is found by its exact name, else by a path with dots of up to five names, such as realm_access.roles. Its value is an array, or a text with permissions separated by spaces.',
    ),
  HISTORY_ACCESS: oneOf(['authenticated', 'public'])
    .default('authenticated')
    .describe('authenticated, or public, which opens the two histories to everyone.'),
  CORS_ORIGINS: list
    .refine((origins) => origins.every((origin) => URL.parse(origin)?.origin === origin), {
      error: mustBe('a list of origins, such as https://play.example'),
    })
    .default([])
    .meta({
      description:
        'Exact origins, separated by commas, whose pages may call the public and the companion endpoints.',
      shownDefault: 'none',
    }),
  COMPANION_ENDPOINTS: oneOf(['on', 'off'])
    .default('on')
    .describe(
      'on, or off, which removes the endpoints to read a session, to list the sessions of a player, and to leave.',
    ),
};

const WEB_APP = {
  PUBLIC_URL: webUrl().optional().meta({
    description: 'https origin that browsers show behind a proxy. Cookies and links use it.',
    shownDefault: 'the address that it listens on',
  }),
  TRUST_PROXY: z
    .string()
    .refine(isProxyTrust, {
      error: mustBe('a number of proxies from 1 to 9, their addresses with commas, or 0 for none'),
    })
    .optional()
    .describe(
      'How many proxies, or which addresses (separated by commas), may say where a request comes from; 0 for none. Required with PUBLIC_URL.',
    ),
  ACCOUNTS_SECRET: secret().optional().meta({
    description: 'Signs cookies and encrypts second factors; at least 32 bytes.',
    shownDefault: 'derived from AUTH_JWT_SECRET, else made in DATA_DIR',
  }),
  OWNER_EMAIL: z
    .email(mustBe('an e-mail address'))
    .toLowerCase()
    // Better Auth rejects an address without a dot in its domain: `owner@localhost` could not sign in.
    .default('owner@muster.local')
    .describe('E-mail address of the owner that the first start creates.'),
  OIDC_ISSUER: webUrl()
    .optional()
    .describe(
      'OpenID Connect issuer for single sign-on, as its discovery document names it. Needs PUBLIC_URL; the redirect URI is PUBLIC_URL/admin/auth/callback/oidc.',
    ),
  OIDC_CLIENT_ID: z.string().optional().describe('Client id at the issuer.'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('Client secret at the issuer.'),
};

const RETENTION = {
  SANDBOX_RETENTION_DAYS: whole(0, 99_999)
    .default(30)
    .describe('Days that a deleted sandbox is kept and can be restored; 0 for ever.'),
  ENDED_SESSION_RETENTION_DAYS: days()
    .default(30)
    .describe(
      'Days that an ended session is kept, unless its session type sets ended_retention_seconds; 0 for ever. For sessions that ended before the upgrade to this setting, the days count from the upgrade.',
    ),
  EVENT_RETENTION_DAYS: days()
    .default(90)
    .describe('Days that session events are kept; 0 for ever.'),
  REFUSED_JOIN_RETENTION_DAYS: days()
    .default(30)
    .describe('Days that refused joins are kept; 0 for ever.'),
  METRIC_RETENTION_DAYS: days()
    .default(7)
    .describe('Days that the metrics in the charts of the admin app are kept; 0 for ever.'),
  AUDIT_RETENTION_DAYS: days()
    .default(365)
    .describe('Days that audit records are kept; 0 for ever.'),
};

const LIMITS = {
  MAX_CONNECTIONS: whole(10, 1_000_000)
    .default(10_000)
    .describe('Open connections; more are closed at once.'),
  MAX_WAITING_WATCHES: whole(0, 1_000_000)
    .default(10_000)
    .describe('Requests that wait for a change of a session or for an event; more are 503.'),
  MAX_SESSION_KB: whole(16, 8_192)
    .default(256)
    .describe("Size of a session's resource in KiB; what would exceed it is refused."),
  BUFFER_MEMORY_MB: whole(32, 65_536)
    .default(192)
    .describe('Memory for request bodies and unread responses; half is reserved for bodies.'),
  REQUEST_TIMEOUT_SECONDS: seconds()
    .default(15)
    .describe('Time for the headers of a request, and the body of a join.'),
  TRANSFER_TIMEOUT_SECONDS: seconds()
    .default(60)
    .describe('Time for a whole request, and until a slow reader is disconnected.'),
  PLAYER_RATE_LIMIT_PER_SECOND: whole(0, 100_000)
    .default(10)
    .describe('Requests per second that one player may send to a process; 0 for no limit.'),
  PLAYER_RATE_LIMIT_BURST: whole(1, 1_000_000).optional().meta({
    description: 'Requests that one player may send at once after a pause.',
    shownDefault: 'six times the rate',
  }),
  RATE_LIMIT_PER_SECOND: whole(1, 100_000).optional().meta({
    description: 'Requests per second that one service or API key may send to a process.',
    shownDefault: 'off',
  }),
  RATE_LIMIT_BURST: whole(1, 1_000_000).optional().meta({
    description: 'Requests that one service or API key may send at once after a pause.',
    shownDefault: 'twice the rate',
  }),
};

const WEBHOOKS = {
  WEBHOOK_ALLOW_PRIVATE: oneOf(['0', '1'])
    .default('0')
    .describe(
      '1 permits webhooks to private, loopback, link-local and metadata addresses, and http:// URLs of this machine.',
    ),
};

// The libraries of OpenTelemetry read the other variables, such as the headers, themselves:
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
const OBSERVABILITY = {
  METRICS_PORT: port(1)
    .optional()
    .describe('Serves /metrics on a port of its own, without a credential.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpUrl().optional().meta({
    description: 'Where traces go over OTLP/HTTP, and metrics with OTEL_METRICS_EXPORTER.',
    shownDefault: 'no traces',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otlpUrl().optional().describe('The same, as the whole URL.'),
  OTEL_SDK_DISABLED: z
    .string()
    .optional()
    .describe('true switches traces off, and metrics over OTLP.'),
  OTEL_TRACES_EXPORTER: z.string().optional().describe('none switches traces off.'),
  OTEL_TRACES_SAMPLER: oneOf([
    ...SAMPLERS,
    ...SAMPLERS.map((name) => `parentbased_${name}` as const),
  ])
    .default('parentbased_always_on')
    .describe('Which requests are traced.'),
  OTEL_TRACES_SAMPLER_ARG: digits(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'a ratio from 0 to 1')
    .default(1)
    .describe('Share of requests that are traced, from 0 to 1, for the traceidratio samplers.'),
  OTEL_PROPAGATORS: list
    .refine((names) => names.every((name) => name === 'none' || isPropagator(name)), {
      error: mustBe(`a list of ${PROPAGATORS.join(', ')}, or none`),
    })
    .transform((names) => names.filter(isPropagator))
    .default(['tracecontext', 'baggage'])
    .describe(
      'The headers in which callers send their trace: tracecontext, baggage, b3 and b3multi, separated by commas, or none. Where several name a trace, the last one counts.',
    ),
  OTEL_BSP_SCHEDULE_DELAY: digits(/^[1-9]\d{0,5}$/, 'a number of milliseconds')
    .default(5_000)
    .describe('Milliseconds between two exports of traces.'),
  OTEL_METRICS_EXPORTER: z
    .string()
    .optional()
    .describe('otlp sends the metrics over OTLP/HTTP as well, from each process.'),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: otlpUrl()
    .optional()
    .describe('Where metrics go, as the whole URL, where it is not OTEL_EXPORTER_OTLP_ENDPOINT.'),
  OTEL_METRIC_EXPORT_INTERVAL: digits(/^[1-9]\d{1,6}$/, 'a number of milliseconds')
    .default(60_000)
    .describe('Milliseconds between two exports of metrics.'),
};

/** The settings that operators make, by the title of their group. */
export const SETTING_GROUPS = {
  Basics: BASICS,
  Credentials: CREDENTIALS,
  'Web app and people': WEB_APP,
  Retention: RETENTION,
  Limits: LIMITS,
  Webhooks: WEBHOOKS,
  Observability: OBSERVABILITY,
};

export const Environment = z.object({
  ...BASICS,
  ...CREDENTIALS,
  ...WEB_APP,
  ...RETENTION,
  ...LIMITS,
  ...WEBHOOKS,
  ...OBSERVABILITY,
  /** The service sets it for each of its workers. */
  WORKER_INDEX: digits(/^\d+$/, 'left to the service, which numbers its workers').optional(),
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
  MAX_WAITING_JOINS: 'The service sets this limit by itself; remove it.',
  MAX_UNREAD_ANSWER_MB: 'Set BUFFER_MEMORY_MB, the memory for request bodies and unread responses.',
  MAX_BODY_MB: 'Set BUFFER_MEMORY_MB, the memory for request bodies and unread responses.',
  HEADERS_TIMEOUT_SECONDS: HEADERS_AND_BODY,
  BODY_TIMEOUT_SECONDS: HEADERS_AND_BODY,
  ANSWER_TIMEOUT_SECONDS: 'Set TRANSFER_TIMEOUT_SECONDS, the time for a whole request or response.',
};
