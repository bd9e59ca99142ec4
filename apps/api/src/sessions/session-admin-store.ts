// What only the admin API asks of sessions: making and ending them, lists and timelines.
import type { Database, Prisma } from '@muster/database';
import { ServiceError } from '../errors/service-error.ts';
import { newEventId } from './event-id.ts';
import type { SessionState } from './session-state.ts';
import type { TransactionStep } from './session-store.ts';
import { insertSession, markEnded } from './session-structure-store.ts';
import type { TimedEvent } from './session-write.ts';

export type StoredEvent = {
  eventId: string;
  occurredAt: Date;
  kind: string;
  sessionVersion: bigint | null;
  accountId: string;
  playerUuid: string | null;
  detail: unknown;
};

export type SessionAdminStore = ReturnType<typeof createSessionAdminStore>;

export const createSessionAdminStore = ({ prisma }: Database) => ({
  /** Stores a new session. An ended one with the same id makes way; a live one is `session_exists`. */
  createSession: async (
    session: SessionState,
    event: TimedEvent,
    audit: TransactionStep,
  ): Promise<void> => {
    await prisma.$transaction(async (transaction) => {
      await transaction.session.deleteMany({
        where: { sessionKey: session.key, endedAt: { not: null } },
      });
      const existing = await transaction.session.count({ where: { sessionKey: session.key } });
      if (existing > 0) throw new ServiceError('session_exists');
      await insertSession(transaction, session);
      await appendEvent(transaction, session, event);
      await audit(transaction);
    });
  },

  /** The timeline of a session, newest first, after an event. */
  listEvents: (sessionKey: string, after: string | null, limit: number): Promise<StoredEvent[]> =>
    prisma.sessionEvent.findMany({
      omit: { sessionKey: true },
      where: { sessionKey, ...(after !== null && { eventId: { lt: after } }) },
      orderBy: { eventId: 'desc' },
      take: limit,
    }),

  endSession:
    (session: SessionState, now: Date): TransactionStep =>
    (transaction) =>
      markEnded(transaction, session, now),
});

const appendEvent = async (
  transaction: Prisma.TransactionClient,
  session: SessionState,
  event: TimedEvent,
) => {
  const { kind, at, accountId } = event;
  await transaction.sessionEvent.create({
    data: {
      sessionKey: session.key,
      eventId: newEventId(at),
      occurredAt: at,
      kind,
      sessionVersion: BigInt(session.version),
      accountId,
    },
  });
};
