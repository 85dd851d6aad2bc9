import { expect } from "playwright/test";
import { totpCode } from "../browser";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { GroupPage } from "./pages/group";
import { KeysPage } from "./pages/keys";
import { ModelsPage } from "./pages/models";
import { addAuthenticator, SecurityPage } from "./pages/security";
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

test("a session that ends while a dialog is open: what was typed is done after signing in again", async ({
  page,
  account,
}) => {
  const group_id = await account.newGroup("Research");
  await account.call("POST", "/v1/models", { models: [{ name: "own", input_price: 1, output_price: 2 }] });
  const dialog = page.locator("dialog[open]");
  const news = page.getByRole("region", { name: "News" });
  const submit = () => dialog.locator("footer").getByRole("button").last().click();
  /** Submits twice, before and after signing in again. */
  const end = async () => {
    await account.endSessions();
    await submit();
    await expect(dialog.getByRole("alert")).toContainText("Your session has ended. What you typed is still here");
    const link = dialog.getByRole("link", { name: "Sign in (new tab)" });
    const { page: tab } = await signInInNewTab(link, account);
    await expect(tab).toHaveURL(new URL(page.url()).pathname);
    await tab.close();
    await submit();
  };
  const models = new ModelsPage(page);
  await models.open("?source=account");
  await page.getByRole("button", { name: "Add price" }).click();
  await models.fill({ Model: "new", Input: "1", Output: "2" });
  await end();
  await expect(news).toContainText("Price of “\u2068new\u2069” added.");
  await models.choose("own (This account, Always)", "Delete");
  await end();
  await expect(news).toContainText("Price of “\u2068own\u2069” deleted.");
  await page.getByRole("button", { name: "Import" }).click();
  await models.fill({ "Or paste the text": "name,input_price,output_price\nimported,1,2" });
  await end();
  await expect(models.planned).toHaveCount(1);
  await end();
  await expect(news).toContainText("Imported: 1 new");

  const group = new GroupPage(page);
  await group.open(group_id);
  await group.startChangingDefaults();
  await group.keys.fillLimit("Total budget", "5");
  await end();
  await expect(group.defaults).toContainText("¥5");

  await addAuthenticator(page);
  const security = new SecurityPage(page);
  await security.open();
  await security.passkeys.getByRole("button", { name: "Add passkey" }).click();
  await dialog.getByLabel("Name").fill("Laptop");
  await end();
  await expect(news).toContainText("Passkey “\u2068Laptop\u2069” added.");
  await security.secondFactor.getByRole("button", { name: "Set up" }).click();
  await dialog.getByLabel("Password").fill(account.password);
  await end();
  const secret = await dialog.getByRole("group", { name: "Secret" }).locator("code").textContent();
  await dialog.getByLabel("Code of the app").fill(totpCode(secret ?? ""));
  await end();
  await expect(dialog.getByRole("group", { name: "Backup codes" })).toBeVisible();
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
