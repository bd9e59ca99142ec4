-- Catalogues for admins: protected sandboxes, and versions found by who, what, when and which field.

ALTER TABLE "sandbox" ADD COLUMN "protected" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "catalogue_version" ADD COLUMN "changed_fields" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- What the service writes from now on, for the versions that are there: the fields whose value is not that of the
-- record's version before, in the order in which snapshots spell them. The id is no field: it never changes.
-- The hashes do not cover the column, so that the chain stays as it is.
WITH "step" AS (
  SELECT "sandbox_id", "seq", "snapshot"::jsonb AS "new",
    COALESCE(lag("snapshot") OVER (PARTITION BY "sandbox_id", "kind", "record_id" ORDER BY "seq"), '{}')::jsonb AS "old"
  FROM "catalogue_version"
), "difference" AS (
  SELECT "sandbox_id", "seq", array_agg("field"."name" ORDER BY "field"."place") AS "names"
  FROM "step", unnest(ARRAY['legacy_item_id', 'legacy_xp_id', 'name', 'description', 'item_type', 'tags',
    'level_xp_table_id', 'xp_thresholds', 'custom_data']) WITH ORDINALITY AS "field"("name", "place")
  WHERE "new" -> "field"."name" IS DISTINCT FROM "old" -> "field"."name"
  GROUP BY "sandbox_id", "seq"
)
UPDATE "catalogue_version" AS "version" SET "changed_fields" = "difference"."names"
FROM "difference"
WHERE "version"."sandbox_id" = "difference"."sandbox_id" AND "version"."seq" = "difference"."seq";

-- Each serves one filter of versions.list and ends in the keyset. Those of the frequent filters hold the kind before
-- it, so that a rare kind is not searched among all versions.
CREATE INDEX "catalogue_version_of_account" ON "catalogue_version"("sandbox_id", "kind", "account_id", "seq");
CREATE INDEX "catalogue_version_of_operation" ON "catalogue_version"("sandbox_id", "kind", "operation", "seq");
CREATE INDEX "catalogue_version_of_transaction" ON "catalogue_version"("sandbox_id", "transaction_id", "seq");
-- Times never run against positions, so that a range of time is a range of positions: this finds its ends.
CREATE INDEX "catalogue_version_by_time" ON "catalogue_version"("sandbox_id", "issued_at", "seq");

-- The filter by changed field: a list of names has no order that could end in the keyset, one index per name has.
CREATE INDEX "catalogue_version_changing_name" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{name}';
CREATE INDEX "catalogue_version_changing_description" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{description}';
CREATE INDEX "catalogue_version_changing_item_type" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{item_type}';
CREATE INDEX "catalogue_version_changing_tags" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{tags}';
CREATE INDEX "catalogue_version_changing_level_xp_table_id" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{level_xp_table_id}';
CREATE INDEX "catalogue_version_changing_xp_thresholds" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{xp_thresholds}';
CREATE INDEX "catalogue_version_changing_custom_data" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{custom_data}';
CREATE INDEX "catalogue_version_changing_legacy_item_id" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{legacy_item_id}';
CREATE INDEX "catalogue_version_changing_legacy_xp_id" ON "catalogue_version"("sandbox_id", "kind", "seq") WHERE "changed_fields" @> '{legacy_xp_id}';
