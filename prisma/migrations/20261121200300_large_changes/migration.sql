-- AlterTable
ALTER TABLE "account" ADD COLUMN     "limit_change_id" TEXT,
ADD COLUMN     "limit_change_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "limit_change_id" TEXT,
ADD COLUMN     "limits_before" JSONB;

-- CreateTable
CREATE TABLE "event_key_chunk" (
    "account_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "first_key_id" TEXT NOT NULL,
    "last_key_id" TEXT NOT NULL,
    "key_count" INTEGER NOT NULL,
    "key_ids" TEXT[],
    "key_names" TEXT[],
    "before" JSONB NOT NULL,

    CONSTRAINT "event_key_chunk_pkey" PRIMARY KEY ("account_id","event_id","first_key_id")
);

-- Written by hand from here on.

ALTER TABLE "event_key_chunk" ALTER COLUMN "key_ids" SET NOT NULL, ALTER COLUMN "key_names" SET NOT NULL;
ALTER TABLE "event_key_chunk" ADD CONSTRAINT "event_key_chunk_complete" CHECK (
    "key_count" > 0 AND "key_count" = cardinality("key_ids") AND "key_count" = cardinality("key_names")
);

-- The events that may have chunks, for the history of one key: it looks into one chunk of each of them.
CREATE INDEX "event_of_many_keys" ON "event"("account_id", "id") WHERE "key_count" >= 1000;

-- The large changes that are under way, of all accounts: none at most times.
CREATE INDEX "account_changing_limits" ON "account"("limit_change_until") WHERE "limit_change_id" IS NOT NULL;
ALTER TABLE "account" ADD CONSTRAINT "account_limit_change_ends" CHECK (("limit_change_id" IS NULL) = ("limit_change_until" IS NULL));
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_limits_before_kept" CHECK (("limit_change_id" IS NULL) = ("limits_before" IS NULL));
