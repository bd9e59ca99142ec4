import { ServiceError } from '../errors/service-error.ts';
import type { CatalogueStore, CatalogueTransaction } from './catalogue-store.ts';
import type { KeyedQueue } from './keyed-queue.ts';

/**
 * The one way to write a catalogue: `work` runs in one transaction that holds the lock of the sandbox, and whatever it
 * throws undoes all of it. Errors: sandbox_not_found.
 */
export type CatalogueWriter = <T>(
  sandboxId: string,
  work: (transaction: CatalogueTransaction) => Promise<T>,
  /** How long the transaction may take; long enough for a bulk without it. */
  timeoutMs?: number,
) => Promise<T>;

export const createCatalogueWriter =
  (store: CatalogueStore, queue: KeyedQueue): CatalogueWriter =>
  (sandboxId, work, timeoutMs) =>
    queue(sandboxId, async () => {
      const written = await store.write(sandboxId, work, timeoutMs);
      if (!written) throw new ServiceError('sandbox_not_found');
      return written.result;
    });
