-- Lists of records, sorted and filtered on the server. Each sort has an index that ends in the keyset of the list: the
-- value, the folded name, the id. What is in the snapshot only is indexed as an expression of it, so that no column has
-- to be kept in step with it, by a process of an older version either. Expressions are those of record-list-sql.ts.

-- CreateIndex
CREATE INDEX "catalogue_record_by_version" ON "catalogue_record"("sandbox_id", "kind", "version", "folded_name", "record_id");

-- CreateIndex
CREATE INDEX "catalogue_record_by_update" ON "catalogue_record"("sandbox_id", "kind", "updated_at", "folded_name", "record_id");

-- Sorts and filters by type.
CREATE INDEX "catalogue_record_by_type" ON "catalogue_record"
  ("sandbox_id", "kind", (COALESCE("snapshot"::jsonb ->> 'item_type', '')), "folded_name", "record_id") WHERE "kind" = 'item';

-- The columns of Xp tables: how many levels, and the Xp of the highest.
CREATE INDEX "catalogue_record_by_levels" ON "catalogue_record"
  ("sandbox_id", "kind", (jsonb_array_length(COALESCE("snapshot"::jsonb -> 'xp_thresholds', '[]'))), "folded_name", "record_id")
  WHERE "kind" = 'xp';
CREATE INDEX "catalogue_record_by_top" ON "catalogue_record"
  ("sandbox_id", "kind", (COALESCE(("snapshot"::jsonb #>> '{xp_thresholds,-1,xp}')::bigint, 0)), "folded_name", "record_id")
  WHERE "kind" = 'xp';

-- Which Items refer to an Xp table.
CREATE INDEX "catalogue_record_by_xp_table" ON "catalogue_record"
  ("sandbox_id", "kind", ("snapshot"::jsonb ->> 'level_xp_table_id'), "record_id") WHERE "kind" = 'item' AND NOT "deleted";

-- Filters. With btree_gin, part of PostgreSQL's contrib and trusted since 13, they hold the sandbox before the value, so
-- that records of other sandboxes are not read; without it they stay correct and read those, too.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS "btree_gin";
  CREATE INDEX "catalogue_record_tags" ON "catalogue_record"
    USING gin ("sandbox_id", (COALESCE("snapshot"::jsonb -> 'tags', '[]'))) WHERE "kind" = 'item';
  CREATE INDEX "catalogue_record_keys" ON "catalogue_record"
    USING gin ("sandbox_id", (COALESCE("snapshot"::jsonb -> 'custom_data', '{}')));
EXCEPTION
  WHEN feature_not_supported OR undefined_file OR insufficient_privilege OR undefined_object THEN
    RAISE NOTICE 'btree_gin is not available: tags and keys are searched in all sandboxes at once';
    CREATE INDEX "catalogue_record_tags" ON "catalogue_record"
      USING gin ((COALESCE("snapshot"::jsonb -> 'tags', '[]'))) WHERE "kind" = 'item';
    CREATE INDEX "catalogue_record_keys" ON "catalogue_record"
      USING gin ((COALESCE("snapshot"::jsonb -> 'custom_data', '{}')));
END $$;

DO $$
BEGIN
  CREATE INDEX "catalogue_record_name_contains" ON "catalogue_record" USING gin ("sandbox_id", "folded_name" gin_trgm_ops);
EXCEPTION
  WHEN feature_not_supported OR undefined_file OR insufficient_privilege OR undefined_object THEN
    RAISE NOTICE 'pg_trgm or btree_gin is not available: lists are searched by name without an index';
END $$;
