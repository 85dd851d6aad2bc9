-- CreateTable
CREATE TABLE "key_route" (
    "hash" BYTEA NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,

    CONSTRAINT "key_route_pkey" PRIMARY KEY ("hash")
);

-- Written by hand from here on.

ALTER TABLE "key_route" ADD CONSTRAINT "key_route_hash_length" CHECK (octet_length("hash") = 32);

-- The version before this one writes values into "key_secret" alone, and looks them up there by their hash. It may serve
-- beside this one during an upgrade, so the trigger adds what it leaves out, with the rights of the owner, because the role
-- that serves gets its rights on the new table only after the migration. A later release, which no longer runs beside that
-- version, drops the trigger and its function, and makes ("account_id", "hash") the primary key of "key_secret".
-- Safe: it makes a function that nothing calls yet.
DO $do$
BEGIN
    EXECUTE format('CREATE FUNCTION "add_key_routes"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = %I, pg_temp', current_schema()) || $sql$ AS $body$
BEGIN
    INSERT INTO key_route (hash, account_id, key_id) SELECT hash, account_id, key_id FROM added ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$body$ $sql$;
END
$do$;

-- This locks the table against writing until the migration is done, so no value is left out by the copy below.
-- Safe: the trigger writes beside what the old version inserts, and refuses nothing.
CREATE TRIGGER "key_secret_routed" AFTER INSERT ON "key_secret" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION "add_key_routes"();

INSERT INTO "key_route" ("hash", "account_id", "key_id") SELECT "hash", "account_id", "key_id" FROM "key_secret";

-- A trigger of a distributed table may write rows of the same account that it has as values. It cannot insert what a query
-- selects.
-- Safe: it counts what it counted, row by row.
CREATE OR REPLACE FUNCTION "count_new_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    part record;
BEGIN
    FOR part IN SELECT account_id, coalesce(group_id, '') AS group_id, count(*) AS keys
        FROM changed WHERE revoked_at IS NULL GROUP BY 1, 2
    LOOP
        INSERT INTO key_count_change (account_id, group_id, keys) VALUES (part.account_id, part.group_id, part.keys);
    END LOOP;
    RETURN NULL;
END
$$;
-- Safe: it counts what it counted, row by row.
CREATE OR REPLACE FUNCTION "count_deleted_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    part record;
BEGIN
    FOR part IN SELECT account_id, coalesce(group_id, '') AS group_id, count(*) AS keys
        FROM changed WHERE revoked_at IS NULL GROUP BY 1, 2
    LOOP
        INSERT INTO key_count_change (account_id, group_id, keys) VALUES (part.account_id, part.group_id, -part.keys);
    END LOOP;
    RETURN NULL;
END
$$;
-- Safe: it counts what it counted, row by row.
CREATE OR REPLACE FUNCTION "count_changed_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.revoked_at IS NULL THEN
        INSERT INTO key_count_change (account_id, group_id, keys)
            VALUES (OLD.account_id, coalesce(OLD.group_id, ''), -1);
    END IF;
    IF NEW.revoked_at IS NULL THEN
        INSERT INTO key_count_change (account_id, group_id, keys)
            VALUES (NEW.account_id, coalesce(NEW.group_id, ''), 1);
    END IF;
    RETURN NULL;
END
$$;
