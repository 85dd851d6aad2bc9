import { ConfigError, readConfig } from "../config";
import { distribute } from "../db/distribute";
import { prepareDatabase } from "../db/privileges";
import { withClient } from "../db/with-client";
import { requireNoServer } from "./no-server";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";

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
    await requireNoServer(client, database.ownerUrl);
    await prepareDatabase(database);
    return distribute(client, bar.onProgress);
  }).finally(bar.close);
  if (!output.isForPeople) return output.facts({ ...report });
  const { rows, ...rest } = report;
  output.facts(rest);
  output.rows(Object.entries(rows).map(([table, count]) => ({ table, rows: count })));
}
