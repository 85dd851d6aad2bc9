import { readFile } from "node:fs/promises";
import { expect } from "playwright/test";
import { test } from "./account";
import { KeysPage } from "./pages/keys";

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
