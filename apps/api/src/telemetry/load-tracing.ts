import type { Logger, OtlpMetricsConfig, TracingConfig } from '../platform/index.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

/** The only file that loads OpenTelemetry, where traces or metrics over OTLP are configured: its libraries take memory and time at the start. */
export const startTracing = async (config: TracingConfig, logger: Logger): Promise<Tracing> => {
  const { openTracing } = await import('./tracing.ts');
  const onFailure = (err: unknown) => logger.warn({ err }, 'traces could not be sent');
  return openTracing({ ...config, onFailure });
};

/** Sends the metrics of the process at intervals. Call the result to stop. */
export const startOtlpMetrics = async (
  { intervalMs }: OtlpMetricsConfig,
  { registry }: Pick<Metrics, 'registry'>,
  logger: Logger,
): Promise<() => Promise<void>> => {
  const { openOtlpMetrics } = await import('./otlp-metrics.ts');
  const onFailure = (err: unknown) => logger.warn({ err }, 'metrics could not be sent');
  return openOtlpMetrics({ registry, intervalMs, onFailure });
};
