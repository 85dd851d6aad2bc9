-- Not with the column in one transaction: it would lock two tables that the old version uses in another order.

-- What is left in the other table are the values from before a rotation, and those of the keys from before this migration.
-- Safe: the old version finds a view of the old name, which this transaction makes.
ALTER TABLE "key_secret" RENAME TO "earlier_value";
-- Safe: no statement names it.
ALTER INDEX "key_secret_pkey" RENAME TO "earlier_value_pkey";
-- Safe: no statement names it.
ALTER INDEX "key_secret_key_id_account_id_idx" RENAME TO "earlier_value_key_id_account_id_idx";

-- What the old version reads and writes under the old name. It does not run beside this one on a distributed database, which
-- has no function "add_key_routes". One release later the view and its function are dropped.
-- Safe: the old version reads all values that are good, and what it writes is where it and this version look for it.
DO $do$
DECLARE
    given record;
BEGIN
    IF to_regprocedure('"add_key_routes"()') IS NULL THEN
        RETURN;
    END IF;
    DROP TRIGGER "key_secret_routed" ON "earlier_value";
    DROP FUNCTION "add_key_routes"();

    CREATE VIEW "key_secret" AS
        SELECT "hash", "account_id", "key_id", "expires_at" FROM "earlier_value"
        UNION ALL
        SELECT route."hash", route."account_id", route."key_id", NULL::timestamptz(3)
        FROM "key_route" route
        JOIN "api_key" key
            ON key."account_id" = route."account_id" AND key."id" = route."key_id" AND key."value_hash" = route."hash";
    -- Whoever may use the table may use the view.
    FOR given IN SELECT grantee, privilege_type FROM information_schema.role_table_grants
        WHERE table_schema = current_schema() AND table_name = 'earlier_value' AND grantee <> session_user
            AND privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
    LOOP
        EXECUTE format('GRANT %s ON "key_secret" TO %s', given.privilege_type,
            CASE given.grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE quote_ident(given.grantee) END);
    END LOOP;

    EXECUTE format('CREATE FUNCTION "write_key_secret"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = %I, pg_temp', current_schema()) || $sql$ AS $body$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO earlier_value (hash, account_id, key_id, expires_at)
            VALUES (NEW.hash, NEW.account_id, NEW.key_id, NEW.expires_at);
        -- A version that writes the route itself says so, and does it in the same statement.
        IF current_setting('allowance.writes_routes', true) IS DISTINCT FROM 'on' THEN
            INSERT INTO key_route (hash, account_id, key_id) VALUES (NEW.hash, NEW.account_id, NEW.key_id)
                ON CONFLICT DO NOTHING;
        END IF;
        RETURN NEW;
    END IF;
    -- A value that gets an end leaves the row of its key, and one that is deleted too.
    UPDATE api_key SET value_hash = NULL
        WHERE account_id = OLD.account_id AND id = OLD.key_id AND value_hash = OLD.hash;
    IF TG_OP = 'DELETE' THEN
        DELETE FROM earlier_value WHERE hash = OLD.hash;
        RETURN OLD;
    END IF;
    INSERT INTO earlier_value (hash, account_id, key_id, expires_at)
        VALUES (OLD.hash, OLD.account_id, OLD.key_id, NEW.expires_at)
        ON CONFLICT (hash) DO UPDATE SET expires_at = EXCLUDED.expires_at;
    RETURN NEW;
END
$body$ $sql$;
    CREATE TRIGGER "key_secret_written" INSTEAD OF INSERT OR UPDATE OR DELETE ON "key_secret"
        FOR EACH ROW EXECUTE FUNCTION "write_key_secret"();
END
$do$;
