-- People, how they sign in, invitations, service accounts and their keys.

-- CreateTable
CREATE TABLE "account_user" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT true,
    "image" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "role" TEXT NOT NULL DEFAULT 'viewer',
    "sandbox_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "must_change_password" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "last_signed_in_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_session" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_login" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_login_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_two_factor" (
    "id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "account_two_factor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_throttle" (
    "key" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "window_started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_throttle_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "account_invitation" (
    "invitation_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "sandbox_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "token_digest" BYTEA NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_invitation_pkey" PRIMARY KEY ("invitation_id")
);

-- CreateTable
CREATE TABLE "account_name" (
    "account_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "account_name_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "service_account" (
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_account_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "service_key" (
    "key_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "permissions" TEXT[],
    "sandbox_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_key_pkey" PRIMARY KEY ("key_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_user_email" ON "account_user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "account_session_token" ON "account_session"("token");

-- CreateIndex
CREATE INDEX "account_session_of_user" ON "account_session"("user_id");

-- CreateIndex
CREATE INDEX "account_login_of_user" ON "account_login"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_login_identity" ON "account_login"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "account_verification_identifier" ON "account_verification"("identifier");

-- CreateIndex
CREATE INDEX "account_two_factor_of_user" ON "account_two_factor"("user_id");

-- CreateIndex
CREATE INDEX "account_throttle_oldest" ON "account_throttle"("window_started_at");

-- CreateIndex
CREATE UNIQUE INDEX "account_invitation_email" ON "account_invitation"("email");

-- CreateIndex
CREATE UNIQUE INDEX "account_invitation_token" ON "account_invitation"("token_digest");

-- CreateIndex
CREATE UNIQUE INDEX "service_account_name" ON "service_account"("name");

-- CreateIndex
CREATE UNIQUE INDEX "service_key_digest" ON "service_key"("digest");

-- CreateIndex
CREATE INDEX "service_key_of_account" ON "service_key"("account_id", "created_at");

-- AddForeignKey
ALTER TABLE "account_session" ADD CONSTRAINT "account_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_login" ADD CONSTRAINT "account_login_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_two_factor" ADD CONSTRAINT "account_two_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_key" ADD CONSTRAINT "service_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "service_account"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Bounds and enumerations: the program refuses these values first, and a script or a fault cannot store them.
ALTER TABLE "account_user"
  -- An unknown role would be a person without any permission, or with all of them.
  ADD CONSTRAINT "account_user_role" CHECK ("role" IN ('viewer', 'editor', 'admin', 'owner')),
  -- An owner holds everything; a narrowed one would be an owner who cannot mend what others did.
  ADD CONSTRAINT "account_user_owner_not_narrowed" CHECK ("role" <> 'owner' OR cardinality("sandbox_ids") = 0),
  ADD CONSTRAINT "account_user_name_length" CHECK (char_length("name") BETWEEN 1 AND 128),
  -- Two spellings of one address must not be two people.
  ADD CONSTRAINT "account_user_email_is_lower" CHECK ("email" = lower("email") AND char_length("email") BETWEEN 3 AND 254);

ALTER TABLE "account_invitation"
  ADD CONSTRAINT "account_invitation_role" CHECK ("role" IN ('viewer', 'editor', 'admin', 'owner')),
  ADD CONSTRAINT "account_invitation_owner_not_narrowed" CHECK ("role" <> 'owner' OR cardinality("sandbox_ids") = 0),
  ADD CONSTRAINT "account_invitation_digest" CHECK (octet_length("token_digest") = 32);

ALTER TABLE "account_name"
  ADD CONSTRAINT "account_name_kind" CHECK ("kind" IN ('person', 'service'));

ALTER TABLE "service_account"
  ADD CONSTRAINT "service_account_name_length" CHECK (char_length("name") BETWEEN 1 AND 128);

ALTER TABLE "service_key"
  ADD CONSTRAINT "service_key_name_length" CHECK (char_length("name") BETWEEN 1 AND 128),
  ADD CONSTRAINT "service_key_digest_length" CHECK (octet_length("digest") = 32);
