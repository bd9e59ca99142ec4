// The limits of the HTTP front that every request passes, created once per process.
import type { ErrorCode } from '@muster/contract';
import { drawRetryAfter } from '@muster/contract';
import type { Config, Logger, Readiness } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { Metrics } from '../telemetry/index.ts';
import { CallerLimiter } from './caller-limiter.ts';
import type { ConcurrencyLimits } from './concurrency-limiter.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { LIMITS } from './limits.ts';
import { LoadShedder, StartLimiter } from './load-shedding.ts';
import { LongPolls } from './long-polls.ts';
import { MemoryBudget } from './memory-budget.ts';
import { createOverloadMetrics } from './overload-metrics.ts';

export type ProtectionLimits = Config['limits'] & {
  /** Joins, histories and companion requests in the process. */
  maxPublicRequests: number;
};

export type Protection = ReturnType<typeof createProtection>;

type ProtectionOptions = {
  limits: ProtectionLimits;
  logger: Logger;
  metrics: Pick<Metrics, 'registry' | 'countShedJoin'>;
  readiness: Pick<Readiness, 'isStopping'>;
};

export const createProtection = ({ limits, logger, metrics, readiness }: ProtectionOptions) => {
  const overload = createOverloadMetrics(metrics.registry, logger, metrics.countShedJoin);
  const now = () => performance.now();
  const createSlots = (
    kind: 'join' | 'history' | 'companion' | 'admin',
    code: ErrorCode,
    bounds: ConcurrencyLimits,
  ) =>
    new ConcurrencyLimiter({
      ...bounds,
      now,
      reject: (reason) => {
        overload.noteRejected(kind, reason);
        if (kind === 'join') shedder.noteRejection();
        return new ServiceError(code, { retryAfterSeconds: drawRetryAfter(code) });
      },
    });
  const slots = {
    join: createSlots('join', 'service_overloaded', {
      slots: LIMITS.runningJoins.value,
      // Load shedding limits the joins in the process.
      maxWaiting: limits.maxPublicRequests,
      maxWaitMs: LIMITS.joinWait.value,
      standingWaitMs: LIMITS.standingJoinWait.value,
    }),
    history: createSlots('history', 'service_unavailable', {
      slots: LIMITS.runningHistories.value,
      maxWaiting: LIMITS.waitingHistories.value,
      maxWaitMs: LIMITS.historyWait.value,
      standingWaitMs: LIMITS.historyWait.value,
    }),
    companion: createSlots('companion', 'service_unavailable', {
      slots: LIMITS.runningCompanionRequests.value,
      maxWaiting: LIMITS.waitingCompanionRequests.value,
      maxWaitMs: LIMITS.companionWait.value,
      standingWaitMs: LIMITS.companionWait.value,
    }),
    admin: createSlots('admin', 'service_unavailable', {
      slots: LIMITS.runningAdminRequests.value,
      maxWaiting: LIMITS.waitingAdminRequests.value,
      maxWaitMs: LIMITS.adminWait.value,
      standingWaitMs: LIMITS.adminWait.value,
    }),
  };
  const starts = new StartLimiter(now);
  const shedder = new LoadShedder({
    maxPublicRequests: limits.maxPublicRequests,
    isStopping: readiness.isStopping,
    now,
    onRejected: overload.noteRejected,
  });
  const callers = new CallerLimiter({
    limits,
    onRefused: (reason) => overload.noteRejected('any', reason),
    now,
  });
  const longPolls = new LongPolls({
    shedder,
    maxWaiting: limits.maxWaitingWatches,
    onRejected: () => overload.noteRejected('any', 'waiting_watches'),
  });
  const budget = new MemoryBudget({
    maxBytes: limits.bufferBytes,
    readTimeoutMs: limits.transferTimeoutMs,
    onSlowReader: () => overload.noteCut('slow_reader'),
    onBodyRefused: () => overload.noteRejected('any', 'buffer_memory'),
  });
  overload.observe({ shedder, slots, budget, longPolls });
  return { limits, shedder, starts, callers, slots, budget, longPolls, overload };
};
