// Marks of absence: a column of the seat that is no part of the resource and moves no version. Whoever takes a
// marked seat away locks the mark first, and whoever has come back deletes it before the answer: one of them wins.
import type { Database, Prisma } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { Actor, AuditEntry } from '../audit/index.ts';
import { appendAudit } from '../audit/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { newEventId } from './event-id.ts';
import type { Absences } from './session-state.ts';

/** Who has come back to a session, and by whose account. */
export type Return = { playerUuid: string; accountId: string };

/** Deletes marks of one session and tells the timeline. Answers those players whose mark it deleted. */
const END_ABSENCES = {
  name: 'end_absences',
  text: `
    WITH returned AS (
      SELECT * FROM json_to_recordset($2::json)
        AS r(event_id uuid, occurred_at timestamptz, account_id text, player_uuid uuid)
    ), ended AS (
      UPDATE session_seat p SET absent_since = NULL FROM returned r
      WHERE p.session_key = $1::uuid AND p.player_uuid = r.player_uuid AND p.absent_since IS NOT NULL
      RETURNING p.player_uuid
    ), told AS (
      INSERT INTO session_event (session_key, event_id, occurred_at, kind, account_id, player_uuid)
      SELECT $1::uuid, r.event_id, r.occurred_at, 'player_present', r.account_id, r.player_uuid
      FROM returned r JOIN ended USING (player_uuid)
    )
    SELECT player_uuid FROM ended`,
};

/** True when every one of these marks was there and is deleted now, committed. */
export const endAbsences = async (
  pool: Database['pool'],
  sessionKey: string,
  returns: readonly Return[],
  now: Date,
): Promise<boolean> => {
  const records = returns.map(({ playerUuid, accountId }) => ({
    event_id: newEventId(now),
    occurred_at: now,
    account_id: accountId,
    player_uuid: playerUuid,
  }));
  const ended = await runPrepared(pool, END_ABSENCES, [sessionKey, JSON.stringify(records)]);
  return ended.length === returns.length;
};

/**
 * Locks the session and then the marks, in the order in which joins lock, so that neither changes until the
 * transaction ends. False when a mark is gone or is another one than was read.
 */
export const lockAbsences = async (
  transaction: Prisma.TransactionClient,
  sessionKey: string,
  absences: Absences,
): Promise<boolean> => {
  await transaction.$queryRaw`
    SELECT 1 FROM session WHERE session_key = ${sessionKey}::uuid FOR NO KEY UPDATE`;
  const marks = [...absences].map(([player_uuid, since]) => ({ player_uuid, since }));
  const locked = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM session_seat p
    JOIN json_to_recordset(${JSON.stringify(marks)}::json) AS m(player_uuid uuid, since timestamptz)
      ON m.player_uuid = p.player_uuid AND m.since = p.absent_since
    WHERE p.session_key = ${sessionKey}::uuid FOR UPDATE OF p`;
  return locked.length === absences.size;
};

export type PresenceChange = { sessionKey: string; playerUuid: string; present: boolean };

export type SessionAbsenceStore = ReturnType<typeof createSessionAbsenceStore>;

export const createSessionAbsenceStore = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /**
   * Marks a seated player absent from now on, or takes the mark away, with event and audit record; a player who is
   * marked already keeps the first mark. Errors: `session_not_found`, `seat_not_found`, `seat_held`.
   */
  setPresence: async (
    actor: Actor,
    { sessionKey, playerUuid, present }: PresenceChange,
    audit: Pick<AuditEntry, 'action' | 'target'>,
    now: Date,
  ): Promise<void> => {
    await prisma.$transaction(async (transaction) => {
      await checkSeated(transaction, sessionKey, playerUuid);
      const { count } = await transaction.sessionSeat.updateMany({
        where: { sessionKey, playerUuid, absentSince: present ? { not: null } : null },
        data: { absentSince: present ? null : now },
      });
      if (count === 0) return;
      const kind = present ? 'player_present' : 'player_absent';
      const { accountId } = actor;
      await transaction.sessionEvent.create({
        data: {
          ...{ sessionKey, kind, accountId, playerUuid, occurredAt: now },
          eventId: newEventId(now),
        },
      });
      await appendAudit(transaction, actor, { ...audit, after: { present } }, now);
    });
  },
});

/** The lock keeps the session from ending, and the seat from going, until the mark is made. */
const checkSeated = async (
  transaction: Prisma.TransactionClient,
  sessionKey: string,
  playerUuid: string,
): Promise<void> => {
  const live = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM session WHERE session_key = ${sessionKey}::uuid AND ended_at IS NULL
    FOR NO KEY UPDATE`;
  if (live.length === 0) throw new ServiceError('session_not_found');
  const seat = await transaction.sessionSeat.findUnique({
    where: { sessionKey_playerUuid: { sessionKey, playerUuid } },
  });
  if (!seat) throw new ServiceError('seat_not_found');
  if (seat.status !== 'leader' && seat.status !== 'member') throw new ServiceError('seat_held');
};
