-- Indexes of lists that have the account first. Every row fulfils their conditions. A statement that looks a row up by its whole
-- key does not name the condition, so PostgreSQL cannot take one of them for it: see docs/decisions/plans.md.
CREATE INDEX CONCURRENTLY "event_listed" ON "event"("account_id", "at", "id") WHERE "at" > '1970-01-01 00:00:00+00';
CREATE INDEX CONCURRENTLY "event_key_of_key" ON "event_key"("account_id", "key_id", "event_id") WHERE "key_id" > '';
CREATE INDEX CONCURRENTLY "key_day_of_day" ON "key_day"("account_id", "day") WHERE "day" > '1000-01-01';
