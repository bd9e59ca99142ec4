import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import { newEventId } from '../sessions/index.ts';

export type RefusedJoin = {
  sessionKey: string;
  playerUuid: string;
  accountId: string;
  errorCode: string;
  /** The sentence that the player was told. */
  desc: string;
  teamId: number;
  at: Date;
};

/** Only sessions that are still stored get an event: a refusal must not fail over one that is gone. */
const RECORD_REFUSALS = {
  name: 'record_refusals',
  text: `
    INSERT INTO session_event (session_key, event_id, occurred_at, kind, account_id, player_uuid, detail)
    SELECT e.session_key, e.event_id, e.occurred_at, 'join_refused', e.account_id, e.player_uuid, e.detail
    FROM json_to_recordset($1::json) AS e(session_key uuid, event_id uuid, occurred_at timestamptz,
      account_id text, player_uuid uuid, detail json)
    WHERE EXISTS (SELECT FROM session s WHERE s.session_key = e.session_key)`,
};

export type RefusalStore = ReturnType<typeof createRefusalStore>;

export const createRefusalStore = ({ pool }: Database) => ({
  recordRefusals: async (refusals: readonly RefusedJoin[]): Promise<void> => {
    await runPrepared(pool, RECORD_REFUSALS, [JSON.stringify(refusals.map(toRecord))]);
  },
});

const toRecord = (refusal: RefusedJoin) => ({
  session_key: refusal.sessionKey,
  event_id: newEventId(refusal.at),
  occurred_at: refusal.at,
  account_id: refusal.accountId,
  player_uuid: refusal.playerUuid,
  detail: { error_code: refusal.errorCode, desc: refusal.desc, team_id: refusal.teamId },
});
