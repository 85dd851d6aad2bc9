import { expect, test } from "playwright/test";
import { startProduct, temporaryFolder } from "../product";

// Next.js allows one process in development mode for each checkout: stop `npm run dev` before you run this.
test("npm run dev serves the API and a page, and tells the browser of changes on the same port", async ({ page }) => {
  // The first request compiles the page.
  test.setTimeout(180_000);
  const folder = await temporaryFolder();
  const env = { DATA_DIR: folder.path, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" };
  const product = await startProduct({ env }, "dev");
  try {
    expect((await fetch(`${product.url}/v1/apikeys`)).status).toBe(401);
    const connected = new Promise<string>((resolve) => {
      page.on("websocket", (socket) => socket.on("framereceived", () => resolve(socket.url())));
    });
    const response = await page.goto(`${product.url}/sign-in`, { timeout: 0 });
    expect(response?.status()).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(new URL(await connected).host).toBe(new URL(product.url).host);
    expect(await product.stop()).toBe(0);
  } finally {
    await product.stop();
    await folder.remove();
  }
});
