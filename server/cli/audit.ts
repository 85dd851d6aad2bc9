import { auditBooks } from "../authorizations/audit-queries";
import { readConfig } from "../config";
import { withConnection } from "../db/command";
import { requireMadeDatabase } from "./made-database";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";

/**
 * Compares counters, totals, ledger and authorizations in one snapshot. It prints the number of rows that it
 * compared, then each difference, and the exit code is 1 when there is one.
 */
export async function run(_: object, output: Output): Promise<void> {
  const config = readConfig(process.env);
  await requireMadeDatabase(config);
  const bar = openProgressBar();
  const { counts, differences } = await withConnection(config, { as: "url", name: "allowance audit" }, (client) =>
    auditBooks(client, config.ledgerRetentionDays, bar.onProgress),
  ).finally(bar.close);
  output.facts({ ...counts, differences: differences.length });
  if (differences.length > 0) output.rows(differences.map((difference) => ({ ...difference })));
  else output.remark("The books are in order.");
  process.exitCode = differences.length > 0 ? 1 : 0;
}
