import { expect, test } from 'vitest';
import type { Sample } from './latency.ts';
import { between, findRecovery, percentile, summarise } from './latency.ts';

/** Thirty joins a second. */
const sample = (
  seconds: number,
  describe: (plannedMs: number) => Partial<Sample> = () => ({}),
): Sample[] =>
  Array.from({ length: seconds * 30 }, (_, index) => {
    const plannedMs = (index * 1_000) / 30;
    return { plannedMs, latencyMs: 5, status: 200, ...describe(plannedMs) };
  });

const BASELINE = { count: 120, p50Ms: 5, p99Ms: 9 };

test('the p99 of 360 joins is the fourth slowest of them', () => {
  const slow = [400, 300, 200, 100];
  const samples = sample(12).map((each, index) => ({ ...each, latencyMs: slow[index] ?? 5 }));
  expect(summarise(samples)).toEqual({ count: 360, p50Ms: 5, p99Ms: 100 });
});

test('nothing has no latency', () => {
  expect(percentile([], 0.5)).toBeNaN();
});

test('a part has what was planned from its start until before its end', () => {
  expect(between(sample(2), 0, 1_000)).toHaveLength(30);
  expect(between(sample(2), 1_000, 2_000)).toHaveLength(30);
});

test('latency that never left the baseline is back at once', () => {
  expect(findRecovery(sample(20), BASELINE, 16_000)).toBe(0);
});

test('one slow join is not a slow service', () => {
  const samples = sample(20, (at) => (at === 18_000 ? { latencyMs: 200 } : {}));
  expect(findRecovery(samples, BASELINE, 16_000)).toBe(0);
});

test('latency is back after the last slow half second', () => {
  const samples = sample(20, (at) => (at < 17_400 ? { latencyMs: 80 } : {}));
  expect(findRecovery(samples, BASELINE, 16_000)).toBe(1.5);
});

test('a join that fails after the attack delays the recovery', () => {
  const samples = sample(20, (at) => (at === 18_000 ? { status: 409 } : {}));
  expect(findRecovery(samples, BASELINE, 16_000)).toBe(2.5);
});

test('latency that is high to the end of the measurement is not back', () => {
  expect(
    findRecovery(
      sample(20, () => ({ latencyMs: 80 })),
      BASELINE,
      16_000,
    ),
  ).toBeNull();
});

test('what another process does to one half second later is not part of the recovery', () => {
  const samples = sample(20, (at) => (at >= 19_500 ? { latencyMs: 80 } : {}));
  expect(findRecovery(samples, BASELINE, 16_000)).toBe(0);
});

test('one fast half second is not a recovery', () => {
  const samples = sample(20, (at) => (at >= 17_000 && at < 17_500 ? {} : { latencyMs: 80 }));
  expect(findRecovery(samples, BASELINE, 16_000)).toBeNull();
});

test('a last join that fails is not a recovery', () => {
  const lastMs = sample(20).at(-1)?.plannedMs;
  const samples = sample(20, (at) => (at === lastMs ? { status: 409 } : {}));
  expect(findRecovery(samples, BASELINE, 16_000)).toBeNull();
});
