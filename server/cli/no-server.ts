import type { Client } from "pg";
import { findPooler } from "../db/pooler";
import { Refusal } from "./refusal";

/**
 * Refuses a command while a server has connections to its database.
 * @param url the address of the client.
 */
export async function requireNoServer(client: Client, url: string): Promise<void> {
  const { rows } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'allowance'",
  );
  if (rows.length === 0) return;
  const { mode } = await findPooler(url);
  // What a pooler keeps has the name of the last client that used it.
  const kept =
    mode === "none"
      ? ""
      : ". A pooler keeps connections of a stopped one: give the address of PostgreSQL itself, or wait";
  throw new Refusal(`a server uses the database; stop it first${kept}. Nothing was changed`);
}
