import type { ClientBase } from "pg";
import { PLACED_TABLES, REFERENCE_TABLE, TABLE_BY_HASH } from "./distributed-tables";

/** The most accounts of one statement: it compares the account of each row with them one after the other. */
const MOST_AT_ONCE = 64;

/**
 * Whether the rows of the accounts are distributed over several PostgreSQL servers (docs/scaling.md#citus). The process
 * finds out by itself, on the first connection that it makes.
 */
export class Distribution {
  #isDistributed: boolean | undefined;

  /** Whether all rows are on one server, as far as it is known. */
  get isOnOneServer(): boolean {
    return this.#isDistributed === false;
  }

  /** What may stand in one batch has the same text. Until it is known, that is what would be right on several servers. */
  batchOf(accountId: string): string {
    return this.isOnOneServer ? "" : accountId;
  }

  /** Parts of accounts, each for one statement: on one server some dozens, on several each account for itself. */
  partsOf(accountIds: readonly string[]): string[][] {
    const most = this.isOnOneServer ? MOST_AT_ONCE : 1;
    return Array.from({ length: Math.ceil(accountIds.length / most) }, (_, i) =>
      accountIds.slice(i * most, (i + 1) * most),
    );
  }

  /**
   * Reads it on a new connection.
   * @returns whether the rows are distributed.
   */
  async learn(client: ClientBase): Promise<boolean> {
    this.#isDistributed = await isDistributed(client);
    return this.#isDistributed;
  }
}

/** Whether the tables of this database are distributed, which only Citus can do. */
export async function isDistributed(client: ClientBase): Promise<boolean> {
  const { rows: known } = await client.query<{ has_citus: boolean }>(
    "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS has_citus",
  );
  if (!known[0]?.has_citus) return false;
  const { rows } = await client.query<{ is_distributed: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('api_key')) AS is_distributed",
  );
  return rows[0]?.is_distributed ?? false;
}

/**
 * The tables of a distributed database that are not where they belong, because a migration has made them since: in the order
 * in which they are brought there. Those that do not exist yet are left out.
 */
export async function listUnplaced(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(UNPLACED, [PLACED_TABLES, REFERENCE_TABLE, TABLE_BY_HASH]);
  return rows.map(({ name }) => name);
}

/** A table that Citus knows because it refers to another one is on the coordinator alone, as one that it does not know. */
const UNPLACED = `
  SELECT asked.name FROM unnest($1::text[]) WITH ORDINALITY AS asked(name, place)
  LEFT JOIN pg_dist_partition placed ON placed.logicalrelid = to_regclass(quote_ident(asked.name))
  WHERE to_regclass(quote_ident(asked.name)) IS NOT NULL AND CASE asked.name
    WHEN $2 THEN placed.partmethod = 'n' AND placed.repmodel = 't'
    WHEN $3 THEN placed.partmethod = 'h'
    ELSE placed.partmethod = 'h'
      AND placed.colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = to_regclass('api_key'))
  END IS NOT TRUE
  ORDER BY asked.place`;
