-- Schemas of item types: which keys the custom data of an Item has, and which values fit. On Citus they are placed with the catalogue.

-- Every version of a schema; the newest one is in effect. A version without fields ends the schema.
CREATE TABLE "item_schema_version" (
  "sandbox_id" UUID NOT NULL,
  "item_type" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "fields" JSONB NOT NULL,
  "account_id" TEXT NOT NULL,
  "reason" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "source_sandbox_id" UUID,
  "source_version" INTEGER,

  CONSTRAINT "item_schema_version_pkey" PRIMARY KEY ("sandbox_id", "item_type", "version"),
  CONSTRAINT "item_schema_version_is_positive" CHECK ("version" > 0)
);

ALTER TABLE "item_schema_version" ADD CONSTRAINT "item_schema_version_sandbox_id_fkey"
  FOREIGN KEY ("sandbox_id") REFERENCES "sandbox"("sandbox_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- False for the change set of a promotion, which only warns of values that do not fit.
ALTER TABLE "change_set" ADD COLUMN "checks_schemas" BOOLEAN NOT NULL DEFAULT true;
