-- Written by hand from here on.

-- Totals of spans of days, so that usage adds up a few rows for each group or key and not one for each day
-- (docs/decisions/lists.md). A span has 1, 5 or 25 days and begins at a multiple of that, counted from 1970-01-01. Spans
-- of keys have 5 or 25 days: `key_day` has their days. The index has all columns, so that the totals of 100,000 keys are
-- read from it alone. They are in no model of Prisma, because only server/usage reads them.
CREATE TABLE "spend_span" (
    "account_id" TEXT NOT NULL,
    -- 'account', 'group' or 'key'.
    "kind" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "first" DATE NOT NULL,
    -- The id of the group or key. '' is no group, and the account itself.
    "subject" TEXT NOT NULL,
    -- Yuan.
    "spent" DECIMAL(38,9) NOT NULL,
    "captures" BIGINT NOT NULL,

    CONSTRAINT "spend_span_pkey" PRIMARY KEY ("account_id", "kind", "days", "first", "subject") INCLUDE ("spent", "captures"),
    CONSTRAINT "spend_span_kind_known" CHECK ("kind" IN ('account', 'group', 'key'))
);

-- What of a day is in the spans already. The rest is added when the spans are read, so every sum is exact to the last
-- capture. The column in the index changes when a day is rolled up, and at the first capture after it, but not at each.
ALTER TABLE "key_day"
    ADD COLUMN "rolled_spent" DECIMAL(38,9) NOT NULL DEFAULT 0,
    ADD COLUMN "rolled_captures" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "is_rolled" BOOLEAN NOT NULL GENERATED ALWAYS AS ("captures" = "rolled_captures") STORED;
CREATE INDEX "key_day_open" ON "key_day"("account_id", "key_id", "day") WHERE NOT "is_rolled";

-- The group in which the days of a key are rolled up.
CREATE TABLE "rolled_key" (
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "group_id" TEXT NOT NULL,

    CONSTRAINT "rolled_key_pkey" PRIMARY KEY ("account_id", "key_id")
);
CREATE INDEX "rolled_key_group_id_account_id_idx" ON "rolled_key"("group_id", "account_id");

-- Keys whose group changed. Their days may be rolled up in another group than they are in.
CREATE TABLE "moved_key" (
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,

    CONSTRAINT "moved_key_pkey" PRIMARY KEY ("account_id", "key_id")
);

-- The update of a row that is there locks it: who rolls up at this moment leaves the key for the next time.
CREATE FUNCTION "note_moved_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO moved_key (account_id, key_id) VALUES (NEW.account_id, NEW.id)
        ON CONFLICT (account_id, key_id) DO UPDATE SET key_id = EXCLUDED.key_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER "api_key_moved" AFTER UPDATE OF "group_id" ON "api_key"
    FOR EACH ROW WHEN (OLD."group_id" IS DISTINCT FROM NEW."group_id" AND NEW."last_used_at" IS NOT NULL)
    EXECUTE FUNCTION "note_moved_key"();

-- What lists of keys search by. These change when a key comes near a limit, gets another limit, or is past its date, but not
-- at each capture: a column of an index that changes makes the update of a counter write to every index.

-- The last day on which the key may have spent 80 % of a limit: of the budget without an end, of the month, or of the day.
-- After that day its counters are of an old day or month, and count as 0 (server/keys/state.ts).
ALTER TABLE "api_key" ADD COLUMN "near_limit_until" DATE GENERATED ALWAYS AS (
    CASE
        WHEN "spent" >= 0.8 * NULLIF("budget", 0) THEN 'infinity'::date
        WHEN "month_spent" >= 0.8 * NULLIF("monthly_limit", 0) THEN ("month" + interval '1 month')::date - 1
        WHEN "day_spent" >= 0.8 * NULLIF("daily_limit", 0) THEN "day"
    END
) STORED,
-- The expiry date, or a day in the past when the key has counters of a day after it: the key is expired before that day too.
ADD COLUMN "valid_until" DATE GENERATED ALWAYS AS (
    CASE WHEN "expiry_date" < "day" THEN '-infinity'::date ELSE "expiry_date" END
) STORED,
ADD COLUMN "is_unlimited" BOOLEAN NOT NULL GENERATED ALWAYS AS (
    coalesce("budget", 0) = 0 AND coalesce("daily_limit", 0) = 0 AND coalesce("monthly_limit", 0) = 0
) STORED,
-- The characters beyond ASCII in the name, in capitals. NULL: there are none.
ADD COLUMN "search_characters" TEXT[] COLLATE "C" GENERATED ALWAYS AS (
    NULLIF(string_to_array(regexp_replace(upper("name" COLLATE "und-x-icu"), '[\u0001-\u007f]', '', 'g') COLLATE "C", NULL), '{}')
) STORED;

