import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { KeysPage } from "./pages/keys";
import { signInInNewTab } from "./pages/sign-in";

test("a session that ends before a link to the settings is followed: it is told, and they come after signing in", async ({
  page,
  account,
}) => {
  await new KeysPage(page).open();
  await account.endSessions();
  await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Your session has ended.");
  const { page: tab } = await signInInNewTab(page.getByRole("link", { name: "Sign in (new tab)" }), account);
  await expect(tab.getByRole("heading", { name: "Time zone" })).toBeVisible();
  await tab.close();
  await expect(page.getByRole("heading", { name: "Time zone" })).toBeVisible();
});

test("a session that ends in mid-edit: what was typed stays, and is saved after signing in again", async ({
  page,
  account,
}) => {
  const id = await account.newKey("one");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("one", "Edit limits");
  await keys.fillLimit("Total budget", "7.5");
  await account.endSessions();
  await keys.press("Save limits");
  await expect(keys.dialog.getByRole("alert")).toContainText("Your session has ended.");
  await expectFitForAll(page);

  const { page: tab } = await signInInNewTab(keys.dialog.getByRole("link", { name: "Sign in (new tab)" }), account);
  await expect(new KeysPage(tab).heading).toBeVisible();
  await tab.close();

  await expect(keys.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("7.5");
  await keys.press("Save limits");
  await expect(keys.dialog).toBeHidden();
  await expect(keys.row("one")).toContainText("¥7.50");
  expect((await account.call("GET", `/v1/apikeys/${id}`)).budget).toBe(7.5);
});

test("a session that ends before an export: it is told, and the file comes after signing in again", async ({
  page,
  account,
}) => {
  for (const [path, name] of [
    ["/keys", "Export CSV"],
    ["/history", "Export JSON lines"],
  ] as const) {
    await page.goto(path);
    const link = page.getByRole("link", { name });
    await expect(link).toBeVisible();
    await account.endSessions();
    await link.click();
    const news = page.getByRole("region", { name: "News" });
    await expect(news).toContainText("Your session has ended.");
    await expect(page).toHaveURL(path);

    const { page: tab } = await signInInNewTab(news.getByRole("button", { name: "Sign in (new tab)" }), account);
    await expect(tab).toHaveURL(path);
    await tab.close();

    const downloading = page.waitForEvent("download");
    await link.click();
    expect((await downloading).suggestedFilename()).toMatch(/\.(csv|jsonl)$/);
  }
});
