-- Change sets: plans of changes of one sandbox, which are applied as one transaction. On Citus they are placed with the catalogue.

CREATE TABLE "change_set" (
  "sandbox_id" UUID NOT NULL,
  "change_set_id" UUID NOT NULL,
  "title" TEXT NOT NULL,
  "reason" TEXT,
  "state" TEXT NOT NULL,
  "author_id" TEXT NOT NULL,
  "revision" INTEGER NOT NULL DEFAULT 1,
  "operation_count" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "applied_transaction_id" UUID,
  "applied_at" TIMESTAMPTZ(3),
  "applied_by" TEXT,
  "reverts_transaction_id" UUID,
  "reverted_by_set_id" UUID,

  CONSTRAINT "change_set_pkey" PRIMARY KEY ("sandbox_id", "change_set_id"),
  -- The service does not write all of these states yet.
  CONSTRAINT "change_set_state_is_known" CHECK ("state" IN ('draft', 'in_review', 'approved', 'rejected', 'scheduled', 'applied', 'reverted',
    'conflicted', 'cancelled', 'failed'))
);

CREATE TABLE "change_set_operation" (
  "sandbox_id" UUID NOT NULL,
  "change_set_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "record_id" UUID NOT NULL,
  "operation" TEXT NOT NULL,
  "base_version" BIGINT,
  "fields" JSON,
  "version_id" UUID,

  CONSTRAINT "change_set_operation_pkey" PRIMARY KEY ("sandbox_id", "change_set_id", "position"),
  CONSTRAINT "change_set_operation_is_known" CHECK ("kind" IN ('item', 'xp') AND "operation" IN ('create', 'update', 'delete', 'restore'))
);

-- One operation for each record.
CREATE UNIQUE INDEX "change_set_operation_of_record" ON "change_set_operation"("sandbox_id", "change_set_id", "kind", "record_id");

-- The list, newest first.
CREATE INDEX "change_set_by_update" ON "change_set"("sandbox_id", "updated_at" DESC, "change_set_id" DESC);

-- Which change set wrote an edit, and which ones revert it.
CREATE INDEX "change_set_of_transaction" ON "change_set"("sandbox_id", "applied_transaction_id");
CREATE INDEX "change_set_reverting" ON "change_set"("sandbox_id", "reverts_transaction_id");

ALTER TABLE "change_set" ADD CONSTRAINT "change_set_sandbox_id_fkey"
  FOREIGN KEY ("sandbox_id") REFERENCES "sandbox"("sandbox_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "change_set_operation" ADD CONSTRAINT "change_set_operation_sandbox_id_change_set_id_fkey"
  FOREIGN KEY ("sandbox_id", "change_set_id") REFERENCES "change_set"("sandbox_id", "change_set_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
