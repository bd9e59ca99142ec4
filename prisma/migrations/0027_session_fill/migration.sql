-- How full a session is, so that lists and counts by it read an index and not the seats; the last time that a player joined or left; the
-- players who may not join again; and what a session was created from, so that a repeated creation is recognised.

-- NULL: not known. The service computes it within its sweep interval: for sessions that are older than this column, and for those that a
-- process of an earlier version has written since.
ALTER TABLE "session"
  ADD COLUMN "fill" TEXT,
  ADD COLUMN "last_activity_at" TIMESTAMPTZ(3),
  ADD COLUMN "removed_players" UUID[] NOT NULL DEFAULT '{}',
  ADD COLUMN "creation_digest" BYTEA;

-- In seconds; NULL, the default: for ever.
ALTER TABLE "session_type"
  ADD COLUMN "idle_ttl_seconds" INTEGER,
  ADD COLUMN "max_age_seconds" INTEGER;
ALTER TABLE "session_type"
  ADD CONSTRAINT "session_type_ages_are_positive" CHECK ("idle_ttl_seconds" > 0 AND "max_age_seconds" > 0);

-- An update that leaves `fill` as it was stays heap-only.
CREATE INDEX "session_live_by_fill" ON "session" ("fill", "created_at" DESC, "session_key") WHERE "ended_at" IS NULL;
CREATE INDEX "session_live_by_fill_of_type" ON "session" ("type", "fill", "created_at" DESC, "session_key") WHERE "ended_at" IS NULL;

-- As before, but it also writes `fill` and `last_activity_at`, as members of `expected`.
CREATE OR REPLACE FUNCTION "write_sessions"(
  shard uuid, keys uuid[], expected json, removed json, seats json, events json, newcomers uuid[], one_node boolean
) RETURNS TABLE (written_key uuid, found_player uuid, found_id bigint) LANGUAGE plpgsql AS $$
DECLARE
  written uuid[];
  placed session_seat[];
  seat session_seat;
  event session_event;
  change record;
