// Starts a few requests in each iteration of the event loop, in the order of their arrival. Everything else of the process runs in between.
//
// libuv accepts one connection per iteration. When a hundred clients send without pause, an iteration that handles all their requests takes
// 30 ms, and the service accepts 30 connections a second: other clients wait for seconds.
import { LIMITS } from './limits.ts';

export class StartLimiter {
  readonly #waiting: (() => void)[] = [];
  #started = 0;
  #next: NodeJS.Immediate | undefined;

  /** Calls `start` now, or in a later iteration. */
  run(start: () => void): void {
    if (this.#waiting.length > 0 || this.#started >= LIMITS.startsPerIteration.value) {
      this.#waiting.push(start);
      return;
    }
    this.#started += 1;
    this.#next ??= setImmediate(() => this.#beginIteration());
    start();
  }

  #beginIteration(): void {
    this.#next = undefined;
    this.#started = 0;
    for (const start of this.#waiting.splice(0, LIMITS.startsPerIteration.value)) {
      this.#started += 1;
      start();
    }
    if (this.#started > 0) this.#next ??= setImmediate(() => this.#beginIteration());
  }
}
