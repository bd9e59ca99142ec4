import { expect, it } from 'vitest';
import { findMisspeltSettings } from './misspelt-settings.ts';
import { listSettings } from './settings.ts';

it.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASE-URL', 'DATABASE_URL'],
  ['MAX_CONNECTIONZ', 'MAX_CONNECTIONS'],
  ['AUTH_JWT_SECERT', 'AUTH_JWT_SECRET'],
  ['DATADIR', 'DATA_DIR'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['public_url', 'PUBLIC_URL'],
  ['port', 'PORT'],
])('names the setting that %s is close to', (name, setting) => {
  expect(findMisspeltSettings({ [name]: 'x' })).toEqual([
    `${name} is not a setting and has no effect. Did you mean ${setting}?`,
  ]);
});

it('is silent about settings and unrelated variables', () => {
  const settings = listSettings().flatMap((group) => group.settings.map(({ name }) => name));
  const others =
    'PATH HOME HOSTNAME USER POST SORT PORTS SHELL TERM PWD LANG NODE_ENV NODE_OPTIONS PGHOST PGPORT PGDATABASE DATABASE_HOST MUSTER_PORT MUSTER_SERVICE_PORT MUSTER_SERVICE_HOST KUBERNETES_PORT npm_config_port OTEL_SERVICE_NAME OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_EXPORTER_OTLP_TRACES_HEADERS OTEL_EXPORTER_OTLP_TRACES_TIMEOUT OTEL_BLRP_SCHEDULE_DELAY OTEL_BSP_EXPORT_TIMEOUT AWAIT_WEB_APP INVOCATION_ID';
  const names = [...settings, ...others.split(' ')];
  expect(findMisspeltSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});
