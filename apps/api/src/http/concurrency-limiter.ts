// Slots for work of one kind, and a queue in front of them.
//
// Enough requests run to keep the service and its database busy. The others wait, but no longer than a response is useful, and only briefly
// in a standing queue: the controlled delay of CoDel with adaptive LIFO, as servers use them (Maurer, "Fail at Scale", ACM Queue 13(8),
// 2015). While waits are short, the order is that of arrival. In a flood, the newest are served at once instead of all of them late.
import type { ServerResponse } from 'node:http';
import { TIMES } from './limits.ts';
import { RequestAbortedError } from './request.ts';

/** The response of a request that waits: the wait ends when its client disconnects. */
type Client = Pick<ServerResponse, 'destroyed' | 'once' | 'off'>;

export type ConcurrencyLimits = {
  /** Requests that run at once. */
  slots: number;
  /** Requests that wait at most. */
  maxWaiting: number;
  /** Milliseconds that a request waits at most. */
  maxWaitMs: number;
  /** The same in a standing queue. */
  standingWaitMs: number;
};

type ConcurrencyLimiterOptions = ConcurrencyLimits & {
  /** Makes the error of a rejection, and counts it. */
  reject: (reason: 'queue_full' | 'queue_delay') => Error;
  /** A monotonic clock in milliseconds. */
  now: () => number;
};

type Waiting = {
  since: number;
  start: () => void;
  reject: (error: Error) => void;
  isOver: boolean;
};

export class ConcurrencyLimiter {
  readonly #options: ConcurrencyLimiterOptions;
  /** Oldest first, from `#oldest` on. Some may be over. */
  #queue: Waiting[] = [];
  #oldest = 0;
  #waiting = 0;
  #running = 0;
  #standsSince = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor(options: ConcurrencyLimiterOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the queue has not been empty for a second. */
  isStanding(): boolean {
    return this.#waiting > 0 && this.#options.now() - this.#standsSince > TIMES.standingAfter;
  }

  /** Runs the work when there is a slot, which it holds until it has settled. Throws the rejection, or RequestAbortedError. */
  async run<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#options.slots && this.#waiting === 0) this.#running += 1;
    else await this.#wait(client);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  async #wait(client: Client): Promise<void> {
    const { maxWaiting, now, reject } = this.#options;
    if (client.destroyed) throw new RequestAbortedError();
    if (this.#waiting >= maxWaiting) throw reject('queue_full');
    const { promise, resolve, reject: fail } = Promise.withResolvers<void>();
    const entry: Waiting = { since: now(), start: resolve, reject: fail, isOver: false };
    if (this.#waiting === 0) this.#standsSince = entry.since;
    this.#queue.push(entry);
    this.#waiting += 1;
    this.#ticking ??= this.#tickLater();
    const onClose = () => this.#end(entry, new RequestAbortedError());
    client.once('close', onClose);
    try {
      await promise;
    } finally {
      client.off('close', onClose);
    }
  }

  #end(entry: Waiting, error: Error): void {
    if (entry.isOver) return;
    entry.isOver = true;
    this.#waiting -= 1;
    entry.reject(error);
  }

  #startNext(): void {
    while (this.#running < this.#options.slots) {
      const next = this.#takeNext();
      if (!next) break;
      next.isOver = true;
      this.#waiting -= 1;
      this.#running += 1;
      next.start();
    }
  }

  #takeNext(): Waiting | undefined {
    this.#skipEnded();
    if (this.#queue.length === 0) return undefined;
    if (!this.#isFlooded()) {
      this.#oldest += 1;
      return this.#queue[this.#oldest - 1];
    }
    while (this.#queue.at(-1)?.isOver) this.#queue.pop();
    return this.#queue.pop();
  }

  /** The newest is first when a request has waited for half of its time in a standing queue. */
  #isFlooded(): boolean {
    const { now, standingWaitMs } = this.#options;
    const since = this.#queue[this.#oldest]?.since;
    return since !== undefined && this.isStanding() && now() - since > standingWaitMs / 2;
  }

  #skipEnded(): void {
    while (this.#queue[this.#oldest]?.isOver) this.#oldest += 1;
    if (this.#oldest < this.#queue.length) return;
    this.#queue = [];
    this.#oldest = 0;
  }

  #tick(): void {
    const { maxWaitMs, now, reject, standingWaitMs } = this.#options;
    const latest = now() - (this.isStanding() ? standingWaitMs : maxWaitMs);
    for (;;) {
      this.#skipEnded();
      const oldest = this.#queue[this.#oldest];
      if (!oldest || oldest.since >= latest) break;
      this.#end(oldest, reject('queue_delay'));
    }
    this.#queue.splice(0, this.#oldest);
    this.#oldest = 0;
    this.#ticking = this.#waiting > 0 ? this.#tickLater() : undefined;
  }

  #tickLater(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#tick()), TIMES.queueCheck);
  }
}
