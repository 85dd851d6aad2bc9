import { readFile } from "node:fs/promises";
import { expect } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { GroupsPage } from "./pages/groups";
import { KeyPage } from "./pages/key";
import { KeysPage } from "./pages/keys";
import { lastUsed, newSpendingKey, openHolds, spend } from "./spend";

test("the table shows each window's spend against its own limit", async ({ page, account }) => {
  const key = await newSpendingKey(account, "gateway", { daily_limit: 10, budget: 100.5 });
  await spend(account, key, 7.5);
  await account.call("POST", "/v1/authorizations", { apikey: key.value, amount: 1 });
  await newSpendingKey(account, "unused");
  const keys = new KeysPage(page);
  await keys.open();
  const bar = (name: string) => keys.row("gateway").getByRole("button", { name: new RegExp(`^${name}: `) });
  await expect(bar("Today")).toHaveAccessibleName("Today: ¥7.50 / ¥10");
  await expect(bar("This month")).toHaveAccessibleName("This month: ¥7.50 Unlimited");
  await expect(bar("Total")).toHaveAccessibleName("Total: ¥7.50 / ¥100.50");
  await expect(keys.row("unused")).toContainText("Never");
  // Amounts of a column have equally many decimals.
  await expect(keys.row("unused").getByRole("button", { name: "Total: ¥0.00 Unlimited" })).toBeVisible();

  // Hover and focus show what remains, and when the window resets, with the zone.
  await bar("Today").focus();
  const details = page.getByRole("tooltip").filter({ visible: true });
  await expect(details).toHaveText(/^TodayUsed¥7\.50Held¥1Remaining¥1\.50Limit¥10Next reset.*, 00:00 GMT\+8$/);
  await page.keyboard.press("Escape");
  await expect(details).toBeHidden();
  await bar("Total").hover();
  await expect(details).toHaveText("TotalUsed¥7.50Held¥1Remaining¥92Limit¥100.50");

  await spend(account, key, 1.5);
  await page.reload();
  await keys.row("gateway").getByRole("button", { name: "Near limit" }).focus();
  await expect(details).toHaveText("80% or more is spentPer day¥9 / ¥10 (90%)");
  await account.call("POST", `/v1/apikeys/${key.id}/budget`, { daily_limit: 9 });
  await page.reload();
  await expect(
    keys.row("gateway").getByRole("button", { name: /^Blocked: daily limit until .*, 00:00$/ }),
  ).toBeVisible();
  await account.call("POST", `/v1/apikeys/${key.id}/budget`, { budget: 5 });
  await page.reload();
  await keys.row("gateway").getByRole("button", { name: "Blocked: total budget until it is raised" }).hover();
  await expect(details).toHaveText("Limits that are reachedTotal budget¥9 / ¥5 (180%)Per day¥9 / ¥9 (100%)");
  // What is held is more than the lowered limit leaves.
  await bar("Total").hover();
  await expect(details).toHaveText("TotalUsed¥9Held¥1Remaining¥0Limit¥5");
  await keys.filterBy("Status", "Blocked");
  await expect(keys.names()).toHaveText(["gateway"]);
});

