-- The outbox: what the feed of changes is read from. Each transaction that changes sessions or a catalogue writes its events here too. There are
-- no foreign keys, since the events of a deleted session are still delivered.

-- `events` are the events of one write in their order. A reader takes rows in the order of their transactions, and none of a transaction that is
-- not older than each running one: such a transaction may still commit rows with a lower id.
CREATE TABLE "event_outbox" (
  "subject_key" UUID NOT NULL,
  "transaction_id" BIGINT NOT NULL,
  "entry_id" UUID NOT NULL,
  "events" JSON NOT NULL,

  CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("transaction_id", "entry_id", "subject_key")
);

-- On Citus the row is written by another node than the one that runs the statement: only a trigger knows the transaction there.
CREATE FUNCTION "set_outbox_transaction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.transaction_id := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;

CREATE TRIGGER "event_outbox_set_transaction" BEFORE INSERT ON "event_outbox"
  FOR EACH ROW EXECUTE FUNCTION "set_outbox_transaction"();

-- The server whose transactions the outbox has. After a restore on another server their ids mean nothing.
CREATE TABLE "event_outbox_origin" (
  "only" BOOLEAN NOT NULL DEFAULT true,
  "system_identifier" TEXT NOT NULL,

  CONSTRAINT "event_outbox_origin_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "event_outbox_origin_is_one" CHECK ("only")
);

-- The events of the written sessions; NULL without any. `are_all`: each event is of one of them, so nothing has to be left out.
CREATE FUNCTION "outbox_entries"(events json, written uuid[], are_all boolean) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF events->0->>'session_id' IS NULL THEN RETURN NULL; END IF;
  IF are_all THEN RETURN events; END IF;
  RETURN (SELECT json_agg(e) FROM json_array_elements(events) e WHERE (e->>'session_key')::uuid = ANY(written));
END $$;

-- As before, but it also writes the events to the outbox. Those with `unlisted` are in the outbox only. A process of an earlier version
-- sends events without the name of their session, and writes none.
CREATE OR REPLACE FUNCTION "write_sessions"(
  shard uuid, keys uuid[], expected json, removed json, seats json, events json, newcomers uuid[], one_node boolean
) RETURNS TABLE (written_key uuid, found_player uuid, found_id bigint) LANGUAGE plpgsql AS $$
DECLARE
  written uuid[];
  placed session_seat[];
  seat session_seat;
  event record;
  entries json;
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
    INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid, detail)
    SELECT e.session_key, e.event_id, e.occurred_at, e.kind, e.session_version, e.account_id, e.player_uuid, e.detail
    FROM json_to_recordset(events) AS e(session_key uuid, event_id uuid, occurred_at timestamptz, kind text,
        session_version bigint, account_id text, player_uuid uuid, detail json, unlisted boolean)
    WHERE e.session_key = ANY(written) AND e.unlisted IS NOT TRUE;
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
    FOR event IN
      SELECT * FROM json_to_recordset(events) AS e(session_key uuid, event_id uuid, occurred_at timestamptz, kind text,
        session_version bigint, account_id text, player_uuid uuid, detail json, unlisted boolean)
      WHERE e.session_key = ANY(written) AND e.unlisted IS NOT TRUE
    LOOP
      INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid, detail)
      VALUES (event.session_key, event.event_id, event.occurred_at, event.kind, event.session_version, event.account_id, event.player_uuid, event.detail);
    END LOOP;
  END IF;

  entries := outbox_entries(events, written, one_node AND cardinality(written) = cardinality(keys));
  IF entries IS NOT NULL THEN
    INSERT INTO event_outbox (subject_key, entry_id, events) VALUES (written[1], (entries->0->>'event_id')::uuid, entries);
  END IF;

  RETURN QUERY SELECT key, NULL::uuid, NULL::bigint FROM unnest(written) key;
END $$;

-- As before, likewise. Makes `write_shard_…` and `check_shard_…` for each shard of sessions on this node, anew where they exist.
CREATE OR REPLACE FUNCTION "make_shard_functions"() RETURNS void LANGUAGE plpgsql AS $$
DECLARE shard record;
BEGIN
  PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
  FOR shard IN
    SELECT s.shardid AS id, max(o.shardid) FILTER (WHERE o.logicalrelid = 'session_seat'::regclass) AS seats,
      max(o.shardid) FILTER (WHERE o.logicalrelid = 'session_event'::regclass) AS events,
      max(o.shardid) FILTER (WHERE o.logicalrelid = 'event_outbox'::regclass) AS outbox,
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
      DECLARE
        written uuid[];
        entries json;
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
        INSERT INTO session_event_%3$s (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid, detail)
        SELECT e.session_key, e.event_id, e.occurred_at, e.kind, e.session_version, e.account_id, e.player_uuid, e.detail
        FROM json_to_recordset(events) AS e(session_key uuid, event_id uuid, occurred_at timestamptz, kind text,
          session_version bigint, account_id text, player_uuid uuid, detail json, unlisted boolean)
        WHERE e.session_key = ANY(written) AND e.unlisted IS NOT TRUE;
        -- The events of sessions in other shards are among them.
        entries := outbox_entries(events, written, false);
        IF entries IS NOT NULL THEN
          INSERT INTO event_outbox_%6$s (subject_key, entry_id, events)
          VALUES (written[1], (entries->0->>'event_id')::uuid, entries);
        END IF;
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
      END $check$ $make$, shard.id, shard.seats, shard.events, shard.types, shard.legacy_ids, shard.outbox);
  END LOOP;
