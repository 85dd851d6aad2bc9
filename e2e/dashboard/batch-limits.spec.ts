import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { BatchLimitsDialog } from "./pages/batch-limits";
import { GroupsPage } from "./pages/groups";

test("limits of a group: only what is ticked changes, after a preview, with a counted result", async ({
  page,
  account,
}) => {
  const group_id = await account.newGroup("Research");
  const limits = { budget: 100, daily_limit: 7, input_price_limit: 3 };
  const keys = await Promise.all([
    account.newKey("one", { group_id, ...limits }),
    account.newKey("two", { group_id, ...limits }),
    account.newKey("three", { group_id, ...limits, budget: 250.5 }),
    account.newKey("four", { group_id }),
  ]);
  const outside = await account.newKey("outside", limits);
  const groups = new GroupsPage(page);
  const batch = new BatchLimitsDialog(page);
  await groups.open();
  await groups.choose("Research", "Set limits for all keys");
  await batch.set("Total budget", "200");
  await batch.setUnlimited("Per day");
  await batch.set("Expires", "2099-12-31");
  await batch.preview();
  await expect(batch.dialog).toContainText("4 keys get these limits. Nothing has changed yet.");
  await expect(batch.changes).toHaveCount(3);
  await expect(batch.change("Total budget")).toContainText(
    /¥100 on 2 keys.*¥250\.50 on 1 key.*Unlimited on 1 key.*¥200.*changes on 4 of 4/,
  );
  await expect(batch.change("Per day")).toContainText(/¥7 on 3 keys.*Unlimited on 1 key.*Unlimited.*changes on 3 of 4/);
  await expect(batch.change("Expires")).toContainText(/Never on 4 keys.*Dec 31, 2099/);
  await expect(batch.dialog).toContainText("No key that works now is blocked by this.");

  // Nothing has changed yet, and the first step still has what was typed.
  expect(await account.call("GET", `/v1/apikeys/${keys[0]}`)).toMatchObject(limits);
  await batch.press("Back");
  await expect(batch.box("Total budget")).toHaveValue("200");
  await batch.preview();
  await batch.dialog.getByRole("button", { name: "Set limits of 4 keys" }).dblclick();
  await expect(batch.dialog).toContainText("Limits set on 4 keys.");
  await batch.dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(groups.row("Research")).toContainText("¥200");
  await expect(groups.row("Research")).toContainText("Dec 31, 2099");

  for (const key of keys.slice(0, 3)) {
    expect(await account.call("GET", `/v1/apikeys/${key}`)).toMatchObject({
      budget: 200,
      daily_limit: 0,
      monthly_limit: null,
      input_price_limit: 3,
      expiry_date: "2099-12-31",
    });
  }
  expect(await account.call("GET", `/v1/apikeys/${outside}`)).toMatchObject({ ...limits, expiry_date: null });
  const events = await account.call("GET", "/v1/history?action=key.limits_set");
  expect(events.data).toHaveLength(1);
});

test("what is typed while the preview is on its way is not set before it was previewed", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const key = await account.newKey("one", { group_id, budget: 5 });
  const groups = new GroupsPage(page);
  const batch = new BatchLimitsDialog(page);
  await groups.open();
  await groups.choose("Research", "Set limits for all keys");
  await batch.set("Total budget", "200");
  const previewing = await hold(page, "**/api/trpc/groups.setLimits**");
  await batch.press("Preview");
  await previewing.asked;
  await batch.box("Total budget").fill("3");
  await batch.set("Per day", "1");
  previewing.release();
  await expect(batch.changes).toHaveCount(1);
  await expect(batch.change("Total budget")).toContainText("¥200");
  await batch.press("Set limits of one key");
  await expect(batch.dialog).toContainText("Limits set on one key.");
  expect(await account.call("GET", `/v1/apikeys/${key}`)).toMatchObject({ budget: 200, daily_limit: null });
});

test("keys without a limit do not count as changed by Unlimited, however many values the others have", async ({
  page,
  account,
}) => {
  const group_id = await account.newGroup("Research");
  await account.newKey("unset", { group_id });
  for (const budget of [1, 2, 3, 4, 5]) await account.newKey(`budget ${budget}`, { group_id, budget });
  const groups = new GroupsPage(page);
  const batch = new BatchLimitsDialog(page);
  await groups.open();
  await groups.choose("Research", "Set limits for all keys");
  await batch.setUnlimited("Total budget");
  await batch.preview();
  await expect(batch.change("Total budget")).toContainText("1 more value");
  await expect(batch.change("Total budget")).toContainText("changes on 5 of 6");
});

test("what would be blocked at once is named before it happens", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  await account.newKey("<i>markup</i>", { group_id });
  await account.newKey("مفتاح", { group_id });
  const groups = new GroupsPage(page);
  const batch = new BatchLimitsDialog(page);
  await groups.open();
  await groups.choose("Research", "Set limits for all keys");
  await batch.set("Expires", "2020-01-01");
  await batch.preview();
  await expect(batch.dialog).toContainText("2 keys that work now would be blocked at once");
  await expect(batch.dialog.getByText("<i>markup</i>")).toBeVisible();
  await expect(batch.dialog.getByText("مفتاح")).toBeVisible();
  await expectFitForAll(page);
});

