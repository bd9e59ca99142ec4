-- On Citus a statement about a distributed table is planned by Citus and then, for its shard, by PostgreSQL, each time it is run, and a
-- set that is inserted is no local statement: that was most of what a join cost there. Here a node reads and writes its shards by their
-- names, as sets, and PostgreSQL keeps the plans. One call may be about all shards of a node.

-- The keys by their shards, and whether each shard is on this node. For a write the shards then stay where they are: this takes the locks that
-- Citus takes before it writes, and a move waits for them. All of them at once, before anything else is locked, in one order.
CREATE FUNCTION "shards_of_keys"(table_name regclass, keys uuid[], for_write boolean)
RETURNS TABLE (shard_id bigint, is_local boolean, own_keys uuid[]) LANGUAGE plpgsql AS $$
BEGIN
  IF for_write THEN
    PERFORM lock_shard_metadata(5, s.ids) FROM (
      SELECT array_agg(DISTINCT id ORDER BY id) AS ids
      FROM unnest(keys) key, get_shard_id_for_distribution_column(table_name, key) id) s;
  END IF;
  RETURN QUERY SELECT s.id, EXISTS (
      SELECT FROM pg_dist_placement p JOIN pg_dist_local_group l ON l.groupid = p.groupid WHERE p.shardid = s.id), s.own
  FROM (SELECT id, array_agg(key ORDER BY key) AS own
    FROM unnest(keys) key, get_shard_id_for_distribution_column(table_name, key) id GROUP BY 1) s ORDER BY 1;
END $$;

-- Registers players of one node; it is idempotent. The order keeps two calls from waiting for each other.
CREATE FUNCTION "register_players_of_node"(shard uuid, players uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE part record;
BEGIN
  FOR part IN SELECT * FROM shards_of_keys('player', players, true) LOOP
    IF part.is_local THEN
      EXECUTE 'INSERT INTO player_' || part.shard_id || ' (player_uuid) SELECT unnest($1) ON CONFLICT DO NOTHING' USING part.own_keys;
    ELSE
      PERFORM register_players(shard, part.own_keys);
    END IF;
  END LOOP;
END $$;

-- Writes sessions of one node as `write_sessions` does. A shard that was moved here after `make_shard_functions` ran, or that is elsewhere,
-- is written through Citus.
CREATE FUNCTION "write_sessions_of_node"(
  shard uuid, keys uuid[], expected json, removed json, seats json, events json, newcomers uuid[]
) RETURNS TABLE (written_key uuid, found_player uuid, found_id bigint) LANGUAGE plpgsql AS $$
DECLARE part record;
BEGIN
  FOR part IN SELECT * FROM shards_of_keys('session', keys, true) LOOP
    IF part.is_local AND to_regproc('write_shard_' || part.shard_id) IS NOT NULL THEN
      RETURN QUERY EXECUTE 'SELECT * FROM write_shard_' || part.shard_id || '($1, $2, $3, $4, $5, $6)'
      USING part.own_keys, expected, removed, seats, events, newcomers;
    ELSE
      RETURN QUERY SELECT * FROM write_sessions(part.own_keys[1], part.own_keys, expected, removed, seats, events, newcomers, false);
    END IF;
  END LOOP;
END $$;

-- Whether sessions of one node are still as they were read. One whose shard is elsewhere, or was moved here, is left out: it is read anew.
-- A move need not wait: a shard takes no writes from its end on.
CREATE FUNCTION "check_sessions_of_node"(shard uuid, keys uuid[], players uuid[])
RETURNS TABLE (
  session_key uuid, incarnation text, version bigint, rules_since bigint, has_disconnects boolean, outdated_players text
) LANGUAGE plpgsql AS $$
DECLARE part record;
BEGIN
  FOR part IN SELECT * FROM shards_of_keys('session', keys, false) LOOP
    IF part.is_local AND to_regproc('check_shard_' || part.shard_id) IS NOT NULL THEN
      RETURN QUERY EXECUTE 'SELECT * FROM check_shard_' || part.shard_id || '($1, $2)' USING part.own_keys, players;
    END IF;
  END LOOP;
END $$;

-- Makes `write_shard_…` and `check_shard_…` for each shard of sessions on this node, anew where they exist.
CREATE FUNCTION "make_shard_functions"() RETURNS void LANGUAGE plpgsql AS $$
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
        UPDATE session_%1$s s SET version = s.version + 1 WHERE s.session_key = ANY(written);
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
