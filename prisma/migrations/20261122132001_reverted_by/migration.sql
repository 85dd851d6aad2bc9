-- Written by hand from here on.

-- Which event undid an event, for each event that a list shows.
CREATE INDEX CONCURRENTLY "event_reverting" ON "event"("reverts", "account_id") WHERE "reverts" IS NOT NULL;
