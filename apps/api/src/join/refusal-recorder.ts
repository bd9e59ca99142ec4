import type { RefusalStore, RefusedJoin } from './refusal-store.ts';

const MAX_WAITING = 1_000;
const MAX_BATCH = 200;

export type RefusalCounters = {
  countRecorded(refusals: number): void;
  countDropped(refusals: number): void;
};

/**
 * Writes refused joins to the timelines of their sessions, apart from the joins and never in their
 * way: bounded, in batches, and dropping (counted) what the database cannot take.
 */
export class RefusalRecorder {
  readonly #store: RefusalStore;
  readonly #counters: RefusalCounters;
  #waiting: RefusedJoin[] = [];
  #writing: Promise<void> | null = null;

  constructor(store: RefusalStore, counters: RefusalCounters) {
    this.#store = store;
    this.#counters = counters;
  }

  record(refusal: RefusedJoin): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#counters.countDropped(1);
      return;
    }
    this.#waiting.push(refusal);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when what was recorded so far is written or dropped. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** What arrives while a batch is being written goes with the next one. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#store.recordRefusals(batch);
        this.#counters.countRecorded(batch.length);
      } catch {
        this.#counters.countDropped(batch.length);
      }
    }
  }
}
