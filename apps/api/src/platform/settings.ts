// What each setting means, for people: `muster settings` prints it, and docs/reference/settings.md is made from it.
import { Environment } from './environment.ts';

/** `default` is for settings without a default in the schema, or with one that needs explanation. */
type Explanation = { meaning: string; default?: string };
/** Settings that operators make; the service gives WORKER_INDEX to its workers. */
type SettingName = Exclude<keyof Environment, 'WORKER_INDEX'>;

type Setting = { name: SettingName; default: string; meaning: string };
type SettingGroup = { title: string; settings: Setting[] };

const BASICS = {
  PORT: { meaning: 'Port that the service listens on; 0 takes a free one.' },
  HOST: {
    meaning: 'Address that it listens on. Anything but loopback needs configured credentials.',
  },
  DATABASE_URL: {
    meaning: 'A PostgreSQL ≥ 15, or the coordinator of a Citus cluster.',
    default: 'starts its own PostgreSQL',
  },
  DATABASE_REPLICA_URL: { meaning: 'A streaming replica of it, for the pages of histories.' },
  DATA_DIR: {
    meaning:
      'Where its own PostgreSQL and the secrets that it makes live. The service makes it closed to other users (mode 0700; root makes it 0711, since its PostgreSQL runs as another user).',
  },
  WORKERS: { meaning: 'Processes that share the port, for machines with several cores.' },
  DEMO_DATA: { meaning: '1 loads demo data into an empty database, 0 leaves it empty.' },
  LOG_LEVEL: {
    meaning:
      'trace, debug, info, warn, error, fatal or silent. Logs are JSON lines on standard error.',
  },
} satisfies Partial<Record<SettingName, Explanation>>;

const CREDENTIALS = {
  AUTH_JWT_SECRET: {
    meaning: 'Shared secret of at least 32 bytes for HS256 tokens.',
    default: 'made in DATA_DIR on the first start',
  },
  AUTH_JWT_SECRET_PREVIOUS: { meaning: 'The secret before it, accepted while it is rotated.' },
  AUTH_JWKS_URL: {
    meaning:
      'https URL of the public keys for RS256, PS256, ES256 and EdDSA tokens. Needs AUTH_ISSUER and AUTH_AUDIENCE.',
  },
  AUTH_ISSUER: { meaning: 'Expected iss claim.', default: 'not checked' },
  AUTH_AUDIENCE: { meaning: 'Expected aud claim.', default: 'not checked' },
  AUTH_PERMISSIONS_CLAIM: {
    meaning:
      'Claims that hold permissions, separated by commas. The value of a claim is an array, or a text with permissions separated by spaces.',
  },
  HISTORY_ACCESS: {
    meaning: 'authenticated, or public, which opens the two histories to everyone.',
  },
  CORS_ORIGINS: {
    meaning:
      'Exact origins, separated by commas, whose pages may call the public and the companion endpoints.',
    default: 'none',
  },
  COMPANION_ENDPOINTS: {
    meaning:
      'on, or off, which removes the endpoints to read a session, to list the sessions of a player, and to leave.',
  },
} satisfies Partial<Record<SettingName, Explanation>>;

const WEB_APP = {
  PUBLIC_URL: {
    meaning: 'https origin that browsers show behind a proxy. Cookies and links use it.',
    default: 'the address that it listens on',
  },
  TRUST_PROXY: {
    meaning:
      'How many proxies, or which addresses (separated by commas), may say where a request comes from; 0 for none. Required with PUBLIC_URL.',
  },
  ACCOUNTS_SECRET: {
    meaning: 'Signs cookies and encrypts second factors; at least 32 bytes.',
    default: 'derived from AUTH_JWT_SECRET, else made in DATA_DIR',
  },
  OWNER_EMAIL: { meaning: 'E-mail address of the owner that the first start creates.' },
  OIDC_ISSUER: {
    meaning:
      'OpenID Connect issuer for single sign-on, as its discovery document names it. Needs PUBLIC_URL; the redirect URI is PUBLIC_URL/admin/auth/callback/oidc.',
  },
  OIDC_CLIENT_ID: { meaning: 'Client id at the issuer.' },
  OIDC_CLIENT_SECRET: { meaning: 'Client secret at the issuer.' },
} satisfies Partial<Record<SettingName, Explanation>>;

