import type { KeyReference } from "../auth/key-owner";

/**
 * The part of the database that a key is in: calls of keys in one shard may be decided in one transaction. A single
 * PostgreSQL is one shard. A database that distributes its rows by account needs the account's id here.
 */
export function shardOf(_key: KeyReference): string {
  return "";
}
