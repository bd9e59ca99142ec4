-- Change sets that are applied at a moment, and reverted at another.

ALTER TABLE "change_set"
  ADD COLUMN "apply_at" TIMESTAMPTZ(3),
  ADD COLUMN "return_at" TIMESTAMPTZ(3),
  ADD COLUMN "scheduled_by" TEXT,
  -- The name of the sandbox, typed to confirm deletions in a protected one.
  ADD COLUMN "confirmed_name" TEXT,
  -- When the service applies or reverts the set next; null when nothing is pending.
  ADD COLUMN "next_step_at" TIMESTAMPTZ(3),
  -- Why the last step was not done: the step, a code and a sentence.
  ADD COLUMN "failed_step" TEXT,
  ADD COLUMN "failure_code" TEXT,
  ADD COLUMN "failure_desc" TEXT,
  ADD COLUMN "failed_at" TIMESTAMPTZ(3),
  -- The failure is shown in the web app until it is acknowledged.
  ADD COLUMN "needs_attention" BOOLEAN NOT NULL DEFAULT false;

-- What is due, across all sandboxes.
CREATE INDEX "change_set_due" ON "change_set"("next_step_at") WHERE "next_step_at" IS NOT NULL;

-- The failures that a sandbox shows.
CREATE INDEX "change_set_attention" ON "change_set"("sandbox_id", "updated_at" DESC, "change_set_id" DESC) WHERE "needs_attention";