const RETENTION = {
  SANDBOX_RETENTION_DAYS: {
    meaning: 'Days that a deleted sandbox is kept and can be restored; 0 for ever.',
  },
  ENDED_SESSION_RETENTION_DAYS: {
    meaning:
      'Days that an ended session is kept, unless its session type sets ended_retention_seconds; 0 for ever. For sessions that ended before the upgrade to this setting, the days count from the upgrade.',
  },
  EVENT_RETENTION_DAYS: { meaning: 'Days that session events are kept; 0 for ever.' },
  AUDIT_RETENTION_DAYS: { meaning: 'Days that audit records are kept; 0 for ever.' },
} satisfies Partial<Record<SettingName, Explanation>>;

const LIMITS = {
  MAX_CONNECTIONS: { meaning: 'Open connections; more are closed at once.' },
  MAX_SESSION_KB: {
    meaning: "Size of a session's resource in KiB; what would exceed it is refused.",
  },
  BUFFER_MEMORY_MB: {
    meaning: 'Memory for request bodies and unread responses; half is reserved for bodies.',
  },
  REQUEST_TIMEOUT_SECONDS: {
    meaning: 'Time for the headers of a request, and the body of a join.',
  },
  TRANSFER_TIMEOUT_SECONDS: {
    meaning: 'Time for a whole request, and until a slow reader is disconnected.',
  },
  PLAYER_RATE_LIMIT_PER_SECOND: {
    meaning:
      'Requests per second that one player may send to a process; 0 for no limit. After a pause, a player may send the requests of six seconds at once.',
  },
  RATE_LIMIT_PER_SECOND: {
    meaning:
      'Requests per second that one service or API key may send to a process. After a pause, it may send the requests of two seconds at once.',
    default: 'off',
  },
} satisfies Partial<Record<SettingName, Explanation>>;

const OBSERVABILITY = {
  METRICS_PORT: { meaning: 'Serves /metrics on a port of its own, without a credential.' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { meaning: 'Where traces go over OTLP/HTTP.', default: 'no traces' },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { meaning: 'The same, as the whole URL.' },
  OTEL_SDK_DISABLED: { meaning: 'true switches traces off.' },
  OTEL_TRACES_EXPORTER: { meaning: 'none switches traces off.' },
  OTEL_TRACES_SAMPLER: { meaning: 'Which requests are traced.' },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: 'Share of requests that are traced, from 0 to 1, for the traceidratio samplers.',
  },
  OTEL_BSP_SCHEDULE_DELAY: { meaning: 'Milliseconds between two exports of traces.' },
} satisfies Partial<Record<SettingName, Explanation>>;

const ALL = {
  ...BASICS,
  ...CREDENTIALS,
  ...WEB_APP,
  ...RETENTION,
  ...LIMITS,
  ...OBSERVABILITY,
} satisfies Record<SettingName, Explanation>;

const findDefault = (name: SettingName): string => {
  const explanation: Explanation = ALL[name];
  const inSchema = Environment.shape[name].safeParse(undefined).data;
  return explanation.default ?? (inSchema === undefined ? 'not set' : String(inSchema));
};

const toGroup = (title: string, names: object): SettingGroup => ({
  title,
  settings: (Object.keys(names) as SettingName[]).map((name) => ({
    name,
    default: findDefault(name),
    meaning: ALL[name].meaning,
  })),
});

/** Every setting with its default and its meaning, grouped by subject. */
export const listSettings = (): SettingGroup[] => [
  toGroup('Basics', BASICS),
  toGroup('Credentials', CREDENTIALS),
  toGroup('Web app and people', WEB_APP),
  toGroup('Retention', RETENTION),
  toGroup('Limits', LIMITS),
  toGroup('Observability', OBSERVABILITY),
];
