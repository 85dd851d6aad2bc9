-- What a creation of keys costs beside its rows: see docs/decisions/key-batches.md.

-- A statement that inserts keys writes their values beside them, and nothing deletes a key but the deletion of its account, which
-- deletes the values of the account too. A value without its key is the value of no caller.
-- Safe: the old version writes no value without its key. An account that its command deletes during the upgrade leaves hashes of
-- values that nobody can use.
ALTER TABLE "key_secret" DROP CONSTRAINT "key_secret_account_id_key_id_fkey";

-- One statement, and not one for each account and group. A distributed table cannot do that, and calls the trigger for its
-- shards, which have names of their own.
-- Safe: it counts what it counted.
CREATE OR REPLACE FUNCTION "count_new_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    part record;
BEGIN
    IF TG_TABLE_NAME = 'api_key' THEN
        INSERT INTO key_count_change (account_id, group_id, keys)
            SELECT account_id, coalesce(group_id, ''), count(*) FROM changed WHERE revoked_at IS NULL GROUP BY 1, 2;
        RETURN NULL;
    END IF;
    FOR part IN SELECT account_id, coalesce(group_id, '') AS group_id, count(*) AS keys
        FROM changed WHERE revoked_at IS NULL GROUP BY 1, 2
    LOOP
        INSERT INTO key_count_change (account_id, group_id, keys) VALUES (part.account_id, part.group_id, part.keys);
    END LOOP;
    RETURN NULL;
END
$$;

-- The connections on which this version inserts keys say that it writes the routes itself. A distributed database has no such
-- function.
-- Safe: for the old version, which does not say so, it adds what it added.
DO $do$
BEGIN
    IF to_regprocedure('"add_key_routes"()') IS NULL THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE OR REPLACE FUNCTION "add_key_routes"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = %I, pg_temp', current_schema()) || $sql$ AS $body$
BEGIN
    IF current_setting('allowance.writes_routes', true) IS DISTINCT FROM 'on' THEN
        INSERT INTO key_route (hash, account_id, key_id) SELECT hash, account_id, key_id FROM added ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$body$ $sql$;
END
$do$;
