// Records refused joins in the timelines of their sessions, without delaying the joins.
import type { Database } from '@muster/database';
import { runPrepared, shardOf } from '@muster/database';
import { newEventId } from './session.ts';

export type RefusedJoin = {
  sessionKey: string;
  playerUuid: string;
  accountId: string;
  errorCode: string;
  /** The sentence in the player's response. */
  desc: string;
  /** The player of the session whom the refused player cannot play with. */
  otherPlayerUuid?: string | undefined;
  teamId: number;
  at: Date;
  /** No more are recorded for the player in this session and hour. */
  isLastOfHour?: true;
};

type RefusalObserver = Record<'countRecorded' | 'countDropped', (refusals: number) => void> & {
  /** Called with the first failed write after a success, so that an outage is reported once. */
  onFailure(error: unknown): void;
};

const MAX_WAITING = 1_000;
const MAX_BATCH = 200;

export type RefusalRecorder = ReturnType<typeof createRefusalRecorder>;

/** Bounded and batched: drops and counts refusals that the database cannot take. */
export const createRefusalRecorder = (
  { pool, shardRanges }: Pick<Database, 'pool' | 'shardRanges'>,
  { countRecorded, countDropped, onFailure }: RefusalObserver,
) => {
  const waiting: RefusedJoin[] = [];
  let writing: Promise<void> | null = null;
  let isFailing = false;

  /** Refusals that arrive during a write join the next batch. */
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      const shardOfSession = ({ sessionKey }: RefusedJoin) =>
        shardOf(sessionKey, shardRanges.session);
      for (const group of Map.groupBy(batch, shardOfSession).values()) await write(group);
    }
  };

  const write = async (refused: readonly RefusedJoin[]): Promise<void> => {
    try {
      const records = JSON.stringify(refused.map(toRecord));
      await runPrepared(pool, RECORD_REFUSALS, [refused[0]?.sessionKey, records]);
      countRecorded(refused.length);
      isFailing = false;
    } catch (error) {
      countDropped(refused.length);
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  };

  return {
    record: (refusal: RefusedJoin): void => {
      if (waiting.length >= MAX_WAITING) {
        countDropped(1);
        return;
      }
      waiting.push(refusal);
      writing ??= writeAll()
        .catch(onFailure)
        .finally(() => {
          writing = null;
        });
    },

    /** Resolves when everything recorded so far is written or dropped. */
    flush: async (): Promise<void> => {
      while (writing) await writing;
    },
  };
};

const RECORD_REFUSALS = {
  name: 'record_refusals',
  text: 'SELECT record_refusals($1::uuid, $2::json)',
};

const toRecord = (refusal: RefusedJoin) => ({
  session_key: refusal.sessionKey,
  event_id: newEventId(refusal.at),
  occurred_at: refusal.at,
  kind: 'join_refused',
  account_id: refusal.accountId,
  player_uuid: refusal.playerUuid,
  detail: {
    error_code: refusal.errorCode,
    desc: refusal.desc,
    team_id: refusal.teamId,
    ...(refusal.otherPlayerUuid !== undefined && { other_player_uuid: refusal.otherPlayerUuid }),
    ...(refusal.isLastOfHour && { last_of_hour: true }),
  },
});
