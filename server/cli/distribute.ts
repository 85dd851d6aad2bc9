import type { Client } from "pg";
import { ConfigError, readConfig } from "../config";
import { distribute } from "../db/distribute";
import { prepareDatabase } from "../db/privileges";
import { withClient } from "../db/with-client";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";
import { Refusal } from "./refusal";

/**
 * Distributes the tables of `DATABASE_URL`, the coordinator of a Citus cluster, over its workers: all of them, or none. No
 * server may run meanwhile. See docs/scaling.md#citus.
 */
export async function run(_: object, output: Output): Promise<void> {
  const { database } = readConfig(process.env);
  if (database === undefined) {
    throw new ConfigError(
      "DATABASE_URL must name the coordinator of a Citus cluster; the embedded database is one server",
    );
  }
  const bar = openProgressBar();
  const report = await withClient(database.ownerUrl, "allowance distribute", async (client) => {
    await requireNoServer(client);
    await prepareDatabase(database);
    return distribute(client, bar.told);
  }).finally(bar.close);
  if (!output.isForPeople) return output.facts({ ...report });
  const { rows, ...rest } = report;
  output.facts(rest);
  output.rows(Object.entries(rows).map(([table, count]) => ({ table, rows: count })));
}

async function requireNoServer(client: Client): Promise<void> {
  const { rows } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'allowance'",
  );
  if (rows.length > 0) throw new Refusal("a server uses the database; stop it first. Nothing was changed");
}
