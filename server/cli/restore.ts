import type { Client } from "pg";
import { replaceKeptSecret } from "../auth/secret";
import { restore } from "../backup/restore";
import { readConfig } from "../config";
import { withConnection } from "../db/command";
import { prepareDatabase } from "../db/privileges";
import { givenPath } from "./given-path";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";
import { Refusal } from "./refusal";

/**
 * Puts a backup in the place of everything in the database, all of it or nothing, and its secret into the data folder. No
 * server may run meanwhile. Without `overwrite`, a database that has accounts stays as it is.
 */
export async function run({ overwrite = false }: { overwrite?: boolean }, output: Output, file: string): Promise<void> {
  const config = readConfig(process.env);
  const bar = openProgressBar();
  // In the role of the server, so that none runs and none starts.
  const options = { as: "ownerUrl", name: "allowance restore", embeddedRole: "server" } as const;
  const { header, rows } = await withConnection(config, options, async (client, database) => {
    if (config.database !== undefined) await requireNoServer(client);
    const restored = await restore(client, givenPath(file), overwrite, bar.told);
    await prepareDatabase(database);
    return restored;
  }).finally(bar.close);
  const secret = header.auth_secret;
  const isKept = secret !== null && config.authSecret === undefined;
  if (isKept) await replaceKeptSecret(config.dataDir, secret);
  output.facts({ rows, made_at: header.made_at, auth_secret: isKept ? "restored" : "not restored" });
  if (!isKept && config.authSecret !== secret) {
    console.error(
      secret === null
        ? "the backup has no AUTH_SECRET; set the one that was used with it, or sessions and second factors are lost"
        : "AUTH_SECRET is set and is another than that of the backup; sessions and second factors need the backup's",
    );
  }
}

async function requireNoServer(client: Client): Promise<void> {
  const { rows } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'allowance'",
  );
  if (rows.length > 0) throw new Refusal("a server uses the database; stop it first. Nothing was changed");
}
