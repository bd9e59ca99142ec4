// What operators see of the running service: the Prometheus metrics, those sent over OTLP, the charts of the web app, and traces.

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
