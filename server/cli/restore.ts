import type { Client } from "pg";
import { draftSecret, type SecretDraft } from "../auth/secret";
import { restore } from "../backup/restore";
import { type Config, type DatabaseUrls, readConfig } from "../config";
import { withConnection } from "../db/command";
import { prepareDatabase } from "../db/privileges";
import { analyzeAll } from "../db/statistics";
import { undoneIfInterrupted } from "../interruption";
import { failureLine } from "./failure-line";
import { givenPath } from "./given-path";
import { requireNoServer } from "./no-server";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";
import { Refusal } from "./refusal";

/**
 * Puts a backup in the place of everything in the database, all of it or nothing, and its secret into the data folder. No
 * server may run meanwhile. Without `overwrite`, a database that has accounts stays as it is.
 */
export async function run({ overwrite = false }: { overwrite?: boolean }, output: Output, file: string): Promise<void> {
  const path = givenPath(file);
  const config = readConfig(process.env);
  const bar = openProgressBar();
  // In the role of the server, so that none runs and none starts.
  const options = { as: "ownerUrl", name: "allowance restore", embeddedRole: "server" } as const;
  let drafting: Promise<SecretDraft> | undefined;
  let isRestored = false;
  const discard = async () => {
    if (!isRestored) await (await drafting)?.discard();
  };
  // It is done last, when nothing can write a draft any more.
  const { header, rows } = await undoneIfInterrupted(discard, () =>
    withConnection(config, options, async (client, database) => {
      if (config.database !== undefined) await requireNoServer(client, database.ownerUrl);
      const restored = await restore(client, path, overwrite, bar.onProgress, async ({ auth_secret: secret }) => {
        if (secret === null || config.authSecret !== undefined) return;
        drafting = draftKeptSecret(config, secret);
        await drafting;
      });
      isRestored = true;
      const failures = [await failureToKeep(await drafting), await failureToFinish(client, database)];
      const sentences = failures.filter((sentence) => sentence !== undefined);
      if (sentences.length > 0) throw new Refusal(sentences.join("\n"));
      return restored;
    }),
  ).finally(async () => {
    bar.close();
    await discard();
  });
  const secret = header.auth_secret;
  const isKept = drafting !== undefined;
  output.facts({ rows, made_at: header.made_at, auth_secret: isKept ? "restored" : "not restored" });
  if (!isKept && config.authSecret !== secret) {
    console.error(
      secret === null
        ? "the backup has no AUTH_SECRET; set the one that was used with it, or sessions and second factors are lost"
        : "AUTH_SECRET is set and is another than that of the backup; sessions and second factors need the backup's",
    );
  }
}

/** A sentence where the secret cannot take its place, for example that of a file which is mounted by itself. */
async function failureToKeep(draft: SecretDraft | undefined): Promise<string | undefined> {
  try {
    await draft?.keep();
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const state = `the backup is in the database, but its AUTH_SECRET could not be put into ${draft?.target} (${code})`;
    return `${state}; it is in ${draft?.path}: rename that file, or set AUTH_SECRET to what it holds`;
  }
}

/** Does what a start would do too. A sentence where it fails. */
async function failureToFinish(client: Client, database: DatabaseUrls): Promise<string | undefined> {
  try {
    await analyzeAll(client);
    await prepareDatabase(database);
    return undefined;
  } catch (error) {
    return failureLine(error, "the backup is in the database, and a start does what is left");
  }
}

/** Before the database is changed: without its secret, sessions and second factors of the backup are lost. */
function draftKeptSecret({ dataDir }: Config, secret: string): Promise<SecretDraft> {
  return draftSecret(dataDir, secret).catch(({ path, code }: NodeJS.ErrnoException) => {
    const cause = `the AUTH_SECRET of the backup cannot be kept: ${path}: ${code}`;
    throw new Refusal(`DATA_DIR: ${cause}; nothing was changed. Set another DATA_DIR, or AUTH_SECRET`);
  });
}
