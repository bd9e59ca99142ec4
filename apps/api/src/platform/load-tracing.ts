import type { TracingConfig } from './config.ts';
import type { Logger } from './logging.ts';
import type { Tracing } from './tracing.ts';

/** The only place that loads OpenTelemetry, where traces are configured: its libraries take memory and time at the start. */
export const startTracing = async (config: TracingConfig, logger: Logger): Promise<Tracing> => {
  const { openTracing } = await import('./tracing.ts');
  const onFailure = (err: unknown) => logger.warn({ err }, 'traces could not be sent');
  return openTracing({ ...config, onFailure });
};
