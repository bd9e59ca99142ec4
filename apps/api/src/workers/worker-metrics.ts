// The metrics of all workers as one: counters and histograms are added up, whichever of them has answered.
import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricsSource } from '../observability/index.ts';

/** For the supervisor. */
export const createWorkerMetrics = (): MetricsSource => {
  const aggregator = new AggregatorRegistry();
  return {
    registry: {
      contentType: aggregator.contentType,
      metrics: () => aggregator.clusterMetrics(),
    },
  };
};

/** For a worker: its metrics go to the supervisor whenever that asks. */
export const giveMetrics = ({ registry }: Pick<Metrics, 'registry'>): void => {
  AggregatorRegistry.setRegistries(registry);
  // Made for its side effect: it is the constructor that listens for the question.
  new AggregatorRegistry();
};
