// Counts what the answers of a run were and how long they took.
import type { Answer } from './answer-reader.ts';
import { createHistogram, percentile, recordDuration } from './histogram.ts';
import type { LoadResult } from './load-job.ts';

export class Tally {
  readonly #statuses = new Map<number, number>();
  readonly #durations = createHistogram();
  readonly #served = createHistogram();
  #refusalsWithoutRetryAfter = 0;
  #bytes = 0;
  #lastServedMs = 0;

  /** `atMs` counts from the start of the run. */
  count({ status, hasRetryAfter, bytes }: Answer, durationMs: number, atMs = durationMs): void {
    this.#bytes += bytes;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    recordDuration(this.#durations, durationMs * 1_000);
    if (status === 200) {
      recordDuration(this.#served, durationMs * 1_000);
      this.#lastServedMs = atMs;
    }
    if (status === 409 && !hasRetryAfter) this.#refusalsWithoutRetryAfter += 1;
  }

  summarise(seconds: number, cpuSeconds: number, givenUp = 0): LoadResult {
    const { count, maxUs } = this.#durations;
    const servedSeconds = Math.max(this.#lastServedMs / 1_000, 0.001);
    return {
      requests: count,
      givenUp,
      statuses: Object.fromEntries(this.#statuses),
      refusalsWithoutRetryAfter: this.#refusalsWithoutRetryAfter,
      answerBytes: this.#bytes / count,
      seconds,
      perSecond: count / seconds,
      p50Us: percentile(this.#durations, 0.5),
      p99Us: percentile(this.#durations, 0.99),
      maxUs,
      served: {
        seconds: servedSeconds,
        perSecond: this.#served.count / servedSeconds,
        p50Us: percentile(this.#served, 0.5),
        p99Us: percentile(this.#served, 0.99),
      },
      cpuSeconds,
    };
  }
}
