-- Webhooks: endpoints that receive the events of the feed, and their deliveries.

CREATE TABLE "webhook_endpoint" (
  "endpoint_id" UUID NOT NULL,
  "url" TEXT NOT NULL,
  "kinds" TEXT[],
  "secrets" JSON NOT NULL,
  "disabled_at" TIMESTAMPTZ(3),
  "disabled_reason" TEXT,
  "version" INTEGER NOT NULL DEFAULT 1,
  "cursor" JSON,
  "cursor_version" INTEGER NOT NULL DEFAULT 0,
  "read_from" TIMESTAMPTZ(3) NOT NULL,
  "pending" INTEGER NOT NULL DEFAULT 0,
  "last_position" BIGINT NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("endpoint_id")
);

CREATE TABLE "webhook_delivery" (
  "delivery_id" UUID NOT NULL,
  "endpoint_id" UUID NOT NULL,
  "position" BIGINT NOT NULL,
  "subject" TEXT NOT NULL,
  "events" JSON NOT NULL,
  "event_count" INTEGER NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'pending',
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "next_attempt_at" TIMESTAMPTZ(3),
  "lease_until" TIMESTAMPTZ(3),
  "failing_since" TIMESTAMPTZ(3),
  "status_code" INTEGER,
  "duration_ms" INTEGER,
  "response" TEXT,
  "error" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "attempted_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),

  CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("delivery_id"),
  CONSTRAINT "webhook_delivery_status" CHECK ("status" IN ('pending', 'delivered', 'failed')),
  CONSTRAINT "webhook_delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint" ("endpoint_id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE UNIQUE INDEX "webhook_delivery_position" ON "webhook_delivery" ("endpoint_id", "position");

-- Of each subject only the first pending delivery has a next attempt, so a long backlog of one session is never read to find what is due.
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("endpoint_id", "next_attempt_at") WHERE "status" = 'pending' AND "next_attempt_at" IS NOT NULL;

CREATE INDEX "webhook_delivery_pending" ON "webhook_delivery" ("endpoint_id", "subject", "position") WHERE "status" = 'pending';

-- Serves the deletion of old deliveries.
CREATE INDEX "webhook_delivery_ended" ON "webhook_delivery" ("endpoint_id", "ended_at") WHERE "ended_at" IS NOT NULL;
