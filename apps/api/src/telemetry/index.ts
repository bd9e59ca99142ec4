// The metrics and traces of the service: Prometheus, OTLP, and the history behind the charts of the web app.

export { startOtlpMetrics, startTracing } from './load-tracing.ts';
export { createMetricHistory, MAX_HISTORY_MINUTES, type MetricHistory } from './metric-history.ts';
export { createMetricHistoryStore } from './metric-history-store.ts';
export {
  createMetrics,
  type JoinMetric,
  type Metrics,
  type MetricsSource,
  PROBES,
} from './metrics.ts';
export type { Explanation, TracedRequest, Tracing } from './tracing.ts';
export { createWorkerMetrics, giveMetrics } from './worker-metrics.ts';
