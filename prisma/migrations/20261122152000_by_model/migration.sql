-- AlterTable
ALTER TABLE "authorization" ADD COLUMN     "quote" JSONB,
ADD COLUMN     "usage" JSONB;

-- AlterTable
ALTER TABLE "refusal" ADD COLUMN     "model" TEXT;
-- Safe: only a refusal that an older version does not know has no amount.
ALTER TABLE "refusal" ALTER COLUMN "amount" DROP NOT NULL;

-- Written by hand from here on.

-- The model and the tokens of a capture. The model is NULL where the authorization was asked for by an amount; the tokens are
-- NULL where it was captured with one. Partitions that are made later have the columns too.
ALTER TABLE "ledger" ADD COLUMN "model" TEXT,
ADD COLUMN "input_tokens" INTEGER,
ADD COLUMN "cached_input_tokens" INTEGER,
ADD COLUMN "output_tokens" INTEGER;

-- What a key spent on one day with one model: the sum of the ledger, kept for good. Captures without a model are in "key_day"
-- alone. It and the next table are in no model of Prisma, because only statements read them.
CREATE TABLE "model_day" (
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "model" TEXT NOT NULL,
    -- Yuan.
    "spent" DECIMAL(38,9) NOT NULL,
    "captures" INTEGER NOT NULL,
    -- Of the captures by usage.
    "input_tokens" BIGINT NOT NULL,
    "cached_input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    -- What of the row is in "model_span" already, as in "key_day".
    "rolled_spent" DECIMAL(38,9) NOT NULL DEFAULT 0,
    "rolled_captures" INTEGER NOT NULL DEFAULT 0,
    "rolled_input_tokens" BIGINT NOT NULL DEFAULT 0,
    "rolled_cached_input_tokens" BIGINT NOT NULL DEFAULT 0,
    "rolled_output_tokens" BIGINT NOT NULL DEFAULT 0,
    "is_rolled" BOOLEAN NOT NULL GENERATED ALWAYS AS ("captures" = "rolled_captures") STORED,

    CONSTRAINT "model_day_pkey" PRIMARY KEY ("account_id", "key_id", "day", "model")
);
CREATE INDEX "model_day_open" ON "model_day"("account_id", "key_id", "day", "model") WHERE NOT "is_rolled";

-- Totals of spans of days by model, as "spend_span" has them of groups and keys: of the account, and of each group.
CREATE TABLE "model_span" (
    "account_id" TEXT NOT NULL,
    -- 'account' or 'group'.
    "kind" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "first" DATE NOT NULL,
    -- The id of the group. '' is no group, and the account itself.
    "subject" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    -- Yuan.
    "spent" DECIMAL(38,9) NOT NULL,
    "captures" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cached_input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,

    CONSTRAINT "model_span_pkey" PRIMARY KEY ("account_id", "kind", "days", "first", "subject", "model"),
    CONSTRAINT "model_span_kind_known" CHECK ("kind" IN ('account', 'group'))
);
