import { randomInt } from "node:crypto";
import type { Client } from "pg";
import { ConfigError, type DatabaseUrls } from "../config";
import { HASHED_LOCKS } from "./advisory-locks";
import { withClient } from "./with-client";

const ANSWER_WITHIN_MS = 3_000;

/**
 * Whether two connections lead to two databases. An advisory lock exists in its database alone, and so tells apart what
 * addresses, poolers, names and even a copy of the files make alike. A standby is the database of its primary, although it has
 * locks of its own: that it takes no writes is said elsewhere.
 */
export async function areTwoDatabases(owner: Client, client: Client): Promise<boolean> {
  const lock = [HASHED_LOCKS.oneDatabase, randomInt(2 ** 31)];
  await owner.query("BEGIN");
  try {
    await owner.query("SELECT pg_advisory_xact_lock($1::int, $2::int)", lock);
    const { rows } = await client.query<{ is_free: boolean; is_standby: boolean }>(
      "SELECT pg_try_advisory_xact_lock($1::int, $2::int) AS is_free, pg_is_in_recovery() AS is_standby",
      lock,
    );
    return rows[0]?.is_free === true && !rows[0].is_standby;
  } finally {
    await owner.query("ROLLBACK");
  }
}

/** Whether two addresses name one database by the same words. An address without a name means that of its role. */
function differInRoleAlone(...addresses: [string, string]): boolean {
  const [one, other] = addresses.map((address) => {
    // One with a socket may have no host before its path.
    if (!URL.canParse(address)) return address;
    const { protocol, host, pathname, search } = new URL(address);
    return pathname.length > 1 ? `${protocol}//${host}${pathname}${search}` : address;
  });
  return one === other;
}

/**
 * Refuses addresses that lead to two databases, before anything is written to the wrong one. An address that cannot be reached
 * is no fault of this kind: whoever needs it says so.
 * @throws {ConfigError} which names the setting.
 */
export async function requireOneDatabase({ url, ownerUrl }: DatabaseUrls): Promise<void> {
  if (differInRoleAlone(url, ownerUrl)) return;
  const compare = (owner: Client) =>
    withClient(url, "allowance migrate", (client) => areTwoDatabases(owner, client), ANSWER_WITHIN_MS);
  const areTwo = await withClient(ownerUrl, "allowance migrate", compare, ANSWER_WITHIN_MS).catch(() => false);
  if (areTwo) throw new ConfigError("MIGRATION_DATABASE_URL: leads to another database than DATABASE_URL");
}
