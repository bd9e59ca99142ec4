// The service-level objectives of the HTTP front, and whether a measurement meets them.
import type { Latency } from './latency.ts';

/** Bounds on one measurement. An absent member is not bounded. */
export type Objectives = {
  /** Share (0 to 1) of the victims' joins that are 200 on the first try. */
  minFirstTryShare?: number;
  /** Of the victims' joins during the attack, in milliseconds. */
  maxP99Ms?: number;
  /** Responses 5xx to victims, and responses 500 to anyone. */
  maxServerErrors?: number;
  /** Joins that were answered 200 and have no seat afterwards. */
  maxLostJoins?: number;
  /** Peak resident memory of all processes of the service, in megabytes (10^6 bytes). */
  maxMemoryMb?: number;
  /** From the end of the attack until latency is back to what it was before, in seconds. */
  maxRecoverySeconds?: number;
  /** Of the victims' joins after the attack, in milliseconds. */
  maxAfterP50Ms?: number;
  /** Joins served per second under overload, as a share (0 to 1) of the peak throughput. */
  minServedShare?: number;
  /** Of the joins that are served under overload, in milliseconds. */
  maxServedP99Ms?: number;
  /** Rejections under overload that do not say when to retry. */
  maxRejectionsWithoutRetryAfter?: number;
  /** Longest time for which the service answers no request, in milliseconds. */
  maxPauseMs?: number;
};

/** Eight abusive players on 128 connections, while others join 30 times a second. */
export const ABUSIVE_PLAYERS: Objectives = {
  minFirstTryShare: 0.999,
  maxP99Ms: 250,
  maxServerErrors: 0,
  maxLostJoins: 0,
  maxMemoryMb: 500,
  maxRecoverySeconds: 2,
};

/** Slow readers, slow bodies and idle connections cost almost no processor time, so the bound on latency is lower. */
export const SLOW_CLIENTS: Objectives = { ...ABUSIVE_PLAYERS, maxP99Ms: 100 };

export const FLOODING_SERVICE_KEY: Objectives = { minFirstTryShare: 0.99, maxLostJoins: 0 };

/** By the offered load as a multiple of the peak throughput. */
export const OVERLOAD: Readonly<Record<3 | 10, Objectives>> = {
  3: {
    minServedShare: 0.8,
    maxServedP99Ms: 1_000,
    maxRejectionsWithoutRetryAfter: 0,
    maxServerErrors: 0,
    maxLostJoins: 0,
    maxRecoverySeconds: 2,
  },
  10: {
    minServedShare: 0.5,
    maxServedP99Ms: 1_000,
    maxRejectionsWithoutRetryAfter: 0,
    maxServerErrors: 0,
    maxLostJoins: 0,
    maxRecoverySeconds: 2,
  },
};

export const LARGEST_ADMIN_REQUEST: Objectives = { maxPauseMs: 100 };

/**
 * What a measurement must show on any machine, also beside other processes. Latency and throughput depend on the machine; lost joins and
 * server errors do not.
 */
export const toFloor = (objectives: Objectives): Objectives => {
  const { maxServerErrors, maxLostJoins, maxRejectionsWithoutRetryAfter } = objectives;
  return {
    ...(objectives.minFirstTryShare !== undefined && { minFirstTryShare: 0.9 }),
    ...(objectives.maxP99Ms !== undefined && { maxP99Ms: 2_500 }),
    ...(objectives.maxMemoryMb !== undefined && { maxMemoryMb: 600 }),
    // On a slow machine, the median may stay some milliseconds above what it was.
    ...(objectives.maxRecoverySeconds !== undefined && { maxAfterP50Ms: 100 }),
    ...(objectives.minServedShare !== undefined && { minServedShare: 0.2 }),
    ...(objectives.maxServedP99Ms !== undefined && { maxServedP99Ms: 5_000 }),
    ...(objectives.maxPauseMs !== undefined && { maxPauseMs: 400 }),
    ...(maxServerErrors !== undefined && { maxServerErrors }),
    ...(maxLostJoins !== undefined && { maxLostJoins }),
    ...(maxRejectionsWithoutRetryAfter !== undefined && { maxRejectionsWithoutRetryAfter }),
  };
};

