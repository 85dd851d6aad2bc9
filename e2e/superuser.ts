import { pino } from "pino";
import { prepareCluster, urlOf } from "@/server/db/cluster";
import { findPort } from "@/server/db/postmaster";

/** The address of the embedded database of a data folder for its superuser, who may write what the product may not. */
export async function superuserUrl(dataDir: string): Promise<string> {
  const cluster = await prepareCluster(dataDir, pino({ level: "silent" }));
  return urlOf(cluster, await findPort(cluster), "allowance");
}
