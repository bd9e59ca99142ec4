import type { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { MIN_READ_BYTES_PER_SECOND } from './limits.ts';
import { MemoryBudget } from './memory-budget.ts';

const MAX_BYTES = 1_000_000;
const READ_TIMEOUT_MS = 10_000;
/** What a reader takes within that time at least. */
const FEWEST_BYTES = (MIN_READ_BYTES_PER_SECOND * READ_TIMEOUT_MS) / 1_000;

let budget: MemoryBudget;
let slowReaders: number;
beforeEach(() => {
  slowReaders = 0;
  budget = new MemoryBudget({
    onBodyRefused: () => {},
    maxBytes: MAX_BYTES,
    readTimeoutMs: READ_TIMEOUT_MS,
    onSlowReader: () => {
      slowReaders += 1;
    },
  });
});

/** A connection with this number of unread bytes. */
class Reader {
  bytesWritten: number;
  writableLength: number;
  isDestroyed = false;

  constructor(unread: number) {
    this.bytesWritten = unread;
    this.writableLength = unread;
  }

  write(bytes: number): void {
    this.bytesWritten += bytes;
    this.writableLength += bytes;
  }

  read(bytes: number): void {
    this.writableLength -= bytes;
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

const trim = (readers: Reader[], now: number) =>
  budget.trim(readers.filter(({ isDestroyed }) => !isDestroyed) as unknown as Socket[], now);

test('bodies take the whole budget, and no byte more, until they are released', () => {
  expect(budget.reserveBody('join', MAX_BYTES)).toBe(true);
  expect(budget.reserveBody('join', 1)).toBe(false);
  expect(budget.bodyBytes).toBe(MAX_BYTES);
  budget.releaseBody('join', 400_000);
  expect(budget.reserveBody('join', 400_001)).toBe(false);
  expect(budget.reserveBody('join', 400_000)).toBe(true);
});

test('half of the budget is reserved for bodies', () => {
  trim([new Reader(MAX_BYTES / 2 - 1)], 0);
  expect(budget.hasRoomForResponse()).toBe(true);
  trim([new Reader(MAX_BYTES / 2)], 0);
  expect(budget.hasRoomForResponse()).toBe(false);
  expect(budget.reserveBody('join', MAX_BYTES / 2)).toBe(true);
  expect(budget.reserveBody('join', 1)).toBe(false);
});

test('responses that exceed their half leave the other half to bodies', () => {
  trim([new Reader(2 * MAX_BYTES)], 0);
  expect(budget.reserveBody('join', MAX_BYTES / 2)).toBe(true);
  expect(budget.reserveBody('join', 1)).toBe(false);
});

test('a quarter of the budget is left to the bodies of joins', () => {
  expect(budget.reserveBody('other', (3 * MAX_BYTES) / 4)).toBe(true);
  expect(budget.reserveBody('other', 1)).toBe(false);
  expect(budget.reserveBody('join', MAX_BYTES / 4)).toBe(true);
  budget.releaseBody('other', 1);
  expect(budget.reserveBody('other', 1)).toBe(true);
});

test('bodies do not keep responses away', () => {
  budget.reserveBody('join', MAX_BYTES);
  expect(budget.hasRoomForResponse()).toBe(true);
});

test('a client that reads nothing is disconnected after the timeout', () => {
  const idle = new Reader(100_000);
  trim([idle], 0);
  trim([idle], READ_TIMEOUT_MS - 1);
  expect(idle.isDestroyed).toBe(false);
  trim([idle], READ_TIMEOUT_MS);
  expect([idle.isDestroyed, slowReaders]).toEqual([true, 1]);
  expect(budget.responseBytes).toBe(0);
});

test('a client that reads as fast as it has to is measured anew after each timeout', () => {
  const reader = new Reader(1_000_000);
  budget = new MemoryBudget({
    onBodyRefused: () => {},
    maxBytes: 10 * MAX_BYTES,
    readTimeoutMs: READ_TIMEOUT_MS,
    onSlowReader: () => {},
  });
  trim([reader], 0);
  for (let round = 1; round <= 3; round += 1) {
    reader.read(FEWEST_BYTES);
    trim([reader], round * READ_TIMEOUT_MS);
    expect(reader.isDestroyed).toBe(false);
  }
  reader.read(FEWEST_BYTES - 1);
  trim([reader], 4 * READ_TIMEOUT_MS);
  expect(reader.isDestroyed).toBe(true);
});

test('a client that has read its whole response is measured anew with the next one', () => {
  const reader = new Reader(50_000);
  trim([reader], 0);
  reader.read(50_000);
  trim([reader], READ_TIMEOUT_MS - 1);
  reader.write(50_000);
  trim([reader], READ_TIMEOUT_MS);
  trim([reader], 2 * READ_TIMEOUT_MS - 1);
  expect(reader.isDestroyed).toBe(false);
  trim([reader], 2 * READ_TIMEOUT_MS);
  expect(reader.isDestroyed).toBe(true);
});

test('when responses take more than half of the budget, the slowest readers are disconnected until the rest fits', () => {
  const [fast, slow, idle] = [400_000, 300_000, 300_000].map((bytes) => new Reader(bytes));
  const readers = [fast!, slow!, idle!];
  trim(readers, 0);
  fast!.read(100_000);
  slow!.read(50_000);
  trim(readers, 3_000);
  // 300,000 + 250,000 + 300,000 bytes: without the slowest reader it is still too much.
  expect(readers.map(({ isDestroyed }) => isDestroyed)).toEqual([false, true, true]);
  expect([slowReaders, budget.responseBytes]).toEqual([2, 300_000]);
  expect(budget.hasRoomForResponse()).toBe(true);
});

test('a response that has just begun is not taken for a slow one', () => {
  const old = new Reader(300_000);
  trim([old], 0);
  old.read(100_000);
  const begun = new Reader(700_000);
  trim([old, begun], 3_000);
  expect([old.isDestroyed, begun.isDestroyed]).toEqual([true, false]);
  trim([old, begun], 5_000);
  expect(begun.isDestroyed).toBe(true);
});
