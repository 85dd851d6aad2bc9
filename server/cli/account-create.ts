import { parseArgs } from "node:util";
import { pino } from "pino";
import { AccountError, createAccount } from "../auth/accounts";
import { ConfigError, readConfig } from "../config";
import { openDatabase } from "../db/client";
import { openEmbedded } from "../db/embedded";
import { isDatabaseUnavailable } from "../db/failure";
import { migrate } from "../db/migrate";

/**
 * `npm run -s account:create -- --email owner@example.com`: creates an account and prints one line of JSON with its
 * default key, shown this once. Works beside a running server and without one.
 */
try {
  const email = readEmail();
  const config = readConfig(process.env);
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = config.databaseUrl === undefined ? await openEmbedded(config.dataDir, "command", log) : undefined;
  const url = config.databaseUrl ?? embedded?.url ?? "";
  const db = openDatabase(url);
  try {
    await migrate(url);
    console.log(JSON.stringify(await createAccount(db, email, config.keyPrefix)));
  } finally {
    // Whatever goes wrong now, the account stands and its line is printed.
    await db.close().catch(() => {});
    await embedded?.close().catch(() => {});
  }
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function readEmail(): string {
  try {
    const { email } = parseArgs({ options: { email: { type: "string" } } }).values;
    if (email) return email;
  } catch {
    // An unknown or incomplete option gets the same line.
  }
  throw new AccountError("email: required; usage: npm run -s account:create -- --email owner@example.com");
}

function lineFor(error: unknown): string {
  if (error instanceof AccountError || error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; nothing was created";
  return `nothing was created: ${error instanceof Error ? error.message : String(error)}`;
}