test("on a usual screen, all columns of keys have room", async ({ page, account }) => {
  const group_id = await account.newGroup("group 1420");
  const spent = { budget: 407.1132, daily_limit: 910, monthly_limit: 6_700 };
  await spend(account, await newSpendingKey(account, "checkout-production-748", { ...spent, group_id }), 407.1132);
  const limits = { budget: 14_859, input_price_limit: 16, output_price_limit: 48, expiry_date: "2031-09-22" };
  await account.newKey("contract-reader-development-864", limits);
  const keys = new KeysPage(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await keys.open();
  await expect(keys.row("checkout-production-748")).toContainText("Blocked: total budget");
  const table = page.getByRole("region", { name: "API keys" });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test("keys found by the filter of usage and limits are ordered, exported and changed at once", async ({
  page,
  account,
}) => {
  const busy = await newSpendingKey(account, "busy", { daily_limit: 10 });
  const idle = await newSpendingKey(account, "idle", { budget: 100 });
  await newSpendingKey(account, "fresh", { budget: 100 });
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await newSpendingKey(account, "ending", { budget: 1, expiry_date: soon });
  await spend(account, busy, 8);
  await spend(account, idle, 20.000000001);
  await lastUsed(account, idle, 40);
  const keys = new KeysPage(page);
  await keys.open();
  const look = page.getByRole("combobox", { name: "Usage and limits" });
  for (const [choice, names] of [
    ["Over 80% of a limit", ["busy"]],
    ["Idle for 30 days", ["idle"]],
    ["Expiring within 7 days", ["ending"]],
    ["Unlimited", ["default"]],
    ["Never used", ["ending", "fresh", "default"]],
  ] as const) {
    await look.selectOption(choice);
    await expect(keys.names()).toHaveText([...names]);
  }
  await expect(page).toHaveURL(/look=never_used/);
  await page.reload();
  await expect(keys.names()).toHaveText(["ending", "fresh", "default"]);

  await keys.tick("ending", "fresh");
  await keys.selection.getByRole("button", { name: "Disable" }).click();
  await expect(keys.question).toContainText("They have spent ¥0 so far.");
  await keys.press("Disable");
  await keys.press("Close");
  await expect(keys.row("fresh")).toContainText("Disabled");

  await look.selectOption("Idle for 30 days");
  await expect(keys.row("idle")).toContainText("1 month ago");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const [head, ...lines] = (await readFile(await (await downloading).path(), "utf8")).trimEnd().split("\r\n");
  expect(head).toContain(",expiry_date,spent,spent_today,spent_this_month,held,last_used_at,created_at");
  expect(lines).toEqual([
    expect.stringMatching(/^sk-.{7},idle,active,,100,,,,,,20\.000000001,20\.000000001,20\.000000001,0,20/),
  ]);

  await page.getByRole("button", { name: "Clear the filters" }).click();
  await keys.sortBy("Total");
  await expect(keys.names().first()).toHaveText("idle");
  await expect(keys.names().nth(1)).toHaveText("busy");
  await keys.sortBy("Last used");
  await expect(keys.names().first()).toHaveText("busy");
  await expect(keys.names().nth(1)).toHaveText("idle");
});

test("before a key goes one is told what it spent", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const key = await newSpendingKey(account, "one", { group_id });
  await spend(account, key, 12.5);
  const keys = new KeysPage(page);
  await keys.open();
  for (const action of ["Disable", "Revoke"]) {
    await keys.choose("one", action);
    await expect(keys.question).toContainText("It has spent ¥12.50 so far.");
    await keys.press("Cancel");
  }
  const groups = new GroupsPage(page);
  await groups.open();
  await expect(groups.row("Research")).toContainText("¥12.50");
  await groups.choose("Research", "Delete");
  await expect(groups.question).toContainText("Its keys have spent ¥12.50 this month.");
  await groups.press("Cancel");
  await groups.row("Research").getByRole("link").click();
  await page.getByRole("link", { name: "¥12.50 spent this month" }).click();
  await expect(page.getByRole("table", { name: "Spend by key" }).locator("tbody tr").first()).toHaveText(
    /^one.*¥12\.50100%1$/,
  );
});

test("the page of a key shows its spend, what is held, and why it was refused", async ({ page, account }) => {
  const key = await newSpendingKey(account, "gateway", { daily_limit: 100, input_price_limit: 8 });
  const authorize = (amount: number, rest = {}) =>
    account.call("POST", "/v1/authorizations", { apikey: key.value, amount, input_price: 1, ...rest });
  const { authorization_id } = await authorize(5);
  await account.call("POST", `/v1/authorizations/${authorization_id}/capture`, { amount: 4.25 });
  for (let index = 1; index <= 12; index++) await authorize(0.5, { request_id: `call ${index}` });
  await authorize(1000);
  await authorize(1000);
  await authorize(1, { input_price: 9 });

  const one = new KeyPage(page);
  await one.goto(key.id);
  await expect(one.state).toContainText(/Per day¥89\.75 left¥4\.25 of ¥100 spent, ¥6 heldResets .*, 00:00 GMT\+8/);
  await expect(one.state).toContainText("Held by open authorizations¥6");
  await expect(one.spend.getByRole("slider")).toHaveAttribute("aria-valuetext", /: ¥4\.25$/);
  await expect(one.open.getByText("1–10 of 12")).toBeVisible();
  await expect(one.open.getByText("12 of 1,000 that may be open at a time")).toBeVisible();
  await expect(one.open.getByRole("row").nth(1)).toContainText("call 12");
  await one.open.getByRole("button", { name: "Next" }).click();
  await expect(one.open.getByRole("row")).toHaveCount(3);
  await expect(one.open).toContainText("call 1");
  await expect(one.open.getByRole("row").nth(1)).toContainText("The account");
  await expect(one.refusals.getByRole("listitem")).toHaveText([
    "Too little was left of the day's limit2",
    "The input price was above its ceiling, or not said1",
  ]);
  await expectFitForAll(page);
});

test("while the next open authorizations load, the rows that are shown have their own numbers", async ({
  page,
  account,
}) => {
  const key = await newSpendingKey(account, "gateway");
  for (let index = 1; index <= 11; index++) {
    await account.call("POST", "/v1/authorizations", { apikey: key.value, amount: 1 });
  }
  const one = new KeyPage(page);
  await one.goto(key.id);
  await expect(one.open.getByText("1–10 of 11")).toBeVisible();
  const released = deferred<void>();
  await page.route("**/api/trpc/authorizations.list**", async (route) => {
    await released.promise;
    await route.continue();
  });
  await one.open.getByRole("button", { name: "Next" }).click();
  await expect(one.open.locator("[aria-busy=true]")).toBeVisible();
  await expect(one.open.getByRole("status")).toHaveText("1–10 of 11");
  released.resolve();
  await expect(one.open.getByRole("status")).toHaveText("11–11 of 11");
});

test("whoever turns to a page of open authorizations that have all ended sees the last one there is", async ({
  page,
  account,
}) => {
  const key = await newSpendingKey(account, "gateway");
  const authorize = () => account.call("POST", "/v1/authorizations", { apikey: key.value, amount: 1 });
  const held: string[] = [];
  for (let index = 1; index <= 11; index++) held.push((await authorize()).authorization_id);
  const one = new KeyPage(page);
  await one.goto(key.id);
  await expect(one.open.getByText("1–10 of 11")).toBeVisible();
  for (const id of held.slice(0, 3)) await account.call("POST", `/v1/authorizations/${id}/void`);
  await one.open.getByRole("button", { name: "Next" }).click();
  await expect(one.open.getByRole("status")).toHaveText("1–8 of 8");
  await expect(one.open.getByRole("row")).toHaveCount(9);
});

test("a key with too many open authorizations says so, in both languages", async ({
  page,
  context,
  account,
  baseURL,
}) => {
  const key = await newSpendingKey(account, "gateway", { budget: 10 });
  await openHolds(account, key, 1000);
  for (let i = 0; i < 3; i++) await account.call("POST", "/v1/authorizations", { apikey: key.value, amount: 1 });
  const one = new KeyPage(page);
  await one.goto(key.id);
  await expect(one.open.getByText("1,000 of 1,000 that may be open at a time")).toBeVisible();
  await expect(
    one.open.getByText("New calls are refused until one of these is captured, voided or ends by itself."),
  ).toBeVisible();
  await expect(one.refusals.getByRole("listitem")).toHaveText(["Too many authorizations were open3"]);
  await one.ask("1");
  await expect(one.check.getByRole("status")).toHaveText(
    /^No, it would be refusedToo many authorizations of the key are open: 1,000 of at most 1,000\.(The first of them ends .+\.)?Capture or void an open authorization, or wait until one ends\.$/,
  );
  await expect(one.limit("Open authorizations").getByRole("cell")).toHaveText([
    ...["Stops it", "1,000", "–", "1,000", "0", "1,001"],
  ]);
  await expectFitForAll(page);

  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.reload();
  await expect(page.getByText("1,000 个，最多可同时有 1,000 个")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "未结授权过多" })).toHaveText("未结授权过多3");
});

