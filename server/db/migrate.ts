import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { INSTALLATION } from "../installation";
import type { Progress } from "../progress";
import { LOCKS } from "./advisory-locks";
import { isDatabaseUnavailable } from "./failure";
import { type OnlineStep, onlineSteps, runOnline, withoutConcurrently } from "./online-migration";
import { analyzeAll } from "./statistics";
import { findTables, namesOf, tablesMadeBy } from "./tables-found";
import { withClient } from "./with-client";

/** The recorded migrations do not fit the files. The message says what to do. Trying again does not help. */
class MigrationError extends Error {}

/** Another process migrates the database. */
class MigratedElsewhere extends Error {
  /** SQLSTATE lock_not_available. */
  readonly code = "55P03";
}

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file in hexadecimal, as Prisma records it. */
  checksum: string;
}

/**
 * How long a statement of a migration waits for a table. Whoever asks for the same table after it waits too, also the old
 * version that still serves. So it gives up soon, lets them pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 500;
/** How long a start goes on trying. Then it serves (503), and tries again later. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 500;
const TURN_PAUSE_MS = 50;

/** Prisma's table of applied migrations, so that Prisma's commands see the same history. */
export const HISTORY_TABLE = "_prisma_migrations";
const MAKE_HISTORY = `CREATE TABLE IF NOT EXISTS ${HISTORY_TABLE} (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies the missing migrations (`<folder>/<name>/migration.sql`) in the order of their names, each in a transaction of its
 * own: all of it, or nothing. A migration of online steps (`online-migration.ts`) runs outside of a transaction. A database
 * without any migration gets all of them in one transaction. Processes that start at the same time wait for each other.
 * @param onProgress counts migrations.
 * @returns the names of those applied now.
 * @throws {MigrationError} when an applied migration was edited or is missing here, or one fails. SQLSTATE 55P03 when a
 * table, or another process that migrates, did not become free in time.
 */
export async function migrate(
  databaseUrl: string,
  folder?: string,
  onProgress: Progress = () => {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  return withClient(databaseUrl, "allowance migrate", async (client) => {
    if (await hasAll(client, migrations)) return [];
    const applied: string[] = [];
    const onProgressOfAll: Progress = (done, total) => onProgress(applied.length + done, applied.length + total);
    const deadline = Date.now() + PATIENCE_MS;
    for (let isDone = false; !isDone; ) {
      const step = await patiently(deadline, () => applyNext(client, migrations, onProgressOfAll));
      applied.push(...step.applied);
      isDone = step.isDone;
      if (step.online && (await applyOnline(client, migrations, step.online))) applied.push(step.online.name);
    }
    if (applied.length > 0) await analyzeAll(client);
    return applied;
  });
}

/** Whether the database has every migration. It only reads, because a standby that has all of them can be listed too. */
async function hasAll(client: Client, migrations: Migration[]): Promise<boolean> {
  await requireFit(client);
  return !(await isWithoutHistory(client)) && (await findPending(client, migrations)).length === 0;
}

/** Does work again while a table is in use, until the deadline. */
async function patiently<Result>(deadline: number, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isLocked = error instanceof Error && "code" in error && error.code === "55P03";
      if (!isLocked || Date.now() > deadline) throw error;
      // Each process pauses for another time, so that they do not meet again.
      await delay(PAUSE_MS * (1 + Math.random()));
    }
  }
}

/**
 * Applies the first missing migration in a transaction, or returns it when it is one of online steps. One at a time, so that
 * no transaction keeps the tables of one migration while it waits for those of another: the statements of the old version use
 * them in an order of their own. In a database without any migration nobody waits, so it applies all of them.
 */
async function applyNext(
  client: Client,
  migrations: Migration[],
  onProgress: Progress,
): Promise<{ applied: string[]; online: Migration | undefined; isDone: boolean }> {
  await client.query("BEGIN");
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await beginMigrations(client);
    if (await isWithoutHistory(client)) await requireRoom(client, migrations);
    await client.query(MAKE_HISTORY);
    const pending = await findPending(client, migrations);
    const isEmpty = pending.length === migrations.length;
    const [first] = pending;
    const online = !isEmpty && first && onlineSteps(first.sql) ? first : undefined;
    const now = isEmpty ? pending : online ? [] : pending.slice(0, 1);
    for (const [i, migration] of now.entries()) {
      await apply(client, migration);
      onProgress(i + 1, pending.length);
    }
    await client.query("COMMIT");
    return { applied: now.map(({ name }) => name), online, isDone: !online && now.length === pending.length };
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/**
 * Applies a migration of online steps. A step may wait as long as it must, because nobody waits for it.
 * @returns false when another process has applied it meanwhile.
 */
async function applyOnline(client: Client, migrations: Migration[], migration: Migration): Promise<boolean> {
  await takeTurn(client, "pg_try_advisory_lock");
  try {
    const pending = await findPending(client, migrations);
    if (!pending.some(({ name }) => name === migration.name)) return false;
    await client.query("SET statement_timeout = 0");
    await naming(migration, () => runOnline(client, onlineSteps(migration.sql) as OnlineStep[]));
    await record(client, migration);
    return true;
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [LOCKS.migrations]).catch(() => {});
  }
}

/** Waits, in a transaction, for other processes that migrate the same database, and keeps them waiting until it ends. */
export async function beginMigrations(client: Client): Promise<void> {
  await takeTurn(client, "pg_try_advisory_xact_lock");
  await requireFit(client);
}

/**
 * Asks for the lock again and again. A statement that waits for the lock would have a snapshot, and the process that has
 * the lock and builds an index would wait for the end of that snapshot.
 */
async function takeTurn(client: Client, lock: "pg_try_advisory_lock" | "pg_try_advisory_xact_lock"): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(TURN_PAUSE_MS)) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock}($1) AS taken`, [LOCKS.migrations]);
    if (rows[0]?.taken) return;
  }
  throw new MigratedElsewhere("another process migrates the database");
}