BEGIN
  SELECT coalesce(array_agg(locked.session_key), '{}') INTO written FROM (
    SELECT s.session_key FROM session s
    JOIN json_to_recordset(expected) AS e(session_key uuid, version bigint, incarnation text, rules_since timestamptz)
      ON e.session_key = s.session_key
    WHERE s.session_key = ANY(keys) AND s.version = e.version AND s.incarnation = e.incarnation
      -- Not `IS NULL`, which would fit the indexes over the sessions that live.
      AND coalesce(s.ended_at, 'infinity') = 'infinity'
      AND (SELECT ty.updated_at FROM session_type ty WHERE ty.type = s.type) IS NOT DISTINCT FROM e.rules_since
    ORDER BY s.session_key
    FOR NO KEY UPDATE OF s SKIP LOCKED) locked;
  -- Nothing is as it was expected. On Citus a statement about no key at all asks some shard or other, and fails when its node is unavailable.
  IF written = '{}' THEN RETURN; END IF;
  IF one_node THEN
    UPDATE session s SET version = s.version + 1, fill = e.fill, last_activity_at = coalesce(e.active_at, s.last_activity_at)
    FROM json_to_recordset(expected) AS e(session_key uuid, fill text, active_at timestamptz)
    WHERE s.session_key = ANY(written) AND e.session_key = s.session_key;
  ELSE
    FOR change IN
      SELECT * FROM json_to_recordset(expected) AS e(session_key uuid, fill text, active_at timestamptz) WHERE e.session_key = ANY(written)
    LOOP
      UPDATE session s SET version = s.version + 1, fill = change.fill,
        last_activity_at = coalesce(change.active_at, s.last_activity_at)
      WHERE s.session_key = change.session_key;
    END LOOP;
  END IF;

  FOR seat IN SELECT * FROM json_populate_recordset(NULL::session_seat, removed) r WHERE r.session_key = ANY(written) LOOP
    DELETE FROM session_seat p WHERE p.session_key = seat.session_key AND p.player_uuid = seat.player_uuid;
  END LOOP;
  placed := ARRAY(
    SELECT n FROM json_populate_recordset(NULL::session_seat, seats) n WHERE n.session_key = ANY(written));
  IF one_node THEN
    INSERT INTO player (player_uuid)
    SELECT DISTINCT n.player_uuid FROM unnest(placed) n WHERE n.player_uuid = ANY(newcomers) ORDER BY 1
    ON CONFLICT (player_uuid) DO NOTHING;
    -- One look-up by primary key for each, never a hash of all players, and one statement for what is stored and what is answered.
    RETURN QUERY WITH seated AS (
      INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, player_id, platform, input,
        client_version, permitted_platform, permitted_input, custom_data, inviting_player_uuid, source_session_id,
        invited_at, joined_at)
      SELECT n.session_key, n.player_uuid, n.team_id, n.status, n.seated_at,
        coalesce(n.player_id, (SELECT l.player_id FROM player_legacy_id l
          WHERE l.player_uuid = n.player_uuid AND n.player_uuid = ANY(newcomers))),
        n.platform, n.input, n.client_version, n.permitted_platform, n.permitted_input, n.custom_data,
        n.inviting_player_uuid, n.source_session_id, n.invited_at, n.joined_at
      FROM unnest(placed) n
      ON CONFLICT (session_key, player_uuid) DO UPDATE SET
        team_id = EXCLUDED.team_id, status = EXCLUDED.status, seated_at = EXCLUDED.seated_at,
        player_id = EXCLUDED.player_id, platform = EXCLUDED.platform, input = EXCLUDED.input,
        client_version = EXCLUDED.client_version, permitted_platform = EXCLUDED.permitted_platform,
        permitted_input = EXCLUDED.permitted_input, custom_data = EXCLUDED.custom_data,
        inviting_player_uuid = EXCLUDED.inviting_player_uuid, source_session_id = EXCLUDED.source_session_id,
        invited_at = EXCLUDED.invited_at, joined_at = EXCLUDED.joined_at
      RETURNING session_key, player_uuid, player_id)
    SELECT f.session_key, f.player_uuid, f.player_id FROM seated f
    WHERE f.player_uuid = ANY(newcomers) AND f.player_id IS NOT NULL;
    INSERT INTO session_event
    SELECT * FROM json_populate_recordset(NULL::session_event, events) e WHERE e.session_key = ANY(written);
  ELSE
    FOREACH seat IN ARRAY placed LOOP
      IF seat.player_uuid = ANY(newcomers) THEN
        SELECT l.player_id INTO found_id FROM player_legacy_id l WHERE l.player_uuid = seat.player_uuid;
        IF FOUND THEN
          seat.player_id := coalesce(seat.player_id, found_id);
          written_key := seat.session_key;
          found_player := seat.player_uuid;
          RETURN NEXT;
        END IF;
      END IF;
      INSERT INTO session_seat VALUES (seat.*)
      ON CONFLICT (session_key, player_uuid) DO UPDATE SET
        team_id = EXCLUDED.team_id, status = EXCLUDED.status, seated_at = EXCLUDED.seated_at,
        player_id = EXCLUDED.player_id, platform = EXCLUDED.platform, input = EXCLUDED.input,
        client_version = EXCLUDED.client_version, permitted_platform = EXCLUDED.permitted_platform,
        permitted_input = EXCLUDED.permitted_input, custom_data = EXCLUDED.custom_data,
        inviting_player_uuid = EXCLUDED.inviting_player_uuid, source_session_id = EXCLUDED.source_session_id,
        invited_at = EXCLUDED.invited_at, joined_at = EXCLUDED.joined_at;
    END LOOP;
    FOR event IN SELECT * FROM json_populate_recordset(NULL::session_event, events) e WHERE e.session_key = ANY(written) LOOP
      INSERT INTO session_event VALUES (event.*);
    END LOOP;
  END IF;

  RETURN QUERY SELECT key, NULL::uuid, NULL::bigint FROM unnest(written) key;
END $$;

