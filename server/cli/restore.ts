import { parseArgs } from "node:util";
import { Client } from "pg";
import { pino } from "pino";
import { replaceKeptSecret } from "../auth/secret";
import { BackupError } from "../backup/backup-file";
import { openProgressBar } from "../backup/progress-bar";
import { HasData, restore } from "../backup/restore";
import { ConfigError, type DatabaseUrls, readConfig } from "../config";
import { openEmbedded } from "../db/embedded";
import { isDatabaseUnavailable } from "../db/failure";
import { prepareDatabase } from "../db/privileges";

/**
 * `npm run -s restore -- FILE [--overwrite]`: puts a backup in the place of everything in the database, all of it or nothing,
 * and its secret into the data folder. It prints one line of JSON. No server may run meanwhile. Without `--overwrite`, a
 * database that has accounts stays as it is.
 */
try {
  const { file, overwrites } = readOptions();
  const config = readConfig(process.env);
  const log = pino({ level: "warn" }, pino.destination(2));
  // In the role of the server, so that none runs and none starts.
  const embedded = config.database === undefined ? await openEmbedded(config.dataDir, "server", log) : undefined;
  const database = config.database ?? (embedded as DatabaseUrls);
  const client = new Client({
    connectionString: database.ownerUrl,
    connectionTimeoutMillis: 3_000,
    application_name: "allowance restore",
  });
  // An error of the connection also rejects the running query, so it is not lost here.
  client.on("error", () => {});
  const bar = openProgressBar();
  try {
    await client.connect();
    if (embedded === undefined) await requireNoServer(client);
    const { header, rows } = await restore(client, file, overwrites, bar.told);
    await prepareDatabase(database);
    bar.close();
    const secret = header.auth_secret;
    const isKept = secret !== null && config.authSecret === undefined;
    if (isKept) await replaceKeptSecret(config.dataDir, secret);
    console.log(JSON.stringify({ rows, made_at: header.made_at, auth_secret: isKept ? "restored" : "not restored" }));
    if (!isKept && config.authSecret !== secret) {
      console.error(
        secret === null
          ? "the backup has no AUTH_SECRET; set the one that was used with it, or sessions and second factors are lost"
          : "AUTH_SECRET is set and is another than that of the backup; sessions and second factors need the backup's",
      );
    }
  } finally {
    bar.close();
    await client.end().catch(() => {});
    await embedded?.close().catch(() => {});
  }
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function readOptions(): { file: string; overwrites: boolean } {
  try {
    const { values, positionals } = parseArgs({ options: { overwrite: { type: "boolean" } }, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file !== undefined && more.length === 0) return { file, overwrites: values.overwrite ?? false };
  } catch {
    // The same line answers an unknown option.
  }
  throw new ConfigError("a file is required; usage: npm run -s restore -- FILE [--overwrite]");
}

async function requireNoServer(client: Client): Promise<void> {
  const { rows } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'allowance'",
  );
  if (rows.length > 0) throw new ConfigError("a server uses the database; stop it first. Nothing was changed");
}

function lineFor(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof HasData) return `${error.message}; nothing was changed. --overwrite replaces them`;
  if (error instanceof BackupError) return `${error.message}; nothing was changed`;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; nothing was changed";
  const { code, path, message } = error as NodeJS.ErrnoException;
  return `nothing was changed: ${path === undefined ? message : `${path}: ${code}`}`;
}
