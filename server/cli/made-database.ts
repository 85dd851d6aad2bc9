import { access } from "node:fs/promises";
import type { Config } from "../config";
import { clusterFolder } from "../db/cluster";
import { Refusal } from "./refusal";

/**
 * Whether there is a database to look into: an external one, or the embedded one after its first start. Of a folder that this
 * user may not look into, it is not known: opening it says what is wrong.
 */
export async function isDatabaseMade({ database, dataDir }: Config): Promise<boolean> {
  if (database !== undefined) return true;
  return access(clusterFolder(dataDir)).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== "ENOENT",
  );
}

/**
 * Refuses a command that only reads where there is no database yet. Opening the embedded one would make an empty one in a
 * folder that somebody has named by mistake.
 */
export async function requireMadeDatabase(config: Config): Promise<void> {
  if (await isDatabaseMade(config)) return;
  throw new Refusal(`there is no database in ${config.dataDir}; set DATA_DIR or DATABASE_URL to the one that is meant`);
}
