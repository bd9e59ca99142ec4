-- Reviews of change sets: how many approvals a sandbox requires, and what people said about a set. On Citus they are placed with the catalogue.

-- Existing sandboxes, also protected ones, require none, so that an upgrade blocks no one.
ALTER TABLE "sandbox" ADD COLUMN "required_approvals" SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE "sandbox" ADD CONSTRAINT "sandbox_required_approvals_are_bounded" CHECK ("required_approvals" BETWEEN 0 AND 2);

-- The accounts that changed the set after its author, and the digest of the call from which it was made.
ALTER TABLE "change_set" ADD COLUMN "editor_ids" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "change_set" ADD COLUMN "call_digest" TEXT;

-- Finds the set of a repeated call.
CREATE INDEX "change_set_of_call" ON "change_set"("sandbox_id", "call_digest") WHERE "call_digest" IS NOT NULL;

CREATE TABLE "change_set_comment" (
  "sandbox_id" UUID NOT NULL,
  "change_set_id" UUID NOT NULL,
  "comment_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "text" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "withdrawn_at" TIMESTAMPTZ(3),

  CONSTRAINT "change_set_comment_pkey" PRIMARY KEY ("sandbox_id", "change_set_id", "comment_id"),
  CONSTRAINT "change_set_comment_kind_is_known" CHECK ("kind" IN ('comment', 'approval', 'rejection', 'bypass'))
);

-- An account approves a set once.
CREATE UNIQUE INDEX "change_set_approval" ON "change_set_comment"("sandbox_id", "change_set_id", "account_id")
  WHERE "kind" = 'approval' AND "withdrawn_at" IS NULL;

ALTER TABLE "change_set_comment" ADD CONSTRAINT "change_set_comment_sandbox_id_change_set_id_fkey"
  FOREIGN KEY ("sandbox_id", "change_set_id") REFERENCES "change_set"("sandbox_id", "change_set_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
