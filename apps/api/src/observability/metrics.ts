// The Prometheus metrics of one service. Every label has a bounded set of values.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  registry: Registry;
  observeRequest(labels: RequestLabels, seconds: number): void;
  /** `joined`, `rejoined`, or the error code of a refusal. */
  countJoinOutcome(outcome: string): void;
  /** Refused joins are recorded by a writer that drops some rather than slow a join down. */
  countRefusalsRecorded(count: number): void;
  countRefusalsDropped(count: number): void;
};

export type RequestLabels = { method: string; route: string; status: string };

export type PoolCounts = { totalCount: number; idleCount: number; waitingCount: number };

export type MetricsOptions = {
  pool: PoolCounts;
  /** Memory, CPU, event-loop lag and garbage collection of the process. */
  process: boolean;
};

/** From a millisecond to the longest that a request may take. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const createMetrics = ({ pool, process }: MetricsOptions): Metrics => {
  const registry = new Registry();
  if (process) collectDefaultMetrics({ register: registry });
  observePool(registry, pool);
  const count = createCounters(registry);
  const observeRequest = createRequestMetrics(registry);
  return {
    registry,
    observeRequest,
    countJoinOutcome: (outcome) => count.joinOutcomes.inc({ outcome }),
    countRefusalsRecorded: (recorded) => count.refusalsRecorded.inc(recorded),
    countRefusalsDropped: (dropped) => count.refusalsDropped.inc(dropped),
  };
};

const createRequestMetrics = (registry: Registry): Metrics['observeRequest'] => {
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'muster_http_requests_total',
    help: 'Requests answered, by method, route pattern and status.',
    labelNames,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from the request head to the end of the answer.',
    labelNames,
    buckets: SECONDS,
    registers: [registry],
  });
  return (labels, seconds) => {
    requests.inc(labels);
    durations.observe(labels, seconds);
  };
};

const createCounters = (registry: Registry) => {
  const registers = [registry];
  return {
    joinOutcomes: new Counter({
      name: 'muster_join_outcomes_total',
      help: 'Joins decided, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    refusalsRecorded: new Counter({
      name: 'muster_join_refusals_recorded_total',
      help: 'Refused joins written to the session events.',
      registers,
    }),
    refusalsDropped: new Counter({
      name: 'muster_join_refusals_dropped_total',
      help: 'Refused joins that were not written, to protect the joins.',
      registers,
    }),
  };
};

const observePool = (registry: Registry, pool: PoolCounts): void => {
  new Gauge({
    name: 'muster_database_connections',
    help: 'Connections of the pool by state; waiting counts the callers without one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'total' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
};
