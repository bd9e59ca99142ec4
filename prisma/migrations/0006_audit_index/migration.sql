-- The audit list: newest first, its keyset is (occurred_at, audit_id). Each index is read backwards and ends in it.

-- Everything, and everything of a period.
CREATE INDEX "audit_record_by_time" ON "audit_record"("occurred_at", "audit_id");

-- What one account did.
CREATE INDEX "audit_record_of_account" ON "audit_record"("account_id", "occurred_at", "audit_id");

-- What was done to one sandbox.
CREATE INDEX "audit_record_of_sandbox" ON "audit_record"("sandbox_id", "occurred_at", "audit_id");

-- All uses of one procedure.
CREATE INDEX "audit_record_of_action" ON "audit_record"("action", "occurred_at", "audit_id");

-- The search for sessions by the beginning of their id, whatever the collation of the database; ended ones are not found.
CREATE INDEX "session_live_by_id" ON "session" ("session_id" text_pattern_ops, "session_key") WHERE "ended_at" IS NULL;

-- How many records of a sandbox are deleted, and which: the overview and the trash, in the order of the list by name.
CREATE INDEX "catalogue_record_deleted" ON "catalogue_record" ("sandbox_id", "kind", "folded_name", "record_id") WHERE "deleted";

-- "Contains" on the ids that an audit record names, and on the names of players. A server without pg_trgm stays
-- correct and reads the tables instead.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS "pg_trgm";
  CREATE INDEX "audit_record_target_contains" ON "audit_record" USING gin (("target"::text) gin_trgm_ops);
  CREATE INDEX "player_name_contains" ON "player" USING gin ("display_name" gin_trgm_ops);
EXCEPTION
  WHEN feature_not_supported OR undefined_file OR insufficient_privilege OR undefined_object THEN
    RAISE NOTICE $notice$pg_trgm is not available: targets and players are searched without an index$notice$;
END $$;
