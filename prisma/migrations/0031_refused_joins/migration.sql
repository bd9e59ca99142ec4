-- Refused joins, found by player, platform session and time. A session's events have only those that reached the session.

-- The first column of the primary key is the player, by whom the table is distributed on Citus. The primary key bounds the rows of a player.
CREATE TABLE "refused_join" (
  "player_uuid" UUID NOT NULL,
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "number" INTEGER NOT NULL,
  "refusal_id" UUID NOT NULL,
  "refused_at" TIMESTAMPTZ(3) NOT NULL,
  "account_id" TEXT NOT NULL,
  "named_player" TEXT,
  "platform" TEXT NOT NULL,
  "platform_session_id_base64" TEXT NOT NULL,
  "platform_session_digest" BYTEA NOT NULL,
  "type" TEXT,
  "session_id" TEXT,
  "error_code" TEXT NOT NULL,
  "sentence" TEXT NOT NULL,
  "request_id" TEXT NOT NULL,
  "refused" BIGINT NOT NULL,

  CONSTRAINT "refused_join_pkey" PRIMARY KEY ("player_uuid", "hour", "number")
);

CREATE INDEX "refused_join_newest" ON "refused_join" ("refusal_id" DESC);
CREATE INDEX "refused_join_of_player" ON "refused_join" ("player_uuid", "refusal_id" DESC);
CREATE INDEX "refused_join_of_platform_session" ON "refused_join" ("platform_session_digest", "refusal_id" DESC);

-- Stores at most `most` refusals of each player and hour, and counts the others. The first row of the hour is the counter: its lock decides
-- between processes. The order keeps two calls from waiting for each other.
CREATE FUNCTION "record_refused_joins"(shard uuid, refusals json, most int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE refusal refused_join;
BEGIN
  FOR refusal IN
    SELECT r.* FROM json_populate_recordset(NULL::refused_join, refusals) r ORDER BY r.player_uuid, r.hour, r.refusal_id
  LOOP
    refusal.number := 1;
    refusal.refused := 1;
    INSERT INTO refused_join AS j VALUES (refusal.*)
    ON CONFLICT (player_uuid, hour, number) DO UPDATE SET refused = j.refused + 1
    RETURNING j.refused INTO refusal.refused;
    IF refusal.refused > most THEN
      UPDATE refused_join j SET refused = refusal.refused
      WHERE j.player_uuid = refusal.player_uuid AND j.hour = refusal.hour AND j.number = most;
    ELSIF refusal.refused > 1 THEN
      refusal.number := refusal.refused;
      -- A deletion of the player at the same time can leave a row with this number.
      INSERT INTO refused_join VALUES (refusal.*) ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;
END $$;
