-- AlterTable
ALTER TABLE "authorization" ADD COLUMN     "gateway" TEXT;

-- CreateTable
CREATE TABLE "gateway_token" (
    "hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "account_ids" JSONB,
    "expires_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_token_pkey" PRIMARY KEY ("hash")
);

-- Written by hand from here on.

CREATE UNIQUE INDEX "gateway_token_valid_name" ON "gateway_token"("name") WHERE "revoked_at" IS NULL;

-- NULL and an empty list must not be confused: one is every account, the other would be none.
ALTER TABLE "gateway_token" ADD CONSTRAINT "gateway_token_names_accounts" CHECK (
  "account_ids" IS NULL OR (jsonb_typeof("account_ids") = 'array' AND jsonb_array_length("account_ids") > 0)
);
