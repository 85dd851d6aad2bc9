/**
 * Since when the PostgreSQL runs: seconds since 1970, an expression of SQL. Numbers of transactions and versions of rows count
 * only with it: a standby that was promoted, or a backup that was restored, may give the same number once more. Each server of a
 * distributed database has its own.
 */
export const runningSince = "date_part('epoch', pg_postmaster_start_time())";
