import { expect, test } from 'vitest';
import { coversAll, findScanWindow } from './history-store.ts';

const rangeOf = (versions: number) =>
  ({ order: 'desc', low: 1, high: versions, asOf: versions, limit: 51 }) as const;

test('records that match are asked one by one where they can be no more than the versions to scan', () => {
  expect(findScanWindow(rangeOf(10_000), 1_000)).toBeNull();
  expect(findScanWindow(rangeOf(10_000_000), 1_000)).toBeNull();
  expect(findScanWindow(rangeOf(10_000_000), 45_000)).toBeNull();
});

test('versions are scanned where most of them match: a few pages, however many there are', () => {
  expect(findScanWindow(rangeOf(10_000), 10_000)).toBe(204);
  expect(findScanWindow(rangeOf(10_000_000), 10_000_000)).toBe(204);
  expect(findScanWindow(rangeOf(10_000_000), 5_000_000)).toBe(408);
});

test('a scan that has seen the rest of the history needs no second statement', () => {
  expect(coversAll(100, { ...rangeOf(1_000), low: 901 })).toBe(true);
  expect(coversAll(99, { ...rangeOf(1_000), low: 901 })).toBe(false);
});
