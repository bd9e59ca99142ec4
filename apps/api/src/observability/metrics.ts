// The Prometheus metrics of one service. Every label has a bounded set of values.
import { Counter, Histogram, Registry } from 'prom-client';
import type { DatabaseMetrics, PoolCounts } from './database-metrics.ts';
import { createDatabaseMetrics } from './database-metrics.ts';
import type { MemoryMetrics } from './memory-metrics.ts';
import { createMemoryMetrics } from './memory-metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';
import type { JoinMetric } from './read-join-metrics.ts';
import { readJoinMetrics } from './read-join-metrics.ts';
import type { RequestSeries } from './request-series.ts';
import { createRequestSeries } from './request-series.ts';

export type Metrics = DatabaseMetrics &
  MemoryMetrics & {
    registry: Registry;
    observeRequest(labels: RequestLabels, seconds: number): void;
    /** `joined`, `rejoined`, or the error code of a refusal. */
    countJoinOutcome(outcome: string): void;
    /** A session that another process had changed meanwhile: its joins are decided again. */
    countWriteConflict(): void;
    /** On what the joins of a session were decided: its remembered state, or one that was read for them. */
    countDecision(source: 'memory' | 'database'): void;
    /** How many sessions one statement wrote. */
    observeWriteBatch(sessions: number): void;
    /** Refused joins are recorded by a writer that drops some rather than slow a join down. */
    countRefusalsRecorded(count: number): void;
    countRefusalsDropped(count: number): void;
    /** What the sweeper took away. */
    countExpiredSeats(count: number): void;
    countDeletedSessions(count: number): void;
    /** What was past its retention. */
    countRetentionDeleted(kind: 'session_events' | 'audit_records', count: number): void;
    countRetentionFailure(): void;
    /** The last hour of this process, for charts. */
    series: RequestSeries;
    readJoinMetrics(): Promise<JoinMetric[]>;
  };

/** What is needed to show metrics, of one process or of several. */
export type MetricsSource = { registry: { contentType: string; metrics(): Promise<string> } };

export type RequestLabels = { method: string; route: string; status: string };

export type MetricsOptions = {
  /** By the name that their metrics have. */
  pools: Record<string, PoolCounts>;
  /** Memory, CPU, event-loop lag and garbage collection of the process. */
  process: boolean;
};

/** Machines ask these every few seconds; logs and charts are for the rest. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** From a millisecond to the longest that a request may take. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const createMetrics = ({ pools, process }: MetricsOptions): Metrics => {
  const registry = new Registry();
  if (process) createProcessMetrics(registry);
  const count = createCounters(registry);
  const observeRequest = createRequestMetrics(registry);
  const series = createRequestSeries();
  return {
    ...createDatabaseMetrics(registry, pools),
    ...createMemoryMetrics(registry),
    registry,
    series,
    readJoinMetrics: () => readJoinMetrics(registry),
    observeRequest: (labels, seconds) => {
      observeRequest(labels, seconds);
      if (!PROBES.has(labels.route)) series.recordRequest(seconds * 1000);
    },
    countJoinOutcome: (outcome) => {
      count.joinOutcomes.inc({ outcome });
      series.recordJoin(outcome);
    },
    countWriteConflict: () => count.writeConflicts.inc(),
    countDecision: (source) => count.decisions.inc({ source }),
    observeWriteBatch: (sessions) => count.writeBatches.observe(sessions),
    countRefusalsRecorded: (recorded) => count.refusalsRecorded.inc(recorded),
    countRefusalsDropped: (dropped) => count.refusalsDropped.inc(dropped),
    countExpiredSeats: (expired) => count.seatsExpired.inc(expired),
    countDeletedSessions: (deleted) => count.sessionsDeleted.inc(deleted),
    countRetentionDeleted: (kind, deleted) => count.retentionDeleted.inc({ kind }, deleted),
    countRetentionFailure: () => count.retentionFailures.inc(),
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
  const series = new Map<
    string,
    { requests: Counter.Internal; durations: Histogram.Internal<string> }
  >();
  const findSeries = (labels: RequestLabels) => {
    const key = `${labels.method} ${labels.status} ${labels.route}`;
    const known = series.get(key);
    if (known) return known;
    const found = { requests: requests.labels(labels), durations: durations.labels(labels) };
    series.set(key, found);
    return found;
  };
  return (labels, seconds) => {
    const found = findSeries(labels);
    found.requests.inc();
    found.durations.observe(seconds);
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
    decisions: new Counter({
      name: 'muster_join_decisions_total',
      help: 'Rounds of changes of one session, by what they were decided on: memory or database.',
      labelNames: ['source'],
      registers,
    }),
    writeConflicts: new Counter({
      name: 'muster_join_write_conflicts_total',
      help: 'Writes that found the session changed by another process, and were decided again.',
      registers,
    }),
    writeBatches: new Histogram({
      name: 'muster_join_write_batch_sessions',
      help: 'Sessions written by one statement.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128],
      registers,
    }),
    refusalsRecorded: new Counter({
      name: 'muster_join_refusals_recorded_total',
      help: 'Refused joins written to the session events.',
      registers,
    }),
    seatsExpired: new Counter({
      name: 'muster_session_seats_expired_total',
      help: 'Seats taken away by the sweeper: invitations, reservations and absent players.',
      registers,
    }),
    sessionsDeleted: new Counter({
      name: 'muster_sessions_deleted_total',
      help: 'Ended sessions deleted by the sweeper after their retention.',
      registers,
    }),
    retentionDeleted: new Counter({
      name: 'muster_retention_deleted_total',
      help: 'Rows deleted since they were past their retention, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    retentionFailures: new Counter({
      name: 'muster_retention_failures_total',
      help: 'Runs of the retention that ended early; the next one goes on.',
      registers,
    }),
    refusalsDropped: new Counter({
      name: 'muster_join_refusals_dropped_total',
      help: 'Refused joins that were not written, to protect the joins.',
      registers,
    }),
  };
};
