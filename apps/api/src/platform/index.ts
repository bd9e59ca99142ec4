// The process: settings, errors, logs, secrets, workers, the lifecycle and the audit trail. Every other folder builds on it.

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
  type OtlpMetricsConfig,
  type RateLimit,
  type TracingConfig,
} from './config.ts';
export { deleteInBatches } from './delete-in-batches.ts';
export type { PropagatorName } from './environment.ts';
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
export { createCountingLog, createLogger, describeError, type Logger } from './logging.ts';
export { findMisspeltSettings } from './misspelt-settings.ts';
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
export { assertWorkersPossible, superviseWorkers, tellReady } from './workers.ts';
