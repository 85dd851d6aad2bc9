import { expect, type Page } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold, loseAnswer } from "./hold";
import { KeysPage } from "./pages/keys";
import { Palette } from "./pages/palette";

const menuOf = async (page: Page, name: string) => {
  await page.getByRole("button", { name, exact: true }).click();
  return page.getByRole("menu", { name });
};

test("where the saved filters cannot be read, the menu says so, and has them after trying again", async ({
  page,
  account,
}) => {
  await account.call("POST", "/v1/saved_filters", { name: "Not in use", keys: { status: "disabled" } });
  const list = "**/api/trpc/savedFilters.list**";
  await page.goto("/groups");
  await page.waitForLoadState("load");
  await page.route(list, (route) => route.abort());
  await page.getByRole("navigation").getByRole("link", { name: "Keys" }).first().click();
  const menu = await menuOf(page, "Saved filters");
  const again = menu.getByRole("menuitem", { name: "The saved filters could not be read. Try again" });
  await expect(again).toBeVisible();
  await page.unroute(list);
  await again.click();
  await expect((await menuOf(page, "Saved filters")).getByRole("menuitem", { name: "Not in use" })).toBeVisible();
});

test("saved filters that come late are announced in the menu, and leave the focus where it is", async ({
  page,
  account,
}) => {
  await account.call("POST", "/v1/saved_filters", { name: "Not in use", keys: { status: "disabled" } });
  await page.goto("/groups");
  await page.waitForLoadState("load");
  const reading = await hold(page, "**/api/trpc/savedFilters.list**");
  await page.getByRole("navigation").getByRole("link", { name: "Keys" }).first().click();
  await reading.asked;
  const menu = await menuOf(page, "Saved filters");
  const save = menu.getByRole("menuitem", { name: "Save this filter…" });
  await expect(save).toBeFocused();
  await expect(menu.getByRole("menuitem", { name: "Reading the saved filters…" })).toBeVisible();
  reading.release();
  await expect(menu.getByRole("menuitem", { name: "Not in use" })).toBeVisible();
  await expect(save).toBeFocused();
});

