import type { Page } from "playwright/test";
import { expect } from "playwright/test";
import { totpCode } from "../browser";
import { test } from "./account";
import { expectCopied } from "./copied";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { BulkCreateDialog } from "./pages/bulk-create";
import { KeysPage } from "./pages/keys";
import { SecurityPage } from "./pages/security";

const historyLength = (page: Page) => page.evaluate(() => history.length);

/** Whether the entry of the history is the one that the page has added, so that Back does not leave the page. */
const isBackGuarded = (page: Page) => page.evaluate(() => history.state?.isBackGuard ?? false);

/** Opens the page of keys from the page of groups, to which Back leads. */
async function openKeysAfterGroups(page: Page): Promise<void> {
  await page.goto("/groups");
  await page.getByRole("navigation").getByRole("link", { name: "Keys" }).first().click();
}

/** Creates a key on the page of keys, after the page of groups was open. */
async function createAfterGroups(page: Page): Promise<{ keys: KeysPage; value: string; length: number }> {
  const keys = new KeysPage(page);
  await openKeysAfterGroups(page);
  await expect(keys.names()).toHaveText(["default"]);
  const length = await historyLength(page);
  await keys.startCreating();
  await keys.fillName("gateway");
  await keys.press("Create key");
  await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
  await expect.poll(() => historyLength(page)).toBe(length + 1);
  return { keys, value: await keys.shownOnce.value(), length };
}

test("Back asks before the key is lost, each time; the answer counts", async ({ page, account }) => {
  const { keys, value } = await createAfterGroups(page);
  for (let i = 0; i < 2; i++) {
    await page.goBack();
    await expect(keys.shownOnce.dialog).toContainText("The key has not been copied");
    expect(await keys.shownOnce.value()).toBe(value);
    await keys.shownOnce.press("Keep it open");
    await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
  }
  await page.goBack();
  await keys.shownOnce.press("Leave without it");
  await expect(page).toHaveURL(/\/groups$/);
  await expect(page.getByRole("heading", { name: "Groups", level: 1 })).toBeVisible();
  expect((await account.call("GET", "/v1/apikeys?search=gateway")).total).toBe(1);
});

/** Whether the page asks before it is left for another document. */
const asksBeforeUnload = (page: Page) =>
  page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));

/** Presses Back, and resolves when the page is where it was before. */
async function goBackAndStay(page: Page): Promise<void> {
  await expect.poll(() => isBackGuarded(page)).toBe(true);
  await page.goBack();
  await expect.poll(() => isBackGuarded(page)).toBe(true);
  expect(await asksBeforeUnload(page)).toBe(true);
}

test("while a new key is on its way, Back and reloading do not lose it", async ({ page, account: _owner }) => {
  const keys = new KeysPage(page);
  await openKeysAfterGroups(page);
  await expect(keys.names()).toHaveText(["default"]);
  await keys.startCreating();
  await keys.fillName("gateway");
  expect(await asksBeforeUnload(page)).toBe(false);
  const creation = await hold(page, "**/api/trpc/keys.create**");
  await keys.press("Create key");
  await creation.asked;
  await goBackAndStay(page);
  creation.release();
  await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await keys.shownOnce.take();
  await expect.poll(() => isBackGuarded(page)).toBe(false);
  expect(await asksBeforeUnload(page)).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL(/\/groups$/);
});

test("a new key is shown under its own name, not under one that was typed while it was on its way", async ({
  page,
  account: _owner,
}) => {
  const keys = new KeysPage(page);
  await keys.open();
  await keys.startCreating();
  await keys.fillName("gateway");
  const creation = await hold(page, "**/api/trpc/keys.create**");
  await keys.press("Create key");
  await creation.asked;
  await keys.fillName("another");
  creation.release();
  await expect(keys.shownOnce.dialog.getByRole("heading", { level: 2 })).toContainText("“gateway”");
});

