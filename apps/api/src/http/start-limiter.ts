// Starts a few requests in each iteration of the event loop, in the order of their arrival. Everything else of the process runs in between.
//
// libuv accepts one connection per iteration. When a hundred clients send without pause, an iteration that handles all their requests takes
// 30 ms, and the service accepts 30 connections a second: other clients wait for seconds.
import { LIMITS } from './limits.ts';

/** Gets the milliseconds that the request has waited. */
type Start = (waitedMs: number) => void;

export class StartLimiter {
  readonly #now: () => number;
  #waiting: { start: Start; since: number }[] = [];
  #started = 0;
  #next: NodeJS.Immediate | undefined;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Calls `start` now, or in a later iteration. */
  run(start: Start): void {
    this.#next ??= setImmediate(() => this.#beginIteration());
    if (this.#waiting.length === 0 && this.#started < LIMITS.startsPerIteration.value) {
      this.#started += 1;
      start(0);
      return;
    }
    this.#waiting.push({ start, since: this.#now() });
  }

  #beginIteration(): void {
    const now = this.#now();
    const starting = this.#waiting.splice(0, LIMITS.startsPerIteration.value);
    this.#started = starting.length;
    this.#next = this.#started > 0 ? setImmediate(() => this.#beginIteration()) : undefined;
    for (const { start, since } of starting) start(now - since);
  }
}