test("faults are said at the field, and at least one limit is wanted", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  await account.newKey("one", { group_id });
  const groups = new GroupsPage(page);
  const batch = new BatchLimitsDialog(page);
  await groups.open();
  await groups.choose("Research", "Set limits for all keys");
  await batch.press("Preview");
  await expect(batch.dialog).toContainText("Tick at least one limit to change.");
  for (const way of ["Raise by", "Lower by"]) {
    for (const text of ["10%", "1,5", "１０", "-"]) {
      await batch.changeBy("Per day", way, text);
      await expect(batch.limit("Per day")).toContainText("Enter a number in digits, for example 12.5.");
    }
  }
  await batch.set("Per month", "-1");
  await batch.changeBy("Per day", "Lower by", "100");
  await batch.tick("Expires");
  await batch.press("Preview");
  await expect(batch.limit("Per month")).toContainText("Enter 0 or more; 0 means no limit.");
  await expect(batch.limit("Expires")).toContainText("Enter a day of the calendar.");
  await expect(batch.limit("Per day")).toContainText("it must be below 100");
  await expectFitForAll(page);

  for (const name of ["Expires", "Per day"]) {
    await batch.limit(name).getByRole("checkbox", { name }).uncheck();
  }
  await batch.set("Per month", "12.5");
  await page.route("**/api/trpc/**", (route) => route.abort());
  await batch.press("Preview");
  await expect(batch.dialog.getByRole("alert")).toContainText("The server cannot be reached.");
  await expect(batch.box("Per month")).toHaveValue("12.5");
  await page.unroute("**/api/trpc/**");
  await batch.preview();
});

test("keys that fail are named with the reason, and tried again alone", async ({ page, account }) => {
  const kept = await account.newKey("kept");
  const lost = await account.newKey("<b>lost</b>");
  const batch = new BatchLimitsDialog(page);
  await page.goto("/keys");
  await page.getByRole("checkbox", { name: "Select kept" }).check();
  await page.getByRole("checkbox", { name: "Select <b>lost</b>" }).check();
  await page.getByRole("button", { name: "Set limits" }).click();
  await batch.set("Total budget", "5");
  await batch.preview();
  await account.call("POST", `/v1/apikeys/${lost}/revoke`);
  await batch.press("Set limits of 2 keys");
  await expect(batch.dialog).toContainText("Limits set on one key.");
  await expect(batch.dialog).toContainText("One key failed");
  await expect(batch.failedKeys.getByRole("listitem")).toHaveText([/<b>lost<\/b>.*The API key is revoked\./]);
  expect(await account.call("GET", `/v1/apikeys/${kept}`)).toMatchObject({ budget: 5 });
  await expectFitForAll(page);

  const answered = page.waitForResponse(/keys\.setLimitsOfMany/);
  await batch.press("Try these again");
  expect((await answered).request().postDataJSON()).toEqual({
    apikey_ids: [lost],
    budget: 5,
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  await expect(batch.failedKeys.getByRole("listitem")).toHaveCount(1);
  await batch.dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(batch.dialog).toBeHidden();
  await expect(page.getByRole("checkbox", { name: "Select kept" })).not.toBeChecked();
});

test("by keyboard alone", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const key = await account.newKey("one", { group_id });
  const groups = new GroupsPage(page);
  const batch = new BatchLimitsDialog(page);
  await groups.open();
  await page.getByRole("button", { name: "Actions for Research" }).focus();
  for (const press of ["Enter", "ArrowDown", "Enter"]) await page.keyboard.press(press);
  await expect(batch.dialog.getByRole("checkbox", { name: "Total budget" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(batch.box("Total budget")).toBeFocused();
  await page.keyboard.type("12.5");
  await page.keyboard.press("Enter");
  await expect(batch.change("Total budget")).toContainText("¥12.50");
  const run = batch.dialog.getByRole("button", { name: "Set limits of one key" });
  for (let tabs = 0; tabs < 4 && !(await run.evaluate((button) => button === document.activeElement)); tabs += 1) {
    await page.keyboard.press("Tab");
  }
  await expect(run).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(batch.dialog).toContainText("Limits set on one key.");
  await page.keyboard.press("Escape");
  await expect(batch.dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Actions for Research" })).toBeFocused();
  expect(await account.call("GET", `/v1/apikeys/${key}`)).toMatchObject({ budget: 12.5 });
});

test("in Chinese, the dialog speaks Chinese", async ({ page, context, account, baseURL }) => {
  const group_id = await account.newGroup("Research");
  await account.newKey("one", { group_id });
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto(`/groups/${group_id}`);
  await page.getByRole("button", { name: "为所有密钥设置限额" }).click();
  await page.getByRole("checkbox", { name: "总预算" }).check();
  await page.getByRole("textbox", { name: "总预算" }).fill("5");
  await page.getByRole("button", { name: "预览" }).click();
  await expect(page.getByRole("dialog")).toContainText("1 个密钥将采用这些限额");
  await page.getByRole("button", { name: "为 1 个密钥设置限额" }).click();
  await expect(page.getByRole("dialog")).toContainText("已为 1 个密钥设置限额。");
  await expectFitForAll(page);
});
