// The settings in a support bundle. Only the values of listed settings are shown, so that a new setting is hidden by default.
import { Environment } from './environment.ts';
import { listSettings } from './settings.ts';

type SettingName = keyof typeof Environment.shape;

/** Settings without secrets. Of a URL, the bundle shows neither user, password and query nor fragment. */
const SHOWN: Readonly<Partial<Record<SettingName, 'text' | 'url'>>> = {
  PORT: 'text',
  HOST: 'text',
  DATABASE_URL: 'url',
  DATABASE_REPLICA_URL: 'url',
  DATA_DIR: 'text',
  WORKERS: 'text',
  DEMO_DATA: 'text',
  LOG_LEVEL: 'text',
  LOG_SUCCESS_SAMPLE: 'text',
  AUTH_JWKS_URL: 'url',
  AUTH_ISSUER: 'url',
  AUTH_AUDIENCE: 'text',
  AUTH_PERMISSIONS_CLAIM: 'text',
  HISTORY_ACCESS: 'text',
  CORS_ORIGINS: 'text',
  COMPANION_ENDPOINTS: 'text',
  PUBLIC_URL: 'url',
  TRUST_PROXY: 'text',
  OIDC_ISSUER: 'url',
  OIDC_CLIENT_ID: 'text',
  SANDBOX_RETENTION_DAYS: 'text',
  ENDED_SESSION_RETENTION_DAYS: 'text',
  EVENT_RETENTION_DAYS: 'text',
  REFUSED_JOIN_RETENTION_DAYS: 'text',
  METRIC_RETENTION_DAYS: 'text',
  AUDIT_RETENTION_DAYS: 'text',
  MAX_CONNECTIONS: 'text',
  MAX_WAITING_WATCHES: 'text',
  MAX_SESSION_KB: 'text',
  BUFFER_MEMORY_MB: 'text',
  REQUEST_TIMEOUT_SECONDS: 'text',
  TRANSFER_TIMEOUT_SECONDS: 'text',
  PLAYER_RATE_LIMIT_PER_SECOND: 'text',
  PLAYER_RATE_LIMIT_BURST: 'text',
  RATE_LIMIT_PER_SECOND: 'text',
  RATE_LIMIT_BURST: 'text',
  WEBHOOK_ALLOW_PRIVATE: 'text',
  METRICS_PORT: 'text',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'url',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'url',
  OTEL_SDK_DISABLED: 'text',
  OTEL_TRACES_EXPORTER: 'text',
  OTEL_TRACES_SAMPLER: 'text',
  OTEL_TRACES_SAMPLER_ARG: 'text',
  OTEL_PROPAGATORS: 'text',
  OTEL_BSP_SCHEDULE_DELAY: 'text',
  OTEL_METRICS_EXPORTER: 'text',
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'url',
  OTEL_METRIC_EXPORT_INTERVAL: 'text',
};

const HIDDEN = '(hidden)';

type ShownSetting = { name: string } & ({ default: string } | { value: string });

/** Every setting with its default when it is not set, or with its value when that is no secret. */
export const showSettings = (variables: Record<string, string | undefined>): ShownSetting[] =>
  listSettings().flatMap(({ settings }) =>
    settings.map(({ name, default: fallback }) => {
      const text = variables[name];
      if (text === undefined || text.trim() === '') return { name, default: fallback };
      return { name, value: showValue(name as SettingName, text) };
    }),
  );

const showValue = (name: SettingName, text: string): string => {
  const form = SHOWN[name];
  if (form === undefined) return HIDDEN;
  // A secret may have been set under the wrong name, and a password may break its URL.
  if (!Environment.shape[name].safeParse(text).success) return '(not valid)';
  return form === 'text' ? text : showUrl(text);
};

/** The URL without user, password, query and fragment. */
export const showUrl = (text: string): string => {
  const url = URL.parse(text);
  // A password with a slash or a question mark ends up in the path or in the query.
  const isBroken = url?.username === '' && text.includes('@');
  return url === null || isBroken ? HIDDEN : `${url.protocol}//${url.host}${url.pathname}`;
};
