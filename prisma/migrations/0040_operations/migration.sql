-- Maintenance: joins and changes are refused while the table has a row.

CREATE TABLE "maintenance" (
  "only" BOOLEAN NOT NULL DEFAULT true,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "account_id" TEXT NOT NULL,
  "reason" TEXT,
  "retry_after_seconds" INTEGER NOT NULL,

  CONSTRAINT "maintenance_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "maintenance_only" CHECK ("only")
);

-- On a Citus cluster the trigger and its function need the connections that the column used. Without Citus the settings have no effect.
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true), set_config('citus.enable_unsafe_triggers', 'on', true);

-- The order in which audit records become visible, for readers that follow them. Records from before this migration, and those of another server,
-- have the transaction 0. On Citus only a trigger knows the transaction of the node that writes the row.
ALTER TABLE "audit_record" ADD COLUMN "transaction_id" BIGINT NOT NULL DEFAULT 0;

CREATE FUNCTION "set_audit_transaction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.transaction_id := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;

CREATE TRIGGER "audit_record_set_transaction" BEFORE INSERT ON "audit_record"
  FOR EACH ROW EXECUTE FUNCTION "set_audit_transaction"();

CREATE INDEX "audit_record_in_order" ON "audit_record" ("transaction_id", "audit_id");

-- The records of one node after a position, oldest first, with the bytes of their contents. Every row has the origin, and the first transaction that
-- may still be running; without a record there is one row of these.
CREATE FUNCTION "read_audit"(shard uuid, after_transaction bigint, after_audit uuid, earliest uuid, most int)
RETURNS TABLE (origin text, horizon bigint, transaction_id bigint, audit_id uuid, bytes int) LANGUAGE plpgsql AS $$
DECLARE parts text := 'SELECT * FROM audit_record';
BEGIN
  IF to_regclass('pg_dist_placement') IS NOT NULL THEN
    SELECT coalesce(string_agg('SELECT * FROM audit_record_' || s.shardid, ' UNION ALL '), parts) INTO parts
    FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid JOIN pg_dist_local_group l ON l.groupid = p.groupid
    WHERE s.logicalrelid = 'audit_record'::regclass AND s.shardminvalue IS NOT NULL;
  END IF;
  RETURN QUERY EXECUTE format($read$
    WITH now AS MATERIALIZED (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon)
    SELECT outbox_origin(), now.horizon, r.transaction_id, r.audit_id, r.bytes
    FROM now LEFT JOIN LATERAL (
      SELECT a.transaction_id, a.audit_id, coalesce(octet_length(a.target::text), 0) + coalesce(octet_length(a.before::text), 0)
        + coalesce(octet_length(a.after::text), 0) AS bytes
      FROM (%1$s) a
      WHERE a.transaction_id < now.horizon AND (a.transaction_id, a.audit_id) > ($1, $2) AND a.audit_id >= $3
      ORDER BY a.transaction_id, a.audit_id LIMIT $4) r ON true $read$, parts)
  USING after_transaction, after_audit, earliest, most;
END $$;
