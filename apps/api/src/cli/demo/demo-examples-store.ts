// Finds the ids for the sample requests of a start. Data changes, so only requests that still work are shown.
import type { Database } from '@muster/database';
import { SAMPLE_PLAYER } from './demo-players.ts';
import { WELCOME_SESSION } from './demo-sessions.ts';

/** Ids of the demo data for sample requests. */
export type DemoExamples = {
  sandboxId: string;
  /** A join by the player's own account, which can be repeated: the player has a seat there, or one is held. */
  join: {
    platform: string;
    platformSessionIdBase64: string;
    playerUuid: string;
    teamId: number;
    clientVersion: string;
    input: string;
  };
};

/** The oldest sandbox with versions of both kinds. */
const FIND_SANDBOX = `
  SELECT sandbox_id AS "sandboxId" FROM sandbox WHERE item_versions > 0 AND xp_versions > 0
  ORDER BY created_at, sandbox_id LIMIT 1`;

/**
 * The seats of the sample player ($1) that a join can take or repeat. A seated player may always join again, since a
 * player who excludes this client cannot have joined later. A held seat counts while it cannot expire, the instance
 * accepts new players, and no player there excludes a player of platform $2 with a gamepad. The version is that of the
 * instance.
 */
const FIND_JOIN = `
  SELECT c.platform, c.id_base64 AS "platformSessionIdBase64", p.player_uuid AS "playerUuid",
    p.team_id::float8 AS "teamId", coalesce(p.input, $3) AS input,
    coalesce(s.instance ->> 'version', p.client_version, '1.0.0') AS "clientVersion"
  FROM session_seat p
  JOIN session s USING (session_key)
  JOIN session_platform_session c USING (session_key)
  LEFT JOIN session_type ty ON ty.type = s.type
  WHERE p.player_uuid = $1::uuid AND s.ended_at IS NULL AND c.platform = coalesce(p.platform, $2)
    AND (p.status IN ('leader', 'member') OR (
      CASE p.status WHEN 'invited' THEN ty.invitation_ttl_seconds
        ELSE ty.reservation_ttl_seconds END IS NULL
      AND coalesce(s.instance ->> 'join_status', 'joinable') NOT IN ('closed', 'unjoinable')
      AND NOT EXISTS (
        SELECT FROM session_seat o
        WHERE o.session_key = s.session_key AND o.status IN ('leader', 'member')
          AND (o.permitted_platform <> 'desired_platforms_any'
            OR o.permitted_input NOT IN ('desired_inputs_any', 'desired_inputs_gamepad')))))
  ORDER BY (s.type, s.session_id) = ($4, $5) DESC, s.created_at, c.position
  LIMIT 1`;

/** Null when the sample player has no usable seat, or no sandbox has a history. */
export const findDemoExamples = async ({
  pool,
}: Pick<Database, 'pool'>): Promise<DemoExamples | null> => {
  const { playerUuid, platform, input } = SAMPLE_PLAYER;
  const { type, sessionId } = WELCOME_SESSION;
  const sandboxes = await pool.query<{ sandboxId: string }>(FIND_SANDBOX);
  const parameters = [playerUuid, platform, input, type, sessionId];
  const joins = await pool.query<DemoExamples['join']>(FIND_JOIN, parameters);
  const [sandbox] = sandboxes.rows;
  const [join] = joins.rows;
  return sandbox && join ? { sandboxId: sandbox.sandboxId, join } : null;
};
