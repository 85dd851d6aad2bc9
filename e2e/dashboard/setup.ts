import { pino } from "pino";
import { openEmbedded } from "@/server/db/embedded";
import { dataFolder, makeTemplate } from "../data-folder";
import { runToEnd, startProduct } from "../product";
import { superuserUrl } from "../superuser";

/** Starts the product for the browser specs. They read its address and a default key from the environment. */
export default async function setUp(): Promise<() => Promise<void>> {
  const template = await makeTemplate();
  const folder = await dataFolder();
  const env = { DATA_DIR: folder.path };
  const product = await startProduct({ env });
  const database = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  const { stdout } = await runToEnd("account-create", ["--email", "owner@example.com"], { env });
  process.env.PRODUCT_URL = product.url;
  process.env.PRODUCT_DATABASE_URL = await superuserUrl(folder.path);
  process.env.PRODUCT_KEY = JSON.parse(stdout).apikey;
  return async () => {
    await database.close();
    await product.stop();
    await folder.remove();
    await template.remove();
  };
}
