// Slots for work of one kind, and a queue in front of them.
//
// Enough requests run to keep the service and its database busy. The others wait, but no longer than a response is useful, and only briefly
// in a standing queue: the controlled delay of CoDel with adaptive LIFO, as servers use them (Maurer, "Fail at Scale", ACM Queue 13(8),
// 2015). While waits are short, the order is that of arrival. In a flood, the newest are served at once instead of all of them late.
import type { ServerResponse } from 'node:http';
import type { ListNode } from '../flow/index.ts';
import { LinkedList } from '../flow/index.ts';
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
};

export class ConcurrencyLimiter {
  readonly #options: ConcurrencyLimiterOptions;
  /** Oldest first. */
  readonly #queue = new LinkedList<Waiting>();
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
    return this.#queue.size;
  }

  /** Whether the queue has not been empty for a second. */
  isStanding(): boolean {
    return this.waiting > 0 && this.#options.now() - this.#standsSince > TIMES.standingAfter;
  }

  /** Runs the work when there is a slot, which it holds until it has settled. Throws the rejection, or RequestAbortedError. */
  async run<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#options.slots && this.waiting === 0) this.#running += 1;
    else await this.#wait(client);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  /**
   * Leaves the slot of a running request to others. Call the result to continue: at once, even when all slots are taken, since the request
   * has waited long enough.
   */
  pause(): () => void {
    this.#running -= 1;
    this.#startNext();
    return () => {
      this.#running += 1;
    };
  }

  async #wait(client: Client): Promise<void> {
    const { maxWaiting, now, reject } = this.#options;
    if (client.destroyed) throw new RequestAbortedError();
    if (this.waiting >= maxWaiting) throw reject('queue_full');
    const { promise, resolve, reject: fail } = Promise.withResolvers<void>();
    const since = now();
    if (this.waiting === 0) this.#standsSince = since;
    const node = this.#queue.add({ since, start: resolve, reject: fail });
    this.#ticking ??= this.#tickLater();
    const onClose = () => this.#end(node, new RequestAbortedError());
    client.once('close', onClose);
    try {
      await promise;
    } finally {
      client.off('close', onClose);
    }
  }

  #end(node: ListNode<Waiting>, error: Error): void {
    if (this.#queue.remove(node)) node.value.reject(error);
  }

  #startNext(): void {
    while (this.#running < this.#options.slots) {
      const next = this.#isFlooded() ? this.#queue.last : this.#queue.first;
      if (!next) break;
      this.#queue.remove(next);
      this.#running += 1;
      next.value.start();
    }
  }

  /** The newest is first when a request has waited for half of its time in a standing queue. */
  #isFlooded(): boolean {
    const { now, standingWaitMs } = this.#options;
    const since = this.#queue.first?.value.since;
    return since !== undefined && this.isStanding() && now() - since > standingWaitMs / 2;
  }

  #tick(): void {
    const { maxWaitMs, now, reject, standingWaitMs } = this.#options;
    const latest = now() - (this.isStanding() ? standingWaitMs : maxWaitMs);
    for (;;) {
      const oldest = this.#queue.first;
      if (!oldest || oldest.value.since >= latest) break;
      this.#end(oldest, reject('queue_delay'));
    }
    this.#ticking = this.waiting > 0 ? this.#tickLater() : undefined;
  }

  #tickLater(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#tick()), TIMES.queueCheck);
  }
}
