-- PostgreSQL evaluates every check of a table for every row that it writes, also where nothing changes that the check reads, and
-- in each statement it reads the text of each check anew. These say what those before them said, at less cost: see
-- docs/decisions/batches.md. The next migration validates them.

-- LEAST and GREATEST leave out NULL. NaN counts as larger than every number, so the upper bound keeps it out. The counters of a
-- key change all the time, and its id never does, so the form of the id is checked where its first value is noted.
-- Safe: the old version writes the same limits, counters and ids.
ALTER TABLE "api_key"
    DROP CONSTRAINT "api_key_limits_in_range",
    DROP CONSTRAINT "api_key_counters_not_negative",
    DROP CONSTRAINT "api_key_id_form",
    ADD CONSTRAINT "api_key_limits_in_range" CHECK (
        LEAST("budget", "daily_limit", "monthly_limit", "input_price_limit", "output_price_limit") >= 0
        AND GREATEST("budget", "daily_limit", "monthly_limit", "input_price_limit", "output_price_limit") <= 1e15
    ) NOT VALID,
    ADD CONSTRAINT "api_key_counters_not_negative" CHECK (
        LEAST("spent", "held", "day_spent", "day_held", "month_spent", "month_held") >= 0
    ) NOT VALID,
    ADD CONSTRAINT "api_key_id_length" CHECK (octet_length("id") = 10) NOT VALID;

-- Safe: the old version writes ids of this form.
ALTER TABLE "key_route"
    ADD CONSTRAINT "key_route_key_id_form" CHECK ("key_id" ~ '^[A-Za-z0-9_-]{3}[0-9A-Za-z]{7}$') NOT VALID;

-- A regular expression takes 1.5 µs for an id, and this 0.1. What is not hexadecimal is an error of `decode`.
-- Safe: the old version writes ids of this form.
ALTER TABLE "authorization"
    DROP CONSTRAINT "authorization_id_form",
    ADD CONSTRAINT "authorization_id_form" CHECK (octet_length("id") = 24 AND encode(decode("id", 'hex'), 'hex') = "id") NOT VALID;
-- Safe: the old version writes ids of this form.
ALTER TABLE "event"
    DROP CONSTRAINT "event_id_form",
    ADD CONSTRAINT "event_id_form" CHECK (octet_length("id") = 24 AND encode(decode("id", 'hex'), 'hex') = "id") NOT VALID;
-- Safe: the old version writes ids of this form.
ALTER TABLE "refusal"
    DROP CONSTRAINT "refusal_id_form",
    ADD CONSTRAINT "refusal_id_form" CHECK (octet_length("id") = 24 AND encode(decode("id", 'hex'), 'hex') = "id") NOT VALID;
