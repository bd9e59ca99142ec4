import type { Logger } from './logger.ts';
import type { TracingOptions } from './open-tracing.ts';

/** The libraries of traces are loaded here, and nowhere else: they take memory and time at the start. */
export const startTracing = async (options: Omit<TracingOptions, 'onFailure'>, logger: Logger) => {
  const { openTracing } = await import('./open-tracing.ts');
  const onFailure = (err: unknown) => logger.warn({ err }, 'traces could not be sent');
  return openTracing({ ...options, onFailure });
};
