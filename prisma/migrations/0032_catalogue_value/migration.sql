-- The values of records, one row for each, so that lists can be filtered by any of them. The table is derived from the snapshots: a trigger on
-- catalogue_record maintains it, so the writes of an older process maintain it as well.

-- CreateTable
CREATE TABLE "catalogue_value" (
  "sandbox_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "record_id" UUID NOT NULL,
  "key" TEXT COLLATE "C" NOT NULL,
  "position" INTEGER NOT NULL,
  "text" TEXT COLLATE "C" NOT NULL,
  "long_text" TEXT COLLATE "C",
  "number" DOUBLE PRECISION,

  CONSTRAINT "catalogue_value_pkey" PRIMARY KEY ("sandbox_id", "kind", "record_id", "key", "position")
);

-- The values of one snapshot. Text has the letters A to Z in lower case, and is compared by its bytes: the result must not depend on the locale
-- of the database. `text` has the first 257 characters, one more than a filter may have, and fits into an index; `long_text` is the whole value
-- where that is longer. Numbers have at most 30 digits on either side of the point, so that each fits into a double.
CREATE FUNCTION "catalogue_values"(snapshot text)
  RETURNS TABLE (key text, "position" integer, text text, long_text text, number double precision)
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE record jsonb := snapshot::jsonb;
BEGIN
  RETURN QUERY
  SELECT f.field, f.place, left(f.folded, 257), CASE WHEN length(f.folded) > 257 THEN f.folded END,
    CASE WHEN f.folded ~ '^-?[0-9]{1,30}(\.[0-9]{1,30})?$' THEN f.folded::double precision END
  FROM (
    SELECT v.field, v.place, lower(v.value COLLATE "C") AS folded FROM (
      SELECT 'custom_data.' || e.key, 0, e.value
      FROM jsonb_each_text(CASE jsonb_typeof(record -> 'custom_data') WHEN 'object' THEN record -> 'custom_data' ELSE '{}' END) e
      UNION ALL
      SELECT 'tags', t.place::integer - 1, t.value
      FROM jsonb_array_elements_text(CASE jsonb_typeof(record -> 'tags') WHEN 'array' THEN record -> 'tags' ELSE '[]' END)
        WITH ORDINALITY t(value, place)
      UNION ALL
      SELECT f.field, 0, record ->> f.field FROM unnest(ARRAY['description', 'item_type', 'level_xp_table_id']) f(field)
      UNION ALL
      SELECT 'levels', 0, jsonb_array_length(record -> 'xp_thresholds')::text WHERE jsonb_typeof(record -> 'xp_thresholds') = 'array'
      UNION ALL
      SELECT 'top', 0, coalesce(record #>> '{xp_thresholds,-1,xp}', '0') WHERE jsonb_typeof(record -> 'xp_thresholds') = 'array'
    ) v(field, place, value)
    WHERE v.value <> ''
  ) f;
END $$;

-- On Citus the trigger runs for a shard of the records, and writes to the shard of the values that is beside it.
CREATE FUNCTION "write_catalogue_values"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  target text := 'catalogue_value';
  -- Null without Citus.
  shard bigint := substring(TG_TABLE_NAME FROM '[0-9]+$');
  -- Not of the type catalogue_record, which a worker does not know while the table is distributed.
  changed record;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  IF shard IS NOT NULL THEN
    -- This node does not know a shard that is being filled. The values of its records are distributed or copied as well.
    IF NOT EXISTS (SELECT FROM pg_dist_shard WHERE shardid = shard) THEN RETURN NULL; END IF;
    SELECT 'catalogue_value_' || v.shardid INTO target
    FROM pg_dist_shard r JOIN pg_dist_shard v ON v.shardminvalue = r.shardminvalue AND v.logicalrelid = 'catalogue_value'::regclass
    WHERE r.shardid = shard;
    IF target IS NULL THEN RAISE 'catalogue_value is not distributed yet: distribute the schema again'; END IF;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF NEW.snapshot = OLD.snapshot THEN RETURN NULL; END IF;
    EXECUTE format('DELETE FROM %I v WHERE v.sandbox_id = $1 AND v.kind = $2 AND v.record_id = $3
      AND NOT EXISTS (SELECT FROM catalogue_values($4) n WHERE n.key = v.key AND n.position = v.position)', target)
    USING changed.sandbox_id, changed.kind, changed.record_id, changed.snapshot;
  END IF;
  IF TG_OP = 'DELETE' THEN
    EXECUTE format('DELETE FROM %I WHERE sandbox_id = $1 AND kind = $2 AND record_id = $3', target)
    USING changed.sandbox_id, changed.kind, changed.record_id;
    RETURN NULL;
  END IF;
  EXECUTE format('INSERT INTO %I AS v (sandbox_id, kind, record_id, key, position, text, long_text, number)
    SELECT $1, $2, $3, n.* FROM catalogue_values($4) n
    ON CONFLICT (sandbox_id, kind, record_id, key, position) DO UPDATE
    SET text = excluded.text, long_text = excluded.long_text, number = excluded.number
    WHERE (v.text, v.long_text, v.number) IS DISTINCT FROM (excluded.text, excluded.long_text, excluded.number)', target)
  USING changed.sandbox_id, changed.kind, changed.record_id, changed.snapshot;
  RETURN NULL;
END $$;

-- Without Citus the setting has no effect.
SELECT set_config('citus.enable_unsafe_triggers', 'on', true);
CREATE TRIGGER "catalogue_record_write_values" AFTER INSERT OR UPDATE OR DELETE ON "catalogue_record"
  FOR EACH ROW EXECUTE FUNCTION "write_catalogue_values"();

-- The trigger comes first: a record that an older process writes from here on has its values already.
INSERT INTO "catalogue_value" ("sandbox_id", "kind", "record_id", "key", "position", "text", "long_text", "number")
SELECT r."sandbox_id", r."kind", r."record_id", v."key", v."position", v."text", v."long_text", v."number"
FROM "catalogue_record" r CROSS JOIN LATERAL catalogue_values(r."snapshot") v
ON CONFLICT DO NOTHING;

-- CreateIndex
CREATE INDEX "catalogue_value_by_text" ON "catalogue_value" ("sandbox_id", "kind", "key", "text", "record_id");

-- Numbers are compared as numbers.
CREATE INDEX "catalogue_value_by_number" ON "catalogue_value" ("sandbox_id", "kind", "key", "number", "record_id") WHERE "number" IS NOT NULL;

-- Parts of long texts are searched in these only.
DO $$
BEGIN
  CREATE INDEX "catalogue_value_long_contains" ON "catalogue_value" USING gin ("sandbox_id", "long_text" gin_trgm_ops)
    WHERE "long_text" IS NOT NULL;
EXCEPTION
  WHEN feature_not_supported OR undefined_file OR insufficient_privilege OR undefined_object THEN
    RAISE NOTICE 'pg_trgm or btree_gin is not available: all long texts of a key are read to find a part of one';
    CREATE INDEX "catalogue_value_long" ON "catalogue_value" ("sandbox_id", "kind", "key", "record_id") WHERE "long_text" IS NOT NULL;
END $$;
