// Records refused joins in the timelines of their sessions, without delaying the joins.
import type { Database } from '@muster/database';
import { runPrepared, shardOf } from '@muster/database';
import type { BatchWriterOptions } from '../flow/index.ts';
import { createBatchWriter } from '../flow/index.ts';
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

type RefusalObserver = Record<'countRecorded' | 'countDropped', (refusals: number) => void> &
  Pick<BatchWriterOptions<RefusedJoin>, 'onFailure'>;

const MAX_WAITING = 1_000;
const MAX_BATCH = 200;

export type RefusalRecorder = ReturnType<typeof createRefusalRecorder>;

/** Bounded and batched: drops and counts refusals that the database cannot take. */
export const createRefusalRecorder = (
  { pool, shardRanges }: Pick<Database, 'pool' | 'shardRanges'>,
  { countRecorded, countDropped, onFailure }: RefusalObserver,
) => {
  const { add, flush } = createBatchWriter<RefusedJoin>({
    maxWaiting: MAX_WAITING,
    maxBatch: MAX_BATCH,
    gatherMs: 0,
    groupOf: ({ sessionKey }) => shardOf(sessionKey, shardRanges.session),
    write: async (refused) => {
      const records = JSON.stringify(refused.map(toRecord));
      await runPrepared(pool, RECORD_REFUSALS, [refused[0]?.sessionKey, records]);
    },
    countWritten: countRecorded,
    countDropped,
    onFailure,
  });
  return { record: add, flush };
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
