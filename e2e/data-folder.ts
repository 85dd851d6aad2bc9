import { execFile } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { pino } from "pino";
import { type Cluster, prepareCluster } from "../server/db/cluster";
import { openEmbedded } from "../server/db/embedded";
import { prepareDatabase } from "../server/db/privileges";
import { freePort, type TemporaryFolder, temporaryFolder } from "./product";

const silent = pino({ level: "silent" });

/** PostgreSQL waits for no disk. A file that the system has taken outlives a process that is killed, but no machine. */
const VOLATILE = "fsync = off\nfull_page_writes = off\n";

/**
 * Makes the data folder that `dataFolder` copies: its database has every migration and no account. `initdb` and the
 * migrations take longer than the rest of a start, so a run does them once. The first set-up that asks removes it.
 */
export async function makeTemplate(): Promise<TemporaryFolder> {
  const made = process.env.DATA_FOLDER_TEMPLATE;
  if (made !== undefined) return { path: made, remove: async () => {} };
  const folder = await temporaryFolder();
  const embedded = await openEmbedded(folder.path, "command", silent);
  await prepareDatabase(embedded);
  await embedded.close();
  process.env.DATA_FOLDER_TEMPLATE = folder.path;
  return folder;
}

/**
 * A new data folder for a product whose first start is not what the test is about. The spec removes it. The tests of
 * first starts take a `temporaryFolder`.
 * @param durability whether PostgreSQL keeps its settings, because the test is about what a crash leaves.
 */
export async function dataFolder(durability: "volatile" | "durable" = "volatile"): Promise<TemporaryFolder> {
  const template = process.env.DATA_FOLDER_TEMPLATE;
  if (template === undefined) throw new Error("the set-up of this run makes no template of a data folder");
  const folder = await temporaryFolder();
  // Node.js copies no owners, and PostgreSQL refuses a folder of another user.
  await promisify(execFile)("cp", ["-Rp", join(template, "postgres"), folder.path]);
  await addSettings(
    await prepareCluster(folder.path, silent),
    `${durability === "volatile" ? VOLATILE : ""}port = ${await freePort()}\n`,
  );
  return folder;
}

/** PostgreSQL follows the last line of a name. */
function addSettings({ directory }: Cluster, lines: string): Promise<void> {
  return appendFile(join(directory, "postgresql.conf"), lines);
}
