import { parseArgs } from "node:util";
import { Client } from "pg";
import { ConfigError, readConfig } from "../config";
import { DistributeError, distribute } from "../db/distribute";
import { isDatabaseUnavailable } from "../db/failure";
import { prepareDatabase } from "../db/privileges";

/**
 * `npm run -s distribute`: distributes the tables of `DATABASE_URL`, the coordinator of a Citus cluster, over its workers,
 * all of them or none, and prints one line of JSON. No server may run meanwhile. See docs/scaling.md#citus.
 */
try {
  requireNoArguments();
  const { database } = readConfig(process.env);
  if (database === undefined) {
    throw new ConfigError(
      "DATABASE_URL must name the coordinator of a Citus cluster; the embedded database is one server",
    );
  }
  const client = new Client({
    connectionString: database.ownerUrl,
    connectionTimeoutMillis: 3_000,
    application_name: "allowance distribute",
  });
  // An error of the connection also rejects the running query, so it is not lost here.
  client.on("error", () => {});
  try {
    await client.connect();
    await requireNoServer(client);
    await prepareDatabase(database);
    const report = await distribute(client, (table) => process.stderr.isTTY && console.error(`moving ${table}`));
    console.log(JSON.stringify(report));
  } finally {
    await client.end().catch(() => {});
  }
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function requireNoArguments(): void {
  try {
    parseArgs({ options: {} });
  } catch {
    throw new ConfigError("usage: npm run -s distribute");
  }
}

async function requireNoServer(client: Client): Promise<void> {
  const { rows } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'allowance'",
  );
  if (rows.length > 0) throw new ConfigError("a server uses the database; stop it first. Nothing was changed");
}

function lineFor(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DistributeError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; nothing was changed";
  return `nothing was changed: ${error instanceof Error ? error.message : String(error)}`;
}
