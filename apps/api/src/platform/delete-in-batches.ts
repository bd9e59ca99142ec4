/**
 * Deletes rows in batches, so that no statement takes long, until a batch is not full or the signal aborts. Returns the
 * number of deleted rows.
 */
export const deleteInBatches = async (
  rowsPerBatch: number,
  deleteBatch: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> => {
  let total = 0;
  for (let count = rowsPerBatch; count === rowsPerBatch && !signal?.aborted; total += count) {
    count = await deleteBatch(rowsPerBatch);
  }
  return total;
};
