-- Searches of the history read the names of all renamings. They stand in these indexes as a search compares them, so that
-- neither the events nor their keys are looked up, and no letter is put in capitals: see docs/decisions/lists.md.
CREATE INDEX CONCURRENTLY "event_renamed" ON "event"("account_id", "id", (upper(("after" ->> 'name') COLLATE "und-x-icu") COLLATE "C")) INCLUDE ("after") WHERE "action" = 'key.renamed';
CREATE INDEX CONCURRENTLY "event_key_renamed" ON "event_key"("account_id", "event_id", "key_id", (upper("key_name" COLLATE "und-x-icu") COLLATE "C")) INCLUDE ("key_name") WHERE "before" ? 'name';
