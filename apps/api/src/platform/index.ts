// The process: settings, errors, logs, metrics, traces, secrets, workers and the lifecycle. Every other folder builds on it.

export {
  type Actor,
  type AuditEntry,
  type AuditRow,
  appendAudit,
  SERVICE_ACCOUNT,
  toAuditRow,
} from './audit-trail.ts';
export {
  type Config,
  isLoopbackHost,
  loadConfig,
  type OidcConfig,
  type RateLimit,
} from './config.ts';
export {
  ConfigError,
  InvalidRequestError,
  ServiceError,
  StartError,
  withUserMessage,
} from './errors.ts';
export { callOf, locate, nameRuntime, readDependencies, readVersion } from './installation.ts';
export {
  createReadiness,
  type Lifecycle,
  type Readiness,
  repeat,
  runService,
} from './lifecycle.ts';
export { startOtlpMetrics, startTracing } from './load-tracing.ts';
export { createCountingLog, createLogger, describeError, type Logger } from './logging.ts';
export {
  createMaintenance,
  DEFAULT_RETRY_AFTER_SECONDS,
  MAX_MAINTENANCE_REASON,
  MAX_RETRY_AFTER_SECONDS,
  type Maintenance,
  type MaintenanceState,
  readMaintenance,
  setMaintenance,
} from './maintenance.ts';
export {
  createMetricHistory,
  MAX_HISTORY_MINUTES,
  type MetricHistory,
} from './metric-history.ts';
export { createMetricHistoryStore } from './metric-history-store.ts';
export type { JoinMetric } from './metrics.ts';
export { createMetrics, type Metrics, type MetricsSource, PROBES } from './metrics.ts';
export { findMisspeltSettings } from './misspelt-settings.ts';
export { createRetention } from './retention.ts';
export { createRetentionStore } from './retention-store.ts';
export {
  assertSecretsFit,
  deletePrivateFile,
  ensureLocalSecret,
  examineDataDir,
  getAccountsSecret,
  readLocalSecrets,
  replacePrivateFile,
  writeLocalSecrets,
} from './secrets.ts';
export { listSettings } from './settings.ts';
export { showSettings, showUrl } from './shown-settings.ts';
export { lowestIdAt, timeOfId } from './time-ids.ts';
export type { Explanation, TracedRequest, Tracing } from './tracing.ts';
export { createWorkerMetrics, giveMetrics } from './worker-metrics.ts';
export { assertWorkersPossible, superviseWorkers, tellReady } from './workers.ts';
