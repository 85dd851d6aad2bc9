import { expect } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { test } from "./account";
import { delay, hold, loseAnswer } from "./hold";
import { GroupsPage } from "./pages/groups";
import { KeysPage } from "./pages/keys";
import { ModelsPage } from "./pages/models";
import { SecurityPage } from "./pages/security";
import { SettingsPage } from "./pages/settings";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("a change whose answer was lost is done when it is tried again, and can be undone", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const id = await account.newKey("one", { budget: 1 });
  const key = () => account.call("GET", `/v1/apikeys/${id}`);
  const keys = new KeysPage(page);
  const dialog = page.locator("dialog[open]");
  await keys.open();
  const pressTwice = async (procedure: string, button: string) => {
    await loseAnswer(page, `**/api/trpc/${procedure}`);
    await keys.press(button);
    await expect(dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
    await keys.press(button);
    await expect(dialog).toBeHidden();
  };

  await keys.choose("one", "Edit limits");
  await keys.fillLimit("Total budget", "2.50");
  await pressTwice("keys.setLimits", "Save limits");
  await keys.choose("one", "Move to group");
  await keys.chooseGroup("Research");
  await pressTwice("keys.move", "Move");
  await keys.choose("one", "Disable");
  await pressTwice("keys.disable", "Disable key");
  await keys.choose("one", "Enable");
  await pressTwice("keys.enable", "Enable key");
  await keys.choose("one", "Rename");
  await keys.fillName("two");
  await pressTwice("keys.rename", "Rename");
  expect(await key()).toMatchObject({ name: "two", group_id, budget: 2.5, status: "active" });
  await keys.news.getByRole("button", { name: "Undo" }).last().click();
  await expect(keys.news).toContainText("Undone.");
  expect((await key()).name).toBe("one");

  // What somebody else has changed after the lost answer is a conflict as ever.
  await keys.choose("one", "Rename");
  await keys.fillName("mine");
  await loseAnswer(page, "**/api/trpc/keys.rename**");
  await keys.press("Rename");
  await expect(dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await account.call("POST", `/v1/apikeys/${id}/rename`, { name: "theirs" });
  await keys.press("Rename");
  await expect(dialog.getByRole("alert")).toContainText("Changed meanwhile");
  await keys.press("Cancel");

  await keys.open();
  await keys.choose("theirs", "Revoke");
  await pressTwice("keys.revoke", "Revoke key");
  await expect(keys.names()).toHaveText(["default"]);
});

test("a price whose saving was not answered is saved when it is tried again", async ({ page, account }) => {
  await account.call("POST", "/v1/models", { models: [{ name: "own", input_price: 1, output_price: 2 }] });
  const models = new ModelsPage(page);
  await models.open("?source=account");
  await models.choose("own (This account, Always)", "Edit");
  await models.fill({ Input: "3.0" });
  await loseAnswer(page, "**/api/trpc/models.set**");
  await models.press("Save");
  await expect(models.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await models.press("Save");
  await expect(models.dialog).toBeHidden();
  await expect(models.rows("own")).toContainText("¥3");
  await expect(models.news).toContainText("Price of “\u2068own\u2069” changed.");
  await models.news.getByRole("button", { name: "Undo" }).click();
  await expect(models.rows("own")).toContainText("¥1");
});

test("an import that was not answered does not say that it changed nothing", async ({ page, account: _ }) => {
  const models = new ModelsPage(page);
  await models.open();
  await page.getByRole("button", { name: "Import" }).click();
  await models.fill({ "Or paste the text": "name,input_price,output_price\nowned,1,2\nown two,2,3" });
  await models.press("Preview");
  await expect(models.planned).toHaveCount(2);
  await loseAnswer(page, "**/api/trpc/models.import");
  await models.press("Apply 2 changes");
  await expect(models.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await expect(models.dialog).not.toContainText("Nothing has been changed");
  await models.press("Apply 2 changes");
  await expect(models.news).toContainText("Imported: 2 new, 0 changed, 0 deleted.");
  await models.news.getByRole("button", { name: "Undo" }).click();
  await expect(models.news).toContainText("Undone");
});

test("a group whose creation or deletion was not answered is created or deleted when it is tried again", async ({
  page,
  account,
}) => {
  await account.newGroup("Research");
  const groups = new GroupsPage(page);
  await groups.open();
  const refused = groups.dialog.getByRole("alert");
  await groups.startCreating();
  await groups.fill({ name: "Sales", description: "Two\nlines" });
  await loseAnswer(page, "**/api/trpc/groups.create**");
  await groups.press("Create group");
  await expect(refused).toHaveText("The server cannot be reached. Try again.");
  // A group that was there before is not taken for the one that was created.
  await groups.fill({ name: "Research" });
  await groups.press("Create group");
  await expect(refused).toHaveText("A group of this name already exists.");
  await groups.fill({ name: "Sales" });
  await groups.press("Create group");
  await expect(groups.dialog).toBeHidden();
  await expect(groups.news).toHaveText("Group “\u2068Sales\u2069” created.");
  await expect(groups.row("Sales")).toBeVisible();

  await groups.choose("Research", "Delete");
  await loseAnswer(page, "**/api/trpc/groups.delete**");
  await groups.press("Delete group");
  await expect(groups.question.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await groups.press("Delete group");
  await expect(groups.question).toBeHidden();
  await expect(groups.news).toContainText("Group “\u2068Research\u2069” deleted.");

  // On its own page the same, which then leads to the list.
  await groups.row("Sales").getByRole("link").click();
  await page.getByRole("main").getByRole("button", { name: "Delete" }).click();
  await loseAnswer(page, "**/api/trpc/groups.delete**");
  const gone = page.waitForResponse((response) => response.url().includes("groups.get") && response.status() === 404);
  await groups.press("Delete group");
  await gone;
  await groups.press("Delete group");
  await expect(groups.heading).toBeVisible();
  await expect(groups.news).toContainText("Group “\u2068Sales\u2069” deleted.");
});

test("a price whose deletion was not answered is deleted when it is tried again, and can be undone", async ({
  page,
  account,
}) => {
  await account.call("POST", "/v1/models", { models: [{ name: "own", input_price: 1, output_price: 2 }] });
  const models = new ModelsPage(page);
  await models.open("?source=account");
  await models.choose("own (This account, Always)", "Delete");
  await loseAnswer(page, "**/api/trpc/models.delete**");
  await models.press("Delete price");
  await expect(models.question.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await models.press("Delete price");
  await expect(models.question).toBeHidden();
  await expect(models.rows("own")).toBeHidden();
  await models.news.getByRole("button", { name: "Undo" }).click();
  await expect(models.rows("own")).toBeVisible();
});

test("an undoing whose answer was lost is told as done", async ({ page, account }) => {
  await account.call("POST", "/v1/models", { models: [{ name: "own", input_price: 1, output_price: 2 }] });
  await page.goto("/history");
  await page.getByRole("button", { name: "Undo" }).first().click();
  const dialog = page.getByRole("dialog");
  const undo = dialog.getByRole("button", { name: "Undo on one price" });
  await expect(undo).toBeEnabled();
  await loseAnswer(page, "**/api/trpc/history.revert**");
  await undo.click();
  await expect(dialog.getByRole("status")).toHaveText("The price is as it was before.");
  expect((await account.call("GET", "/v1/models?source=account")).total).toBe(0);
});

test("whoever gives up after a lost answer sees what was done", async ({ page, account }) => {
  await account.newGroup("Research");
  const groups = new GroupsPage(page);
  await groups.open();
  await groups.startCreating();
  await groups.fill({ name: "Sales" });
  await loseAnswer(page, "**/api/trpc/groups.create**");
  await groups.press("Create group");
  await expect(groups.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await groups.press("Cancel");
  await expect(groups.row("Sales")).toBeVisible();
});

test("a new value is shown while the list is still on its way", async ({ page, account }) => {
  await account.newKey("one");
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.row("one")).toBeVisible();
  const list = await hold(page, "**/api/trpc/keys.list**");
  await keys.startCreating();
  await keys.fillName("two");
  await keys.press("Create key");
  await list.asked;
  await keys.shownOnce.take();
  await keys.choose("one", "Rotate");
  await keys.press("Rotate key");
  await keys.shownOnce.take();
  list.release();
  await expect(keys.names()).toHaveText(["two", "one", "default"]);
});

test("a message undoes its change although the question for it was long on its way", async ({ page, account }) => {
  const id = await account.newKey("one");
  const name = async () => (await account.call("GET", `/v1/apikeys/${id}`)).name;
  const keys = new KeysPage(page);
  await keys.open();
  const rename = async (from: string, to: string) => {
    await keys.choose(from, "Rename");
    await keys.fillName(to);
    await keys.press("Rename");
    await expect(keys.row(to)).toBeVisible();
    await expect(keys.dialog).toBeHidden();
  };
  const undo = keys.news.getByRole("button", { name: "Undo" });
  await delay(page, "**/api/trpc/history.latest**", 4_000);
  await rename("one", "two");
  await undo.click();
  await expect(keys.news).toContainText("Undone.");
  expect(await name()).toBe("one");

  // Of two changes, that of the message is undone, or none.
  await rename("one", "two");
  await rename("two", "three");
  await undo.first().click();
  await expect(keys.news).toContainText("The change was not found.");
  expect(await name()).toBe("three");
});

test("ticked keys count as they are now", async ({ page, account }) => {
  await account.newGroup("Research");
  for (const name of ["one", "two", "three"]) await account.newKey(name);
  const keys = new KeysPage(page);
  await keys.open();
  await keys.tick("one", "two", "three");
  await keys.choose("one", "Revoke");
  await keys.press("Revoke key");
  await expect(keys.row("one")).toBeHidden();
  await keys.choose("two", "Move to group");
  await keys.chooseGroup("Research");
  await keys.press("Move");
  await expect(keys.row("two")).toContainText("Research");
  await expect(keys.question).toBeHidden();
  await keys.selection.getByRole("button", { name: "Move" }).click();
  // They are in different groups, so that no group is where they are already.
  await expect(keys.question.getByRole("button", { name: "Move", exact: true })).toBeEnabled();
  await keys.press("Cancel");
});

test("a dialog that deletes waits until its row is gone", async ({ page, account }) => {
  await account.newGroup("Research");
  await account.newGroup("Sales");
  const groups = new GroupsPage(page);
  await groups.open();
  await expect(groups.row("Sales")).toBeVisible();
  await delay(page, "**/api/trpc/groups.search**", 1_500);
  await groups.choose("Sales", "Delete");
  await groups.press("Delete group");
  await expect(groups.question).toBeHidden();
  expect(await groups.names()).toEqual(["Research"]);

  for (const name of ["own", "other"]) {
    await account.call("POST", "/v1/models", { models: [{ name, input_price: 1, output_price: 2 }] });
  }
  const models = new ModelsPage(page);
  await models.open("?source=account");
  await expect(models.rows("own")).toBeVisible();
  await delay(page, "**/api/trpc/models.list**", 1_500);
  await models.choose("own (This account, Always)", "Delete");
  await page.locator("dialog[open] footer").getByRole("button").last().click();
  await expect(models.question).toBeHidden();
  expect(await models.rows("own").count()).toBe(0);
});

test("of two languages that are chosen one after the other, the last one counts", async ({ page, account }) => {
  const settings = new SettingsPage(page);
  await settings.open();
  let calls = 0;
  const saved: string[] = [];
  await page.route("**/api/trpc/accounts.updateSettings", async (route) => {
    calls++;
    if (calls === 1) await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.fulfill({ response: await route.fetch() });
    saved.push(route.request().postDataJSON().language);
  });
  const asked = page.waitForRequest("**/api/trpc/accounts.updateSettings");
  await settings.choose("Language", "简体中文");
  await asked;
  await settings.choose("Language", "English");
  await expect.poll(() => saved.length).toBe(2);
  expect(saved).toEqual(["zh-CN", "en"]);
  await settings.expectHeading("Settings");
  expect((await account.call("GET", "/v1/account")).language).toBe("en");
});

test("what is typed while a zone or an address is saved stays", async ({ page, account: _ }) => {
  const settings = new SettingsPage(page);
  await settings.open();
  const saving = await hold(page, "**/api/trpc/accounts.updateSettings");
  await settings.zone.fill("Asia/Tokyo");
  await page.keyboard.press("Enter");
  await saving.asked;
  await settings.zone.fill("Europe/Paris");
  saving.release();
  await expect(settings.news).toContainText("The time zone is Asia/Tokyo now.");
  await expect(settings.zone).toHaveValue("Europe/Paris");

  const address = page.getByRole("textbox", { name: "Address of the gateway" });
  await address.fill("https://one.example.com/v1/");
  const again = await hold(page, "**/api/trpc/accounts.updateSettings");
  await page.keyboard.press("Enter");
  await again.asked;
  await address.fill("https://two.example.com/v1");
  again.release();
  await expect(settings.news).toContainText("https://one.example.com/v1");
  await expect(address).toHaveValue("https://two.example.com/v1");
  await page.locator("#gateway").getByRole("button", { name: "Save" }).click();
  await expect(settings.news).toContainText("https://two.example.com/v1");
});

test("of two browsers that are signed out at once, the one that stays is told", async ({ page, account, browser }) => {
  const others = [await browser.newContext(), await browser.newContext()];
  for (const each of others) await account.signIn(each);
  const security = new SecurityPage(page);
  await security.open();
  await expect(security.sessions.getByRole("listitem")).toHaveCount(3);
  let calls = 0;
  const isFirstLost = deferred<void>();
  await page.route("**/api/trpc/accounts.revokeSession**", async (route) => {
    calls++;
    if (calls === 1) {
      await isFirstLost.promise;
      return route.abort();
    }
    await route.continue();
    isFirstLost.resolve();
  });
  const buttons = security.sessions.getByRole("button", { name: /^Sign out(?! all)/ });
  await buttons.first().click();
  await buttons.last().click();
  await expect(security.sessions.getByRole("alert")).toContainText("The server cannot be reached.");
  await expect(security.sessions.getByRole("listitem")).toHaveCount(2);
  await security.sessions.getByRole("button", { name: "Try again" }).click();
  await expect(security.sessions.getByRole("listitem")).toHaveCount(1);
  for (const each of others) await each.close();
});

test("whoever presses Next again and again gets the next page, and Back leads to the first", async ({
  page,
  account,
}) => {
  await account.addKeys(160);
  const keys = new KeysPage(page);
  await keys.open();
  const pager = page.getByRole("navigation", { name: "Pages" });
  await expect(pager).toContainText("1–50 of 161");
  const list = await hold(page, "**/api/trpc/keys.list**");
  const next = pager.getByRole("button", { name: "Next" });
  await next.click();
  await list.asked;
  await next.click();
  await next.click();
  list.release();
  await expect(pager).toContainText("51–100 of 161");
  await page.goBack();
  await expect(pager).toContainText("1–50 of 161");
});

test("Enter chooses a group also when it is pressed before the groups that match are there", async ({
  page,
  account,
}) => {
  await account.newGroup("Research");
  await account.newGroup("Sales");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.startCreating();
  await keys.fillName("one");
  const group = keys.dialog.getByRole("combobox", { name: "Group" });
  const names = await hold(page, "**/api/trpc/groups.names**");
  await group.click();
  await names.asked;
  await group.fill("sal");
  await page.keyboard.press("Enter");
  await expect(keys.dialog).toBeVisible();
  names.release();
  await expect(group).toHaveValue("Sales");
  await expect(group).toHaveAttribute("aria-expanded", "false");
  await keys.press("Create key");
  await keys.shownOnce.take();
  await expect(keys.row("one")).toContainText("Sales");
});

test("a menu of a row that leaves the list is closed, and stays closed when the row comes back", async ({
  page,
  account,
}) => {
  for (const name of ["one", "two"]) await account.newKey(name);
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.row("one")).toBeVisible();
  const list = await hold(page, "**/api/trpc/keys.list**");
  await keys.search("two");
  await list.asked;
  await page.getByRole("button", { name: "Actions for one", exact: true }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  list.release();
  await expect(keys.names()).toHaveText(["two"]);
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();
  await keys.search("");
  await expect(keys.row("one")).toBeVisible();
  await expect(page.getByRole("menu")).toBeHidden();
});
