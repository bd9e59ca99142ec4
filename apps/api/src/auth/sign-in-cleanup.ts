// Deletes expired rows of sign-ins in batches: sessions, pending second factors, invitations, counted attempts, and
// notes of addresses from which people signed in.
import type { Database } from '@muster/database';
import { deleteInBatches, repeat } from '../platform/index.ts';
import { NOTE_MS, NOTE_PREFIX } from './sign-in-store.ts';

const INTERVAL_MS = 60 * 60_000;
const FIRST_AFTER_MS = 120_000;
const ROWS_PER_BATCH = 2_000;
/** No rate limit window is longer. */
const WINDOW_MS = 86_400_000;

type Options = { now: () => Date; onFailure: (error: unknown) => void };

export const createSignInCleanup = (
  { prisma }: Pick<Database, 'prisma'>,
  { now, onFailure }: Options,
) => {
  const run = async (signal: AbortSignal = new AbortController().signal): Promise<void> => {
    const at = now().getTime();
    const expired = { expiresAt: { lt: new Date(at) } };
    const isNote = { key: { startsWith: NOTE_PREFIX } };
    const olderThan = (age: number) => ({ windowStartedAt: { lt: new Date(at - age) } });
    const attempts = { ...olderThan(WINDOW_MS), NOT: isNote };
    const notes = { ...olderThan(NOTE_MS), ...isNote };
    const batches = [
      (limit: number) => prisma.accountSession.deleteMany({ where: expired, limit }),
      (limit: number) => prisma.accountVerification.deleteMany({ where: expired, limit }),
      (limit: number) => prisma.accountInvitation.deleteMany({ where: expired, limit }),
      (limit: number) => prisma.accountThrottle.deleteMany({ where: attempts, limit }),
      (limit: number) => prisma.accountThrottle.deleteMany({ where: notes, limit }),
    ];
    for (const deleteBatch of batches) {
      const countBatch = async (limit: number) => (await deleteBatch(limit)).count;
      await deleteInBatches(ROWS_PER_BATCH, countBatch, signal);
    }
  };
  return {
    /** Runs once. */
    run,
    /** Runs every hour. Returns a function that stops it. */
    start: () => repeat(run, { intervalMs: INTERVAL_MS, firstAfterMs: FIRST_AFTER_MS, onFailure }),
  };
};
