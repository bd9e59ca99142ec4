-- Who made a service account: keys of it are for those who have the maker's rights. Null: made before this was kept.
ALTER TABLE "service_account" ADD COLUMN "created_by" TEXT;
