-- What API keys were used for: one row for each key and day, so that the size depends on the number of keys only.
-- Without a foreign key: a row outlives its key for 30 days at most. On Citus the table is on the coordinator.

CREATE TABLE "service_key_day" (
  "key_id" UUID NOT NULL,
  -- In UTC.
  "day" DATE NOT NULL,
  -- Sums of all processes.
  "requests" BIGINT NOT NULL,
  "refused" BIGINT NOT NULL,
  -- The newest ten, newest first.
  "last_refusals" JSONB NOT NULL,

  CONSTRAINT "service_key_day_pkey" PRIMARY KEY ("key_id", "day")
);
