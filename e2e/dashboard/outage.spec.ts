import { expect, type Page } from "playwright/test";
import { type Account, newAccount, test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { OwnProduct } from "./own-product";
import { KeysPage } from "./pages/keys";

// They stop and start one product.
test.describe.configure({ mode: "default" });
test.slow();
test.use({ permissions: ["clipboard-read", "clipboard-write"] });

let product: OwnProduct;
let account: Account;
test.beforeAll(async () => {
  product = await OwnProduct.start();
});
test.afterAll(() => product.remove());
test.beforeEach(async ({ context }) => {
  account = await newAccount(product);
  await account.signIn(context);
});

const open = async (page: Page) => {
  const keys = new KeysPage(page);
  await page.goto(`${product.url}/keys`);
  await expect(keys.heading).toBeVisible();
  return keys;
};
const limitOf = async (id: string) => (await account.call("GET", `/v1/apikeys/${id}`)).budget;

test("the server goes while limits are edited: it is told, what was typed stays, and works after", async ({ page }) => {
  const id = await account.newKey("one");
  const keys = await open(page);
  await keys.choose("one", "Edit limits");
  await keys.fillLimit("Total budget", "7.5");
  await product.stopServer();
  await keys.press("Save limits");
  await expect(keys.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await expect(keys.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("7.5");
  await product.startServer();
  await keys.press("Save limits");
  await expect(keys.dialog).toBeHidden();
  await expect(keys.row("one")).toContainText("¥7.50");
  expect(await limitOf(id)).toBe(7.5);
});

test("the server goes while a key is created: trying again makes one key", async ({ page }) => {
  const keys = await open(page);
  await keys.startCreating();
  await keys.fillName("kept");
  await keys.fillLimit("Per day", "3");
  await product.stopServer();
  await keys.press("Create key");
  await expect(keys.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await expect(keys.dialog.getByRole("textbox", { name: "Name" })).toHaveValue("kept");
  await product.startServer();
  await keys.press("Create key");
  await keys.shownOnce.take();
  expect((await account.call("GET", "/v1/apikeys")).data.map(({ name }: { name: string }) => name)).toEqual([
    "kept",
    "default",
  ]);
});

test("the database goes: the server says so, pages too, and come back by themselves", async ({ page }) => {
  const id = await account.newKey("one");
  const keys = await open(page);
  await keys.choose("one", "Edit limits");
  await keys.fillLimit("Total budget", "9");
  await product.stopDatabase();
  try {
    await keys.press("Save limits");
    await expect(keys.dialog.getByRole("alert")).toHaveText(
      "The database cannot be reached or is too busy. Try again later.",
    );
    await expect(keys.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("9");

    expect((await page.goto(`${product.url}/keys?q=one`))?.status()).toBe(503);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("The database cannot be reached");
    await expectFitForAll(page);
  } finally {
    await product.startDatabase();
  }
  await expect(keys.heading).toBeVisible();
  await expect(keys.names()).toHaveText(["one"]);
  await keys.choose("one", "Edit limits");
  await keys.fillLimit("Total budget", "9");
  await keys.press("Save limits");
  await expect(keys.row("one")).toContainText("¥9");
  expect(await limitOf(id)).toBe(9);
});

test("the server goes too while a page waits for the database: it goes on trying, and shows that it does", async ({
  page,
}) => {
  const keys = await open(page);
  const heading = page.getByRole("heading", { level: 1 });
  await product.stopDatabase();
  try {
    await page.reload();
    await expect(heading).toHaveText("The database cannot be reached");
    const { release } = await hold(page, "**/api/trpc/accounts.me");
    const retry = page.getByRole("button", { name: "Try again" });
    await retry.click();
    await expect(retry).toHaveAttribute("aria-disabled", "true");
    release();
    await expect(retry).not.toHaveAttribute("aria-disabled");
    const failing = page.waitForEvent("requestfailed");
    await product.stopServer();
    await failing;
    await expect(heading).toHaveText("The database cannot be reached");
  } finally {
    await product.startDatabase();
  }
  await product.startServer();
  await expect(keys.heading).toBeVisible();
});

test("the database goes before a link to the settings is followed: it is told, and they come by themselves", async ({
  page,
}) => {
  await open(page);
  await product.stopDatabase();
  try {
    await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
    await expect(page.getByRole("main").getByRole("alert")).toContainText("The database cannot be reached");
    await expectFitForAll(page);
  } finally {
    await product.startDatabase();
  }
  await expect(page.getByRole("heading", { name: "Time zone" })).toBeVisible();
});
