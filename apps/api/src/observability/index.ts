// What operators see: logs, metrics, health.
export type { Logger } from './logger.ts';
export { createLogger } from './logger.ts';
export type { Metrics, MetricsSource } from './metrics.ts';
export { createMetrics } from './metrics.ts';
export { createAdmissionMetrics } from './observe-admission.ts';
export { observeRequests } from './observe-requests.ts';
export type { JoinMetric } from './read-join-metrics.ts';
export type { Readiness } from './readiness.ts';
export { createReadiness } from './readiness.ts';
export type { SeriesPoint } from './request-series.ts';
export { INTERVAL_SECONDS, MAX_SERIES_MINUTES } from './request-series.ts';
export { startTracing } from './start-tracing.ts';
export type { Tracing } from './tracing.ts';
