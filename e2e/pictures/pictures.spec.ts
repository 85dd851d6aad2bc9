import { join } from "node:path";
import { expect, type Page, test } from "playwright/test";
import { Browser } from "../browser";
import { BatchLimitsDialog } from "../dashboard/pages/batch-limits";
import { type Product, runToEnd, startProduct, temporaryFolder } from "../product";

const SIZE = { keys: "1000", groups: "24" };

test.use({ viewport: { width: 1440, height: 860 }, deviceScaleFactor: 1.5, colorScheme: "light", locale: "en-US" });
test.describe.configure({ mode: "serial" });

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let product: Product;
let cookies: { name: string; value: string; url: string }[];

test.beforeAll(async () => {
  folder = await temporaryFolder();
  const env = { DATA_DIR: folder.path };
  product = await startProduct({ env });
  const { stdout } = await runToEnd("seed", ["--keys", SIZE.keys, "--groups", SIZE.groups], { env });
  const { email, password } = JSON.parse(stdout);
  const browser = new Browser(product.url);
  expect((await browser.signIn(email, password)).status).toBe(200);
  cookies = [...browser.cookies].map(([name, value]) => ({ name, value, url: product.url }));
});

test.afterAll(async () => {
  await product.stop();
  await folder.remove();
});

test.beforeEach(({ context }) => context.addCookies(cookies));

async function take(page: Page, name: string) {
  // Nothing is drawn as under the pointer.
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(import.meta.dirname, `${name}.png`), animations: "disabled" });
}

test("overview", async ({ page }) => {
  await page.goto(`${product.url}/overview`);
  await page.getByRole("button", { name: "Hide" }).click();
  await expect(page.getByRole("slider", { name: /^Spend per day/ })).toBeVisible();
  await take(page, "overview");
});

test("keys", async ({ page }) => {
  await page.goto(`${product.url}/keys?sort=spent`);
  await expect(page.getByRole("row")).toHaveCount(51);
  await take(page, "keys");
});

test("usage by model", async ({ page }) => {
  await page.goto(`${product.url}/usage?by=model&range=30`);
  await expect(page.getByRole("slider", { name: /^Spend per day/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /^example\// }).first()).toBeVisible();
  await take(page, "usage-by-model");
});

test("a key that is shown once", async ({ page }) => {
  await page.goto(`${product.url}/keys`);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("production gateway");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("You won't see this key again")).toBeVisible();
  await take(page, "shown-once");
});

test("limits of a group, before they are set", async ({ page }) => {
  await page.goto(`${product.url}/groups`);
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("button", { name: "Set limits for all keys" }).first().click();
  const limits = new BatchLimitsDialog(page);
  await limits.set("Per day", "80");
  await limits.set("Total budget", "2000");
  await limits.preview();
  await take(page, "batch-preview");
});
