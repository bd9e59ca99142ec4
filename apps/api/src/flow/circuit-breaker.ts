// A circuit breaker for the database. When work takes long, or fails because of the database, and a ping fails
// as well, the circuit opens: work that waits is rejected, and new work is rejected at once, until a ping succeeds.
// Work that is merely slow continues.
import { ServiceError } from '../platform/index.ts';
import { LinkedList } from './linked-list.ts';

export type CircuitBreaker = {
  /**
   * Settles as `work` does. Rejects with `service_unavailable` when the circuit is open or opens before that.
   * Work that has begun is not cancelled: whether it wrote anything is unknown.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** True while the database is unavailable. */
  isOpen(): boolean;
  /** Causes a ping soon: something has failed because of the database. */
  noteFailure(): void;
  /** Ends the pings. */
  stop(): void;
};

type CircuitBreakerOptions = {
  /** Rejects when the database does not answer within a moment, or refuses what the service needs. */
  ping: () => Promise<unknown>;
  /** True for the error of a ping that got no answer in time. It may be the first one of a busy machine, which opens a connection. */
  isTimeout: (error: unknown) => boolean;
  /** Work that takes longer than this causes a ping. */
  slowAfterMs?: number;
  /** Pause between two pings while the circuit is open. */
  pingIntervalMs?: number;
  /** Called when the circuit opens, with the error of the ping, and when it closes. */
  onChange: (isOpen: boolean, reason?: unknown) => void;
};

type Waiter = { since: number; reject: () => void };

/** How many pings without an answer in time open the circuit. */
const MAX_PINGS = 2;
/** How often the breaker looks for slow work. Failed work causes a ping after this time. */
const CHECK_INTERVAL_MS = 100;

export const createCircuitBreaker = ({
  ping,
  isTimeout,
  slowAfterMs = 500,
  pingIntervalMs = 200,
  onChange,
}: CircuitBreakerOptions): CircuitBreaker => {
  /** In order of arrival: the first has waited longest. */
  const waiting = new LinkedList<Waiter>();
  let isOpen = false;
  let isPinging = false;
  let hasWorkFailed = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  /** The error of the ping. One missing answer means little, and nothing if this process stalled: a closed circuit pings again. */
  const findFailure = async (): Promise<{ reason: unknown } | null> => {
    let failure: { reason: unknown } | null = null;
    const maxPings = isOpen ? 1 : MAX_PINGS;
    for (let pings = 0; pings < maxPings; pings += 1) {
      const hasStalled = detectStalls();
      failure = await ping().then(
        () => null,
        (reason: unknown) => ({ reason }),
      );
      const isStalled = hasStalled();
      if (!failure || !(isStalled || isTimeout(failure.reason))) break;
    }
    return failure;
  };

  const update = async (): Promise<void> => {
    isPinging = true;
    hasWorkFailed = false;
    const wasOpen = isOpen;
    const failure = await findFailure();
    isOpen = failure !== null;
    isPinging = false;
    if (isOpen !== wasOpen) onChange(isOpen, failure?.reason);
    if (!isOpen) return;
    for (const { reject } of waiting) reject();
  };

  const check = async (): Promise<void> => {
    timer = undefined;
    const longest = waiting.first?.value;
    const isSlow = longest && performance.now() - longest.since > slowAfterMs;
    if (isOpen || hasWorkFailed || isSlow) await update();
    scheduleCheck();
  };

  const scheduleCheck = (): void => {
    const hasCause = isOpen || hasWorkFailed || waiting.size > 0;
    if (timer || isPinging || isStopped || !hasCause) return;
    timer = setTimeout(() => void check(), isOpen ? pingIntervalMs : CHECK_INTERVAL_MS);
    timer.unref();
  };

  return {
    isOpen: () => isOpen,
    noteFailure: () => {
      hasWorkFailed = true;
      scheduleCheck();
    },
    run: (work) => {
      if (isOpen) return Promise.reject(unavailable());
      return new Promise((resolve, reject) => {
        const leave = () => waiting.remove(node);
        const node = waiting.add({
          since: performance.now(),
          reject: () => {
            leave();
            reject(unavailable());
          },
        });
        scheduleCheck();
        work().finally(leave).then(resolve, reject);
      });
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};

/** Lets all work through and waits as long as it takes. */
export const alwaysClosed: Pick<CircuitBreaker, 'run'> = { run: (work) => work() };

const unavailable = (): ServiceError => new ServiceError('service_unavailable');

const BEAT_MS = 25;
/** A beat that is later than this shows that answers were also processed late. */
const STALL_MS = 150;

/** The returned function reports whether the event loop of this process has stalled since. */
const detectStalls = (): (() => boolean) => {
  let beatAt = performance.now();
  let longest = 0;
  const beat = () => {
    longest = Math.max(longest, performance.now() - beatAt);
    beatAt = performance.now();
  };
  const timer = setInterval(beat, BEAT_MS);
  return () => {
    clearInterval(timer);
    beat();
    return longest > STALL_MS;
  };
};
