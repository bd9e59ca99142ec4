import { expect, test } from 'vitest';
import type { BatchWriterOptions } from './batch-writer.ts';
import { createBatchWriter } from './batch-writer.ts';

const start = (options: Partial<BatchWriterOptions<number>> = {}) => {
  const seen = { batches: [] as number[][], dropped: [] as [number, string][], failures: 0 };
  const writer = createBatchWriter<number>({
    maxWaiting: 5,
    maxBatch: 2,
    gatherMs: 60_000,
    groupOf: () => 0,
    write: async (entries) => void seen.batches.push([...entries]),
    countWritten: () => {},
    countDropped: (count, reason) => seen.dropped.push([count, reason]),
    onFailure: () => (seen.failures += 1),
    ...options,
  });
  return { ...writer, seen };
};

test('buffers a bounded number of entries, and counts those that do not fit', async () => {
  const { add, flush, seen } = start();
  for (let entry = 0; entry < 8; entry += 1) add(entry);
  expect(seen.batches).toEqual([]);
  await flush();
  expect(seen.batches).toEqual([[0, 1], [2, 3], [4]]);
  expect(seen.dropped).toEqual(Array(3).fill([1, 'buffer_full']));
});

test('flushes what is added during a write as well', async () => {
  const { add, flush, seen } = start({
    write: async (entries) => {
      seen.batches.push([...entries]);
      if (entries[0] === 1) add(2);
    },
  });
  add(1);
  const first = flush();
  await first;
  await flush();
  expect(seen.batches).toEqual([[1], [2]]);
});

test('drops and counts entries that cannot be written, and reports an outage once', async () => {
  const { add, flush, seen } = start({ write: () => Promise.reject(new Error('gone')) });
  for (const entry of [1, 2, 3]) add(entry);
  await flush();
  expect(seen.dropped).toEqual([
    [2, 'database'],
    [1, 'database'],
  ]);
  expect(seen.failures).toBe(1);
});