test("a saved filter whose saving or deletion was not answered is saved or deleted when it is tried again", async ({
  page,
  account: _,
}) => {
  const keys = new KeysPage(page);
  const choose = async (item: string) =>
    (await menuOf(page, "Saved filters")).getByRole("menuitem", { name: item }).click();
  const dialog = page.locator("dialog[open]");
  await keys.open("?status=active&q=50%20%25");
  await choose("Save this filter…");
  await dialog.getByLabel("Name").fill("mine");
  await loseAnswer(page, "**/api/trpc/savedFilters.create**");
  await keys.press("Save filter");
  await expect(dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await keys.press("Save filter");
  await expect(dialog).toBeHidden();
  await expect(keys.news).toHaveText("Filter “\u2068mine\u2069” saved.");

  // Another filter under this name is not taken for it.
  await keys.open("?status=disabled");
  await choose("Save this filter…");
  await dialog.getByLabel("Name").fill("mine");
  await page.route("**/api/trpc/savedFilters.create**", (route) => route.abort(), { times: 1 });
  await keys.press("Save filter");
  await expect(dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await keys.press("Save filter");
  await expect(dialog.getByRole("alert")).toHaveText("A saved filter of this name already exists.");
  await keys.press("Cancel");

  await choose("Rename or delete…");
  await dialog.getByRole("button", { name: "Delete mine" }).click();
  await loseAnswer(page, "**/api/trpc/savedFilters.delete**");
  await keys.press("Delete filter");
  await expect(dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await keys.press("Delete filter");
  await expect(keys.news).toHaveText("Filter “\u2068mine\u2069” deleted.");
});

test("a filter and an order get a name, and are back with one choice", async ({ page, account }) => {
  const off = await account.newKey("switched off");
  await account.newKey("works");
  await account.call("POST", `/v1/apikeys/${off}/disable`, {});
  const keys = new KeysPage(page);
  await keys.open("?status=disabled&sort=name&order=asc");
  await page.waitForLoadState("load");

  await (await menuOf(page, "Saved filters")).getByRole("menuitem", { name: "Save this filter…" }).click();
  await keys.fillName("Not in use");
  await expectFitForAll(page);
  await keys.press("Save filter");
  await expect(keys.news).toContainText("Filter “\u2068Not in use\u2069” saved.");
  await (await menuOf(page, "Saved filters")).getByRole("menuitem", { name: "Save this filter…" }).click();
  await keys.fillName("Not in use");
  await keys.press("Save filter");
  await expect(keys.dialog.getByRole("alert")).toHaveText("A saved filter of this name already exists.");
  await keys.press("Cancel");
  expect((await account.call("GET", "/v1/saved_filters")).data).toMatchObject([
    { name: "Not in use", keys: { status: "disabled", sort: "name", order: "asc" }, history: null },
  ]);

  await keys.open();
  await page.waitForLoadState("load");
  await (await menuOf(page, "Saved filters")).getByRole("menuitem", { name: "Not in use" }).click();
  await expect(page).toHaveURL(/status=disabled/);
  await expect(keys.names()).toHaveText(["switched off"]);

  const menu = await menuOf(page, "Saved filters");
  await expect(menu.getByRole("menuitem", { name: "Not in use" })).toHaveAttribute("aria-current", "page");
  await menu.getByRole("menuitem", { name: "Rename or delete…" }).click();
  await keys.dialog.getByRole("button", { name: "Rename Not in use" }).click();
  await keys.fillName("Idle");
  await keys.press("Rename");
  await expect(keys.dialog.getByRole("listitem")).toContainText("Idle");
  await expectFitForAll(page);
  await keys.press("Done");

  await page.goto("/history");
  await page.waitForLoadState("load");
  const palette = new Palette(page);
  await palette.open();
  await page.keyboard.type("idle");
  await expect(palette.selected).toHaveText("Idle");
  await page.keyboard.press("Enter");
  await expect(keys.names()).toHaveText(["switched off"]);

  await (await menuOf(page, "Saved filters")).getByRole("menuitem", { name: "Rename or delete…" }).click();
  await keys.dialog.getByRole("button", { name: "Delete Idle" }).click();
  await keys.press("Delete filter");
  await expect(keys.dialog).toContainText("No filter is saved.");
  expect((await account.call("GET", "/v1/saved_filters")).data).toEqual([]);
});

test("a filter of the last days says which days it keeps", async ({ page, account }) => {
  await page.goto("/history?range=7");
  await page.waitForLoadState("load");
  await (await menuOf(page, "Saved filters")).getByRole("menuitem", { name: "Save this filter…" }).click();
  const keys = new KeysPage(page);
  await keys.fillName("A week");
  await expect(keys.dialog).toContainText(
    /The days stay \w{3} \d+, \d{4} to \w{3} \d+, \d{4}\. They do not move with today\./,
  );
  await keys.press("Save filter");
  await expect(keys.dialog).toBeHidden();
  const { data } = await account.call("GET", "/v1/saved_filters");
  expect(Object.keys(data[0].history)).toEqual(["from", "to"]);
});

test("filters of the history are its own, in Chinese", async ({ page, context, account, baseURL }) => {
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await account.newKey("网关");
  await account.call("POST", "/v1/saved_filters", { name: "只看密钥", keys: { status: "active" } });
  await page.goto("/history?action=key.created");
  await page.waitForLoadState("load");
  const menu = await menuOf(page, "已存筛选");
  await expect(menu.getByRole("menuitem")).toHaveText(["保存当前筛选…"]);
  await menu.getByRole("menuitem", { name: "保存当前筛选…" }).click();
  const { dialog } = new KeysPage(page);
  await dialog.getByLabel("名称").fill("新密钥");
  await expectFitForAll(page);
  await dialog.getByRole("button", { name: "保存筛选" }).click();
  await expect(dialog).toBeHidden();
  await page.goto("/history");
  await page.waitForLoadState("load");
  await (await menuOf(page, "已存筛选")).getByRole("menuitem", { name: "新密钥" }).click();
  await expect(page).toHaveURL(/\/history\?action=key\.created$/);
});

test("after a saved filter is renamed, or is not, the focus is where it was, and what is done is said", async ({
  page,
  account,
}) => {
  for (const name of ["First", "Second"]) await account.call("POST", "/v1/saved_filters", { name, keys: {} });
  const keys = new KeysPage(page);
  await keys.open();
  await page.waitForLoadState("load");
  await (await menuOf(page, "Saved filters")).getByRole("menuitem", { name: "Rename or delete…" }).click();
  await keys.dialog.getByRole("button", { name: "Rename Second" }).click();
  await keys.fillName("Third");
  await keys.press("Rename");
  await expect(keys.dialog.getByRole("button", { name: "Rename Third" })).toBeFocused();
  await expect(keys.news).toContainText("Filter renamed to “\u2068Third\u2069”.");
  await keys.dialog.getByRole("button", { name: "Delete First" }).click();
  await keys.question.getByRole("button", { name: "Cancel" }).click();
  await expect(keys.dialog.getByRole("button", { name: "Delete First" })).toBeFocused();
  await keys.dialog.getByRole("button", { name: "Delete First" }).click();
  await keys.press("Delete filter");
  await expect(keys.news).toContainText("Filter “\u2068First\u2069” deleted.");
});
