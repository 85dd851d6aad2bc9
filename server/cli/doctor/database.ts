import type { Client } from "pg";
import { auditBooks } from "@/server/authorizations/audit-queries";
import type { Config, DatabaseUrls } from "@/server/config";
import { CONNECTIONS_OF_PROCESS } from "@/server/db/connections";
import { isDistributed, listUnplaced } from "@/server/db/distribution";
import { findTimeZone } from "@/server/db/known-time-zone";
import {
  findMissingRight,
  findOtherOwner,
  findOtherSchema,
  findPending,
  findTakenNames,
  isWithoutHistory,
  NAME_THE_OWNER,
  PUBLIC_FIRST,
  readMigrations,
} from "@/server/db/migrate";
import { areTwoDatabases } from "@/server/db/one-database";
import { fitPooler, PoolerError } from "@/server/db/pooler";
import { missingPrivileges } from "@/server/db/privileges";
import { withClient } from "@/server/db/with-client";
import { countOf } from "@/server/input/count";
import { isTimeZone } from "@/server/input/time-zone";
import type { Progress } from "@/server/progress";
import { databaseFault } from "../database-fault";
import { failed, ok, SEE_CAUSES, type Verdict, warning } from "./finding";

// What is asked of the database. No check changes anything.

/** What the checks need. */
export interface Patient {
  /** In the role that serves. */
  client: Client;
  /** In the role that owns the tables. */
  owner: Client;
  urls: DatabaseUrls;
  config: Config;
  onProgress: Progress;
}

/** The checks of a database that can be reached, in the order in which they are printed. */
export const DATABASE_CHECKS: Record<string, (patient: Patient) => Promise<Verdict>> = {
  version: checkVersion,
  encoding: checkEncoding,
  writable: checkWritable,
  pooler: checkPooler,
  durability: checkDurability,
  connections: checkConnections,
  migrations: checkMigrations,
  extensions: checkExtensions,
  rights: checkRights,
  clock: checkClock,
  "time zones": checkTimeZones,
  statistics: checkStatistics,
  instances: checkInstances,
  "read replica": checkReadReplica,
  distribution: checkDistribution,
  books: checkBooks,
};

const OLDEST_VERSION = 150_000;

