-- Saved views of the lists of Items and Xp tables: filters, columns and sort under a name.
-- CreateTable
CREATE TABLE "saved_view" (
  "sandbox_id" UUID NOT NULL,
  "view_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "owner_id" TEXT NOT NULL,
  "shared" BOOLEAN NOT NULL,
  "search" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "saved_view_pkey" PRIMARY KEY ("sandbox_id", "view_id"),
  CONSTRAINT "saved_view_kind_is_known" CHECK ("kind" IN ('item', 'xp'))
);

ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_sandbox_id_fkey"
  FOREIGN KEY ("sandbox_id") REFERENCES "sandbox"("sandbox_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- The views of an account, and the shared ones.
CREATE INDEX "saved_view_of_owner" ON "saved_view"("sandbox_id", "kind", "owner_id");
CREATE INDEX "saved_view_shared" ON "saved_view"("sandbox_id", "kind", "shared");
