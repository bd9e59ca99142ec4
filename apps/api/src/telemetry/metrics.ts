// The Prometheus metrics of one service. Every label has a bounded set of values.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createActivityCounter } from './activity-counter.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

/** What is needed to show metrics, of one process or of several. */
export type MetricsSource = { registry: { contentType: string; metrics(): Promise<string> } };

type MetricsOptions = {
  /** By the name that their metrics have. */
  pools: Record<string, PoolCounts>;
  /** Memory, CPU, event-loop lag and garbage collection of the process. */
  process: boolean;
};

type PoolCounts = { totalCount: number; idleCount: number; waitingCount: number };
type RequestLabels = { method: string; route: string; status: string };
type CacheName = 'sessions' | 'platform_sessions' | 'tokens';

/** Probes request these every few seconds. Logs and charts omit them. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export type Metrics = ReturnType<typeof createMetrics>;

export const createMetrics = ({ pools, process }: MetricsOptions) => {
  const registry = new Registry();
  if (process) observeProcess(registry);
  observePools(registry, pools);
  const observeRequest = createRequestMetrics(registry);
  /** For the charts of the admin app. */
  const activity = createActivityCounter();
  return {
    registry,
    activity,
    ...createStatementMetrics(registry, activity.recordStatement),
    ...createCacheMetrics(registry),
    ...createSessionMetrics(registry, activity.recordJoin),
    ...createWebhookMetrics(registry),
    /**
     * `workedMs` excludes a wait for a change, which says nothing about the service. A planned refusal, by maintenance, is
     * no error in the charts.
     */
    observeRequest: (
      labels: RequestLabels,
      seconds: number,
      { workedMs = seconds * 1000, isPlanned = false } = {},
    ): void => {
      observeRequest(labels, seconds);
      const isError = labels.status >= '500' && !isPlanned;
      if (!PROBES.has(labels.route)) activity.recordRequest(workedMs, isError);
    },
    /** A join that a limit rejected: for the charts only, since muster_requests_refused_total has it as well. */
    countShedJoin: (): void => activity.recordJoin('service_overloaded'),
    readJoinMetrics: () => readJoinMetrics(registry),
  };
};

/** From a millisecond to the longest that a request may take. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const createRequestMetrics = (registry: Registry) => {
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
    buckets: REQUEST_SECONDS,
    registers: [registry],
  });
  return (labels: RequestLabels, seconds: number): void => {
    requests.inc(labels);
    durations.observe(labels, seconds);
  };
};

const createSessionMetrics = (registry: Registry, recordJoin: (outcome: string) => void) => {
  const registers = [registry];
  const createCounter = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: [label], registers });
  const count = (name: string, help: string) => {
    const counter = new Counter({ name, help, registers });
    return (amount = 1): void => counter.inc(amount);
  };
  const outcomes = createCounter(
    'muster_join_outcomes_total',
    'Joins decided, by outcome.',
    'outcome',
  );
  const decisions = createCounter(
    'muster_join_decisions_total',
    'Rounds of changes of one session, by what they were decided on: memory or database.',
    'source',
  );
  const countWriteConflict = count(
    'muster_join_write_conflicts_total',
    'Writes that found the session changed by another process, and were decided again.',
  );
  const writeBatches = new Histogram({
    name: 'muster_join_write_batch_sessions',
    help: 'Sessions written by one statement.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers,
  });
  const counts = {
    /** Refused joins are recorded in the background. Some are dropped rather than delay a join. */
    countRefusalsRecorded: count(
      'muster_join_refusals_recorded_total',
      'Refused joins written to the session events.',
    ),
    countRefusalsDropped: count(
      'muster_join_refusals_dropped_total',
      'Refused joins that were not written, to protect the joins.',
    ),
    countRefusalCapped: count(
      'muster_join_refusals_capped_total',
      'Refused joins that were not written: their player or session had reached the limit of the hour.',
    ),
    countRefusedJoinsRecorded: count(
      'muster_refused_joins_recorded_total',
      'Refused joins written for the page "Refused joins", as a row or in the count of their hour.',
    ),
    countUpdateCapped: count(
      'muster_join_updates_capped_total',
      'Changes of players to their own seats that were written without an event: the limit of the hour was reached.',
    ),
    countExpiredSeats: count(
      'muster_session_seats_expired_total',
      'Seats that have expired: invitations, reservations and absent players.',
    ),
    countDeletedSessions: count(
      'muster_sessions_deleted_total',
      'Ended sessions deleted by the sweeper after their retention.',
    ),
  };
  const refusedJoinsDropped = createCounter(
    'muster_refused_joins_dropped_total',
    'Refused joins that were not written, by reason: buffer_full, database or account_limit.',
    'reason',
  );
  const retentionDeleted = createCounter(
    'muster_retention_deleted_total',
    'Rows deleted since they were past their retention, by kind.',
    'kind',
  );
  return {
    ...counts,
    /** `joined`, `rejoined`, `maintenance`, or the error code of a refusal. */
    countJoinOutcome: (outcome: string): void => {
      outcomes.inc({ outcome });
      recordJoin(outcome);
    },
    countDecision: (source: 'memory' | 'database'): void => decisions.inc({ source }),
    countWriteConflict,
    observeWriteBatch: (sessions: number): void => writeBatches.observe(sessions),
    countRefusedJoinsDropped: (amount: number, reason: string): void =>
      refusedJoinsDropped.inc({ reason }, amount),
    countRetentionDeleted: (kind: string, amount: number): void =>
      retentionDeleted.inc({ kind }, amount),
    countRetentionFailure: count(
      'muster_retention_failures_total',
      'Runs of the retention that ended early; the next run continues.',
    ),
    countScheduleFailure: count(
      'muster_change_set_schedule_failures_total',
      'Steps of scheduled change sets that were not done; the web app shows the reasons.',
    ),
  };
};

