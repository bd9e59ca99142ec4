-- The counts of all processes by minute, for the charts of the admin app: one row a minute, so that the size depends on the retention only.
-- On Citus the table is on the coordinator.

CREATE TABLE "metric_minute" (
  "minute" TIMESTAMPTZ(0) NOT NULL,
  -- Sums by name. Each process adds its own.
  "counts" JSONB NOT NULL,
  -- Values of the whole service by name, measured once a minute; null until then.
  "gauges" JSONB,

  CONSTRAINT "metric_minute_pkey" PRIMARY KEY ("minute")
);
