-- The refusals of an account in some days, whatever the key. It has no counts, so that counting a refusal stays an update in
-- place. Every day fulfils its condition, which keeps it from statements that look up one row and do not name the condition.
CREATE INDEX CONCURRENTLY "refusal_day_account_id_day_idx" ON "refusal_day"("account_id", "day") WHERE "day" > '1000-01-01';