END $$;

-- As before, likewise.
CREATE OR REPLACE FUNCTION "reconnect_players"(shard uuid, events json) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  entry json;
  event session_event;
  entries json[] := '{}';
BEGIN
  -- As every change of a session does, before the transaction has an id: so the feed has these events in the order of the changes.
  PERFORM 1 FROM session s WHERE s.session_key = shard FOR NO KEY UPDATE;
  FOR entry IN SELECT * FROM json_array_elements(events) LOOP
    event := json_populate_record(NULL::session_event, entry);
    UPDATE session_seat p SET absent_since = NULL
    WHERE p.session_key = event.session_key AND p.player_uuid = event.player_uuid AND p.absent_since IS NOT NULL;
    IF FOUND THEN
      INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid, detail)
      VALUES (event.session_key, event.event_id, event.occurred_at, event.kind, event.session_version, event.account_id, event.player_uuid, event.detail);
      entries := array_append(entries, entry);
      RETURN NEXT event.player_uuid;
    END IF;
  END LOOP;
  IF entries[1]->>'session_id' IS NOT NULL THEN
    INSERT INTO event_outbox (subject_key, entry_id, events) VALUES (shard, (entries[1]->>'event_id')::uuid, array_to_json(entries));
  END IF;
END $$;

-- As before, likewise. The names of the sessions come from their rows.
CREATE OR REPLACE FUNCTION "record_refusals"(shard uuid, events json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry json;
  event session_event;
  name jsonb;
  entries json[] := '{}';
BEGIN
  FOR entry IN SELECT * FROM json_array_elements(events) LOOP
    event := json_populate_record(NULL::session_event, entry);
    SELECT jsonb_build_object('type', s.type, 'session_id', s.session_id) INTO name FROM session s WHERE s.session_key = event.session_key;
    IF FOUND THEN
      INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid, detail)
      VALUES (event.session_key, event.event_id, event.occurred_at, event.kind, event.session_version, event.account_id, event.player_uuid, event.detail);
      entries := array_append(entries, (entry::jsonb || name)::json);
    END IF;
  END LOOP;
  IF cardinality(entries) > 0 THEN
    INSERT INTO event_outbox (subject_key, entry_id, events) VALUES (shard, (entries[1]->>'event_id')::uuid, array_to_json(entries));
  END IF;
END $$;

-- Which server has the transactions, and which of its histories: a promotion and a restore to an earlier moment begin another one, in which
-- transaction ids are used again. Some services do not permit these functions.
CREATE FUNCTION "outbox_origin"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
EXCEPTION WHEN OTHERS THEN
  RETURN 'unknown';
END $$;

-- The entries of one node after a position, oldest first. Every row has the origin, the first transaction that may still be running, and the first
-- entry that waits for the end of such a transaction; without an entry there is one row of these.
CREATE FUNCTION "read_outbox"(shard uuid, after_transaction bigint, after_entry uuid, most int)
RETURNS TABLE (origin text, horizon bigint, waiting_entry uuid, transaction_id bigint, entry_id uuid, events json) LANGUAGE plpgsql AS $$
DECLARE parts text := 'SELECT * FROM event_outbox';
BEGIN
  IF to_regclass('pg_dist_placement') IS NOT NULL THEN
    SELECT coalesce(string_agg('SELECT * FROM event_outbox_' || s.shardid, ' UNION ALL '), parts) INTO parts
    FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid JOIN pg_dist_local_group l ON l.groupid = p.groupid
    WHERE s.logicalrelid = 'event_outbox'::regclass AND s.shardminvalue IS NOT NULL;
  END IF;
  RETURN QUERY EXECUTE format($read$
    WITH now AS MATERIALIZED (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon)
    SELECT outbox_origin(), now.horizon,
      (SELECT w.entry_id FROM (%1$s) w WHERE w.transaction_id >= now.horizon ORDER BY w.transaction_id, w.entry_id LIMIT 1),
      r.transaction_id, r.entry_id, r.events
    FROM now LEFT JOIN LATERAL (
      SELECT o.transaction_id, o.entry_id, o.events FROM (%1$s) o
      WHERE o.transaction_id < now.horizon AND (o.transaction_id, o.entry_id) > ($1, $2)
      ORDER BY o.transaction_id, o.entry_id LIMIT $3) r ON true $read$, parts)
  USING after_transaction, after_entry, most;
END $$;
