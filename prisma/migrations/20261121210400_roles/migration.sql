-- Written by hand from here on.

-- The role that serves owns nothing, so it cannot make or drop tables. These functions do it for the partitions of the
-- ledger, with the rights of the owner (server/authorizations/ledger.ts). None forgets a capture of the last 31 days. The
-- search path is fixed, temporary tables last, so that a caller cannot put a table of its own in the place of the ledger.
DO $do$
DECLARE
    safely text := format('LANGUAGE plpgsql SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
BEGIN
    -- CREATE TABLE … PARTITION OF would block every capture. ATTACH PARTITION does not.
    EXECUTE 'CREATE FUNCTION "make_ledger_partition"("day" DATE) RETURNS VOID ' || safely || $sql$ AS $body$
DECLARE
    name text := 'ledger_' || to_char(day, 'YYYYMMDD');
BEGIN
    -- A query, because to_regclass may not see yet what another process has made before this one got its turn.
    IF EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = current_schema()::regnamespace) THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE ledger INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
    EXECUTE format('ALTER TABLE ledger ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, day, day + 1);
    IF current_setting('server_version_num')::int >= 170000 THEN
        EXECUTE format('GRANT MAINTAIN ON %I TO %I', name, session_user);
    END IF;
END
$body$ $sql$;

    EXECUTE 'CREATE FUNCTION "drop_ledger_partition"("day" DATE) RETURNS VOID ' || safely || $sql$ AS $body$
BEGIN
    IF day >= (now() AT TIME ZONE 'UTC')::date - 31 THEN
        RAISE EXCEPTION 'the ledger keeps the last 31 days' USING ERRCODE = 'restrict_violation';
    END IF;
    EXECUTE format('DROP TABLE IF EXISTS %I', 'ledger_' || to_char(day, 'YYYYMMDD'));
END
$body$ $sql$;

    EXECUTE 'CREATE FUNCTION "empty_ledger_other"("retention_days" INTEGER) RETURNS VOID ' || safely || $sql$ AS $body$
BEGIN
    LOCK TABLE ledger_other;
    IF (SELECT max(recorded_on) FROM ledger_other) < (now() AT TIME ZONE 'UTC')::date - greatest(retention_days, 31) THEN
        TRUNCATE ledger_other;
    END IF;
END
$body$ $sql$;
END
$do$;
REVOKE EXECUTE ON FUNCTION "make_ledger_partition"(DATE), "drop_ledger_partition"(DATE), "empty_ledger_other"(INTEGER) FROM PUBLIC;
