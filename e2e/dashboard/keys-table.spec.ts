import { readFile } from "node:fs/promises";
import { expect } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { holdScripts } from "./late-scripts";
import { KeysPage } from "./pages/keys";
import { Palette } from "./pages/palette";
import { newSpendingKey, spend } from "./spend";

test("search, filters, order and page stand in the address", async ({ page, context, account }) => {
  const research = await account.newGroup("Research");
  const names = Array.from({ length: 51 }, (_, index) => `worker ${String(index).padStart(2, "0")}`);
  for (const [index, name] of names.entries()) {
    await account.newKey(name, index % 2 === 0 ? { group_id: research, expiry_date: `20${index + 30}-01-01` } : {});
  }
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.names().first()).toHaveText("worker 50");
  await expect(page.getByText("1–50 of 52")).toBeVisible();

  await keys.sortBy("Name");
  await expect(keys.head("Name")).toHaveAttribute("aria-sort", "ascending");
  await expect(keys.names().nth(1)).toHaveText("worker 00");
  await keys.sortBy("Name");
  await expect(keys.names().first()).toHaveText("worker 50");
  await expect(page).toHaveURL(/sort=name/);

  await page.getByRole("button", { name: "Next" }).click();
  await expect(keys.names()).toHaveText(["worker 00", "default"]);
  await page.reload();
  await expect(keys.names()).toHaveText(["worker 00", "default"]);
  await page.goBack();
  await expect(keys.names().first()).toHaveText("worker 50");

  await keys.filterBy("Group", "Research");
  await keys.search("worker 4");
  const matching = ["worker 48", "worker 46", "worker 44", "worker 42", "worker 40"];
  await expect(keys.names()).toHaveText(matching);
  const shared = await context.newPage();
  await shared.goto(page.url());
  await expect(new KeysPage(shared).names()).toHaveText(matching);
  await expect(shared.getByRole("searchbox")).toHaveValue("worker 4");
  await shared.close();

  // A new filter or order starts at the first page. Keys without a date come last in both orders.
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await keys.sortBy("Expires");
  await expect(keys.names().first()).toHaveText("worker 50");
  await keys.sortBy("Expires");
  await expect(keys.names().first()).toHaveText("worker 00");
  await keys.filterBy("Group", "No group");
  await expect(page.getByText("1–26 of 26")).toBeVisible();
});

test("while the next keys load, the rows that are shown have their own numbers", async ({ page, account }) => {
  await account.addKeys(50);
  const keys = new KeysPage(page);
  await keys.open();
  const range = page.getByRole("navigation", { name: "Pages" }).getByRole("status");
  await expect(range).toHaveText("1–50 of 51");
  const released = deferred<void>();
  await page.route("**/api/trpc/keys.list**", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.locator("[aria-busy=true]")).toBeVisible();
  await expect(range).toHaveText("1–50 of 51");
  released.resolve();
  await expect(range).toHaveText("51–51 of 51");
});

test("whoever turns to a page of which all keys were revoked sees the keys that are left", async ({
  page,
  account,
}) => {
  await account.addKeys(50);
  const keys = new KeysPage(page);
  await keys.open();
  const range = page.getByRole("navigation", { name: "Pages" }).getByRole("status");
  await expect(range).toHaveText("1–50 of 51");
  for (const number of [1, 2, 3]) await account.call("POST", `/v1/apikeys/sk-000000${number}/revoke`);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(range).toHaveText("1–48 of 48");
  await expect(keys.names()).toHaveCount(48);
});