/** The result of one run of a situation. A report has one measurement per line. */
export type Measurement = {
  situation: string;
  before: Latency;
  during: Latency;
  after: Latency;
  /** Of the joins during and after the attack; null where no victims joined. */
  firstTryShare: number | null;
  serverErrors: number;
  lostJoins: number;
  peakMemoryMb: number;
  /** Null where latency was not back to the baseline when the measurement ended. */
  recoverySeconds: number | null;
  overload?: Overload;
  pauseMs?: number;
  /** Requests of the attack, and their responses by status. */
  attack: { requests: number; statuses: Readonly<Record<string, number>> };
};

export type Overload = {
  peakPerSecond: number;
  offeredPerSecond: number;
  servedPerSecond: number;
  servedP99Ms: number;
  rejectionsWithoutRetryAfter: number;
};

type Criterion = {
  objective: keyof Objectives;
  name: string;
  unit: string;
  /** NaN where nothing was measured, which meets no objective. */
  read(measurement: Measurement): number;
};

const CRITERIA: readonly Criterion[] = [
  {
    objective: 'minFirstTryShare',
    name: '200 on the first try',
    unit: '',
    read: ({ firstTryShare }) => firstTryShare ?? Number.NaN,
  },
  { objective: 'maxP99Ms', name: 'p99 during', unit: ' ms', read: ({ during }) => during.p99Ms },
  { objective: 'maxServerErrors', name: '5xx', unit: '', read: ({ serverErrors }) => serverErrors },
  { objective: 'maxLostJoins', name: 'lost joins', unit: '', read: ({ lostJoins }) => lostJoins },
  {
    objective: 'maxMemoryMb',
    name: 'peak memory',
    unit: ' MB',
    read: ({ peakMemoryMb }) => peakMemoryMb,
  },
  {
    objective: 'maxRecoverySeconds',
    name: 'back to baseline',
    unit: ' s',
    read: ({ recoverySeconds }) => recoverySeconds ?? Number.POSITIVE_INFINITY,
  },
  { objective: 'maxAfterP50Ms', name: 'p50 after', unit: ' ms', read: ({ after }) => after.p50Ms },
  {
    objective: 'minServedShare',
    name: 'served share of the peak',
    unit: '',
    read: ({ overload }) =>
      overload ? overload.servedPerSecond / overload.peakPerSecond : Number.NaN,
  },
  {
    objective: 'maxServedP99Ms',
    name: 'p99 of served joins',
    unit: ' ms',
    read: ({ overload }) => overload?.servedP99Ms ?? Number.NaN,
  },
  {
    objective: 'maxRejectionsWithoutRetryAfter',
    name: 'rejections without Retry-After',
    unit: '',
    read: ({ overload }) => overload?.rejectionsWithoutRetryAfter ?? Number.NaN,
  },
  {
    objective: 'maxPauseMs',
    name: 'longest pause',
    unit: ' ms',
    read: ({ pauseMs }) => pauseMs ?? Number.NaN,
  },
];

/** One sentence for each objective that the measurement does not meet. */
export const findMissed = (measurement: Measurement, objectives: Objectives): string[] =>
  CRITERIA.flatMap(({ objective, name, unit, read }) => {
    const bound = objectives[objective];
    if (bound === undefined) return [];
    const value = read(measurement);
    const isFloor = objective.startsWith('min');
    const isMet = isFloor ? value >= bound : value <= bound;
    const sign = isFloor ? '≥' : '≤';
    return isMet ? [] : [`${name}: ${describe(value, unit)}, objective ${sign} ${bound}${unit}`];
  });

const describe = (value: number, unit: string): string => {
  if (Number.isNaN(value)) return 'not measured';
  if (value === Number.POSITIVE_INFINITY) return 'not in time';
  return `${Math.round(value * 10_000) / 10_000}${unit}`;
};
