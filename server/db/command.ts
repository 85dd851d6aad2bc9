import { pino } from "pino";
import type { Config } from "../config";
import { type Database, openDatabase } from "./client";
import { openEmbedded } from "./embedded";
import { fitPooler } from "./pooler";
import { prepareDatabase } from "./privileges";

/** Opens and migrates the database for a command, with or without a running server, and closes it afterwards. */
export async function withDatabase<T>(config: Config, use: (db: Database) => Promise<T>): Promise<T> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const database = config.database
    ? { ...config.database, close: async () => {} }
    : await openEmbedded(config.dataDir, "command", log);
  const db = openDatabase(database.url, { usesNames: config.usesNamedStatements });
  try {
    await prepareDatabase(database);
    if (config.database) await fitPooler(config.database.url, db.speech);
    return await use(db);
  } finally {
    // The work is done, so an error while closing is ignored.
    await db.close().catch(() => {});
    await database.close().catch(() => {});
  }
}
