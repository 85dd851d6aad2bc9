-- The refusals of an account in some days, whatever the key. It has no counts, so that counting a refusal stays an update in
-- place.
CREATE INDEX CONCURRENTLY "refusal_day_account_id_day_idx" ON "refusal_day"("account_id", "day");
