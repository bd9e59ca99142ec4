// Memory, CPU, garbage collection and event loop of the process, in a form that several workers can be added up in.
import type { Registry } from 'prom-client';
import { collectDefaultMetrics, Gauge } from 'prom-client';

/** A mean over workers, which the library would take, hides the one that is busy. */
const OF_THE_BUSIEST = ['', '_mean', '_stddev', '_p50', '_p90', '_p99'].map(
  (part) => `nodejs_eventloop_lag${part}_seconds`,
);

export const createProcessMetrics = (registry: Registry): void => {
  collectDefaultMetrics({ register: registry });
  for (const name of OF_THE_BUSIEST) {
    // The types of the library name it for metrics that are made, not for those that are found.
    Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: 'max' });
  }
  new Gauge({
    name: 'muster_processes',
    help: 'Processes that these metrics are of: 1, or with WORKERS the workers that have answered.',
    registers: [registry],
  }).set(1);
};