const createCacheMetrics = (registry: Registry) => {
  const registers = [registry];
  const sizes = new Map<CacheName, () => number>();
  let countWaiting = () => 0;
  new Gauge({
    name: 'muster_cache_entries',
    help: 'What is remembered, by cache.',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [cache, countEntries] of sizes) this.set({ cache }, countEntries());
    },
  });
  const lookups = new Counter({
    name: 'muster_cache_lookups_total',
    help: 'Looks into a cache, by whether something was found.',
    labelNames: ['cache', 'result'],
    registers,
  });
  new Gauge({
    name: 'muster_session_queue_waiting',
    help: 'Joins and other changes of sessions that wait in this process.',
    registers,
    collect() {
      this.set(countWaiting());
    },
  });
  return {
    /** Observes a cache. Call the result for each lookup. */
    observeCache: (cache: CacheName, countEntries: () => number): ((isHit: boolean) => void) => {
      sizes.set(cache, countEntries);
      const hit = lookups.labels({ cache, result: 'hit' });
      const miss = lookups.labels({ cache, result: 'miss' });
      return (isHit) => (isHit ? hit : miss).inc();
    },
    observeQueue: (count: () => number): void => {
      countWaiting = count;
    },
  };
};

/** From a fraction of a millisecond to the deadline of a statement. */
const STATEMENT_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

const createStatementMetrics = (registry: Registry, recordStatement: (ms: number) => void) => {
  const registers = [registry];
  const durations = new Histogram({
    name: 'muster_database_statement_duration_seconds',
    help: 'Time from sending a statement to its whole answer, without the wait for a connection.',
    labelNames: ['statement'],
    buckets: STATEMENT_SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'muster_database_statement_failures_total',
    help: 'Statements that ended with an error, or without an answer.',
    labelNames: ['statement'],
    registers,
  });
  let isMaintained = () => false;
  new Gauge({
    name: 'muster_maintenance',
    help: '1 during maintenance: joins and changes are refused.',
    // Each worker reads the same row.
    aggregator: 'max',
    registers,
    collect() {
      this.set(isMaintained() ? 1 : 0);
    },
  });
  let pingDatabase = async () => {};
  let measureFeedDelay = async () => 0;
  new Gauge({
    name: 'muster_feed_delay_seconds',
    help: 'How long the oldest event of the feed has waited for the end of an older transaction; 0 without one.',
    // Each worker measures the same database.
    aggregator: 'max',
    registers,
    async collect() {
      this.set(await measureFeedDelay().catch(() => 0));
    },
  });
  new Gauge({
    name: 'muster_database_available',
    help: '1 while the database is available. 0 while it does not answer or refuses to log in or to write: requests are rejected.',
    // Several workers report the lowest value.
    aggregator: 'min',
    registers,
    async collect() {
      const available = await pingDatabase().then(
        () => 1,
        () => 0,
      );
      this.set(available);
    },
  });
  return {
    /** Call it when a statement is sent, and its result when the statement has ended. */
    observeStatement: (statement: string): ((error?: unknown) => void) => {
      const startedAt = performance.now();
      return (error) => {
        const ms = performance.now() - startedAt;
        durations.observe({ statement }, ms / 1000);
        recordStatement(ms);
        if (error !== undefined) failures.inc({ statement });
      };
    },
    /** `isOn` is called for each scrape of the metrics. */
    observeMaintenance: (isOn: () => boolean): void => {
      isMaintained = isOn;
    },
    /** Called for each scrape of the metrics. */
    observeFeed: (measureDelay: () => Promise<number>): void => {
      measureFeedDelay = measureDelay;
    },
    /** `ping` rejects while the database is unavailable; it is called for each look at the metrics. */
    observeDatabase: (ping: () => Promise<void>): void => {
      pingDatabase = ping;
    },
  };
};

const observePools = (registry: Registry, pools: Record<string, PoolCounts>): void => {
  new Gauge({
    name: 'muster_database_connections',
    help: 'Connections of the pools by state; waiting counts the callers without one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, counts] of Object.entries(pools)) {
        this.set({ pool, state: 'total' }, counts.totalCount);
        this.set({ pool, state: 'idle' }, counts.idleCount);
        this.set({ pool, state: 'waiting' }, counts.waitingCount);
      }
    },
  });
};

/** The library's mean over workers would hide the one that is busy. */
const LAG_METRICS = ['', '_mean', '_stddev', '_p50', '_p90', '_p99'].map(
  (part) => `nodejs_eventloop_lag${part}_seconds`,
);

const observeProcess = (registry: Registry): void => {
  collectDefaultMetrics({ register: registry });
  for (const name of LAG_METRICS) {
    // The library's types allow the aggregator on new metrics only, not on existing ones.
    Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: 'max' });
  }
  new Gauge({
    name: 'muster_processes',
    help: 'Processes that these metrics are of: 1, or with WORKERS the workers that have answered.',
    registers: [registry],
  }).set(1);
};

export type JoinMetric = {
  name: string;
  help: string;
  values: { labels: Record<string, string>; value: number }[];
};

/** Every metric about joins that the registry has, as it is now. */
const readJoinMetrics = async (registry: Registry): Promise<JoinMetric[]> => {
  const metrics = await registry.getMetricsAsJSON();
  return metrics
    .filter(({ name }) => name.startsWith('muster_join'))
    .map(({ name, help, values }) => ({
      name,
      help,
      values: values.map(({ labels, value }) => ({ labels: toPlain(labels), value })),
    }));
};

const toPlain = (labels: Partial<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
