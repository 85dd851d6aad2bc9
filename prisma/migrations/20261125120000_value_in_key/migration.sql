-- The SHA-256 of a key's value stands in the row of the key: see docs/decisions/key-batches.md. So a creation writes a row and two
-- entries of indexes less, and whoever looks a key up by its value reads one row less. Keys that are there already keep
-- theirs where it is.
ALTER TABLE "api_key" ADD COLUMN "value_hash" BYTEA;