test("while the new value of a key is on its way, Back and reloading do not lose it", async ({ page, account }) => {
  await account.newKey("gateway");
  const keys = new KeysPage(page);
  await openKeysAfterGroups(page);
  await keys.choose("gateway", "Rotate");
  const rotation = await hold(page, "**/api/trpc/keys.rotate**");
  await keys.press("Rotate key");
  await rotation.asked;
  await goBackAndStay(page);
  rotation.release();
  await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
});

test("while many new keys are on their way, Back and reloading do not lose them", async ({ page, account: _owner }) => {
  const bulk = new BulkCreateDialog(page);
  await openKeysAfterGroups(page);
  await bulk.open();
  await bulk.fill("Names, one a line", "one\ntwo");
  await bulk.press("Preview");
  const creation = await hold(page, "**/api/trpc/keys.createMany**");
  await bulk.press("Create 2 keys");
  await creation.asked;
  await goBackAndStay(page);
  creation.release();
  await expect(bulk.dialog).toContainText("2 keys created");
});

test("while new backup codes are on their way, Back and reloading do not lose them", async ({ page, account }) => {
  const security = new SecurityPage(page);
  await page.goto("/groups");
  await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
  const secret = await security.startSecondFactor(account.password);
  await security.dialog.getByLabel("Code of the app").fill(totpCode(secret));
  const proof = await hold(page, "**/api/auth/two-factor/verify-totp");
  await security.press("Turn on");
  await proof.asked;
  await goBackAndStay(page);
  proof.release();
  await expect(security.dialog.getByRole("group", { name: "Backup codes" })).toBeVisible();
});

test("where the browser refuses to copy, the dialog says so until a copy succeeds", async ({
  page,
  account: _owner,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("refused")) } });
    document.execCommand = () => false;
  });
  const { keys } = await createAfterGroups(page);
  const copy = keys.shownOnce.dialog.getByRole("button", { name: "Copy", exact: true }).first();
  await copy.click();
  const status = keys.shownOnce.dialog.getByRole("group", { name: "Key", exact: true }).getByRole("status");
  await expect(status).toHaveText("Copying failed. Select the text and copy it yourself.");
  expect((await status.boundingBox())?.height).toBeGreaterThan(12);
  await expectFitForAll(page);
  await page.evaluate(() => {
    document.execCommand = () => true;
  });
  await expectCopied(page, () => copy.click());
});

test("closing leaves no entry that Back would stop at", async ({ page, account: _owner }) => {
  const { keys, length } = await createAfterGroups(page);
  await keys.shownOnce.press("Done");
  await keys.shownOnce.press("Close anyway");
  await expect(keys.shownOnce.dialog).toBeHidden();
  await keys.row("gateway").getByRole("link", { name: "gateway" }).click();
  await expect(page.getByRole("heading", { name: "gateway", level: 1 })).toBeVisible();
  expect(await historyLength(page)).toBe(length + 1);
  await page.goBack();
  await expect(keys.row("gateway")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/groups$/);
});

test("once the key is copied, Back leaves at once", async ({ page, account: _owner }) => {
  const { keys, value } = await createAfterGroups(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  expect(await keys.shownOnce.copy()).toBe(value);
  await expect.poll(() => isBackGuarded(page)).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL(/\/groups$/);
  await page.goForward();
  await expect(keys.names()).toHaveText(["gateway", "default"]);
  await expect(keys.shownOnce.dialog).toBeHidden();
});

test("where there is no page before, leaving closes the dialog", async ({ page, account: _owner }) => {
  await page.goto("/keys");
  // A tab of its own, which begins with the page of keys.
  const opening = page.context().waitForEvent("page");
  await page.evaluate(() => window.open("/keys", "_blank", "noopener"));
  const tab = await opening;
  const keys = new KeysPage(tab);
  await expect(keys.names()).toHaveText(["default"]);
  await keys.startCreating();
  await keys.fillName("gateway");
  await keys.press("Create key");
  await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
  await expect.poll(() => historyLength(tab)).toBe(2);
  await tab.goBack();
  await keys.shownOnce.press("Leave without it");
  await expect(keys.shownOnce.dialog).toBeHidden();
  await expect(keys.names()).toHaveText(["gateway", "default"]);
});
