import { stat } from "node:fs/promises";
import { Client } from "pg";
import { pino } from "pino";
import { keptSecret } from "../auth/secret";
import { backUp } from "../backup/backup";
import { openProgressBar } from "../backup/progress-bar";
import { ConfigError, readConfig } from "../config";
import { openEmbedded } from "../db/embedded";
import { isDatabaseUnavailable } from "../db/failure";

/**
 * `npm run -s backup -- FILE`: writes the whole database as it is at one moment, and the secret of the data folder, into a
 * file. It prints one line of JSON, and works with and without a running server. docs/operations.md says how to restore it.
 */
try {
  const file = readFile();
  const config = readConfig(process.env);
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = config.database === undefined ? await openEmbedded(config.dataDir, "command", log) : undefined;
  const client = new Client({
    // The owner alone sees the history of migrations.
    connectionString: (config.database ?? embedded)?.ownerUrl,
    connectionTimeoutMillis: 3_000,
    application_name: "allowance backup",
  });
  // An error of the connection also rejects the running query, so it is not lost here.
  client.on("error", () => {});
  const bar = openProgressBar();
  try {
    await client.connect();
    const secret = await keptSecret(config);
    const rows = await backUp(client, file, secret ?? null, bar.told);
    bar.close();
    const { size } = await stat(file);
    console.log(
      JSON.stringify({ file, rows, bytes: size, auth_secret: secret === undefined ? "missing" : "included" }),
    );
    if (secret === undefined) {
      console.error("AUTH_SECRET is not in the backup, because it is not kept in DATA_DIR; keep it beside the backup");
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

function readFile(): string {
  const [file, ...more] = process.argv.slice(2);
  if (file !== undefined && !file.startsWith("-") && more.length === 0) return file;
  throw new ConfigError("a file is required; usage: npm run -s backup -- FILE");
}

function lineFor(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; no backup was made";
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") return "there is a file of this name already; no backup was made";
  return `no backup was made: ${path === undefined ? message : `${path}: ${code}`}`;
}
