-- Maintenance: joins and changes are refused while the table has a row.

CREATE TABLE "maintenance" (
  "only" BOOLEAN NOT NULL DEFAULT true,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "account_id" TEXT NOT NULL,
  "reason" TEXT,
  "retry_after_seconds" INTEGER NOT NULL,

  CONSTRAINT "maintenance_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "maintenance_only" CHECK ("only")
);