async function checkVersion({ client }: Patient): Promise<Verdict> {
  const { version, number } = await one<{ version: string; number: number }>(
    client,
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  const found = `PostgreSQL ${version}`;
  return number >= OLDEST_VERSION ? ok(found) : failed(found, "use PostgreSQL 15 or newer");
}

async function checkEncoding({ client }: Patient): Promise<Verdict> {
  const { encoding } = await one<{ encoding: string }>(client, "SELECT current_setting('server_encoding') AS encoding");
  if (encoding === "UTF8") return ok(encoding);
  return failed(
    encoding,
    "make a database with ENCODING 'UTF8' TEMPLATE template0, and move to it with backup and restore",
  );
}

async function checkWritable({ client }: Patient): Promise<Verdict> {
  const { standby, readOnly } = await one<{ standby: boolean; readOnly: boolean }>(
    client,
    `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  );
  if (standby) return failed("it is a standby", "let DATABASE_URL name the primary");
  if (readOnly)
    return failed("transactions are read-only", "set default_transaction_read_only = off for role and database");
  return ok("it takes writes");
}

async function checkPooler({ urls, config }: Patient): Promise<Verdict> {
  try {
    const { mode } = await fitPooler(urls.url, { usesNames: config.usesNamedStatements, isShared: false });
    return ok(mode === "none" ? "none was seen" : `one in ${mode} mode, which fits`);
  } catch (error) {
    if (!(error instanceof PoolerError)) throw error;
    return failed(error.message, "change its settings, or connect to PostgreSQL itself");
  }
}

/** Settings with which PostgreSQL may lose what it has acknowledged: captures, and with them money. */
const DURABILITY = ["fsync", "full_page_writes", "synchronous_commit"];

async function checkDurability({ client }: Patient): Promise<Verdict> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name",
    [DURABILITY],
  );
  return durabilityVerdict(rows);
}

/** Judges the settings of `DURABILITY`, as `pg_settings` has them. */
export function durabilityVerdict(settings: readonly { name: string; setting: string }[]): Verdict {
  const off = settings.filter(({ setting }) => setting === "off").map(({ name }) => name);
  if (off.length === 0) return ok("what is acknowledged is on the disk");
  const found = `${off.join(", ")}: off, so captures that were acknowledged can be lost when PostgreSQL or its machine crashes`;
  return failed(found, `set ${off.map((name) => `${name} = on`).join(", ")}`);
}

async function checkConnections({ client, config }: Patient): Promise<Verdict> {
  const { allowed, used } = await one<{ allowed: number; used: number }>(
    client,
    `SELECT least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0),
        (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
        (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
      ) AS allowed,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  );
  return connectionsVerdict(allowed, used, config.workers);
}

/** @param processes how many serve on this machine. */
export function connectionsVerdict(allowed: number, used: number, processes: number): Verdict {
  const needed = CONNECTIONS_OF_PROCESS * processes;
  const found = `${allowed} are allowed and ${used} in use; the server of this machine opens up to ${needed}`;
  if (allowed >= needed) return ok(found);
  return warning(found, "raise max_connections or the limit of the role or the database, or lower WORKERS");
}

async function checkMigrations({ owner }: Patient): Promise<Verdict> {
  const migrations = await readMigrations();
  if (await isWithoutHistory(owner)) {
    const taken = await findTakenNames(owner, migrations);
    if (taken) return failed(taken.fault, taken.todo);
    return warning("the database is empty", "start the server, or run allowance migrate");
  }
  const other = await findOtherOwner(owner);
  if (other?.readsHistory === false) return failed(other.fault, NAME_THE_OWNER);
  try {
    const pending = await findPending(owner, migrations);
    if (pending.length === 0) return ok(`all ${migrations.length} are applied, and no other`);
    const names = pending.map(({ name }) => name).join(", ");
    return warning(`${pending.length} are missing: ${names}`, "start the server, or run allowance migrate");
  } catch (error) {
    if (error instanceof Error && "code" in error) throw error;
    return failed((error as Error).message, "use the version that the database is of, or restore a backup");
  }
}

async function checkExtensions({ owner }: Patient): Promise<Verdict> {
  const { installed, available, indexed } = await one<{ installed: boolean; available: boolean; indexed: boolean }>(
    owner,
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS installed,
      EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS available,
      to_regclass('api_key_search') IS NOT NULL AS indexed`,
  );
  if (installed && indexed) return ok("pg_trgm is there, for searches");
  const index = "CREATE INDEX CONCURRENTLY api_key_search ON api_key USING gin (search_text gin_trgm_ops)";
  if (!available)
    return warning("pg_trgm is missing, so that searches read all keys", "install PostgreSQL's contrib modules");
  if (await isWithoutHistory(owner)) return ok("pg_trgm is available, and the migrations use it for searches");
  return warning(
    "pg_trgm is not used, so that searches read all keys",
    `run, as a superuser and then as the owner: ${installed ? "" : "CREATE EXTENSION pg_trgm; "}${index}`,
  );
}

/** A role serves without it: autovacuum analyses the tables too, a little later. */
const SPARED = /^GRANT MAINTAIN /;

async function checkRights({ client, owner, urls }: Patient): Promise<Verdict> {
  if (urls.url !== urls.ownerUrl && (await areTwoDatabases(owner, client))) {
    return failed("DATABASE_URL and MIGRATION_DATABASE_URL lead to two databases", "correct one of them");
  }
  const otherSchema = (await findOtherSchema(owner)) ?? (await findOtherSchema(client));
  if (otherSchema !== undefined) return failed(otherSchema, PUBLIC_FIRST);
  if (await isWithoutHistory(owner)) {
    const missing = await findMissingRight(owner);
    if (missing) return failed(missing.fault, missing.todo);
  }
  const { role, superuser } = await one<{ role: string; superuser: boolean }>(
    client,
    "SELECT current_user AS role, rolsuper AS superuser FROM pg_roles WHERE rolname = current_user",
  );
  const other = await findOtherOwner(owner);
  if (other) {
    const [needed] = (await missingPrivileges(client, role)).filter((grant) => !SPARED.test(grant));
    if (needed !== undefined) return failed(`${other.fault}, and cannot serve without ${needed}`, NAME_THE_OWNER);
    return warning(`${other.fault}, so the next version cannot change them`, NAME_THE_OWNER);
  }
  if (urls.url === urls.ownerUrl) {
    const found = `${role} serves and owns the tables`;
    const todo =
      "give it only what it needs: a role that owns the tables in MIGRATION_DATABASE_URL, and another one in DATABASE_URL";
    return superuser ? warning(`${found}, and is a superuser`, todo) : ok(found);
  }
  if (superuser) return warning(`${role} serves, and is a superuser`, "let a role without rights of its own serve");
  const missing = await missingPrivileges(owner, role);
  if (missing.length === 0) return ok(`${role} serves, and another role owns the tables`);
  return warning(`${role} lacks rights: ${missing[0]}`, "start the server, or run allowance migrate, which give them");
}

const ROUNDS = 5;

async function checkClock({ client }: Patient): Promise<Verdict> {
  let best = { skew: 0, uncertainty: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    const asked = Date.now();
    const { now } = await one<{ now: number }>(
      client,
      "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now",
    );
    const answered = Date.now();
    const uncertainty = (answered - asked) / 2;
    if (uncertainty < best.uncertainty) best = { skew: now - (asked + answered) / 2, uncertainty };
  }
  return clockVerdict(best.skew, best.uncertainty);
}

/** @param skew how far the clock of the database is ahead, in milliseconds, as exact as `uncertainty`. */
export function clockVerdict(skew: number, uncertainty: number): Verdict {
  const seconds = (Math.abs(skew) / 1000).toFixed(Math.abs(skew) < 10_000 ? 1 : 0);
  const certain = Math.abs(skew) - uncertainty;
  const found = `the database is ${seconds} s ${skew < 0 ? "behind" : "ahead of"} this machine`;
  if (certain <= 2_000) return ok(`${found}; days and months are those of the database`);
  const meaning =
    "codes of authenticator apps are checked by the clock of this machine, limits by that of the database";
  const todo = "let NTP set both clocks";
  return certain > 30_000 ? failed(`${found}; ${meaning}`, todo) : warning(`${found}; ${meaning}`, todo);
}

async function checkTimeZones({ owner }: Patient): Promise<Verdict> {
  const ofAccounts = "SELECT time_zone, email, 1 AS accounts FROM account UNION ALL";
  const { rows } = await owner.query<{ zone: string; email: string | null; accounts: number }>(
    `SELECT time_zone AS zone, min(email) AS email, sum(accounts)::int AS accounts
      FROM (${(await hasAccounts(owner)) ? ofAccounts : ""} SELECT 'Asia/Shanghai'::text, NULL, 0) AS each (time_zone, email, accounts)
      GROUP BY time_zone ORDER BY zone`,
  );
  const unknown: string[] = [];
  for (const { zone, email, accounts } of rows) {
    if (isTimeZone(zone) && (await findTimeZone(owner, zone)) !== undefined) continue;
    unknown.push(`${zone} (${email ?? "new accounts"}${accounts > 1 ? ` and ${accounts - 1} more` : ""})`);
  }
  if (unknown.length === 0) return ok(`${rows.length} of accounts and of new accounts, all known`);
  return failed(
    `not known: ${unknown.join(", ")}`,
    "update the time zone data of the database (tzdata), or Node.js; instead of an abbreviation like CET, set the zone of a place",
  );
}

async function hasAccounts(client: Client): Promise<boolean> {
  const { exists } = await one<{ exists: boolean }>(client, "SELECT to_regclass('account') IS NOT NULL AS exists");
  return exists;
}

const LARGE = 10_000;

async function checkStatistics({ owner }: Patient): Promise<Verdict> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_stat_user_tables
      WHERE schemaname = current_schema() AND n_live_tup > $1 AND last_analyze IS NULL AND last_autoanalyze IS NULL
      ORDER BY n_live_tup DESC`,
    [LARGE],
  );
  const { automatic } = await one<{ automatic: boolean }>(
    owner,
    "SELECT current_setting('autovacuum') = 'on' AS automatic",
  );
  if (rows.length > 0) {
    const names = rows.map(({ name }) => name).join(", ");
    return warning(
      `never analysed, with more than ${LARGE} rows: ${names}`,
      "run ANALYZE; a server that runs does it by itself",
    );
  }
  if (!automatic) return warning("autovacuum is off", "set autovacuum = on, because deleted rows are kept without it");
  return ok("every large table has been analysed");
}

async function checkInstances({ client }: Patient): Promise<Verdict> {
  const { rows } = await client.query<{ name: string; hosts: number; connections: number }>(
    `SELECT application_name AS name, count(DISTINCT client_addr)::int AS hosts, count(*)::int AS connections
      FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'allowance%' AND application_name NOT LIKE 'allowance doctor%'
        AND application_name NOT IN ('allowance locks', 'allowance pooler probe', 'allowance readiness')
      GROUP BY 1 ORDER BY 1`,
  );
  if (rows.length === 0) return ok("no server is connected");
  const parts = rows.map(({ name, hosts, connections }) => {
    // The addresses of another role's connections cannot be seen.
    const from = hosts === 0 ? "" : ` from ${countOf(hosts, "address", "addresses")}`;
    return `${name === "allowance" ? "servers" : name}: ${countOf(connections, "connection")}${from}`;
  });
  return ok(parts.join("; "));
}

/** A replica that has not replayed a change for so long, while the primary had some, serves no reads. */
const LONGEST_LAG_SECONDS = 60;

async function checkReadReplica({ config }: Patient): Promise<Verdict> {
  if (config.readUrl === undefined) return ok("DATABASE_READ_URL is not set");
  const meanwhile = "the primary answers meanwhile";
  try {
    const { standby, lag } = await withClient(config.readUrl, "allowance doctor", (client) =>
      one<{ standby: boolean; lag: number }>(
        client,
        `SELECT pg_is_in_recovery() AS standby, coalesce(
          CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
            ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp()) END, 0)::float8 AS lag`,
      ),
    );
    if (!standby)
      return warning("DATABASE_READ_URL names no standby", "let it name a streaming replica of DATABASE_URL");
    const found = `a standby, ${lag.toFixed(0)} s behind`;
    return lag <= LONGEST_LAG_SECONDS
      ? ok(found)
      : warning(`${found}; ${meanwhile}`, "see what keeps it from replaying");
  } catch (error) {
    const fault = databaseFault(error, "DATABASE_READ_URL") ?? (error as Error).message;
    return warning(`${fault}; ${meanwhile}`, SEE_CAUSES);
  }
}

/** A statement that joins a table on the coordinator with one on the workers is slow, or refused. */
async function checkDistribution({ client }: Patient): Promise<Verdict> {
  if (!(await isDistributed(client))) return ok("all rows are on one PostgreSQL");
  const unplaced = await listUnplaced(client);
  if (unplaced.length === 0) return ok("every table is where it belongs");
  return warning(
    `on the coordinator alone, and not with the rows of their accounts: ${unplaced.join(", ")}`,
    "stop every server, run allowance distribute, and start them again",
  );
}

async function checkBooks({ client, config, onProgress }: Patient): Promise<Verdict> {
  if (!(await hasAccounts(client))) return ok("there are none yet");
  const { counts, differences } = await auditBooks(client, config.ledgerRetentionDays, onProgress);
  const found = `${countOf(counts.keys, "key")}, ${countOf(counts.authorizations, "authorization")}`;
  if (differences.length === 0) return ok(`in order: ${found}`);
  return failed(
    countOf(differences.length, "difference"),
    "run allowance audit, which prints each; keep a backup before anything is changed",
  );
}

async function one<Row extends object>(client: Client, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text);
  return rows[0] as Row;
}
