import { expect } from "playwright/test";
import { dataFolder } from "../data-folder";
import { type Product, startProduct, type TemporaryFolder } from "../product";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";

test.describe("the first account", () => {
  test.use({ timezoneId: "America/Lima" });
  let product: Product;
  let folder: TemporaryFolder;
  test.beforeAll(async () => {
    folder = await dataFolder();
    product = await startProduct({ env: { DATA_DIR: folder.path } });
  });
  test.afterAll(async () => {
    await product.stop();
    await folder.remove();
  });

  test("is made with the printed link, whose default key is shown once", async ({ page }) => {
    await expect.poll(() => product.output()).toMatch(/set-up\?token=/);
    const link = /http:\S+\/set-up\?token=\S+/.exec(product.output())?.[0] ?? "";
    const fill = async (password: string) => {
      await page.getByLabel("Email").fill("owner@example.com");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Create account" }).click();
    };
    const isSpent = async (address: string) => {
      await page.goto(address);
      await expect(page.getByText(/^This link is wrong, used or out of date\./)).toBeVisible();
      await expect(page.getByLabel("Email")).toBeHidden();
    };
    await isSpent(`${product.url}/set-up?token=wrong`);
    await expectFitForAll(page);

    await page.goto(link);
    await expect(page.getByLabel("Zone")).toHaveValue("America/Lima");
    await fill("short");
    await expect(page.getByText("Enter at least 12 characters.")).toBeVisible();
    await expectFitForAll(page);
    await page.getByLabel("Password").fill("a long password");
    await page.getByText("简体中文").click();
    await expect(page.getByRole("heading", { level: 1, name: "设置 Allowance" })).toBeVisible();
    await expect(page.getByLabel("邮箱")).toHaveValue("owner@example.com");
    await page.getByText("English").click();
    await page.getByLabel("Zone").fill("Mars");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByText("Choose a zone from the list, for example Asia/Shanghai.")).toBeVisible();
    await page.getByRole("button", { name: "Use this browser's zone, America/Lima" }).click();
    await page.getByRole("button", { name: "Create account" }).dblclick();
    const dialog = page.getByRole("dialog", { name: "Your account is ready" });
    await expect(dialog).toContainText(/sk-[0-9A-Za-z]{45}/);
    await expectFitForAll(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.getByRole("button", { name: "Close anyway" }).click();
    await expect(page).toHaveURL(`${product.url}/overview`);
    await page.goto(`${product.url}/settings`);
    await expect(page.getByRole("combobox", { name: "Zone" })).toHaveValue("America/Lima");
    await expect(page.getByRole("radio", { name: "English" })).toBeChecked();

    await page.context().clearCookies();
    await isSpent(link);
  });
});
