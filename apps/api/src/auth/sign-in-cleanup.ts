// Deletes expired rows of sign-ins in batches: sessions, pending second factors, invitations, counted attempts, and
// notes of addresses from which people signed in.
import type { Database } from '@muster/database';
import { repeat } from '../platform/index.ts';
import { NOTE_MS, NOTE_PREFIX } from './sign-in-store.ts';

const INTERVAL_MS = 60 * 60_000;
const FIRST_AFTER_MS = 120_000;
const ROWS_PER_BATCH = 2_000;
/** No rate limit window is longer. */
const WINDOW_MS = 86_400_000;

type Options = { now: () => Date; onFailure: (error: unknown) => void; rowsPerBatch?: number };

export const createSignInCleanup = (
  { prisma }: Pick<Database, 'prisma'>,
  { now, onFailure, rowsPerBatch: limit = ROWS_PER_BATCH }: Options,
) => {
  const run = async (signal: AbortSignal = new AbortController().signal): Promise<void> => {
    const at = now().getTime();
    const expired = { where: { expiresAt: { lt: new Date(at) } }, limit };
    const isNote = { key: { startsWith: NOTE_PREFIX } };
    const olderThan = (age: number) => ({ windowStartedAt: { lt: new Date(at - age) } });
    const attempts = { where: { ...olderThan(WINDOW_MS), NOT: isNote }, limit };
    const notes = { where: { ...olderThan(NOTE_MS), ...isNote }, limit };
    const batches = [
      () => prisma.accountSession.deleteMany(expired),
      () => prisma.accountVerification.deleteMany(expired),
      () => prisma.accountInvitation.deleteMany(expired),
      () => prisma.accountThrottle.deleteMany(attempts),
      () => prisma.accountThrottle.deleteMany(notes),
    ];
    for (const deleteBatch of batches) {
      for (let count = limit; count === limit && !signal.aborted; ) {
        ({ count } = await deleteBatch());
      }
    }
  };
  return {
    /** Runs once. */
    run,
    /** Runs every hour. Returns a function that stops it. */
    start: () => repeat(run, { intervalMs: INTERVAL_MS, firstAfterMs: FIRST_AFTER_MS, onFailure }),
  };
};