/**
 * Applies, in the transaction that is open, those of the migrations that the database does not have. Nobody else may use the
 * tables meanwhile.
 * @throws {MigrationError} when an applied one was edited or is not among them, or one fails.
 */
export async function applyPending(client: Client, migrations: Migration[]): Promise<void> {
  await client.query(MAKE_HISTORY);
  for (const migration of await findPending(client, migrations)) await apply(client, migration);
}

/** The migrations of this version, in the order of their names. */
export async function readMigrations(folder = join(INSTALLATION, "prisma/migrations")): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

async function requireFit(client: Client): Promise<void> {
  await requireUtf8(client);
  await requirePublicSchema(client);
  await requireHistory(client);
}

async function requireUtf8(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const encoding = rows[0]?.server_encoding;
  if (encoding !== "UTF8") throw new MigrationError(`the database must be encoded in UTF8, it is in ${encoding}`);
}

export const PUBLIC_FIRST = "put public first into its search_path";

/**
 * A role finds and makes tables in the first schema of its `search_path`, for example in one of its own name. Prisma looks for
 * them in `public` alone.
 * @returns what is wrong, where it is another schema.
 */
export async function findOtherSchema(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ role: string; schema: string | null }>(
    "SELECT current_user AS role, current_schema() AS schema",
  );
  const { role, schema = null } = rows[0] ?? {};
  // Without any schema, the first migration makes `public`.
  return schema === null || schema === "public"
    ? undefined
    : `the role ${role} works in the schema ${schema}, and the tables must be in public`;
}

/** @throws {MigrationError} */
export async function requirePublicSchema(client: Client): Promise<void> {
  const fault = await findOtherSchema(client);
  if (fault !== undefined) throw new MigrationError(`${fault}; ${PUBLIC_FIRST}`);
}

export const NAME_THE_OWNER = "let MIGRATION_DATABASE_URL name the role that owns the tables";

