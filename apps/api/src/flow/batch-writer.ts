// Writes entries in the background, in batches. The buffer is bounded: an entry that does not fit is dropped and counted.

export type DropReason = 'buffer_full' | 'database';

export type BatchWriterOptions<Entry> = {
  maxWaiting: number;
  maxBatch: number;
  /** How long entries are gathered before they are written; 0: at once. */
  gatherMs: number;
  /** Entries of different groups are written separately. */
  groupOf: (entry: Entry) => unknown;
  write: (entries: readonly Entry[]) => Promise<void>;
  countWritten: (entries: number) => void;
  countDropped: (entries: number, reason: DropReason) => void;
  /** Called with the first failed write after a success, so that an outage is reported once. */
  onFailure: (error: unknown) => void;
};

export const createBatchWriter = <Entry>({
  maxWaiting,
  maxBatch,
  gatherMs,
  groupOf,
  write,
  countWritten,
  countDropped,
  onFailure,
}: BatchWriterOptions<Entry>) => {
  const waiting: Entry[] = [];
  let writing: Promise<void> | null = null;
  let endGathering = () => {};
  let isFailing = false;

  const gather = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const writeGroup = async (entries: readonly Entry[]): Promise<void> => {
    try {
      await write(entries);
      countWritten(entries.length);
      isFailing = false;
    } catch (error) {
      countDropped(entries.length, 'database');
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  };

  /** Entries that arrive while these are written wait for the next run. */
  const writeWaiting = async (): Promise<void> => {
    if (gatherMs > 0) await gather();
    for (let left = waiting.length; left > 0; left -= maxBatch) {
      const batch = waiting.splice(0, Math.min(maxBatch, left));
      for (const group of Map.groupBy(batch, groupOf).values()) await writeGroup(group);
    }
  };

  const start = (): Promise<void> =>
    writeWaiting()
      .catch(onFailure)
      .finally(() => {
        writing = waiting.length > 0 ? start() : null;
      });

  return {
    add: (entry: Entry): void => {
      if (waiting.length >= maxWaiting) {
        countDropped(1, 'buffer_full');
        return;
      }
      waiting.push(entry);
      writing ??= start();
    },

    /** Resolves when every entry added so far is written or dropped. */
    flush: async (): Promise<void> => {
      // The current run may have begun before the last entries were added: the next one has them.
      for (let runs = 0; runs < 2 && writing; runs += 1) {
        endGathering();
        await writing;
      }
    },
  };
};
