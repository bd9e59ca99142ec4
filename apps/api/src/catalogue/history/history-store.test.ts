import { expect, test } from 'vitest';
import { coversAll, findScanWindow } from './history-store.ts';

const rangeOf = (versions: number) =>
  ({ order: 'desc', low: 1, high: versions, asOf: versions, limit: 51 }) as const;

test('probes matching records one by one when there are fewer than versions to scan', () => {
  expect(findScanWindow(rangeOf(10_000), 1_000)).toBeNull();
  expect(findScanWindow(rangeOf(10_000_000), 1_000)).toBeNull();
  expect(findScanWindow(rangeOf(10_000_000), 45_000)).toBeNull();
});

test('scans a few pages of versions when most of them match', () => {
  expect(findScanWindow(rangeOf(10_000), 10_000)).toBe(204);
  expect(findScanWindow(rangeOf(10_000_000), 10_000_000)).toBe(204);
  expect(findScanWindow(rangeOf(10_000_000), 5_000_000)).toBe(408);
});

test('needs no second statement when the scan has read the remaining history', () => {
  expect(coversAll(100, { ...rangeOf(1_000), low: 901 })).toBe(true);
  expect(coversAll(99, { ...rangeOf(1_000), low: 901 })).toBe(false);
});
