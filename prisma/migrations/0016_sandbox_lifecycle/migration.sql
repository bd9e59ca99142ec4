-- Sandboxes are archived (read-only, out of the lists) and deleted (gone for people, kept until the retention has passed).
-- All three columns are without a default: PostgreSQL rewrites no row.
ALTER TABLE "sandbox"
  ADD COLUMN "archived_at" TIMESTAMPTZ(3),
  ADD COLUMN "deleted_at" TIMESTAMPTZ(3),
  ADD COLUMN "purge_started_at" TIMESTAMPTZ(3);

-- What is being swept was deleted before, and never comes back.
ALTER TABLE "sandbox"
  ADD CONSTRAINT "sandbox_purged_is_deleted" CHECK ("purge_started_at" IS NULL OR "deleted_at" IS NOT NULL);
