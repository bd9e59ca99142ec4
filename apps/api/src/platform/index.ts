// What every room builds on: settings, errors, logs, metrics, traces, the lifecycle, and the tools of the hot paths.

export { type Actor, type AuditEntry, appendAudit, SERVICE_ACCOUNT } from './audit-trail.ts';
export { captureOrigin, createBatcher, setBatchTracer, traceBatch } from './batching.ts';
export { alwaysClosed, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
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
export { callOf, locate, nameRuntime, readVersion } from './installation.ts';
export { bodyFromJson, writeBody } from './json-body.ts';
export {
  createReadiness,
  type Lifecycle,
  type Readiness,
  repeat,
  runService,
} from './lifecycle.ts';
export { LinkedList } from './linked-list.ts';
export { startTracing } from './load-tracing.ts';
export { createCountingLog, createLogger, describeError, type Logger } from './logging.ts';
export type { JoinMetric } from './metrics.ts';
export { createMetrics, type Metrics, type MetricsSource, PROBES } from './metrics.ts';
export {
  cutText,
  encodePaced,
  parsePaced,
  stringifyPaced,
} from './paced-json.ts';
export {
  createPacer,
  createSerialQueue,
  forEachPaced,
  mapPaced,
  type Pacer,
  type SerialQueue,
} from './pacer.ts';
export { INTERVAL_SECONDS, MAX_SERIES_MINUTES, type SeriesPoint } from './request-series.ts';
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
export { createQueue, createSemaphore, memoize, type Semaphore } from './semaphore.ts';
export { listSettings } from './settings.ts';
export type { Explanation, TracedRequest, Tracing } from './tracing.ts';
export { createWorkerMetrics, giveMetrics } from './worker-metrics.ts';
export { assertWorkersPossible, superviseWorkers, tellReady } from './workers.ts';
