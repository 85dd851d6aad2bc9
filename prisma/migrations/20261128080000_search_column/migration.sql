-- Written by hand.

-- The text of the search comes before most columns. To read a column, PostgreSQL walks through all before it, so a search that
-- reads all keys took twice as long behind 31 columns: see docs/decisions/lists.md. The columns by which lists are ordered most
-- stay before it. The table is made anew with what it has, as by the migration key_columns: one that has keys stays as it is.
-- Safe: each account has a key, so that no account is served while the table has none.
DO $do$
DECLARE
    columns CONSTANT text[] := ARRAY[
        'account_id', 'id', 'revoked_at', 'spent', 'last_used_at', 'expiry_date', 'budget', 'daily_limit', 'search_text',
        'monthly_limit', 'input_price_limit', 'output_price_limit', 'month_spent', 'month', 'day', 'day_spent',
        'limit_change_id', 'limits_before', 'is_unlimited', 'disabled_at', 'valid_until', 'near_limit_until', 'created_at',
        'version', 'is_default', 'open_holds', 'held', 'day_held', 'month_held', 'held_until', 'group_id', 'name',
        'search_characters', 'value_hash'];
    view CONSTANT oid := to_regclass('"key_secret"');
    is_distributed boolean NOT NULL := false;
    definition text;
    statements text[];
    statement text;
BEGIN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        EXECUTE $sql$SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'api_key'::regclass)$sql$ INTO is_distributed;
    END IF;
    IF is_distributed THEN
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM api_key) THEN
        RETURN;
    END IF;
    LOCK TABLE api_key;
    -- The first key may have come meanwhile.
    IF EXISTS (SELECT FROM api_key) THEN
        RETURN;
    END IF;

    -- A column that another version has added stands behind the others.
    SELECT string_agg(format('%I %s', attname, format_type(atttypid, atttypmod))
            || CASE WHEN attcollation <> typcollation THEN ' COLLATE ' || attcollation::regcollation ELSE '' END
            || CASE WHEN attgenerated = 's' THEN format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(adbin, adrelid))
                WHEN adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(adbin, adrelid) ELSE '' END, ', '
            ORDER BY array_position(columns, attname::text), attnum)
        INTO definition
        FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = 'api_key'::regclass AND attnum > 0 AND NOT attisdropped;
    definition := format('CREATE TABLE api_key (%s) WITH (%s)', definition,
        (SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = 'api_key'::regclass));

    -- Since PostgreSQL 18, that a column is not null is a constraint ("n") with a name of its own.
    statements := ARRAY(SELECT format('ALTER TABLE api_key ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
            FROM pg_constraint WHERE conrelid = 'api_key'::regclass AND contype IN ('n', 'p', 'c', 'f')
            ORDER BY array_position('{n,p,c,f}', contype::text), conname)
        || ARRAY(SELECT format('ALTER TABLE api_key ALTER COLUMN %I SET NOT NULL', attname)
            FROM pg_attribute WHERE attrelid = 'api_key'::regclass AND attnum > 0 AND attnotnull)
        || ARRAY(SELECT pg_get_indexdef(indexrelid)
            FROM pg_index WHERE indrelid = 'api_key'::regclass AND indisvalid AND NOT indisprimary)
        || CASE WHEN view IS NULL THEN '{}' ELSE ARRAY['CREATE VIEW key_secret AS ' || pg_get_viewdef(view)] END
        || ARRAY(SELECT pg_get_triggerdef(oid)
            FROM pg_trigger WHERE tgrelid IN ('api_key'::regclass, view) AND NOT tgisinternal)
        || ARRAY(SELECT format('GRANT %s ON %s TO %s', given.privilege_type, pg_class.oid::regclass,
                CASE given.grantee WHEN 0 THEN 'PUBLIC' ELSE given.grantee::regrole::text END)
            FROM pg_class CROSS JOIN aclexplode(relacl) AS given WHERE pg_class.oid IN ('api_key'::regclass, view));

    DROP VIEW IF EXISTS key_secret;
    DROP TABLE api_key;
    EXECUTE definition;
    FOREACH statement IN ARRAY statements LOOP
        EXECUTE statement;
    END LOOP;
END
$do$;
