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

-- The order of bytes, so that a chunk is found by the ids between which it lies, whatever the order of the database is.
ALTER TABLE "event_key_chunk"
    ALTER COLUMN "first_key_id" TYPE TEXT COLLATE "C",
    ALTER COLUMN "last_key_id" TYPE TEXT COLLATE "C",
    ALTER COLUMN "key_ids" SET NOT NULL,
    ALTER COLUMN "key_names" SET NOT NULL;
ALTER TABLE "event_key_chunk" ADD CONSTRAINT "event_key_chunk_complete" CHECK (
    "key_count" = cardinality("key_ids") AND "key_count" = cardinality("key_names")
    AND "first_key_id" = "key_ids"[1] AND "last_key_id" = "key_ids"["key_count"]
);

-- The events that may have chunks, for the history of one key: it looks into one chunk of each of them.
CREATE INDEX "event_of_many_keys" ON "event"("account_id", "id") WHERE "key_count" >= 1000;
