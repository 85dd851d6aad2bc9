-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL DEFAULT 'Asia/Shanghai',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "account_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "group_id" TEXT,
    "budget" DECIMAL(25,9),
    "daily_limit" DECIMAL(25,9),
    "monthly_limit" DECIMAL(25,9),
    "input_price_limit" DECIMAL(25,9),
    "output_price_limit" DECIMAL(25,9),
    "expiry_date" DATE,
    "disabled_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "key_secret" (
    "hash" BYTEA NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "key_secret_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "api_key_group" (
    "account_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "api_key_group_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_email_key" ON "account"("email");

-- CreateIndex
CREATE INDEX "api_key_account_id_group_id_revoked_at_idx" ON "api_key"("account_id", "group_id", "revoked_at");

-- CreateIndex
CREATE INDEX "key_secret_account_id_key_id_idx" ON "key_secret"("account_id", "key_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_group_account_id_name_key" ON "api_key_group"("account_id", "name");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_group_id_fkey" FOREIGN KEY ("account_id", "group_id") REFERENCES "api_key_group"("account_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "key_secret" ADD CONSTRAINT "key_secret_account_id_key_id_fkey" FOREIGN KEY ("account_id", "key_id") REFERENCES "api_key"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key_group" ADD CONSTRAINT "api_key_group_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Written by hand from here on.

-- One default key an account; it is in no group, and it is rotated, never revoked or deleted.
CREATE UNIQUE INDEX "api_key_one_default" ON "api_key"("account_id") WHERE "is_default";
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_default_ungrouped" CHECK (NOT "is_default" OR "group_id" IS NULL);
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_default_kept" CHECK (NOT "is_default" OR "revoked_at" IS NULL);

CREATE FUNCTION "refuse_deleting_default_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the default key of an account is rotated, never deleted' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "api_key_default_not_deleted" BEFORE DELETE ON "api_key"
    FOR EACH ROW WHEN (OLD."is_default") EXECUTE FUNCTION "refuse_deleting_default_key"();

-- NaN counts as larger than every number, so the upper bound keeps it out.
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_limits_in_range" CHECK (
    "budget" BETWEEN 0 AND 1e15
    AND "daily_limit" BETWEEN 0 AND 1e15
    AND "monthly_limit" BETWEEN 0 AND 1e15
    AND "input_price_limit" BETWEEN 0 AND 1e15
    AND "output_price_limit" BETWEEN 0 AND 1e15
);
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_expiry_date_in_range" CHECK ("expiry_date" BETWEEN '1000-01-01' AND '9999-12-31');

ALTER TABLE "account" ADD CONSTRAINT "account_id_form" CHECK ("id" ~ '^[0-9a-f]{24}$');
ALTER TABLE "account" ADD CONSTRAINT "account_email_form" CHECK ("email" = lower("email") AND char_length("email") BETWEEN 3 AND 254);
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_id_form" CHECK ("id" ~ '^[A-Za-z0-9_-]{3}[0-9A-Za-z]{7}$');
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_name_length" CHECK (char_length("name") BETWEEN 1 AND 128);
ALTER TABLE "api_key_group" ADD CONSTRAINT "api_key_group_id_form" CHECK ("id" ~ '^[0-9a-f]{24}$');
ALTER TABLE "api_key_group" ADD CONSTRAINT "api_key_group_name_length" CHECK (char_length("name") BETWEEN 1 AND 128);
ALTER TABLE "key_secret" ADD CONSTRAINT "key_secret_hash_length" CHECK (octet_length("hash") = 32);
