// A fair share of costly work for each caller.
import { createQueue, tooMany } from './semaphore.ts';

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
  /** Called, and waited for, before the work is refused: at once, or after a wait. */
  onRefused?: ((hasWaited: boolean) => Promise<void> | void) | undefined;
  /** Instead of that of the shares. */
  longestWaitMs?: number | undefined;
};

/** Runs the work when it is the turn of its caller. Errors: service_unavailable (too much waits, or it has waited for too long). */
export type Shares = <Result>(
  caller: string,
  work: Work<Result>,
  options?: ShareOptions,
) => Promise<Result>;

/** What takes its time from its beginning on, or from where it calls `begin`: it may have waited for something else until then. */
type Work<Result> = (begin: () => void) => Promise<Result>;

type Share = {
  running: number;
  queue: ReturnType<typeof createQueue>;
  /** By performance.now(): when the caller owes no rest any more. */
  restedAt: number;
  timer?: NodeJS.Timeout;
};

/**
 * A fair share for each caller: one who asks for costly work rests after it, for longer than it took, and others have the service to
 * themselves meanwhile. Who has rested is never delayed, whatever others ask for. Callers are forgotten once they have rested.
 */
export const createShares = (limits: ShareLimits): Shares => {
  const { atOnce, maxWaiting, maxWaitingInAll, rest, freeMs, longestMs } = limits;
  const shares = new Map<string, Share>();
  let waitingInAll = 0;
  const oweMs = ({ restedAt }: Share) => Math.max(0, restedAt - performance.now());
  const mayRun = (share: Share) => share.running < atOnce && oweMs(share) <= freeMs;

  /** Begins what may run, and looks again when more may. */
  const advance = (caller: string, share: Share): void => {
    clearTimeout(share.timer);
    while (mayRun(share) && share.queue.beginNext()) share.running += 1;
    const isIdle = share.queue.length === 0;
    // The end of each piece looks again.
    if (isIdle ? share.running > 0 : share.running >= atOnce) return;
    const owedMs = oweMs(share);
    if (isIdle && owedMs === 0) {
      shares.delete(caller);
      return;
    }
    // Time may have passed since `mayRun`.
    const restMs = Math.max(0, owedMs - (isIdle ? 0 : freeMs));
    share.timer = setTimeout(() => advance(caller, share), restMs).unref();
  };

  const end = (caller: string, share: Share, tookMs: number): void => {
    share.running -= 1;
    share.restedAt = performance.now() + Math.min(longestMs, oweMs(share) + rest * tookMs);
    advance(caller, share);
  };

  const waitForTurn = async ({ queue }: Share, options: ShareOptions) => {
    const { signal, onRefused, longestWaitMs = limits.longestWaitMs } = options;
    waitingInAll += 1;
    try {
      await queue.wait(signal, longestWaitMs);
    } catch (error) {
      if (!signal?.aborted) await onRefused?.(true);
      throw error;
    } finally {
      waitingInAll -= 1;
    }
  };

  const isFull = (share: Share) =>
    share.queue.length >= maxWaiting ||
    (maxWaitingInAll !== undefined && waitingInAll >= maxWaitingInAll);

  return async (caller, work, options = {}) => {
    const { signal, aside, onRefused } = options;
    signal?.throwIfAborted();
    const share = shares.get(caller) ?? { running: 0, queue: createQueue(), restedAt: 0 };
    shares.set(caller, share);
    const waits = share.queue.length > 0 || !mayRun(share);
    if (waits && isFull(share)) {
      await onRefused?.(false);
      throw tooMany();
    }
    if (waits) {
      aside?.leave();
      const turn = waitForTurn(share, options);
      advance(caller, share);
      await turn;
    } else share.running += 1;
    let beganAt: number | undefined;
    const begin = () => {
      beganAt = performance.now();
    };
    try {
      if (waits) await aside?.comeBack();
      begin();
      return await work(begin);
    } finally {
      end(caller, share, beganAt === undefined ? 0 : performance.now() - beganAt);
    }
  };
};

/** The limits of the common turn. */
const COMMON = { atOnce: 1, maxWaiting: 200, rest: 4, freeMs: 5, longestMs: 1_000 };
/** A piece that takes longer goes on, and those that wait do so for its rest only. */
const LONGEST_TURN_MS = 1_000;

/**
 * The same shares, in which one piece runs at a time, whoever asks for it, and everything else has as long for itself
 * after it: a few pieces at once keep all cores busy, and together take longer. Nobody waits for longer than
 * `longestWaitMs` for share and turn together, and what a caller owes is for the piece, not for the wait.
 */
export const createCommonTurn = (inShare: Shares, longestWaitMs: number): Shares => {
  const inTurn = createShares(COMMON);
  return (caller, work, { aside, onRefused, ...options } = {}) => {
    const until = performance.now() + longestWaitMs;
    let hasLeft = false;
    // Both waits share one slot, which is left once.
    const leaveOnce = () => {
      if (!hasLeft) aside?.leave();
      hasLeft = true;
    };
    const waiting = {
      ...options,
      aside: { leave: leaveOnce, comeBack: async () => {} },
      onRefused: (hasWaited: boolean) => onRefused?.(hasWaited || hasLeft),
    };
    const waitAndWork = async (begin: () => void) => {
      let piece: ReturnType<typeof work> | undefined;
      const beginPiece = async (beginTurn: () => void) => {
        try {
          if (hasLeft) await aside?.comeBack();
        } finally {
          beginTurn();
        }
        begin();
        piece = work(begin);
        const { promise: isLong, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, LONGEST_TURN_MS).unref();
        // A timer that went on would keep the result of the piece for that long.
        await Promise.race([piece, isLong]).finally(() => clearTimeout(timer));
      };
      try {
        const leftMs = Math.max(1, until - performance.now());
        await inTurn('all', beginPiece, { ...waiting, longestWaitMs: leftMs });
      } catch (error) {
        if (!piece) begin();
        throw error;
      }
      return piece as ReturnType<typeof work>;
    };
    return inShare(caller, waitAndWork, { ...waiting, longestWaitMs });
  };
};
