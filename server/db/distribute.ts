import type { Client } from "pg";
import type { Progress } from "../progress";
import { PLACED_TABLES, REFERENCE_TABLE, TABLE_BY_HASH, TABLES_BY_ACCOUNT } from "./distributed-tables";
import { isDistributed, listUnplaced } from "./distribution";
import { beginMigrations } from "./migrate";

/** The database cannot be distributed as it is. Nothing was changed. The message says what to do. */
export class DistributeError extends Error {}

/** What stands where. */
export interface DistributionReport {
  /** Whether it was distributed before. Then only tables that a newer version has added were brought to their place. */
  was_distributed: boolean;
  /** The tables that were brought to their place now; none where nothing was changed. */
  moved: string[];
  workers: number;
  /** Parts of each table. All parts of an account are on one worker. */
  shards: number;
  /** Rows of each table, which were counted before and after. */
  rows: Record<string, number>;
}

const OLDEST_CITUS = 12;

/**
 * Distributes the tables of a migrated database over the workers of its Citus cluster, in one transaction: all of them, or
 * none. Where they are distributed already, it does so with those that were added since. See docs/scaling.md#citus.
 * @param client connected as the owner of the tables. No server may run meanwhile.
 * @param onProgress counts tables.
 * @throws {DistributeError}
 */
export async function distribute(client: Client, onProgress: Progress): Promise<DistributionReport> {
  const workers = await requireCluster(client);
  const wasDistributed = await isDistributed(client);
  const tables = wasDistributed ? await listUnplaced(client) : PLACED_TABLES;
  if (tables.length > 0) await place(client, tables, wasDistributed, onProgress);
  return {
    was_distributed: wasDistributed,
    moved: [...tables],
    workers,
    shards: await countShards(client),
    rows: await countRows(client, PLACED_TABLES),
  };
}

