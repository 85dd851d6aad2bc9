import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { openEmbedded } from "../server/db/embedded";
import { dataFolder, makeTemplate } from "./data-folder";
import { GATEWAY_TOKEN, runToEnd, SHARED_SECRET, startProduct } from "./product";
import { superuserUrl } from "./superuser";

declare module "vitest" {
  interface ProvidedContext {
    /** Base address of the product that all specs share. */
    productUrl: string;
    /** One of its `GATEWAY_TOKENS`. */
    gatewayToken: string;
    /** Its database as the superuser, to write what no endpoint can write. In integration tests, one without a product. */
    databaseUrl: string;
  }
}

/** A database on the coordinator of a Citus cluster, for the specs to run on instead of an embedded one (CONTRIBUTING.md). */
const { CITUS_URL } = process.env;

/** Starts the product once for all specs. They share it, and each uses accounts of its own. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const template = await makeTemplate();
  const folder = await dataFolder();
  const GATEWAY_TOKENS = `another-token-of-more-than-32-characters,${GATEWAY_TOKEN}`;
  if (CITUS_URL) await distribute(CITUS_URL);
  const env = {
    DATA_DIR: folder.path,
    AUTH_SECRET: SHARED_SECRET,
    LOG_LEVEL: "info",
    GATEWAY_TOKENS,
    ...(CITUS_URL && { DATABASE_URL: CITUS_URL }),
  };
  const product = await startProduct({ env });
  const database = CITUS_URL ? undefined : await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  project.provide("productUrl", product.url);
  project.provide("gatewayToken", GATEWAY_TOKEN);
  project.provide("databaseUrl", CITUS_URL ?? (await superuserUrl(folder.path)));
  return async () => {
    await database?.close();
    const code = await product.stop();
    await folder.remove();
    await template.remove();
    if (code !== 0) throw new Error(`the product ended with ${code}:\n${product.output()}`);
  };
}

async function distribute(url: string): Promise<void> {
  const { code, stderr } = await runToEnd("distribute", [], { env: { DATABASE_URL: url } });
  if (code !== 0) throw new Error(stderr);
}
