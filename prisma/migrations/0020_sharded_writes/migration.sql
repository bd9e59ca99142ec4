-- The hot writes as functions of plain statements. On Citus each runs on the node of its first argument, the key of what it writes, in one
-- round trip: there, no statement that inserts in a WITH can be routed, and rows that are inserted out of a SELECT make a detour. All that one
-- call writes has keys of one shard. On one node the keys may be any.

-- Registers players; it is idempotent. Sorted ids keep two calls from waiting for each other.
CREATE FUNCTION "register_players"(shard uuid, players uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE player uuid;
BEGIN
  FOREACH player IN ARRAY players LOOP
    INSERT INTO player (player_uuid) VALUES (player) ON CONFLICT (player_uuid) DO NOTHING;
  END LOOP;
END $$;

-- Writes those of the sessions that are still as they are expected, and answers their keys. A session that another transaction has locked
-- counts as changed: the locks are taken in the order of the keys, and none is waited for. Seats that go are deleted first, and former leaders
-- come before new ones in `seats`: the index that allows one leader a session is checked row by row. `newcomers` are the players whose legacy
-- ids are not known to the caller; those who hold one come back with it. On one node (`one_node`) they are registered with their seats, and
-- rows are written as sets, which takes two thirds of the time; on Citus a set that is inserted is no local statement.
CREATE FUNCTION "write_sessions"(
  shard uuid, keys uuid[], expected json, removed json, seats json, events json, newcomers uuid[], one_node boolean
) RETURNS TABLE (written_key uuid, found_player uuid, found_id bigint) LANGUAGE plpgsql AS $$
DECLARE
  written uuid[];
  placed session_seat[];
  seat session_seat;
  event session_event;
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
  UPDATE session s SET version = s.version + 1 WHERE s.session_key = ANY(written);

  FOR seat IN SELECT * FROM json_populate_recordset(NULL::session_seat, removed) r WHERE r.session_key = ANY(written) LOOP
    DELETE FROM session_seat p WHERE p.session_key = seat.session_key AND p.player_uuid = seat.player_uuid;
  END LOOP;
  placed := ARRAY(
    SELECT n FROM json_populate_recordset(NULL::session_seat, seats) n WHERE n.session_key = ANY(written));
  IF one_node THEN
    INSERT INTO player (player_uuid)
    SELECT DISTINCT n.player_uuid FROM unnest(placed) n WHERE n.player_uuid = ANY(newcomers) ORDER BY 1
    ON CONFLICT (player_uuid) DO NOTHING;
    -- One look-up by primary key for each: never a hash of all players.
    RETURN QUERY SELECT f.* FROM (
      SELECT n.session_key, n.player_uuid, (SELECT l.player_id FROM player_legacy_id l WHERE l.player_uuid = n.player_uuid) AS id
      FROM unnest(placed) n WHERE n.player_uuid = ANY(newcomers)) f WHERE f.id IS NOT NULL;
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
      invited_at = EXCLUDED.invited_at, joined_at = EXCLUDED.joined_at;
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

-- Ends disconnects of one session and logs the events. Answers the players whose disconnect it ended.
CREATE FUNCTION "reconnect_players"(shard uuid, events json) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE event session_event;
BEGIN
  FOR event IN SELECT * FROM json_populate_recordset(NULL::session_event, events) LOOP
    UPDATE session_seat p SET absent_since = NULL
    WHERE p.session_key = event.session_key AND p.player_uuid = event.player_uuid AND p.absent_since IS NOT NULL;
    IF FOUND THEN
      INSERT INTO session_event VALUES (event.*);
      RETURN NEXT event.player_uuid;
    END IF;
  END LOOP;
END $$;

-- Only sessions that are still stored get an event: a refusal must not fail because its session is gone.
CREATE FUNCTION "record_refusals"(shard uuid, events json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE event session_event;
BEGIN
  FOR event IN SELECT * FROM json_populate_recordset(NULL::session_event, events) LOOP
    IF EXISTS (SELECT FROM session s WHERE s.session_key = event.session_key) THEN
      INSERT INTO session_event VALUES (event.*);
    END IF;
  END LOOP;
END $$;
