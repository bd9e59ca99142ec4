// Finds the live sessions of a player, without seats that have expired.
import type { SessionReference } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

export type PlayerSessionStore = ReturnType<typeof createPlayerSessionStore>;

export const createPlayerSessionStore = ({ pool }: Pick<Database, 'pool'>) => ({
  /** Newest seat first. */
  listLiveSessions: (playerUuid: string, now: Date, limit: number): Promise<SessionReference[]> =>
    runPrepared<SessionReference>(pool, LIST_LIVE_SESSIONS, [playerUuid, now, limit]),
});

/** The seats of one player are on any node of a cluster. */
const LIST_LIVE_SESSIONS = {
  name: 'list_live_sessions_of_player',
  text: `
    SELECT s.type, s.session_id, p.status, p.team_id, coalesce(
        (SELECT json_agg(json_build_object(
            'platform', c.platform,
            'platform_session_type', c.platform_session_type,
            'platform_session_id_base64', c.id_base64) ORDER BY c.position)
          FROM session_platform_session c WHERE c.session_key = p.session_key),
        '[]'::json) AS platform_session
    FROM session_seat p JOIN session s ON s.session_key = p.session_key
    LEFT JOIN session_type ty ON ty.type = s.type
    WHERE p.player_uuid = $1::uuid AND s.ended_at IS NULL
      AND coalesce(p.invited_at + make_interval(secs => CASE p.status
        WHEN 'invited' THEN ty.invitation_ttl_seconds
        WHEN 'reserved' THEN ty.reservation_ttl_seconds END) > $2::timestamptz, true)
      AND coalesce(
        p.absent_since + make_interval(secs => ty.absent_ttl_seconds) > $2::timestamptz, true)
    ORDER BY p.seated_at DESC, p.session_key LIMIT $3`,
};
