-- Bounds and enumerations.
-- The schemas of the contract refuse these values first. The database repeats every bound that the
-- answers promise, so that a script or a fault cannot store what the service could not serve.

ALTER TABLE "player_legacy_id"
  -- Integers of the interface are exact in JSON: |n| <= 2^53 - 1.
  ADD CONSTRAINT "player_legacy_id_is_safe" CHECK ("player_id" BETWEEN -9007199254740991 AND 9007199254740991);

ALTER TABLE "session_type"
  ADD CONSTRAINT "session_type_name_length" CHECK (char_length("type") BETWEEN 1 AND 128),
  ADD CONSTRAINT "session_type_version_match" CHECK ("version_match" IN ('none', 'major', 'minor', 'patch', 'exact')),
  ADD CONSTRAINT "session_type_ttl_is_positive" CHECK ("held_seat_ttl_seconds" > 0);

ALTER TABLE "session"
  ADD CONSTRAINT "session_type_length" CHECK (char_length("type") BETWEEN 1 AND 128),
  ADD CONSTRAINT "session_id_length" CHECK (char_length("session_id") BETWEEN 1 AND 128),
  ADD CONSTRAINT "session_region_id_length" CHECK (char_length("region_id") BETWEEN 1 AND 128),
  ADD CONSTRAINT "session_version_is_positive" CHECK ("version" > 0),
  -- The join rules read these three; an unknown value must not pass for "joinable".
  ADD CONSTRAINT "session_instance_join_status" CHECK ("instance" ->> 'join_status' IN ('requested', 'allocated', 'pending', 'joinable', 'unjoinable', 'closed')),
  ADD CONSTRAINT "session_instance_host_type" CHECK ("instance" ->> 'host_type' IN ('dedicated', 'player', 'preallocated')),
  ADD CONSTRAINT "session_instance_health" CHECK ("instance" ->> 'instance_health' IN ('healthy', 'unhealthy', 'degraded', 'unknown'));

ALTER TABLE "session_team"
  ADD CONSTRAINT "session_team_max_size" CHECK ("max_size" BETWEEN 1 AND 100),
  ADD CONSTRAINT "session_team_position" CHECK ("position" >= 0),
  ADD CONSTRAINT "session_team_id_is_safe" CHECK ("team_id" BETWEEN -9007199254740991 AND 9007199254740991);

ALTER TABLE "session_seat"
  ADD CONSTRAINT "session_seat_status" CHECK ("status" IN ('leader', 'member', 'invited', 'reserved')),
  -- Held seats carry `invited`, not `joined`; taken ones carry `joined`.
  ADD CONSTRAINT "session_seat_times_fit_status" CHECK (
    CASE WHEN "status" IN ('leader', 'member') THEN "joined_at" IS NOT NULL
         ELSE "joined_at" IS NULL AND "invited_at" IS NOT NULL END),
  ADD CONSTRAINT "session_seat_platform" CHECK ("platform" IN (
    'Anon', 'Basic', 'XboxLive', 'PSN', 'NintendoNAID', 'NintendoSwitch', 'NintendoPPID', 'Google',
    'GooglePlay', 'Apple', 'Epic', 'Steam', 'Amazon', 'Twitch', 'Muster', 'LegacyName')),
  ADD CONSTRAINT "session_seat_input" CHECK ("input" IN ('keyboardandmouse', 'gamepad', 'touch')),
  ADD CONSTRAINT "session_seat_permitted_platform" CHECK ("permitted_platform" IN ('desired_platforms_any', 'desired_platforms_xboxlike', 'desired_platforms_playstationlike')),
  ADD CONSTRAINT "session_seat_permitted_input" CHECK ("permitted_input" IN ('desired_inputs_any', 'desired_inputs_keyboardandmouse', 'desired_inputs_gamepad', 'desired_inputs_touch')),
  ADD CONSTRAINT "session_seat_source_session_id_length" CHECK (char_length("source_session_id") BETWEEN 1 AND 128),
  ADD CONSTRAINT "session_seat_player_id_is_safe" CHECK ("player_id" BETWEEN -9007199254740991 AND 9007199254740991);

-- A session has one leader at most, whatever the code does.
CREATE UNIQUE INDEX "session_seat_one_leader" ON "session_seat" ("session_key") WHERE "status" = 'leader';

ALTER TABLE "session_platform_session"
  ADD CONSTRAINT "session_platform_session_digest_is_sha256" CHECK (octet_length("digest") = 32),
  ADD CONSTRAINT "session_platform_session_type_length" CHECK (char_length("platform_session_type") BETWEEN 1 AND 128),
  ADD CONSTRAINT "session_platform_session_id_length" CHECK (char_length("id_base64") BETWEEN 1 AND 4096),
  ADD CONSTRAINT "session_platform_session_platform" CHECK ("platform" IN (
    'Anon', 'Basic', 'XboxLive', 'PSN', 'NintendoNAID', 'NintendoSwitch', 'NintendoPPID', 'Google',
    'GooglePlay', 'Apple', 'Epic', 'Steam', 'Amazon', 'Twitch', 'Muster', 'LegacyName'));

ALTER TABLE "platform_session_route"
  ADD CONSTRAINT "platform_session_route_digest_is_sha256" CHECK (octet_length("digest") = 32);

ALTER TABLE "sandbox"
  ADD CONSTRAINT "sandbox_name_length" CHECK (char_length("name") BETWEEN 1 AND 256),
  ADD CONSTRAINT "sandbox_counters_add_up" CHECK ("head_seq" >= 0 AND "item_versions" >= 0 AND "xp_versions" >= 0),
  ADD CONSTRAINT "sandbox_head_hash_is_sha256" CHECK (octet_length("head_hash") = 32);

ALTER TABLE "catalogue_record"
  ADD CONSTRAINT "catalogue_record_kind" CHECK ("kind" IN ('item', 'xp')),
  ADD CONSTRAINT "catalogue_record_name_length" CHECK (char_length("name") BETWEEN 1 AND 256),
  -- A legacy id and the position that it was given at come together.
  ADD CONSTRAINT "catalogue_record_legacy_id_has_position" CHECK (("legacy_id" IS NULL) = ("legacy_seq" IS NULL)),
  ADD CONSTRAINT "catalogue_record_version_is_positive" CHECK ("version" > 0),
  ADD CONSTRAINT "catalogue_record_legacy_id_is_safe" CHECK ("legacy_id" BETWEEN -9007199254740991 AND 9007199254740991);

ALTER TABLE "catalogue_version"
  ADD CONSTRAINT "catalogue_version_kind" CHECK ("kind" IN ('item', 'xp')),
  ADD CONSTRAINT "catalogue_version_operation" CHECK ("operation" IN ('insert', 'update', 'delete', 'restore')),
  ADD CONSTRAINT "catalogue_version_positions" CHECK ("seq" > 0 AND "version" > 0),
  ADD CONSTRAINT "catalogue_version_hash_is_sha256" CHECK (octet_length("hash") = 32);

-- The name filter of the histories: "contains" on folded names. pg_trgm is part of PostgreSQL's contrib
-- and trusted since 13. A server without it stays correct and scans the names of the sandbox instead.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS "pg_trgm";
  CREATE INDEX "catalogue_name_contains" ON "catalogue_name" USING gin ("folded_name" gin_trgm_ops);
EXCEPTION
  WHEN feature_not_supported OR undefined_file OR insufficient_privilege OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available: names are searched without an index';
END $$;
