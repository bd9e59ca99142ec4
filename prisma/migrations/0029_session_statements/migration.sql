-- Admin changes of sessions as one statement each, with the audit record in it. As transactions of Prisma they took four to ten round trips.

-- Stores what changed sessions have besides seats and events: the details (whole), the end, and the audit records. Of `written` only.
CREATE FUNCTION "record_changes"(written uuid[], records json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  change record;
  next session;
  audit audit_record;
BEGIN
  FOR change IN
    SELECT * FROM json_to_recordset(records)
      AS r(session_key uuid, details json, ended_at timestamptz, digests bytea[], audits json)
    WHERE r.session_key = ANY(written)
  LOOP
    IF change.details IS NOT NULL THEN
      next := json_populate_record(NULL::session, change.details);
      UPDATE session s SET joinable = next.joinable, region_id = next.region_id,
        created_by_matchmaking = next.created_by_matchmaking, custom_data = next.custom_data, instance = next.instance,
        match = next.match, matchmaking = next.matchmaking, matchmaking_results = next.matchmaking_results,
        backfill = next.backfill, browser = next.browser, removed_players = next.removed_players
      WHERE s.session_key = change.session_key;
    END IF;
    IF change.ended_at IS NOT NULL THEN
      UPDATE session s SET ended_at = change.ended_at WHERE s.session_key = change.session_key;
      -- Not `IS NOT NULL`, which would fit the index over all absent players.
      UPDATE session_seat p SET absent_since = NULL
      WHERE p.session_key = change.session_key AND coalesce(p.absent_since, 'infinity') < 'infinity';
      DELETE FROM platform_session_route r WHERE r.digest = ANY(change.digests) AND r.session_key = change.session_key;
    END IF;
    FOR audit IN SELECT * FROM json_populate_recordset(NULL::audit_record, change.audits) LOOP
      INSERT INTO audit_record VALUES (audit.*);
    END LOOP;
  END LOOP;
END $$;

-- On one node: `write_sessions`, and `record_changes` of the sessions that it wrote.
CREATE FUNCTION "change_sessions"(
  shard uuid, keys uuid[], expected json, removed json, seats json, events json, newcomers uuid[], records json
) RETURNS TABLE (written_key uuid, found_player uuid, found_id bigint) LANGUAGE plpgsql AS $$
DECLARE written uuid[] := '{}';
BEGIN
  FOR written_key, found_player, found_id IN
    SELECT * FROM write_sessions(shard, keys, expected, removed, seats, events, newcomers, true)
  LOOP
    written := written || written_key;
    RETURN NEXT;
  END LOOP;
  PERFORM record_changes(written, records);
END $$;

-- Stores a new session and registers the players of its seats, all or nothing. Returns NULL, or the code of the refusal. A creation with a
-- digest replaces an ended session of the same key, unless that has the same digest and ended after `repeatable_since`.
CREATE FUNCTION "create_session"(
  creation json, repeatable_since timestamptz, teams json, platform_sessions json, seats json, legacy_ids json, events json, audits json
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  created session := json_populate_record(NULL::session, creation);
  digests bytea[] := ARRAY(
    SELECT p.digest FROM json_populate_recordset(NULL::session_platform_session, platform_sessions) p ORDER BY p.digest);
  claimed bigint;
BEGIN
  IF created.creation_digest IS NOT NULL THEN
    DELETE FROM session s
    WHERE s.session_key = created.session_key AND coalesce(s.ended_at, 'infinity') < 'infinity'
      AND (s.creation_digest IS DISTINCT FROM created.creation_digest OR s.ended_at <= repeatable_since);
  END IF;
  -- The primary key decides between concurrent creations: the second one waits here for the first.
  INSERT INTO session VALUES (created.*) ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS claimed = ROW_COUNT;
  IF claimed = 0 THEN RAISE 'session_exists'; END IF;
  INSERT INTO session_team SELECT * FROM json_populate_recordset(NULL::session_team, teams);
  INSERT INTO session_platform_session
  SELECT * FROM json_populate_recordset(NULL::session_platform_session, platform_sessions);
  -- Sorted, since two sessions that claim the same ones could deadlock; likewise players. Counted by a query of its own: on Citus the
  -- number of rows of an insert includes those that conflict.
  INSERT INTO platform_session_route (digest, session_key)
  SELECT unnest(digests), created.session_key ON CONFLICT DO NOTHING;
  SELECT count(*) INTO claimed FROM platform_session_route r
  WHERE r.digest = ANY(digests) AND r.session_key = created.session_key;
  IF claimed < cardinality(digests) THEN RAISE 'platform_session_taken'; END IF;
  INSERT INTO player (player_uuid)
  SELECT n.player_uuid FROM json_populate_recordset(NULL::session_seat, seats) n ORDER BY 1 ON CONFLICT DO NOTHING;
  INSERT INTO session_seat SELECT * FROM json_populate_recordset(NULL::session_seat, seats);
  IF json_array_length(legacy_ids) > 0 THEN
    INSERT INTO player_legacy_id
    SELECT * FROM json_populate_recordset(NULL::player_legacy_id, legacy_ids) l ORDER BY l.player_uuid ON CONFLICT DO NOTHING;
    SELECT count(*) INTO claimed FROM json_populate_recordset(NULL::player_legacy_id, legacy_ids) c
    JOIN player_legacy_id l ON l.player_uuid = c.player_uuid AND l.player_id = c.player_id;
    IF claimed < json_array_length(legacy_ids) THEN RAISE 'player_id_taken'; END IF;
  END IF;
  INSERT INTO session_event SELECT * FROM json_populate_recordset(NULL::session_event, events);
  INSERT INTO event_outbox (subject_key, entry_id, events) VALUES (created.session_key, (events->0->>'event_id')::uuid, events);
  INSERT INTO audit_record SELECT * FROM json_populate_recordset(NULL::audit_record, audits);
  RETURN NULL;
EXCEPTION WHEN raise_exception THEN
  RETURN SQLERRM;
END $$;
