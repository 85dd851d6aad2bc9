-- An event says when it was written. `now()` is the begin of its transaction, which may have waited for another change of the same
-- keys: then the later change stood before the earlier one in the history. A distributed database writes no moment but that of the
-- transaction; it has no view "key_secret" any more (server/db/distribute.ts).
-- Safe: the old version leaves the moment to the default, as this one does.
DO $do$
BEGIN
    IF to_regclass('"key_secret"') IS NOT NULL THEN
        ALTER TABLE "event" ALTER COLUMN "at" SET DEFAULT clock_timestamp();
    END IF;
END
$do$;
