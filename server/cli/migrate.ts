import { readConfig } from "../config";
import { withUrls } from "../db/command";
import { readMigrations } from "../db/migrate";
import { prepareDatabase } from "../db/privileges";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";

/** Applies the migrations that the database does not have, and gives the serving role its rights, as a start does. */
export async function run(_: object, output: Output): Promise<void> {
  const bar = openProgressBar();
  const applied = await withUrls(readConfig(process.env), "command", (urls) =>
    prepareDatabase(urls, bar.onProgress),
  ).finally(bar.close);
  output.facts({ applied, migrations: (await readMigrations()).length });
}
