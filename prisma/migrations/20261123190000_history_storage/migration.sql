-- Ids and names of a chunk of the history are not compressed any more: see docs/decisions/large-changes.md. Chunks that are
-- there stay as they are. Citus refuses the change for a table that it distributes already. There they stay compressed.
-- Safe: it changes only the catalogue, and the old version reads and writes both kinds.
DO $$
BEGIN
  ALTER TABLE "event_key_chunk" ALTER COLUMN "key_ids" SET STORAGE EXTERNAL, ALTER COLUMN "key_names" SET STORAGE EXTERNAL;
EXCEPTION
  WHEN feature_not_supported THEN NULL;
END
$$;