async function place(
  client: Client,
  tables: readonly string[],
  wasDistributed: boolean,
  onProgress: Progress,
): Promise<void> {
  await client.query("BEGIN");
  try {
    // A server that starts meanwhile waits for its migrations.
    await beginMigrations(client);
    // The two triggers that refuse something only raise. The others write rows of the same account.
    await client.query("SET LOCAL citus.enable_unsafe_triggers = on");
    // One connection to each worker, so that each step sees the one before.
    await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    await client.query(`LOCK TABLE ${tables.map((table) => client.escapeIdentifier(table)).join(", ")}`);
    const before = await countRows(client, tables);
    if (!wasDistributed) {
      await configure(client);
      await client.query(CONTRACTION);
    }
    const constraints = await takeForeignKeys(client, tables);
    const triggers = await takeTriggers(client, tables);
    for (const [i, table] of tables.entries()) {
      await distributeTable(client, table);
      onProgress(i + 1, tables.length);
    }
    for (const { table, name, definition } of constraints) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    for (const trigger of triggers) await client.query(trigger);
    const rows = await countRows(client, tables);
    for (const table of tables) {
      if (rows[table] !== before[table]) {
        throw new DistributeError(`${table} has ${rows[table]} rows after ${before[table]}; nothing was changed`);
      }
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
  await dropLocalCopies(client, tables);
}

/**
 * The cluster must be complete: with Citus, its workers, and the coordinator's own address, under which the workers reach it.
 * @returns the number of workers.
 */
async function requireCluster(client: Client): Promise<number> {
  const { rows: extensions } = await client.query<{ version: string }>(
    "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
  );
  const version = extensions[0]?.version;
  if (version === undefined) {
    throw new DistributeError(
      "this database has no Citus; CREATE EXTENSION citus here and in the same database of each worker",
    );
  }
  if (Number.parseInt(version, 10) < OLDEST_CITUS) {
    throw new DistributeError(`this is Citus ${version}; Citus ${OLDEST_CITUS} or newer is needed`);
  }
  const { rows } = await client.query<{ is_coordinator: boolean; has_address: boolean; workers: number }>(
    `SELECT citus_is_coordinator() AS is_coordinator,
      EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0) AS has_address,
      (SELECT count(*)::int FROM citus_get_active_worker_nodes()) AS workers`,
  );
  const [cluster] = rows;
  if (!cluster?.is_coordinator) throw new DistributeError("this is a worker; connect to the coordinator");
  if (!cluster.has_address) {
    throw new DistributeError(
      "the coordinator does not know its own address; SELECT citus_set_coordinator_host('HOST')",
    );
  }
  if (cluster.workers === 0) throw new DistributeError("there is no worker; SELECT citus_add_node('HOST', PORT)");
  return cluster.workers;
}

/**
 * Settings of this database, which Citus gives to each server. A worker compiles no plan, which takes longer than the
 * statement, and lets the triggers of the tables be: later partitions get them too.
 */
async function configure(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
  for (const setting of ["jit = off", "citus.enable_unsafe_triggers = on"]) {
    await client.query(`ALTER DATABASE ${rows[0]?.name} SET ${setting}`);
  }
}

/**
 * What only an older version needed, which cannot run on a distributed database; what is unique within an account has the
 * account as a column, because a distributed table wants it so; and it writes no moment but that of the transaction.
 */
const CONTRACTION = `
  DROP VIEW IF EXISTS "key_secret";
  DROP FUNCTION IF EXISTS "write_key_secret"();
  ALTER TABLE "earlier_value" DROP CONSTRAINT "earlier_value_pkey";
  ALTER TABLE "earlier_value" ADD CONSTRAINT "earlier_value_pkey" PRIMARY KEY ("account_id", "hash");
  ALTER TABLE "event" ALTER COLUMN "at" SET DEFAULT now();
  DROP INDEX "api_key_group_name_in_account";
  CREATE UNIQUE INDEX "api_key_group_name_in_account" ON "api_key_group"("name", "account_id")`;

interface ForeignKey {
  /** Quoted, as the others. */
  table: string;
  name: string;
  definition: string;
}

/** Drops the foreign keys from and to the tables, because a local table must not refer to a distributed one. */
async function takeForeignKeys(client: Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(pg_constraint.oid) AS definition
      FROM pg_constraint
      JOIN pg_class own ON own.oid = conrelid JOIN pg_class other ON other.oid = confrelid
      WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0
        AND (own.relname = ANY($1) OR other.relname = ANY($1))
      ORDER BY confrelid::regclass::text, conname`,
    [tables],
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

/**
 * Drops the triggers of the tables, because they would count the rows that are moved, in tables that are not there yet.
 * @returns what makes them again.
 */
async function takeTriggers(client: Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name, pg_get_triggerdef(pg_trigger.oid) AS definition
      FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = current_schema()::regnamespace AND relname = ANY($1) AND NOT tgisinternal AND tgparentid = 0
      ORDER BY 1, 2`,
    [tables],
  );
  for (const { table, name } of rows) await client.query(`DROP TRIGGER ${name} ON ${table}`);
  return rows.map(({ definition }) => definition);
}

async function distributeTable(client: Client, table: string): Promise<void> {
  const name = client.escapeIdentifier(table);
  const [first] = TABLES_BY_ACCOUNT;
  if (table === REFERENCE_TABLE) await client.query("SELECT create_reference_table($1)", [name]);
  else if (table === TABLE_BY_HASH || table === first) {
    const column = table === TABLE_BY_HASH ? "hash" : "account_id";
    await client.query("SELECT create_distributed_table($1, $2, colocate_with => 'none')", [name, column]);
  } else await client.query("SELECT create_distributed_table($1, 'account_id', colocate_with => $2)", [name, first]);
}

/** Frees the room of the rows that have been moved. They are read no more; whatever keeps its room does no harm. */
async function dropLocalCopies(client: Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await client
      .query("SELECT truncate_local_data_after_distributing_table($1::regclass)", [client.escapeIdentifier(table)])
      .catch(() => {});
  }
}

async function countRows(client: Client, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::float8 AS count FROM ${client.escapeIdentifier(table)}`,
    );
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

async function countShards(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_dist_shard WHERE logicalrelid = 'api_key'::regclass",
  );
  return rows[0]?.count ?? 0;
}
