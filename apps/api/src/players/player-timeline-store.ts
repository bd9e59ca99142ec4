// The seats of one player and what happened to the player, over all sessions, newest first.
import type { PlayerStatus } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

export type PlayerSeat = {
  type: string;
  session_id: string;
  team_id: number;
  status: PlayerStatus;
  seated_at: Date;
  session_key: string;
  platform: string | null;
  client_version: string | null;
  invited_at: Date | null;
  joined_at: Date | null;
  absent_since: Date | null;
  ended_at: Date | null;
};

/** Where a page of seats ended. */
export type SeatPosition = { seatedAt: Date; sessionKey: string };

export type PlayerEvent = {
  event_id: string;
  occurred_at: Date;
  kind: string;
  account_id: string;
  type: string;
  session_id: string;
  session_version: number | null;
  detail: Record<string, unknown> | null;
};

/** Sessions that have ended keep the seats of those who played; the first predicate leads into the index. */
const LIST_SEATS = {
  name: 'list_seats_of_player',
  text: `
    SELECT s.type, s.session_id, p.team_id, p.status, p.seated_at, p.session_key, p.platform,
      p.client_version, p.invited_at, p.joined_at, p.absent_since, s.ended_at
    FROM session_seat p JOIN session s USING (session_key)
    WHERE p.player_uuid = $1::uuid AND p.seated_at <= coalesce($2::timestamptz, 'infinity')
      AND ($2::timestamptz IS NULL OR p.seated_at < $2::timestamptz OR p.session_key > $3::uuid)
    ORDER BY p.seated_at DESC, p.session_key LIMIT $4`,
};

const LIST_EVENTS = {
  name: 'list_events_of_player',
  text: `
    SELECT e.event_id, e.occurred_at, e.kind, e.account_id, s.type, s.session_id,
      e.session_version, e.detail
    FROM session_event e JOIN session s USING (session_key)
    WHERE e.player_uuid = $1::uuid
      AND e.event_id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    ORDER BY e.event_id DESC LIMIT $3`,
};

export type PlayerTimelineStore = ReturnType<typeof createPlayerTimelineStore>;

export const createPlayerTimelineStore = ({ pool }: Pick<Database, 'pool'>) => ({
  listSeats: (
    playerUuid: string,
    after: SeatPosition | null,
    limit: number,
  ): Promise<PlayerSeat[]> => {
    const { seatedAt = null, sessionKey = null } = after ?? {};
    return runPrepared<PlayerSeat>(pool, LIST_SEATS, [playerUuid, seatedAt, sessionKey, limit]);
  },

  listEvents: (playerUuid: string, after: string | null, limit: number): Promise<PlayerEvent[]> =>
    runPrepared<PlayerEvent>(pool, LIST_EVENTS, [playerUuid, after, limit]),
});
