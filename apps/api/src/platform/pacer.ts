// Long work shares the event loop: it lets everything else run whenever it has had its time.
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { tooMany } from './semaphore.ts';

/** What a request may have to wait for each of the others that are being worked on. */
const TURN_MS = 10;

export type Pacer = {
  /** True when the work has had its turn. Asked often, it costs a look at the clock. */
  isDue(): boolean;
  /** Lets everything else run. */
  rest(): Promise<void>;
};

/** For one piece of work, from now on. Between two looks there may be a few milliseconds of work. */
export const createPacer = (turnMs = TURN_MS): Pacer => {
  let startedAt = performance.now();
  return {
    isDue: () => performance.now() - startedAt >= turnMs,
    rest: async () => {
      await setImmediate();
      startedAt = performance.now();
    },
  };
};

/** Goes through all elements in their order, and lets everything else run in between. */
export const forEachPaced = async <Element>(
  elements: Iterable<Element>,
  visit: (element: Element) => void,
  pacer: Pacer = createPacer(),
): Promise<void> => {
  for (const element of elements) {
    if (pacer.isDue()) await pacer.rest();
    visit(element);
  }
};

export type Turns = <Result>(work: () => Result) => Promise<Result>;

/**
 * Costly pieces of work of one kind, one at a time and in their order. Each is followed by a rest, so many times as long as it took, for
 * everything else: one that yields the event loop without a rest leaves others only what another one has to wait for anyway.
 */
export const createTurns = (rest: number): Turns => {
  let last: Promise<void> = Promise.resolve();
  return async (work) => {
    const turn = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await turn;
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      void delay(rest * (performance.now() - startedAt)).then(resolve);
    }
  };
};

type ShareLimits = {
  /** Pieces of work of one caller that run at once, and that wait. */
  atOnce: number;
  maxWaiting: number;
  /** Pieces that wait of all callers together; absent: any number. */
  maxWaitingInAll?: number;
  /** Who has waited for so long is refused; absent: nobody is. */
  longestWaitMs?: number;
  /** How many times as long as its work took a caller rests. */
  rest: number;
  /** Rest that a caller may owe before it has to be taken, so that a burst of short pieces is not delayed. */
  freeMs: number;
  /** The most that a caller ever owes. */
  longestMs: number;
};

type ShareOptions = {
  /** Aborted while it waits: the work never runs, and the reason is thrown. */
  signal?: AbortSignal | undefined;
  /** What is given back for as long as the work waits, and taken again before it runs. */
  aside?: { leave(): void; comeBack(): Promise<void> };
  /** Called, and waited for, before the work is refused. */
  onRefused?: () => Promise<void> | void;
};

/** Runs the work when it is the turn of its caller. Errors: service_unavailable (too much waits, or it has waited for too long). */
export type Shares = <Result>(
  caller: string,
  work: () => Promise<Result>,
  options?: ShareOptions,
) => Promise<Result>;

type Share = {
  running: number;
  /** Oldest first. */
  waiting: (() => void)[];
  /** By performance.now(): when the caller owes no rest any more. */
  restedAt: number;
  timer?: NodeJS.Timeout;
};

/**
 * A fair share for each caller: one who asks for costly work rests after it, for longer than it took, and others have the service to
 * themselves meanwhile. Who has rested is never delayed, whatever others ask for. Callers are forgotten once they have rested.
 */
export const createShares = (limits: ShareLimits): Shares => {
  const { atOnce, maxWaiting, maxWaitingInAll, longestWaitMs, rest, freeMs, longestMs } = limits;
  const shares = new Map<string, Share>();
  let waitingInAll = 0;
  const oweMs = ({ restedAt }: Share) => Math.max(0, restedAt - performance.now());
  const mayRun = (share: Share) => share.running < atOnce && oweMs(share) <= freeMs;

  /** Begins what may run, and looks again when more may. */
  const advance = (caller: string, share: Share): void => {
    clearTimeout(share.timer);
    while (share.waiting.length > 0 && mayRun(share)) {
      share.running += 1;
      share.waiting.shift()?.();
    }
    const isIdle = share.waiting.length === 0;
    // The end of each piece looks again.
    if (isIdle ? share.running > 0 : share.running >= atOnce) return;
    const owedMs = oweMs(share);
    if (isIdle && owedMs === 0) {
      shares.delete(caller);
      return;
    }
    const restMs = owedMs - (isIdle ? 0 : freeMs);
    share.timer = setTimeout(() => advance(caller, share), restMs).unref();
  };

  const end = (caller: string, share: Share, tookMs: number): void => {
    share.running -= 1;
    share.restedAt = performance.now() + Math.min(longestMs, oweMs(share) + rest * tookMs);
    advance(caller, share);
  };

  const waitForTurn = (share: Share, signal: AbortSignal | undefined) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      waitingInAll -= 1;
    };
    const begin = () => {
      settle();
      resolve();
    };
    const leave = (reason: unknown) => {
      settle();
      share.waiting.splice(share.waiting.indexOf(begin), 1);
      reject(reason);
    };
    const onAbort = () => leave(signal?.reason);
    const timer = longestWaitMs && setTimeout(() => leave(tooMany()), longestWaitMs).unref();
    signal?.addEventListener('abort', onAbort);
    waitingInAll += 1;
    share.waiting.push(begin);
    return promise;
  };

  const isFull = (share: Share) =>
    share.waiting.length >= maxWaiting ||
    (maxWaitingInAll !== undefined && waitingInAll >= maxWaitingInAll);

  return async (caller, work, { signal, aside, onRefused } = {}) => {
    signal?.throwIfAborted();
    const share = shares.get(caller) ?? { running: 0, waiting: [], restedAt: 0 };
    shares.set(caller, share);
    const waits = share.waiting.length > 0 || !mayRun(share);
    if (waits && isFull(share)) {
      await onRefused?.();
      throw tooMany();
    }
    if (waits) {
      aside?.leave();
      const turn = waitForTurn(share, signal);
      advance(caller, share);
      await turn;
    } else share.running += 1;
    let beganAt: number | undefined;
    try {
      if (waits) await aside?.comeBack();
      beganAt = performance.now();
      return await work();
    } finally {
      end(caller, share, beganAt === undefined ? 0 : performance.now() - beganAt);
    }
  };
};
