// The thresholds of the page System and of the banner. They follow docs/guides/slo.md and the alert rules. Pure.
import type { Point } from './chart-data.ts';
import { formatValue } from './chart-data.ts';

export type Level = 'ok' | 'warning' | 'critical' | 'unknown';

export type Reading = {
  label: string;
  /** Such as "12.5 ms"; absent without data. */
  value?: string;
  level: Level;
  /** Such as "Warning from 500 ms, critical from 1 s". */
  limits: string;
};

/** The thresholds judge the last minutes together, so that one slow minute is no alarm. */
export const JUDGED_MINUTES = 5;

/** With fewer requests or joins in these minutes, one of them would exceed a share, or be the slowest percent. */
const MIN_COUNT = 100;

type Threshold = {
  label: string;
  /** Undefined without enough data. */
  measure: (points: readonly Point[]) => number | undefined;
  format: (value: number) => string;
  /** From here on; both included. */
  warning: number;
  critical: number;
};

/** The outcomes that count as failed in the objective of availability. */
const FAILED_JOINS = ['service_overloaded', 'session_busy', 'internal_error'];

const formatShare = (share: number) => `${formatValue(share * 100)} %`;
const formatMs = (ms: number) =>
  ms < 1000 ? `${formatValue(ms)} ms` : `${formatValue(ms / 1000)} s`;
const formatMinutes = (seconds: number) =>
  seconds < 60 ? `${formatValue(seconds)} s` : `${formatValue(Math.round(seconds / 60))} min`;

const THRESHOLDS: readonly Threshold[] = [
  {
    // The objective, and the share at which the error budget of a month lasts two days.
    label: 'Failed joins',
    measure: (points) => {
      const all = points.map(({ outcomes }) => sum(Object.values(outcomes)));
      const failed = points.map(({ outcomes }) =>
        sum(FAILED_JOINS.map((name) => outcomes[name] ?? 0)),
      );
      return toShare(sum(failed), sum(all));
    },
    format: formatShare,
    warning: 0.001,
    critical: 0.0144,
  },
  {
    // The objective, and the alert MusterServerErrors.
    label: 'Errors of the service',
    measure: (points) => {
      const errors = points.map(({ errors_per_second }) => errors_per_second * 60);
      return toShare(sum(errors), countRequests(points));
    },
    format: formatShare,
    warning: 0.001,
    critical: 0.01,
  },
  {
    // Of all requests, including imports: the alert MusterJoinsSlow, and twice that.
    label: 'p99 response time',
    measure: (points) =>
      countRequests(points) < MIN_COUNT ? undefined : findMedian(points, ({ p99_ms }) => p99_ms),
    format: formatMs,
    warning: 500,
    critical: 1000,
  },
  {
    // A mean; the alert MusterDatabaseSlow has 250 ms for the slowest in a hundred.
    label: 'Database latency',
    measure: (points) => findMedian(points, ({ database_ms }) => database_ms),
    format: formatMs,
    warning: 50,
    critical: 250,
  },
  {
    // The alert MusterWebhooksBehind, and four times that.
    label: 'Webhook backlog',
    measure: (points) => findMedian(points, ({ webhook_backlog_seconds: seconds }) => seconds),
    format: formatMinutes,
    warning: 900,
    critical: 3600,
  },
];

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

const countRequests = (points: readonly Point[]): number =>
  Math.round(sum(points.map(({ requests_per_second }) => requests_per_second * 60)));

const toShare = (part: number, all: number): number | undefined =>
  Math.round(all) < MIN_COUNT ? undefined : part / all;

/** A minute without requests has no value, and fewer values say too little. */
const MIN_VALUES = 3;

/** Of the minutes that have a value; the smaller one of two in the middle. */
const findMedian = (
  points: readonly Point[],
  pick: (point: Point) => number | undefined,
): number | undefined => {
  const values = points.map(pick).filter((value) => value !== undefined);
  if (values.length < MIN_VALUES) return undefined;
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
};

/** `points` are minutes, oldest first; the last ones are judged. */
export const judge = (points: readonly Point[]): Reading[] => {
  const judged = points.slice(-JUDGED_MINUTES);
  return THRESHOLDS.map(({ label, measure, format, warning, critical }) => {
    const value = measure(judged);
    const limits = `Warning from ${format(warning)}, critical from ${format(critical)}`;
    if (value === undefined) return { label, level: 'unknown', limits };
    const level = value >= critical ? 'critical' : value >= warning ? 'warning' : 'ok';
    return { label, value: format(value), level, limits };
  });
};

/** The readings that need attention, critical ones first. */
export const listAlarms = (readings: readonly Reading[]): Reading[] => [
  ...readings.filter(({ level }) => level === 'critical'),
  ...readings.filter(({ level }) => level === 'warning'),
];