test("a check says whether a call would pass, and what to change", async ({ page, account }) => {
  const key = await newSpendingKey(account, "gateway", { daily_limit: 10, input_price_limit: 8 });
  await account.call("POST", "/v1/authorizations", { apikey: key.value, amount: 4, input_price: 1 });
  const one = new KeyPage(page);
  await one.goto(key.id);
  await one.ask("");
  await expect(one.check.getByText("Enter an amount.")).toBeVisible();
  await one.ask("1,5", { input: "x" });
  await expect(one.check.getByText("Enter a number in digits, for example 12.5.")).toHaveCount(2);

  await one.ask("7");
  await expect(one.check.getByRole("status")).toHaveText(
    "No, it would be refused" +
      "The model's input price is unknown, and the key has a ceiling of ¥8 per million tokens." +
      "Say the input price of the model: the ceiling refuses an unknown one.",
  );
  await one.ask("7", { input: "8.000000001" });
  await expect(one.check.getByRole("status")).toContainText(
    "The model's input price of ¥8.000000001 per million tokens is above the key's ceiling of ¥8.",
  );
  await one.ask("7.000000001", { input: "8" });
  await expect(one.check.getByRole("status")).toContainText(
    /The limit of the day does not allow ¥7\.000000001: ¥6 is left\.The limit resets .+ GMT\+8\./,
  );
  await expect(one.check.getByRole("status")).toContainText("Raise the limit per day from ¥10 to ¥11.000000001.");
  await expect(one.limit("Per day").getByRole("cell")).toHaveText(["Stops it", "¥10", "¥0", "¥4", "¥6", "¥11"]);
  await expect(one.limit("Total budget")).toContainText("Unlimited");
  await expectFitForAll(page);
  // On a phone nothing is cut at the edge of the frame.
  const desktop = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 320, height: 740 });
  await expect(one.limit("Per day").getByText("¥11", { exact: true })).toBeVisible();
  const frame = one.check.getByRole("region");
  expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.setViewportSize(desktop);
  await one.ask("6", { input: "8", output: "100" });
  await expect(one.check.getByRole("status")).toHaveText("Yes, it would pass");
  // The check authorized nothing.
  expect((await account.call("GET", `/v1/apikeys/${key.id}`)).held).toBe(4);
  await account.call("POST", `/v1/apikeys/${key.id}/disable`, {});
  await one.ask("6", { input: "8" });
  await expect(one.check.getByRole("status")).toContainText("Enable the key.");
});

test("in Chinese, the page of a key speaks Chinese", async ({ page, context, account, baseURL }) => {
  const key = await newSpendingKey(account, "one", { budget: 1 });
  await account.call("POST", "/v1/authorizations", { apikey: key.value, amount: 2 });
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto(`/keys/${key.id}`);
  await expect(page.getByRole("listitem").filter({ hasText: "总预算余额不足" })).toHaveText("总预算余额不足1");
  await page.getByRole("textbox", { name: "最高费用" }).fill("2.5");
  await page.getByRole("button", { name: "检查" }).click();
  await expect(page.getByText("总预算不足以支付 ¥2.50：剩余 ¥1。")).toBeVisible();
  await expect(page.getByText("将总预算从 ¥1 提高到 ¥2.50。")).toBeVisible();
});
