import { runToEnd, startProduct, temporaryFolder } from "../product";

/** Starts the product for the browser specs, which find its address and a default key in the environment. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await temporaryFolder();
  const env = { DATA_DIR: folder.path };
  const product = await startProduct({ env });
  const { stdout } = await runToEnd("account-create", ["--email", "owner@example.com"], { env });
  process.env.PRODUCT_URL = product.url;
  process.env.PRODUCT_KEY = JSON.parse(stdout).apikey;
  return async () => {
    await product.stop();
    await folder.remove();
  };
}