-- As before, likewise.
-- Makes `write_shard_…` and `check_shard_…` for each shard of sessions on this node, anew where they exist.
CREATE OR REPLACE FUNCTION "make_shard_functions"() RETURNS void LANGUAGE plpgsql AS $$
DECLARE shard record;
BEGIN
  PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
  FOR shard IN
    SELECT s.shardid AS id, max(o.shardid) FILTER (WHERE o.logicalrelid = 'session_seat'::regclass) AS seats,
      max(o.shardid) FILTER (WHERE o.logicalrelid = 'session_event'::regclass) AS events,
      max(o.shardid) FILTER (WHERE o.logicalrelid = 'session_type'::regclass) AS types,
      max(o.shardid) FILTER (WHERE o.logicalrelid = 'player_legacy_id'::regclass) AS legacy_ids
    FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid JOIN pg_dist_local_group l ON l.groupid = p.groupid
    JOIN pg_dist_shard o ON o.shardminvalue = s.shardminvalue OR o.shardminvalue IS NULL
    WHERE s.logicalrelid = 'session'::regclass GROUP BY s.shardid
  LOOP
    EXECUTE format($make$
      CREATE OR REPLACE FUNCTION write_shard_%1$s(
        keys uuid[], expected json, removed json, seats json, events json, newcomers uuid[]
      ) RETURNS TABLE (written_key uuid, found_player uuid, found_id bigint) LANGUAGE plpgsql AS $write$
      DECLARE written uuid[];
      BEGIN
        SELECT array_agg(locked.session_key) INTO written FROM (
          SELECT s.session_key
          FROM json_to_recordset(expected) AS e(session_key uuid, version bigint, incarnation text, rules_since timestamptz)
          JOIN session_%1$s s ON s.session_key = e.session_key
          WHERE e.session_key = ANY(keys) AND s.version = e.version AND s.incarnation = e.incarnation
            AND coalesce(s.ended_at, 'infinity') = 'infinity'
            AND (SELECT ty.updated_at FROM session_type_%4$s ty WHERE ty.type = s.type) IS NOT DISTINCT FROM e.rules_since
          FOR NO KEY UPDATE OF s SKIP LOCKED) locked;
        IF written IS NULL THEN RETURN; END IF;
        UPDATE session_%1$s s SET version = s.version + 1, fill = e.fill,
          last_activity_at = coalesce(e.active_at, s.last_activity_at)
        FROM json_to_recordset(expected) AS e(session_key uuid, fill text, active_at timestamptz)
        WHERE s.session_key = ANY(written) AND e.session_key = s.session_key;
        IF removed::text <> '[]' THEN
          DELETE FROM session_seat_%2$s p USING json_to_recordset(removed) AS r(session_key uuid, player_uuid uuid)
          WHERE r.session_key = ANY(written) AND p.session_key = r.session_key AND p.player_uuid = r.player_uuid;
        END IF;
        RETURN QUERY WITH seated AS (
          INSERT INTO session_seat_%2$s (session_key, player_uuid, team_id, status, seated_at, player_id, platform, input,
            client_version, permitted_platform, permitted_input, custom_data, inviting_player_uuid, source_session_id,
            invited_at, joined_at)
          SELECT n.session_key, n.player_uuid, n.team_id, n.status, n.seated_at,
            coalesce(n.player_id, (SELECT i.player_id FROM player_legacy_id_%5$s i
              WHERE i.player_uuid = n.player_uuid AND n.player_uuid = ANY(newcomers))),
            n.platform, n.input, n.client_version, n.permitted_platform, n.permitted_input, n.custom_data,
            n.inviting_player_uuid, n.source_session_id, n.invited_at, n.joined_at
          FROM json_populate_recordset(NULL::session_seat, seats) n WHERE n.session_key = ANY(written)
          ON CONFLICT (session_key, player_uuid) DO UPDATE SET
            team_id = EXCLUDED.team_id, status = EXCLUDED.status, seated_at = EXCLUDED.seated_at,
            player_id = EXCLUDED.player_id, platform = EXCLUDED.platform, input = EXCLUDED.input,
            client_version = EXCLUDED.client_version, permitted_platform = EXCLUDED.permitted_platform,
            permitted_input = EXCLUDED.permitted_input, custom_data = EXCLUDED.custom_data,
            inviting_player_uuid = EXCLUDED.inviting_player_uuid, source_session_id = EXCLUDED.source_session_id,
            invited_at = EXCLUDED.invited_at, joined_at = EXCLUDED.joined_at
          RETURNING session_key, player_uuid, player_id)
        SELECT f.* FROM seated f WHERE f.player_uuid = ANY(newcomers) AND f.player_id IS NOT NULL;
        INSERT INTO session_event_%3$s
        SELECT e.* FROM json_populate_recordset(NULL::session_event, events) e WHERE e.session_key = ANY(written);
        RETURN QUERY SELECT key, NULL::uuid, NULL::bigint FROM unnest(written) key;
      END $write$;
      CREATE OR REPLACE FUNCTION check_shard_%1$s(keys uuid[], players uuid[]) RETURNS TABLE (
        session_key uuid, incarnation text, version bigint, rules_since bigint, has_disconnects boolean, outdated_players text
      ) LANGUAGE plpgsql AS $check$
      BEGIN
        RETURN QUERY SELECT s.session_key, s.incarnation, s.version, (extract(epoch FROM ty.updated_at) * 1000)::bigint,
          EXISTS (SELECT FROM session_seat_%2$s p WHERE p.session_key = s.session_key AND p.absent_since IS NOT NULL),
          (SELECT string_agg(i.player_uuid::text, ' ') FROM player_legacy_id_%5$s i WHERE i.player_uuid = ANY(players))
        FROM session_%1$s s LEFT JOIN session_type_%4$s ty ON ty.type = s.type
        WHERE s.session_key = ANY(keys) AND coalesce(s.ended_at, 'infinity') = 'infinity';
      END $check$ $make$, shard.id, shard.seats, shard.events, shard.types, shard.legacy_ids);
  END LOOP;
END $$;
