import { lstat, stat } from "node:fs/promises";
import { keptSecret } from "../auth/secret";
import { backUp } from "../backup/backup";
import { readConfig } from "../config";
import { withConnection } from "../db/command";
import { requireHistory, requirePublicSchema } from "../db/migrate";
import { givenPath } from "./given-path";
import { requireMadeDatabase } from "./made-database";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";

const NOT_KEPT = { fault: "it is not kept in DATA_DIR", todo: "keep it beside the backup" };

/** Writes the whole database as it is at one moment, and the secret of the data folder, into a file. */
export async function run(_: object, output: Output, file: string): Promise<void> {
  const path = givenPath(file);
  await requireFree(path);
  const config = readConfig(process.env);
  await requireMadeDatabase(config);
  const bar = openProgressBar();
  // The owner alone sees the history of migrations.
  const { rows, kept } = await withConnection(config, { as: "ownerUrl", name: "allowance backup" }, async (client) => {
    await requirePublicSchema(client);
    await requireHistory(client);
    const kept = (config.authSecret === undefined ? await keptSecret(config) : undefined) ?? NOT_KEPT;
    const secret = "secret" in kept ? kept.secret : null;
    return { rows: await backUp(client, path, secret, bar.onProgress), kept };
  }).finally(bar.close);
  const { size } = await stat(path);
  output.facts({ file, rows, bytes: size, auth_secret: "secret" in kept ? "included" : "missing" });
  if ("fault" in kept) console.error(`AUTH_SECRET is not in the backup, because ${kept.fault}; ${kept.todo}`);
}

/** The name is refused before the database is read, which may take hours, and again when the file gets it. */
async function requireFree(path: string): Promise<void> {
  const isTaken = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isTaken) throw Object.assign(new Error("the name is taken"), { code: "EEXIST", path });
}
