-- True for the change set of a promotion, which needs authority in a protected sandbox. Sets that someone adds to keep it.
ALTER TABLE "change_set" ADD COLUMN "is_promotion" BOOLEAN NOT NULL DEFAULT false;

-- Only promotions had this mark.
UPDATE "change_set" SET "is_promotion" = true WHERE NOT "checks_schemas";

-- Reverts have it as well from now on.
UPDATE "change_set" SET "checks_schemas" = false WHERE "reverts_transaction_id" IS NOT NULL;
