import { pino } from "pino";
import type { Config } from "../config";
import { type Database, openDatabase } from "./client";
import { openEmbedded } from "./embedded";
import { migrate } from "./migrate";

/** Opens and migrates the database for a command, with or without a running server, and closes it afterwards. */
export async function withDatabase<T>(config: Config, use: (db: Database) => Promise<T>): Promise<T> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = config.databaseUrl === undefined ? await openEmbedded(config.dataDir, "command", log) : undefined;
  const url = config.databaseUrl ?? embedded?.url ?? "";
  const db = openDatabase(url);
  try {
    await migrate(url);
    return await use(db);
  } finally {
    // The work is done, so an error while closing is ignored.
    await db.close().catch(() => {});
    await embedded?.close().catch(() => {});
  }
}
