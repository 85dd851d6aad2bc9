-- Written by hand from here on.

-- Partitions that are made from now on have the columns of a fixed length first, so that no bytes are left empty between them:
-- 8 bytes less for a capture. PostgreSQL brings a row of the ledger into the order of its partition. A partition that is there
-- already keeps its order.
-- Safe: the old version calls it with the same day, and gets a partition for the same rows.
DO $do$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION "make_ledger_partition"("day" DATE) RETURNS VOID LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = %I, pg_temp', current_schema()) || $sql$ AS $body$
DECLARE
    name text := 'ledger_' || to_char(day, 'YYYYMMDD');
    columns text;
BEGIN
    -- A query, because to_regclass may not see yet what another process has made before this one got its turn.
    IF EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = current_schema()::regnamespace) THEN
        RETURN;
    END IF;
    SELECT string_agg(format('%I %s %s', attname, format_type(atttypid, atttypmod),
            CASE WHEN attnotnull THEN 'NOT NULL' END), ', ' ORDER BY attlen DESC, attnum) INTO columns
        FROM pg_attribute WHERE attrelid = 'ledger'::regclass AND attnum > 0 AND NOT attisdropped;
    SELECT concat_ws(', ', columns, string_agg(format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), ', '))
        INTO columns FROM pg_constraint WHERE conrelid = 'ledger'::regclass AND contype = 'c';
    -- CREATE TABLE … PARTITION OF would block every capture. ATTACH PARTITION does not.
    EXECUTE format('CREATE TABLE %I (%s)', name, columns);
    EXECUTE format('ALTER TABLE ledger ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, day, day + 1);
    IF current_setting('server_version_num')::int >= 170000 THEN
        EXECUTE format('GRANT MAINTAIN ON %I TO %I', name, session_user);
    END IF;
END
$body$ $sql$;
END
$do$;
