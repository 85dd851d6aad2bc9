-- The indexes of the migration before this one take their place.

-- Safe: the old version finds the same events. While it runs, its lists of the history sort all events of an account.
DROP INDEX "event_account_id_at_id_idx";

-- Safe: the old version names the key, which is the condition of the new index.
DROP INDEX "event_key_account_id_key_id_event_id_idx";

-- Safe: the old version names the days, which is the condition of the new index.
DROP INDEX "key_day_account_id_day_idx";
