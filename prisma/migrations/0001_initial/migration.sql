-- CreateTable
CREATE TABLE "player" (
    "player_uuid" UUID NOT NULL,
    "display_name" TEXT,
    "registered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "player_pkey" PRIMARY KEY ("player_uuid")
);

-- CreateTable
CREATE TABLE "player_legacy_id" (
    "player_id" BIGINT NOT NULL,
    "player_uuid" UUID NOT NULL,

    CONSTRAINT "player_legacy_id_pkey" PRIMARY KEY ("player_id")
);

-- CreateTable
CREATE TABLE "session_type" (
    "type" TEXT NOT NULL,
    "version_match" TEXT NOT NULL DEFAULT 'patch',
    "default_teams" JSON NOT NULL DEFAULT '[]',
    "held_seat_ttl_seconds" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_type_pkey" PRIMARY KEY ("type")
);

-- CreateTable
CREATE TABLE "session" (
    "session_key" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "incarnation" TEXT NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 1,
    "joinable" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "region_id" TEXT,
    "created_by_matchmaking" BOOLEAN,
    "custom_data" JSON,
    "instance" JSON,
    "match" JSON,
    "matchmaking" JSON,
    "matchmaking_results" JSON,
    "backfill" JSON,
    "browser" JSON,

    CONSTRAINT "session_pkey" PRIMARY KEY ("session_key")
);

-- CreateTable
CREATE TABLE "session_team" (
    "session_key" UUID NOT NULL,
    "team_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "max_size" INTEGER NOT NULL,
    "ticket_ids" JSON,
    "custom_data" JSON,

    CONSTRAINT "session_team_pkey" PRIMARY KEY ("session_key","team_id")
);

-- CreateTable
CREATE TABLE "session_seat" (
    "session_key" UUID NOT NULL,
    "player_uuid" UUID NOT NULL,
    "team_id" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "seated_at" TIMESTAMPTZ(3) NOT NULL,
    "player_id" BIGINT,
    "platform" TEXT,
    "input" TEXT,
    "client_version" TEXT,
    "permitted_platform" TEXT,
    "permitted_input" TEXT,
    "custom_data" JSON,
    "inviting_player_uuid" UUID,
    "source_session_id" TEXT,
    "invited_at" TIMESTAMPTZ(3),
    "joined_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_seat_pkey" PRIMARY KEY ("session_key","player_uuid")
);

-- CreateTable
CREATE TABLE "session_platform_session" (
    "session_key" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "position" INTEGER NOT NULL,
    "platform" TEXT NOT NULL,
    "platform_session_type" TEXT NOT NULL,
    "id_base64" TEXT NOT NULL,
    "custom_data" JSON,

    CONSTRAINT "session_platform_session_pkey" PRIMARY KEY ("session_key","digest")
);

-- CreateTable
CREATE TABLE "platform_session_route" (
    "digest" BYTEA NOT NULL,
    "session_key" UUID NOT NULL,

    CONSTRAINT "platform_session_route_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "session_event" (
    "session_key" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "session_version" BIGINT,
    "account_id" TEXT NOT NULL,
    "player_uuid" UUID,
    "detail" JSON,

    CONSTRAINT "session_event_pkey" PRIMARY KEY ("session_key","event_id")
);

-- CreateTable
CREATE TABLE "sandbox" (
    "sandbox_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "head_seq" BIGINT NOT NULL DEFAULT 0,
    "head_hash" BYTEA,
    "item_versions" BIGINT NOT NULL DEFAULT 0,
    "xp_versions" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "sandbox_pkey" PRIMARY KEY ("sandbox_id")
);

-- CreateTable
CREATE TABLE "catalogue_record" (
    "sandbox_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "legacy_id" BIGINT,
    "legacy_seq" BIGINT,
    "name" TEXT NOT NULL,
    "folded_name" TEXT NOT NULL,
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "version" BIGINT NOT NULL,
    "head_seq" BIGINT NOT NULL,
    "snapshot" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "catalogue_record_pkey" PRIMARY KEY ("sandbox_id","kind","record_id")
);

-- CreateTable
CREATE TABLE "catalogue_name" (
    "sandbox_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "folded_name" TEXT NOT NULL,
    "first_seq" BIGINT NOT NULL,

    CONSTRAINT "catalogue_name_pkey" PRIMARY KEY ("sandbox_id","kind","record_id","folded_name")
);

-- CreateTable
CREATE TABLE "catalogue_version" (
    "sandbox_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    "version_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "reason" TEXT,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "version_name" TEXT NOT NULL,
    "snapshot" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "catalogue_version_pkey" PRIMARY KEY ("sandbox_id","seq")
);

-- CreateTable
CREATE TABLE "audit_record" (
    "audit_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "sandbox_id" UUID,
    "target" JSON NOT NULL,
    "before" JSON,
    "after" JSON,
    "reason" TEXT,
    "request_id" TEXT,
    "address" TEXT,

    CONSTRAINT "audit_record_pkey" PRIMARY KEY ("audit_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "player_legacy_id_player_uuid_key" ON "player_legacy_id"("player_uuid");

-- CreateIndex
CREATE INDEX "session_newest" ON "session"("created_at" DESC, "session_key");

-- CreateIndex
CREATE INDEX "session_newest_of_type" ON "session"("type", "created_at" DESC, "session_key");

-- CreateIndex
CREATE INDEX "session_seat_of_player" ON "session_seat"("player_uuid");

-- CreateIndex
CREATE INDEX "catalogue_record_by_name" ON "catalogue_record"("sandbox_id", "kind", "folded_name", "record_id");

-- CreateIndex
CREATE UNIQUE INDEX "catalogue_record_legacy_id" ON "catalogue_record"("sandbox_id", "kind", "legacy_id");

-- CreateIndex
CREATE UNIQUE INDEX "catalogue_version_of_kind" ON "catalogue_version"("sandbox_id", "kind", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "catalogue_version_of_record" ON "catalogue_version"("sandbox_id", "kind", "record_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "catalogue_version_by_id" ON "catalogue_version"("sandbox_id", "version_id");

-- AddForeignKey
ALTER TABLE "session_team" ADD CONSTRAINT "session_team_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "session"("session_key") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_seat" ADD CONSTRAINT "session_seat_session_key_team_id_fkey" FOREIGN KEY ("session_key", "team_id") REFERENCES "session_team"("session_key", "team_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_platform_session" ADD CONSTRAINT "session_platform_session_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "session"("session_key") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_event" ADD CONSTRAINT "session_event_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "session"("session_key") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalogue_record" ADD CONSTRAINT "catalogue_record_sandbox_id_fkey" FOREIGN KEY ("sandbox_id") REFERENCES "sandbox"("sandbox_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalogue_name" ADD CONSTRAINT "catalogue_name_sandbox_id_kind_record_id_fkey" FOREIGN KEY ("sandbox_id", "kind", "record_id") REFERENCES "catalogue_record"("sandbox_id", "kind", "record_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalogue_version" ADD CONSTRAINT "catalogue_version_sandbox_id_kind_record_id_fkey" FOREIGN KEY ("sandbox_id", "kind", "record_id") REFERENCES "catalogue_record"("sandbox_id", "kind", "record_id") ON DELETE RESTRICT ON UPDATE CASCADE;
