import { stat } from "node:fs/promises";
import { keptSecret } from "../auth/secret";
import { backUp } from "../backup/backup";
import { readConfig } from "../config";
import { withConnection } from "../db/command";
import { givenPath } from "./given-path";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";

/** Writes the whole database as it is at one moment, and the secret of the data folder, into a file. */
export async function run(_: object, output: Output, file: string): Promise<void> {
  const config = readConfig(process.env);
  const bar = openProgressBar();
  // The owner alone sees the history of migrations.
  const { rows, secret } = await withConnection(
    config,
    { as: "ownerUrl", name: "allowance backup" },
    async (client) => {
      const secret = await keptSecret(config);
      return { rows: await backUp(client, givenPath(file), secret ?? null, bar.told), secret };
    },
  ).finally(bar.close);
  const { size } = await stat(givenPath(file));
  output.facts({ file, rows, bytes: size, auth_secret: secret === undefined ? "missing" : "included" });
  if (secret === undefined) {
    console.error("AUTH_SECRET is not in the backup, because it is not kept in DATA_DIR; keep it beside the backup");
  }
}
