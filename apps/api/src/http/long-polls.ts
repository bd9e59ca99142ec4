// Requests that wait for a change. While a request waits it holds no slot and counts neither as a request in the process nor, for a
// service, as one of its caller: thousands may wait without any effect on the requests that work. They have a limit of their own.
import { drawRetryAfter } from '@muster/contract';
import type { Response } from 'express';
import { ServiceError } from '../platform/index.ts';
import type { Lease } from './caller-limiter.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { LoadShedder, RequestKind } from './load-shedding.ts';
import { pauseWorkTime } from './request.ts';

type LongPollsOptions = {
  shedder: Pick<LoadShedder, 'pause'>;
  maxWaiting: number;
  onRejected: () => void;
};

/** What the request holds while it works. */
type Holding = { kind: RequestKind; slots: ConcurrencyLimiter; lease: Lease | undefined };

export class LongPolls {
  readonly #options: LongPollsOptions;
  readonly #waiting = new Set<AbortController>();
  #isStopping = false;

  constructor(options: LongPollsOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Returns true when the wait was aborted, since its client disconnected or the service stops. Throws `service_unavailable` when too many
   * requests wait. A connection that is no longer read, since requests wait behind this one, ends the wait: nothing would show that its
   * client has disconnected.
   */
  async run(
    response: Response,
    { kind, slots, lease }: Holding,
    wait: (signal: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    const { maxWaiting, onRejected, shedder } = this.#options;
    if (response.destroyed || this.#isStopping) return true;
    if (this.#waiting.size >= maxWaiting) {
      onRejected();
      const retryAfterSeconds = drawRetryAfter('service_unavailable');
      throw new ServiceError('service_unavailable', { retryAfterSeconds });
    }
    const { socket } = response;
    if (socket?.readableFlowing === false) return false;
    const ending = new AbortController();
    const abort = () => ending.abort();
    this.#waiting.add(ending);
    response.on('close', abort);
    socket?.on('pause', abort);
    const resumeTime = pauseWorkTime(response);
    const resume = shedder.pause(kind, response);
    const resumeLease = lease?.pause();
    const resumeSlot = slots.pause();
    try {
      await wait(ending.signal);
    } finally {
      response.off('close', abort);
      socket?.off('pause', abort);
      this.#waiting.delete(ending);
      resumeSlot();
      resumeLease?.();
      resume();
      resumeTime();
    }
    return response.destroyed || this.#isStopping;
  }

  /** Ends all waits, and every later one at once, so that a stopping service responds in time. */
  end(): void {
    this.#isStopping = true;
    for (const ending of this.#waiting) ending.abort();
  }
}
