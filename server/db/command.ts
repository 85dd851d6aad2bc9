import type { Client } from "pg";
import { pino } from "pino";
import type { Config, DatabaseUrls } from "../config";
import { undoneIfInterrupted } from "../interruption";
import { type Database, openDatabase } from "./client";
import { openEmbedded, type Role } from "./embedded";
import { requireOneDatabase } from "./one-database";
import { fitPooler } from "./pooler";
import { prepareDatabase } from "./privileges";
import { withClient } from "./with-client";

/** How a command connects. */
export interface ConnectionOptions {
  /** In the role that serves, or in that of the owner. */
  as: keyof DatabaseUrls;
  /** What PostgreSQL calls the connection. */
  name: string;
  /** What the command is to the embedded database. No server runs beside another one. */
  embeddedRole?: Role;
}

/** Has the database ready for a command, with or without a running server: the embedded one is started where it does not run. */
export async function withUrls<T>(config: Config, role: Role, use: (urls: DatabaseUrls) => Promise<T>): Promise<T> {
  if (config.database !== undefined) return use(config.database);
  const log = pino({ level: "warn" }, pino.destination(2));
  const stopping = new AbortController();
  const opening = openEmbedded(config.dataDir, role, log, 1, stopping.signal);
  let closing: Promise<void> | undefined;
  const close = () => {
    stopping.abort();
    closing ??= opening.then((embedded) => embedded.close());
    return closing;
  };
  // PostgreSQL is a process of its own, and would run on without a user.
  return undoneIfInterrupted(close, async () => {
    const embedded = await opening;
    try {
      return await use(embedded);
    } finally {
      // The work is done, so an error while closing is ignored.
      await close().catch(() => {});
    }
  });
}

/** Opens and migrates the database for a command, and closes it afterwards. */
export async function withDatabase<T>(
  config: Config,
  use: (db: Database, urls: DatabaseUrls) => Promise<T>,
): Promise<T> {
  return withUrls(config, "command", async (urls) => {
    await prepareDatabase(urls);
    const db = openDatabase(urls.url, { usesNames: config.usesNamedStatements });
    try {
      if (config.database) await fitPooler(urls.url, db.speech);
      return await use(db, urls);
    } finally {
      await db.close().catch(() => {});
    }
  });
}

/**
 * Opens one connection to the database for a command. It migrates nothing.
 * @throws {ConfigError} when the addresses lead to two databases.
 */
export async function withConnection<T>(
  config: Config,
  { as, name, embeddedRole = "command" }: ConnectionOptions,
  use: (client: Client, urls: DatabaseUrls) => Promise<T>,
): Promise<T> {
  return withUrls(config, embeddedRole, async (urls) => {
    await requireOneDatabase(urls);
    return withClient(urls[as], name, (client) => use(client, urls));
  });
}
