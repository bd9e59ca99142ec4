// What the service sees of its database: connections, statements, and whether it answers.
import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';

export type PoolCounts = { totalCount: number; idleCount: number; waitingCount: number };

export type DatabaseMetrics = {
  /** Called when a statement is sent; what it answers is called when it is over. */
  observeStatement(statement: string): (error?: unknown) => void;
  /** Hears whether the database answers, as the watch over it finds. */
  noteDatabase(answers: boolean): void;
};

/** From a fraction of a millisecond to the deadline of a statement. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export const createDatabaseMetrics = (
  registry: Registry,
  pools: Record<string, PoolCounts>,
): DatabaseMetrics => {
  const registers = [registry];
  observePools(registry, pools);
  const durations = new Histogram({
    name: 'muster_database_statement_duration_seconds',
    help: 'Time from sending a statement to its whole answer, without the wait for a connection.',
    labelNames: ['statement'],
    buckets: SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'muster_database_statement_failures_total',
    help: 'Statements that ended with an error, or without an answer.',
    labelNames: ['statement'],
    registers,
  });
  const available = new Gauge({
    name: 'muster_database_available',
    help: '1 while the database answers, 0 while it does not and requests are turned away.',
    // Of several workers, the worst off.
    aggregator: 'min',
    registers,
  });
  available.set(1);
  const series = new Map<string, Histogram.Internal<'statement'>>();
  const findSeries = (statement: string) => {
    const known = series.get(statement);
    if (known) return known;
    const found = durations.labels({ statement });
    series.set(statement, found);
    return found;
  };
  return {
    observeStatement: (statement) => {
      const startedAt = performance.now();
      return (error) => {
        findSeries(statement).observe((performance.now() - startedAt) / 1000);
        if (error !== undefined) failures.inc({ statement });
      };
    },
    noteDatabase: (answers) => available.set(answers ? 1 : 0),
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
