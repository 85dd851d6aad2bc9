import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { INSTALLATION } from "../installation";
import type { Progress } from "../progress";
import { isDatabaseUnavailable } from "./failure";
import { analyzeAll } from "./statistics";

/** The recorded migrations do not fit the files. The message says what to do. Trying again does not help. */
class MigrationError extends Error {}

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file in hexadecimal, as Prisma records it. */
  checksum: string;
}

/** The advisory lock that the commands of Prisma take while they migrate. */
const PRISMA_LOCK = 72707369;

/** Prisma's table of applied migrations, so that Prisma's commands see the same history. */
const HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
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
 * Applies the missing migrations (`<folder>/<name>/migration.sql`) in the order of their names and in one transaction:
 * all of them, or none. Processes that start at the same time wait for each other.
 * @param told of migrations.
 * @returns the names of those applied now.
 * @throws {MigrationError} when an applied migration was edited or is missing here, or one fails.
 */
export async function migrate(databaseUrl: string, folder?: string, told?: Progress): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 3_000,
    application_name: "allowance migrate",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("BEGIN");
    // A process that must wait longer for another process, or for a table in use, serves (503) and tries again later.
    await client.query("SET LOCAL lock_timeout = '5s'");
    await beginMigrations(client);
    const pending = await applyPending(client, migrations, told);
    await client.query("COMMIT");
    if (pending.length > 0) await analyzeAll(client);
    return pending.map(({ name }) => name);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Waits, in a transaction, for other processes that migrate the same database, and keeps them waiting until it ends. */
export async function beginMigrations(client: Client): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [PRISMA_LOCK]);
  await requireUtf8(client);
}

/**
 * Applies those of the migrations that the database does not have, and returns them.
 * @throws {MigrationError} when an applied one was edited or is not among them, or one fails.
 */
export async function applyPending(
  client: Client,
  migrations: Migration[],
  told: Progress = () => {},
): Promise<Migration[]> {
  await client.query(HISTORY_TABLE);
  const pending = await findPending(client, migrations);
  for (const [i, migration] of pending.entries()) {
    await apply(client, migration);
    told(i + 1, pending.length);
  }
  return pending;
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

async function requireUtf8(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const encoding = rows[0]?.server_encoding;
  if (encoding !== "UTF8") throw new MigrationError(`the database must be encoded in UTF8, it is in ${encoding}`);
}

async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
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

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    throw new MigrationError(
      `the migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}
