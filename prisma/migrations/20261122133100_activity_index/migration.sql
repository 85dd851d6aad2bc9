-- The activity of one key, newest first. Only what is settled has an entry, which is written when it is settled. The account
-- is left out: keys of two accounts hardly ever have the same id, and a smaller entry is written faster.
CREATE INDEX CONCURRENTLY "authorization_settled_idx" ON "authorization"("key_id", "state", "id") WHERE "state" <> 'held';