/** @returns what is wrong, where the tables are those of a role whose rights this one does not have. */
export async function findOtherOwner(client: Client): Promise<{ fault: string; readsHistory: boolean } | undefined> {
  const { rows } = await client.query<{ role: string; owner: string; readsHistory: boolean }>(
    `SELECT current_user AS role, pg_get_userbyid(relowner) AS owner, has_table_privilege(oid, 'SELECT') AS "readsHistory"
      FROM pg_class WHERE oid = to_regclass('_prisma_migrations') AND NOT pg_has_role(relowner, 'USAGE')`,
  );
  const [found] = rows;
  if (!found) return undefined;
  const { role, owner, readsHistory } = found;
  return { fault: `the role ${role} does not own the tables, which belong to ${owner}`, readsHistory };
}

/** Whether no migration has been applied yet. */
export async function isWithoutHistory(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ none: boolean }>(`SELECT to_regclass('${HISTORY_TABLE}') IS NULL AS none`);
  return rows[0]?.none === true;
}

/** The first migration makes the schema `public` where it is missing, for which PostgreSQL wants a right in each case. */
const MAY_MAKE_TABLES = `
  SELECT current_user AS role,
    has_database_privilege(current_database(), 'CREATE')
      AND coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE'), true) AS may,
    format('ALTER DATABASE %I OWNER TO %I', current_database(), current_user) AS give`;

/** What is wrong, and what to do. */
export interface Obstacle {
  fault: string;
  todo: string;
}

/** @returns what is wrong, where the role may not make the tables in a database that has none. */
export async function findMissingRight(client: Client): Promise<Obstacle | undefined> {
  const { rows } = await client.query<{ role: string; may: boolean; give: string }>(MAY_MAKE_TABLES);
  const [found] = rows;
  if (found?.may !== false) return undefined;
  return { fault: `${found.role} may not make the tables`, todo: `as a superuser: ${found.give}` };
}

/** @returns what is wrong, where a database without migrations has tables of their names. */
export async function findTakenNames(client: Client, migrations: Migration[]): Promise<Obstacle | undefined> {
  const made = tablesMadeBy(migrations);
  const taken = (await findTables(client)).filter((name) => made.has(name));
  if (taken.length === 0) return undefined;
  return {
    fault: `the database is another program's, which has tables of the same names: ${namesOf(taken)}`,
    todo: "let DATABASE_URL name an empty database",
  };
}

/** @throws {MigrationError} where the tables cannot be made in a database that has none of them. */
async function requireRoom(client: Client, migrations: Migration[]): Promise<void> {
  const obstacle = (await findTakenNames(client, migrations)) ?? (await findMissingRight(client));
  if (obstacle) throw new MigrationError(`${obstacle.fault}; ${obstacle.todo}`);
}

/**
 * The history of migrations is its owner's alone, unless somebody lets another role read it.
 * @throws {MigrationError}
 */
export async function requireHistory(client: Client): Promise<void> {
  const other = await findOtherOwner(client);
  if (other?.readsHistory === false) throw new MigrationError(`${other.fault}; ${NAME_THE_OWNER}`);
}

/**
 * The migrations that the database does not have. It has the history of migrations.
 * @throws {MigrationError} when an applied one was edited, is not among them, or was begun by another tool.
 */
export async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  for (const { migration_name: applied, checksum, finished_at: finishedAt } of rows) {
    const migration = migrations.find(({ name }) => name === applied);
    if (!migration) {
      throw new MigrationError(
        `the database has the migration ${applied}, which this version does not know; it is newer or another product's`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationError(
        `the migration ${applied} was edited after it had been applied; restore the file and write a new migration`,
      );
    }
    if (finishedAt === null) {
      throw new MigrationError(
        `the migration ${applied} was begun by another tool and did not finish; resolve it with that tool`,
      );
    }
  }
  const appliedNames = new Set(rows.map(({ migration_name: name }) => name));
  return migrations.filter(({ name }) => !appliedNames.has(name));
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await naming(migration, () => client.query(withoutConcurrently(migration.sql)));
  await record(client, migration);
}

/** Does a part of a migration. An error that trying again does not help names the migration. */
async function naming({ name }: Migration, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    throw new MigrationError(
      `the migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

async function record(client: Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}
