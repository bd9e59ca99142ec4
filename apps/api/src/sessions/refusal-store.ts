// Records refused joins in the timelines of their sessions, apart from the joins and never in their way.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import { newEventId } from './session.ts';

export type RefusedJoin = {
  sessionKey: string;
  playerUuid: string;
  accountId: string;
  errorCode: string;
  /** The sentence that the player was told. */
  desc: string;
  teamId: number;
  at: Date;
  /** No more are recorded of the player in this session and hour. */
  isLastOfHour?: true;
};

export type RefusalCounters = {
  countRecorded(refusals: number): void;
  countDropped(refusals: number): void;
};

const MAX_WAITING = 1_000;
const MAX_BATCH = 200;

export type RefusalRecorder = ReturnType<typeof createRefusalRecorder>;

/** Bounded and batched: it drops, and counts, what the database cannot take. */
export const createRefusalRecorder = (
  { pool }: Pick<Database, 'pool'>,
  { countRecorded, countDropped }: RefusalCounters,
) => {
  const waiting: RefusedJoin[] = [];
  let writing: Promise<void> | null = null;

  /** What arrives while a batch is being written goes with the next one. */
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      try {
        await runPrepared(pool, RECORD_REFUSALS, [JSON.stringify(batch.map(toRecord))]);
        countRecorded(batch.length);
      } catch {
        countDropped(batch.length);
      }
    }
  };

  return {
    record: (refusal: RefusedJoin): void => {
      if (waiting.length >= MAX_WAITING) {
        countDropped(1);
        return;
      }
      waiting.push(refusal);
      writing ??= writeAll().finally(() => {
        writing = null;
      });
    },

    /** Resolves when everything recorded so far is written or dropped. */
    flush: async (): Promise<void> => {
      while (writing) await writing;
    },
  };
};

/** Only sessions that are still stored get an event: a refusal must not fail because its session is gone. */
const RECORD_REFUSALS = {
  name: 'record_refusals',
  text: `
    INSERT INTO session_event (session_key, event_id, occurred_at, kind, account_id, player_uuid, detail)
    SELECT e.session_key, e.event_id, e.occurred_at, 'join_refused', e.account_id, e.player_uuid, e.detail
    FROM json_to_recordset($1::json) AS e(session_key uuid, event_id uuid, occurred_at timestamptz,
      account_id text, player_uuid uuid, detail json)
    WHERE EXISTS (SELECT FROM session s WHERE s.session_key = e.session_key)`,
};

const toRecord = (refusal: RefusedJoin) => ({
  session_key: refusal.sessionKey,
  event_id: newEventId(refusal.at),
  occurred_at: refusal.at,
  account_id: refusal.accountId,
  player_uuid: refusal.playerUuid,
  detail: {
    ...{ error_code: refusal.errorCode, desc: refusal.desc, team_id: refusal.teamId },
    ...(refusal.isLastOfHour && { last_of_hour: true }),
  },
});
