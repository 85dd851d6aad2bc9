-- AlterTable
ALTER TABLE "account" ADD COLUMN     "email_verified" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "image" TEXT,
ADD COLUMN     "language" TEXT,
ADD COLUMN     "name" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "two_factor_enabled" BOOLEAN DEFAULT false,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "event" (
    "account_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "actor" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "address" TEXT,
    "action" TEXT NOT NULL,
    "group_id" TEXT,
    "group_name" TEXT,
    "key_count" INTEGER NOT NULL DEFAULT 0,
    "before" JSONB NOT NULL DEFAULT '{}',
    "after" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "event_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "event_key" (
    "account_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "key_name" TEXT NOT NULL,
    "before" JSONB NOT NULL,

    CONSTRAINT "event_key_pkey" PRIMARY KEY ("account_id","event_id","key_id")
);

-- CreateTable
CREATE TABLE "sign_in_method" (
    "id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "sign_in_method_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "two_factor" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN DEFAULT true,
    "failed_verification_count" INTEGER DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "two_factor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "public_key" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "device_type" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "transports" TEXT,
    "created_at" TIMESTAMPTZ(3) DEFAULT now(),
    "aaguid" TEXT,

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "last_request" BIGINT NOT NULL,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "event_account_id_at_id_idx" ON "event"("account_id", "at", "id");

-- CreateIndex
CREATE INDEX "event_key_account_id_key_id_event_id_idx" ON "event_key"("account_id", "key_id", "event_id");

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_method_account_id_provider_id_subject_key" ON "sign_in_method"("account_id", "provider_id", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_method_provider_id_subject_key" ON "sign_in_method"("provider_id", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

-- CreateIndex
CREATE INDEX "session_account_id_idx" ON "session"("account_id");

-- CreateIndex
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

-- CreateIndex
CREATE INDEX "two_factor_account_id_idx" ON "two_factor"("account_id");

-- CreateIndex
CREATE INDEX "passkey_account_id_idx" ON "passkey"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");

-- CreateIndex
CREATE UNIQUE INDEX "rate_limit_key_key" ON "rate_limit"("key");

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sign_in_method" ADD CONSTRAINT "sign_in_method_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Written by hand from here on.

-- What a search looks into, without regard to letter case in any script. In capitals, because a part of a word has
-- the same capitals as in the whole word; small letters have not (Greek has a sigma of its own at the end).
ALTER TABLE "api_key" ADD COLUMN "search_text" TEXT COLLATE "C"
    GENERATED ALWAYS AS (upper(("name" || chr(31) || "id") COLLATE "und-x-icu")) STORED;
ALTER TABLE "api_key_group" ADD COLUMN "search_text" TEXT COLLATE "C"
    GENERATED ALWAYS AS (upper("name" COLLATE "und-x-icu")) STORED;

-- A list without revoked keys, which is what nearly everyone asks for, finds any page in these alone.
CREATE INDEX "api_key_listed_by_creation" ON "api_key"("account_id", "created_at", "id") WHERE "revoked_at" IS NULL;
CREATE INDEX "api_key_listed_by_name" ON "api_key"("account_id", "name", "id") WHERE "revoked_at" IS NULL;

ALTER TABLE "api_key" ADD CONSTRAINT "api_key_version_positive" CHECK ("version" > 0);
ALTER TABLE "event" ADD CONSTRAINT "event_id_form" CHECK ("id" ~ '^[0-9a-f]{24}$');
ALTER TABLE "event" ADD CONSTRAINT "event_actor_known" CHECK ("actor" IN ('browser', 'rest', 'command_line'));
ALTER TABLE "account" ADD CONSTRAINT "account_language_known" CHECK ("language" IN ('en', 'zh-CN'));
