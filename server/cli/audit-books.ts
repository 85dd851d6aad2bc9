import { Client } from "pg";
import { pino } from "pino";
import { auditBooks } from "../authorizations/audit-queries";
import { ConfigError, readConfig } from "../config";
import { openEmbedded } from "../db/embedded";
import { isDatabaseUnavailable } from "../db/failure";

/**
 * `npm run -s audit:books`: compares counters, totals of days, ledger and authorizations in one snapshot. It prints one line
 * of JSON with the number of rows that it compared, then one for each difference, and exits with 1 when there is one. It
 * changes nothing, and works with and without a running server.
 */
try {
  const config = readConfig(process.env);
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = config.database === undefined ? await openEmbedded(config.dataDir, "command", log) : undefined;
  const client = new Client({ connectionString: (config.database ?? embedded)?.url, application_name: "allowance" });
  // An error of the connection also rejects the running query, so it is not lost here.
  client.on("error", () => {});
  try {
    await client.connect();
    const { counts, differences } = await auditBooks(client, config.ledgerRetentionDays);
    console.log(JSON.stringify({ ...counts, differences: differences.length }));
    for (const difference of differences) console.log(JSON.stringify(difference));
    process.exitCode = differences.length > 0 ? 1 : 0;
  } finally {
    await client.end().catch(() => {});
    await embedded?.close().catch(() => {});
  }
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function lineFor(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; nothing was audited";
  return `nothing was audited: ${error instanceof Error ? error.message : String(error)}`;
}
