// Counts what the answers of a run were and how long they took.
import { build } from 'hdr-histogram-js';
import type { Answer } from './connection.ts';
import type { LoadResult } from './load-job.ts';

export class Tally {
  readonly #statuses = new Map<number, number>();
  readonly #durations = new Durations();
  readonly #served = new Durations();
  #refusalsWithoutRetryAfter = 0;
  #bytes = 0;
  #lastServedMs = 0;

  /** `atMs` counts from the start of the run. */
  count({ status, hasRetryAfter, bytes }: Answer, durationMs: number, atMs = durationMs): void {
    this.#bytes += bytes;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#durations.record(durationMs * 1_000);
    if (status === 200) {
      this.#served.record(durationMs * 1_000);
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
      p50Us: this.#durations.percentile(0.5),
      p99Us: this.#durations.percentile(0.99),
      maxUs,
      served: {
        seconds: servedSeconds,
        perSecond: this.#served.count / servedSeconds,
        p50Us: this.#served.percentile(0.5),
        p99Us: this.#served.percentile(0.99),
      },
      cpuSeconds,
    };
  }
}

const MAX_US = 2 ** 32 - 1;

/** Durations in microseconds, from 0 to over an hour, within 0.1 % (HdrHistogram, three significant digits). */
export class Durations {
  readonly #histogram = build({
    bitBucketSize: 64,
    highestTrackableValue: MAX_US,
    numberOfSignificantValueDigits: 3,
  });
  count = 0;
  maxUs = 0;

  record(us: number): void {
    const bounded = Math.min(Math.max(Math.round(us), 0), MAX_US);
    this.#histogram.recordValue(bounded);
    this.count += 1;
    if (bounded > this.maxUs) this.maxUs = bounded;
  }

  /** The duration that at least this share (0..1) does not exceed; 0 when nothing was recorded. */
  percentile(share: number): number {
    if (this.count === 0) return 0;
    return Math.min(this.#histogram.getValueAtPercentile(share * 100), this.maxUs);
  }
}
