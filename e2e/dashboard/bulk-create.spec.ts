import { expect } from "playwright/test";
import { test } from "./account";
import { expectAccessible } from "./axe";
import { expectCopied } from "./copied";
import { expectFitForAll } from "./fit-for-all";
import { BulkCreateDialog } from "./pages/bulk-create";
import { KeysPage } from "./pages/keys";

const CSV = `name,group,budget,daily_limit,expiry_date,note
"team, a",Research,,5,,x
b,Nowhere,"1,000",,2030-02-30,
c,,0,,2030-12-31,
`;

test("CSV: faults stand at their rows, empty cells take the group's defaults, values are shown once", async ({
  page,
  account,
}) => {
  const group = await account.newGroup("Research");
  await account.call("POST", `/v1/apikey_groups/${group}`, { defaults: { budget: 100, daily_limit: 10 } });
  const keys = new KeysPage(page);
  const bulk = new BulkCreateDialog(page);
  await keys.open();
  await bulk.open();
  await bulk.chooseWay("CSV");
  await bulk.press("Preview");
  await expect(bulk.dialog).toContainText("The first line has no column “name”.");
  const text = bulk.dialog.getByRole("textbox", { name: "CSV" });
  await expect(text).toBeFocused();
  await bulk.dialog.getByRole("button", { name: "Preview" }).focus();
  await bulk.press("Preview");
  await expect(text).toBeFocused();
  await bulk.dialog
    .getByLabel("Choose a file")
    .setInputFiles({ name: "keys.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) });
  await expect(text).toHaveValue(CSV);
  await expectFitForAll(page);
  await bulk.press("Preview");

  await expect(bulk.dialog.getByRole("alert")).toContainText("One row has a fault");
  await expect(bulk.dialog).toContainText("This column is not known, and is left out: note.");
  await expect(bulk.planned).toHaveCount(3);
  await expect(bulk.planned.nth(0)).toContainText(/team, a.*Research.*¥100.*from its group.*¥5/);
  await expect(bulk.planned.nth(1)).toContainText("There is no group of this name.");
  await expect(bulk.planned.nth(1)).toContainText("Total budget: Enter a number in digits");
  await expect(bulk.planned.nth(1)).toContainText("Expires: Enter a day of the calendar.");
  await expect(bulk.planned.nth(1)).toContainText("2030-02-30");
  await expect(bulk.dialog.getByRole("button", { name: "Create 3 keys" })).toBeDisabled();
  await bulk.dialog.getByRole("checkbox", { name: "Only rows with faults" }).check();
  await expect(bulk.planned).toHaveCount(1);
  await expectFitForAll(page);

  await bulk.press("Back");
  await bulk.fill("CSV", CSV.replace("Nowhere", "").replace('"1,000"', "1000").replace("2030-02-30", ""));
  await bulk.press("Preview");
  await bulk.press("Create 3 keys");
  await expect(bulk.made).toHaveCount(3);
  await expectFitForAll(page);

  // Nothing was kept yet, so closing asks.
  await page.keyboard.press("Escape");
  await expect(bulk.dialog.getByRole("alert")).toContainText("The keys were neither downloaded nor copied");
  await bulk.press("Keep it open");
  const lines = await bulk.download();
  const values = await bulk.made.getByRole("code").allTextContents();
  expect(lines).toEqual([
    `"team, a",Research,${values[0]},100,,5,,,`,
    `b,,${values[1]},1000,,,,,`,
    `c,,${values[2]},0,2030-12-31,,,,`,
  ]);
  await bulk.press("Done");
  await expect(bulk.dialog).toBeHidden();
  await expect(keys.row("team, a")).toBeVisible();
  expect(await account.call("GET", `/v1/apikeys/${values[0]?.slice(0, 10)}`)).toMatchObject({
    name: "team, a",
    group_name: "Research",
    budget: 100,
    daily_limit: 5,
    expiry_date: null,
  });
});

test("names by lines and by a pattern share their group and limits", async ({ page, context, account }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const group = await account.newGroup("Research");
  await account.call("POST", `/v1/apikey_groups/${group}`, { defaults: { daily_limit: 10 } });
  const keys = new KeysPage(page);
  const bulk = new BulkCreateDialog(page);
  await page.goto(`/groups/${group}`);
  await bulk.open();
  await bulk.press("Preview");
  await expect(bulk.dialog).toContainText("Enter at least one name.");
  await bulk.fill("Names, one a line", "alice\n\n bob \nalice");
  await expect(bulk.dialog).toContainText("3 names of up to 1,000.");
  await expect(bulk.dialog).toContainText("From group “Research”: Per day.");
  await bulk.press("Preview");
  await expect(bulk.dialog).toContainText("“alice” is the name of several keys.");
  // The marks stay around a name that is written from right to left, as in the titles of dialogs.
  await expect(bulk.dialog.getByRole("status").locator("bdi")).toHaveText("alice");
  await expect(bulk.planned).toContainText(["alice", "bob", "alice"]);
  await bulk.press("Back");
  await bulk.chooseWay("Pattern");
  await bulk.fill("Pattern", "worker");
  await bulk.press("Preview");
  await expect(bulk.dialog).toContainText("Write {n} where the number belongs.");
  await bulk.fill("Pattern", "worker-{n:3}");
  await bulk.fill("How many keys", "0");
  await bulk.press("Preview");
  await expect(bulk.dialog).toContainText("Enter a whole number from 1 to 1,000.");
  // The error below one field does not move the other one.
  const [from, count] = await Promise.all(
    ["First number", "How many keys"].map((name) => bulk.dialog.getByRole("textbox", { name }).boundingBox()),
  );
  expect(from?.y).toBe(count?.y);
  await bulk.fill("First number", "99");
  await bulk.fill("How many keys", "4");
  await expect(bulk.dialog).toContainText("Names: worker-099 · worker-100 · … · worker-102");
  await keys.fillLimit("Total budget", "7");
  await expectAccessible(page);
  await bulk.press("Preview");
  await expect(bulk.planned).toHaveCount(4);
  await bulk.press("Create 4 keys");
  await expectCopied(page, () => bulk.press("Copy names and keys"));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\n").map((line) => line.split("\t")[0])).toEqual([
    "worker-099",
    "worker-100",
    "worker-101",
    "worker-102",
  ]);
  await bulk.press("Done");
  const { data } = await account.call("GET", `/v1/apikeys?group_id=${group}&sort=name&order=asc`);
  expect(data).toMatchObject(
    ["worker-099", "worker-100", "worker-101", "worker-102"].map((name) => ({ name, budget: 7, daily_limit: 10 })),
  );
});

test.describe("in Chinese", () => {
  test.use({ locale: "zh-CN" });

  test("the three steps", async ({ page, account }) => {
    await page.goto("/keys");
    await page.getByRole("button", { name: "更多创建方式" }).click();
    await page.getByRole("menuitem", { name: "批量创建密钥" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "名称，每行一个" }).fill("甲\n乙");
    await dialog.getByRole("button", { name: "预览" }).click();
    await expect(dialog).toContainText("将创建 2 个密钥，要么全部成功，要么全不创建。目前尚未创建。");
    await dialog.getByRole("button", { name: "创建 2 个密钥" }).click();
    await expect(dialog).toContainText("这些密钥只显示这一次");
    await expectAccessible(page);
    expect((await account.call("GET", "/v1/apikeys?search=甲")).total).toBe(1);
  });
});