CREATE INDEX "api_key_near_limit" ON "api_key"("account_id", "near_limit_until") WHERE "near_limit_until" IS NOT NULL;
CREATE INDEX "api_key_expiring" ON "api_key"("account_id", "valid_until") WHERE "valid_until" IS NOT NULL;
CREATE INDEX "api_key_unlimited" ON "api_key"("account_id", "created_at", "id") WHERE "is_unlimited" AND "revoked_at" IS NULL;
CREATE INDEX "api_key_disabled" ON "api_key"("account_id", "created_at", "id")
    WHERE "disabled_at" IS NOT NULL AND "revoked_at" IS NULL;
CREATE INDEX "api_key_revoked" ON "api_key"("account_id", "created_at", "id") WHERE "revoked_at" IS NOT NULL;

-- A search for a part of a name looks into this index, where the database has the extension pg_trgm. Without it, the search
-- reads all keys. The embedded database has it.
DO $$
DECLARE
    home text;
BEGIN
    IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
        BEGIN
            CREATE EXTENSION IF NOT EXISTS pg_trgm;
        EXCEPTION WHEN insufficient_privilege THEN
            RAISE NOTICE 'pg_trgm may not be created; searches read all keys';
        END;
    END IF;
    SELECT nspname INTO home FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm';
    IF home IS NOT NULL THEN
        EXECUTE format('CREATE INDEX "api_key_search" ON "api_key" USING gin ("search_text" %I.gin_trgm_ops)', home);
    END IF;
END
$$;

-- pg_trgm knows the letters of the locale only, and that of the embedded database is C. So the characters of other scripts
-- are looked up one by one.
CREATE INDEX "api_key_search_characters" ON "api_key" USING gin ("search_characters") WHERE "search_characters" IS NOT NULL;

-- How many keys of a group are not revoked; '' is no group. A change is a row of its own, because a counter in one row
-- would let creations wait for each other. The upkeep adds the changes to the counts; a reader adds both.
CREATE TABLE "key_count" (
    "account_id" TEXT NOT NULL,
    "group_id" TEXT NOT NULL,
    "keys" BIGINT NOT NULL,

    CONSTRAINT "key_count_pkey" PRIMARY KEY ("account_id", "group_id")
);
CREATE TABLE "key_count_change" (
    "account_id" TEXT NOT NULL,
    "group_id" TEXT NOT NULL,
    "keys" BIGINT NOT NULL
);
CREATE INDEX "key_count_change_account_id_idx" ON "key_count_change"("account_id");
INSERT INTO "key_count" ("account_id", "group_id", "keys")
    SELECT account_id, coalesce(group_id, ''), count(*) FROM api_key WHERE revoked_at IS NULL GROUP BY 1, 2;

CREATE FUNCTION "count_new_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO key_count_change (account_id, group_id, keys)
        SELECT account_id, coalesce(group_id, ''), count(*) FROM changed WHERE revoked_at IS NULL GROUP BY 1, 2;
    RETURN NULL;
END
$$;
CREATE TRIGGER "api_key_counted_new" AFTER INSERT ON "api_key" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION "count_new_keys"();

CREATE FUNCTION "count_deleted_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO key_count_change (account_id, group_id, keys)
        SELECT account_id, coalesce(group_id, ''), -count(*) FROM changed WHERE revoked_at IS NULL GROUP BY 1, 2;
    RETURN NULL;
END
$$;
CREATE TRIGGER "api_key_counted_deleted" AFTER DELETE ON "api_key" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION "count_deleted_keys"();

-- For each row: a trigger for the whole statement cannot name columns, so each capture would call it.
CREATE FUNCTION "count_changed_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO key_count_change (account_id, group_id, keys)
        SELECT OLD.account_id, coalesce(OLD.group_id, ''), -1 WHERE OLD.revoked_at IS NULL
        UNION ALL SELECT NEW.account_id, coalesce(NEW.group_id, ''), 1 WHERE NEW.revoked_at IS NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER "api_key_counted_changed" AFTER UPDATE OF "group_id", "revoked_at" ON "api_key"
    FOR EACH ROW WHEN (
        OLD."group_id" IS DISTINCT FROM NEW."group_id" OR (OLD."revoked_at" IS NULL) <> (NEW."revoked_at" IS NULL)
    ) EXECUTE FUNCTION "count_changed_key"();

-- Events of a group, of a kind, or of an actor, the newest first. Nearly all events of a large account are creations of keys
-- by programs: a list of these finds a page in the index by time.
CREATE INDEX "event_of_group" ON "event"("group_id", "account_id", "at", "id") WHERE "group_id" IS NOT NULL;
CREATE INDEX "event_of_kind" ON "event"("account_id", "action", "at", "id") WHERE "action" <> 'key.created';
CREATE INDEX "event_of_actor" ON "event"("account_id", "actor", "at", "id") WHERE "actor" <> 'rest';