test("an account without keys is told how to begin, a search without hits how to go on", async ({ page, account }) => {
  const keys = new KeysPage(page);
  await keys.open("?status=disabled");
  await expect(page.getByRole("heading", { name: "No key matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).last().click();
  await expect(keys.names()).toHaveText(["default"]);
  await keys.search("nothing like it");
  await expect(page.getByRole("heading", { name: "No key matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the search" }).click();
  await expect(keys.names()).toHaveText(["default"]);
  // A page that no longer exists, for example after keys were revoked.
  await account.newKey("one");
  await keys.open("?page=7");
  await expect(keys.names()).toHaveText(["one", "default"]);
});

test("a table that is opened half an hour after the first page tells the time of then", async ({ page, account }) => {
  await page.clock.install();
  await spend(account, await newSpendingKey(account, "gateway"), 1);
  const keys = new KeysPage(page);
  await page.goto("/groups");
  // The clock of the page runs from the moment on that its scripts have run, and then the palette opens.
  await new Palette(page).open();
  await page.keyboard.press("Escape");
  await page.clock.fastForward("30:00");
  await page.getByRole("navigation").getByRole("link", { name: "Keys" }).click();
  await expect(keys.row("gateway")).toBeVisible();
  // It is read once, because a minute later any clock of the page is right.
  expect(await keys.row("gateway").innerText()).toMatch(/3\d minutes ago/);
});

test("the columns that one chose stay chosen", async ({ page, account }) => {
  await account.newKey("one", { expiry_date: "2030-01-31" });
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.head("Expires")).toBeVisible();
  await expect(keys.head("Created")).toBeHidden();
  await keys.toggleColumn("Expires");
  await keys.toggleColumn("Created");
  await page.reload();
  await expect(keys.head("Created")).toBeVisible();
  await expect(keys.head("Expires")).toBeHidden();
  await expect(keys.row("one")).not.toContainText("2030");
});

test("what is chosen and ticked before the scripts of the page are there counts", async ({ page, account }) => {
  for (const name of ["one", "two", "three"]) await account.newKey(name);
  const keys = new KeysPage(page);
  const scripts = await holdScripts(page);
  await page.goto("/keys", { waitUntil: "commit" });
  await keys.tick("one", "three");
  await keys.filterBy("Status", "Active");
  scripts.release();
  await expect(page).toHaveURL(/status=active/);
  await expect(keys.selection).toContainText("2 keys selected");
  await expect(keys.names()).toHaveText(["three", "two", "one", "default"]);
});

test("whoever comes back from a key to a page of a filter sees the same page", async ({ page, account }) => {
  await account.addKeys(51);
  const keys = new KeysPage(page);
  await keys.open("?status=active&page=2");
  await expect(keys.names()).toHaveCount(2);
  const names = await keys.names().allTextContents();
  await keys.names().first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(names[0] ?? "");
  await page.goBack();
  await expect(keys.names()).toHaveText(names);
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page).not.toHaveURL(/page=/);
  await page.goBack();
  await expect(page).toHaveURL(/status=active&page=2|page=2&status=active/);
  await expect(keys.names()).toHaveText(names);
});

test("all keys that match come as a CSV file, over all pages, with no cell that computes", async ({
  page,
  account,
}) => {
  const group = await account.newGroup("Research");
  const names = Array.from({ length: 55 }, (_, index) => `worker ${index}`);
  for (const name of names) await account.newKey(name, { group_id: group });
  const evil = await account.newKey('=HYPERLINK("http://x","y")', { group_id: group, budget: 12.5 });
  await account.newKey("elsewhere");
  const keys = new KeysPage(page);
  await keys.open(`?group=${group}`);
  await expect(page.getByText("1–50 of 56")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("keys.csv");
  const [head, first, ...rest] = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(head).toBe(
    "\uFEFFapikey_id,name,status,group_name,budget,daily_limit,monthly_limit,input_price_limit,output_price_limit,expiry_date,spent,spent_today,spent_this_month,held,last_used_at,created_at",
  );
  expect(first).toMatch(
    new RegExp(`^${evil},"'=HYPERLINK\\(""http://x"",""y""\\)",active,Research,12\\.5,,,,,,0,0,0,0,,2`),
  );
  expect(rest.map((line) => line.split(",")[1])).toEqual([...names.reverse(), undefined]);
});

test("a page of 50 keys is small; its order, page and size stand in the address; the file has its order", async ({
  page,
  account,
}) => {
  const group_id = await account.newGroup("Research");
  // Everything that a row may show.
  const limits = { budget: 1000, daily_limit: 20.5, monthly_limit: 300, input_price_limit: 8, output_price_limit: 24 };
  const names = Array.from({ length: 60 }, (_, index) => `worker ${String(index).padStart(2, "0")}`);
  for (const name of names) await account.newKey(name, { ...limits, group_id, expiry_date: "2031-01-31" });
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.names()).toHaveCount(50);
  expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(2_500);
  expect((await (await page.request.get("/keys")).body()).length).toBeLessThanOrEqual(250_000);

  // The order stands in words, that of a hidden column too.
  const order = page.getByRole("combobox", { name: "Order" });
  await expect(order.locator("option:checked")).toHaveText("Newest first");
  await order.selectOption("Name, A to Z");
  await expect(keys.names().first()).toHaveText("default");
  await expect(keys.head("Name")).toHaveAttribute("aria-sort", "ascending");

  const pageField = page.getByRole("textbox", { name: "Page" });
  await pageField.fill("99");
  await pageField.press("Enter");
  await expect(keys.names().last()).toHaveText("worker 59");
  await expect(pageField).toHaveValue("2");
  await page.getByRole("combobox", { name: "Rows per page" }).selectOption("25 rows");
  await expect(page).toHaveURL(/size=25/);
  await expect(keys.names()).toHaveCount(25);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const lines = (await readFile(await (await downloading).path(), "utf8")).trimEnd().split("\r\n");
  expect(lines.slice(1).map((line) => line.split(",")[1])).toEqual(["default", ...names]);

  // The browser remembers the size. A page behind the end is the last one, in the first answer of the server too.
  await keys.open();
  await expect(page).toHaveURL(/size=25/);
  const last = await page.request.get("/keys?sort=name&order=asc&size=25&page=99999");
  expect(last.url()).toMatch(/page=3$/);
  expect(await last.text()).toContain("Select worker 59");
  for (const path of ["/history", "/groups"]) {
    expect((await page.request.get(`${path}?page=99999`)).url()).toMatch(/page=\d$/);
  }

  // All rows share one menu, which works as if each had its own.
  const button = (name: string) => page.getByRole("button", { name: `Actions for ${name}`, exact: true });
  await button("worker 59").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Edit limits" })).toBeFocused();
  await expect(button("worker 59")).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("menuitem", { name: "Revoke" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button("worker 59")).toBeFocused();
  await expect(page.getByRole("menu")).toBeHidden();
  await button("worker 57").click();
  await expect(page.getByRole("menu", { name: "Actions for worker 57" })).toBeVisible();
  await button("worker 58").click();
  await expect(page.getByRole("menu", { name: "Actions for worker 58" })).toBeVisible();
  await button("worker 58").click();
  await expect(page.getByRole("menu")).toBeHidden();

  // On a small screen a row is a card.
  await expectFitForAll(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(keys.row("worker 59").getByRole("button", { name: /^Today: / })).toBeVisible();
  await expect(keys.row("worker 59").getByRole("link", { name: "Research" })).toBeHidden();
  await keys.choose("worker 59", "Disable");
  await keys.press("Disable key");
  await expect(keys.row("worker 59")).toContainText("Disabled");
});

test("many are ticked and changed at once, and those that fail are named", async ({ page, account }) => {
  await account.newGroup("Archive");
  const ids = new Map<string, string>();
  for (const name of ["one", "two", "three"]) ids.set(name, await account.newKey(name));
  const keys = new KeysPage(page);
  await keys.open();

  await keys.tick("one", "two");
  await expect(keys.selection.getByRole("status")).toHaveText("2 keys selected");
  await keys.selection.getByRole("button", { name: "Disable" }).click();
  await expect(keys.question).toHaveAccessibleName("Disable 2 keys?");
  await keys.press("Disable");
  await expect(keys.dialog).toContainText("2 keys disabled.");
  await keys.press("Close");
  await expect(keys.selection).toBeHidden();
  // The button that opened the dialog is gone, so the focus goes to the content.
  await expect(page.getByRole("main")).toBeFocused();
  await expect(keys.row("one")).toContainText("Disabled");
  await expect(keys.row("two")).toContainText("Disabled");
  await expect(keys.row("three")).toContainText("Active");

  await keys.tick("one", "three");
  await keys.selection.getByRole("button", { name: "Move" }).click();
  await keys.chooseGroup("Archive");
  await keys.press("Move");
  await keys.press("Close");
  await expect(keys.row("one")).toContainText("Archive");
  await expect(keys.row("three")).toContainText("Archive");

  await keys.tick("one", "two", "three");
  // Somebody else revokes one of them first.
  await account.call("POST", `/v1/apikeys/${ids.get("two")}/revoke`, {});
  await keys.selection.getByRole("button", { name: "Revoke" }).click();
  await expect(keys.question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await keys.press("Revoke");
  await expect(keys.dialog).toContainText("2 keys revoked. 1 failed:");
  await expect(keys.dialog.getByRole("listitem")).toContainText("two");
  await keys.press("Try these again");
  await expect(keys.dialog).toContainText("0 keys revoked. 1 failed:");
  await keys.press("Close");
  await expect(keys.names()).toHaveText(["default"]);
});

test("on a phone, what can be done with ticked keys stays in view", async ({ page, account }) => {
  await account.addKeys(12);
  await page.setViewportSize({ width: 320, height: 740 });
  const keys = new KeysPage(page);
  await keys.open();
  await keys.tick("bulk 1");
  await expect(keys.selection.getByRole("button", { name: "Set limits" })).toBeInViewport({ ratio: 1 });
  await expect(keys.selection.getByRole("button", { name: "Clear the selection" })).toBeInViewport({ ratio: 1 });
  // What has the focus is not below it.
  const last = keys.table.getByRole("checkbox", { name: "Select bulk 6", exact: true });
  await last.focus();
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press("Shift+Tab");
    const focused = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? 0);
    const bar = await keys.selection.boundingBox();
    expect(focused).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  }
});

test("the default key is left out of what cannot be done to it, and the rest goes on", async ({ page, account }) => {
  for (const name of ["one", "two"]) await account.newKey(name);
  const keys = new KeysPage(page);
  const leftOut = keys.question.getByRole("list", { name: "Keys that are left out" });
  await keys.open();
  await keys.tick("default", "one", "two");
  await keys.selection.getByRole("button", { name: "Disable" }).click();
  await expect(keys.question).toHaveAccessibleName("Disable 2 keys?");
  await expect(leftOut).toHaveText("1 key: The default API key cannot be disabled. Rotate it instead.");
  await keys.press("Cancel");
  await keys.selection.getByRole("button", { name: "Revoke" }).click();
  await expect(keys.question).toHaveAccessibleName("Revoke 2 keys?");
  await expect(keys.question.getByRole("listitem")).toHaveText([
    /^one/,
    /^two/,
    "1 key: The default API key cannot be revoked. Rotate it instead.",
  ]);
  await expectFitForAll(page);
  await keys.press("Revoke");
  await expect(keys.dialog).toContainText("2 keys revoked.");
  await expect(keys.dialog.getByRole("button", { name: "Try these again" })).toBeHidden();
  await keys.press("Close");

  await keys.tick("default");
  await keys.selection.getByRole("button", { name: "Revoke" }).click();
  await expect(leftOut).toBeVisible();
  await expect(keys.question.locator("footer").getByRole("button", { name: "Revoke" })).toBeDisabled();
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("the filters of keys are written in one size, and have room for it", async ({ page, account: _owner }) => {
    await page.setViewportSize({ width: 320, height: 740 });
    await new KeysPage(page).open("?look=idle_30_days");
    const filters = page.getByRole("combobox");
    // The list comes after the heading.
    await expect(filters.first()).toBeVisible();
    const sizes = await filters.evaluateAll((boxes) => boxes.map((box) => getComputedStyle(box).fontSize));
    expect(new Set(sizes)).toEqual(new Set(["16px"]));
    const widths = await filters.evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(160);
  });
});

test("a search that finds nothing is said, in each list", async ({ page, account }) => {
  await account.newGroup("Research");
  await account.call("POST", "/v1/models", { models: [{ name: "own", input_price: 1, output_price: 2 }] });
  for (const [path, sentence] of [
    ["/keys", "No key matches"],
    ["/groups", "No group matches"],
    ["/models", "No price matches"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("status").filter({ hasText: /^1–/ })).toBeVisible();
    await page.getByRole("main").getByRole("searchbox").fill("nowhere");
    await expect(page.getByRole("status").filter({ hasText: sentence })).toBeVisible();
  }
});
