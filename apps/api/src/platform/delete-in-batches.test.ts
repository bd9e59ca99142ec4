import { expect, test } from 'vitest';
import { deleteInBatches } from './delete-in-batches.ts';

const ROWS_PER_BATCH = 3;

/** A table from which rows are deleted, with the number of rows that each statement has deleted. */
const createTable = (rows: number) => {
  const batches: number[] = [];
  let left = rows;
  const deleteBatch = async (limit: number): Promise<number> => {
    const count = Math.min(limit, left);
    left -= count;
    batches.push(count);
    return count;
  };
  return { batches, deleteBatch };
};

test.each([
  [0, [0]],
  [2, [2]],
  [3, [3, 0]],
  [7, [3, 3, 1]],
])('deletes %i rows, and stops after a batch that is not full', async (rows, expected) => {
  const { batches, deleteBatch } = createTable(rows);
  expect(await deleteInBatches(ROWS_PER_BATCH, deleteBatch)).toBe(rows);
  expect(batches).toEqual(expected);
});

test('finishes the batch during which the signal aborts, and begins no other one', async () => {
  const { batches, deleteBatch } = createTable(7);
  const stopping = new AbortController();
  const deleteAndStop = (limit: number) => {
    stopping.abort();
    return deleteBatch(limit);
  };
  expect(await deleteInBatches(ROWS_PER_BATCH, deleteAndStop, stopping.signal)).toBe(3);
  expect(await deleteInBatches(ROWS_PER_BATCH, deleteBatch, stopping.signal)).toBe(0);
  expect(batches).toEqual([3]);
});
