import { text } from "node:stream/consumers";
import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { holdScripts } from "./late-scripts";
import { GroupsPage } from "./pages/groups";
import { HistoryPage } from "./pages/history";

const ODD_NAMES = ["<b>bold</b> & <script>alert(1)</script>", "مفتاح", "🚀👩‍🔬 研究", "{name} # <bdi>"];

test("a change is told: what, by whom, from where, before and after", async ({ page, account }) => {
  const history = new HistoryPage(page);
  const group_id = await account.newGroup("Research");
  const key = await account.newKey("one", { group_id, budget: 100, input_price_limit: 8 });
  await account.call("POST", `/v1/apikeys/${key}/budget`, { budget: 0, daily_limit: 12.5, expiry_date: "2099-12-31" });
  await account.call("POST", `/v1/apikeys/${key}/budget`, { budget: 0, expiry_date: "2099-12-31", monthly_limit: 0 });
  await account.call("POST", `/v1/apikeys/${key}/rename`, { name: "uno" });
  await account.call("POST", `/v1/apikeys/${key}/rotate`, { grace_seconds: 3600 });
  await history.open();
  await expect(history.sentences).toHaveText([
    "Key one rotated".replace("one", "uno"),
    /^Key \S+ renamed$/,
    "Limits set on key one",
    "Limits set on key one",
    "Key one created in group Research",
    "Group Research created",
    "Signed in with a password",
    "Account created",
  ]);

  // A value that stays is no change, and neither is another word for no limit.
  await expect(history.event("Limits set on key one").getByRole("definition")).toHaveCount(0);
  await expect(history.event("Limits set on key one")).toContainText("No value changed.");
  const limits = history.events
    .filter({ has: page.getByRole("heading", { name: "Limits set on key one", exact: true }) })
    .nth(1);
  await expect(limits.getByRole("definition")).toHaveText([
    /¥100 → .*Unlimited/,
    /Unlimited → .*¥12\.50/,
    /Never → .*Dec 31, 2099/,
  ]);
  await expect(limits).toContainText("REST API");
  await expect(limits).toContainText(account.apikey.slice(0, 10));
  await expect(limits).toContainText(/from (127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)/);
  const created = history.event("Key one created in group Research");
  await expect(created.getByRole("definition")).toHaveText(["¥100", "¥8 / M tokens"]);
  await expect(history.event("Key uno rotated")).toContainText("1 hour");
  await expect(history.event("Account created")).toContainText("Command line");
  await expect(page.locator("main")).not.toContainText(account.apikey);

  await limits.getByRole("link", { name: "one" }).click();
  await expect(page).toHaveURL(new RegExp(`/keys/${key}$`));
});

test("what is done in the browser is told as such", async ({ page, account }) => {
  await account.newGroup("Research", "old words");
  const groups = new GroupsPage(page);
  await groups.open();
  await groups.choose("Research", "Edit");
  await groups.fill({ name: "Science", description: "" });
  await groups.press("Save");
  await expect(groups.row("Science")).toBeVisible();
  const history = new HistoryPage(page);
  await history.open();
  const changed = history.event("Group Science changed");
  await expect(changed).toContainText(`Browser · ${account.email}`);
  await expect(changed.getByRole("definition")).toHaveText([/Research → .*Science/, /old words → .*empty/]);
  await changed.getByRole("link", { name: "Science" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Science" })).toBeVisible();
});

test("a change of many keys names the first, and all of them on demand", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  for (let index = 0; index < 51; index += 1) await account.newKey(`key ${index}`, { group_id, budget: index + 1 });
  await account.call("POST", `/v1/apikey_groups/${group_id}/batch_budget`, { budget: 500 });
  const history = new HistoryPage(page);
  await history.open();
  const event = history.event("Limits set on 51 keys of group Research");
  await expect(event.getByRole("definition")).toHaveText(["¥500"]);
  await expect(event.getByRole("list", { name: "Keys" }).getByRole("link")).toHaveCount(3);
  await expect(event.getByRole("list", { name: "Keys" })).toContainText(/before: Total budget ¥\d+/);
  await event.getByRole("button", { name: "Show all 51 keys" }).click();
  const dialog = page.getByRole("dialog", { name: "The 51 keys of this change" });
  await expect(dialog.getByRole("link")).toHaveCount(50);
  await expectFitForAll(page);
  await dialog.getByRole("button", { name: "Next" }).click();
  await expect(dialog.getByRole("link")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(event.getByRole("button", { name: "Show all 51 keys" })).toBeFocused();

  // A deleted group has no page.
  await account.call("POST", `/v1/apikey_groups/${group_id}/delete`, { ungroup_keys: true });
  await history.open();
  await expect(history.sentences.first()).toHaveText("Group Research deleted");
  await expect(history.event("51 keys taken out of their group").getByRole("list", { name: "Keys" })).toContainText(
    "before: Group Research",
  );
  await expect(page.getByRole("link", { name: "Research" })).toHaveCount(0);
});

test("sign-ins are told, and failed ones counted, in both languages", async ({ page, context, account, baseURL }) => {
  const attempt = (password: string) =>
    context.request.post(`${baseURL}/api/auth/sign-in/email`, { data: { email: account.email, password } });
  const history = new HistoryPage(page);
  for (const [i, sentence] of [
    "A sign-in failed, with a wrong password",
    "2 sign-ins failed, with a wrong password",
  ].entries()) {
    expect((await attempt(`wrong ${i}`)).status()).toBe(401);
    await expect(async () => {
      await history.open("?action=sign_in.failed");
      await expect(history.sentences).toHaveText([sentence], { timeout: 1_000 });
    }).toPass();
  }
  await expect(history.events.first()).toContainText(`Browser · ${account.email}`);
  await expect(history.events.first().getByRole("definition")).toHaveCount(0);
  await history.narrow("What was done", "Signed in");
  await expect(history.sentences).toHaveText(["Signed in with a password"]);
  await expectFitForAll(page);
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/history?action=sign_in.failed");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["登录失败 2 次：密码错误"]);
  await expectFitForAll(page);
});

test("what the filters show is exported, as CSV and as JSON lines", async ({ page, account }) => {
  await account.newGroup("Research");
  const history = new HistoryPage(page);
  await history.open();
  const tops = ["Saved filters", "Export CSV", "Export JSON lines"].map(async (name) => {
    const box = await page.getByRole("link", { name }).or(page.getByRole("button", { name })).boundingBox();
    return box?.y;
  });
  // They stand in one line, as on the page of keys.
  expect(new Set(await Promise.all(tops)).size).toBe(1);
  await history.open("?action=group.created&range=today&search=research");
  await account.newGroup("Another");
  const read = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
    return {
      file: download.suggestedFilename(),
      lines: (await text(await download.createReadStream())).trimEnd().split("\n"),
    };
  };
  const csv = await read("Export CSV");
  expect([csv.file, csv.lines.length]).toEqual(["history.csv", 2]);
  expect(csv.lines[1]).toContain(`,group.created,rest,${account.apikey.slice(0, 10)},`);
  const jsonl = await read("Export JSON lines");
  expect([jsonl.file, jsonl.lines.map((line) => JSON.parse(line).group_name)]).toEqual(["history.jsonl", ["Research"]]);
});

test("filters and page stand in the address", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const key = await account.newKey("one", { group_id });
  for (let index = 0; index < 51; index += 1) await account.newKey(`key ${index}`);
  const history = new HistoryPage(page);
  await history.open();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(history.sentences.last()).toHaveText("Account created");

  await history.narrow("What was done", "Group created");
  await expect(page).toHaveURL(/action=group\.created/);
  await expect(page).not.toHaveURL(/page=2/);
  await expect(history.sentences).toHaveText(["Group Research created"]);
  await history.narrow("What was done", "Every change");
  await history.narrow("Group", "Research");
  await expect(history.sentences).toHaveText(["Key one created in group Research", "Group Research created"]);
  await history.narrow("Source", "Browser");
  await expect(page.getByRole("heading", { name: "No change matches" })).toBeVisible();
  await expectFitForAll(page);
  await page.goBack();
  await expect(history.sentences).toHaveCount(2);
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(history.sentences).toHaveCount(50);

  // The address keeps only the id of a pasted value.
  const secret = `${key}${"x".repeat(38)}`;
  await page.getByRole("searchbox", { name: "Search the history" }).fill(secret);
  await expect(page).toHaveURL(new RegExp(`search=${key}$`));
  await expect(history.sentences).toHaveText(["Key one created in group Research"]);
  await page.reload();
  await expect(history.sentences).toHaveText(["Key one created in group Research"]);

  await page.getByRole("searchbox", { name: "Search the history" }).fill("resea");
  await expect(history.sentences).toHaveText(["Key one created in group Research", "Group Research created"]);
  await history.narrow("Days", "Last 7 days");
  await expect(page).toHaveURL(/search=resea&range=7$/);
  await expect(history.sentences).toHaveCount(2);
  await history.narrow("Days", "Last month");
  await expect(page.getByRole("heading", { name: "No change matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).last().click();
  await expect(page).toHaveURL(/\/history$/);
  await history.narrow("Days", "Today");
  await expect(history.sentences).toHaveCount(50);
  await history.narrow("Days", "Choose days");
  await expect(page).toHaveURL(/range=own&from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);

  await history.open(`?key=${key}`);
  await expect(history.sentences).toHaveText(["Key one created in group Research"]);
  await page.getByRole("button", { name: `Key ${key}` }).click();
  await expect(history.sentences).toHaveCount(50);

  await history.open("?from=2100-01-01");
  await expect(page.getByRole("heading", { name: "No change matches" })).toBeVisible();
  await page.getByLabel("From", { exact: true }).fill("2020-01-01");
  await page.getByLabel("To", { exact: true }).fill("2100-01-01");
  await expect(page).toHaveURL(/from=2020-01-01&range=own&to=2100-01-01/);
  await expect(history.sentences).toHaveCount(50);
  await history.open("?action=nonsense&from=x&page=-3&group=y");
  await expect(history.sentences).toHaveCount(50);
});

test("days that are chosen before the scripts of the page are there count", async ({ page, account: _ }) => {
  const scripts = await holdScripts(page);
  await page.goto("/history?from=2100-01-01&to=2100-01-02", { waitUntil: "commit" });
  await page.getByLabel("From", { exact: true }).fill("2020-01-01");
  await page.getByLabel("To", { exact: true }).fill("2100-01-01");
  scripts.release();
  await expect(page).toHaveURL(/from=2020-01-01&to=2100-01-01&range=own/);
  await expect(new HistoryPage(page).sentences.last()).toHaveText("Account created");
});

test("names are shown as they are, whatever is written in them", async ({ page, account }) => {
  for (const name of ODD_NAMES) await account.newKey(name);
  const history = new HistoryPage(page);
  await history.open("?action=key.created");
  await expect(history.sentences).toHaveText([...ODD_NAMES].reverse().map((name) => `Key ${name} created`));
  await expectFitForAll(page);
});

test("prices of models: what of one changed, and all of an import in a dialog", async ({ page, account }) => {
  const price = { name: "gpt-<b>", aliases: ["omni"], currency: "USD", rate: 7.2, input_price: 0.15, output_price: 12 };
  await account.call("POST", "/v1/models", { models: [price] });
  await account.call("POST", "/v1/models", { models: [{ ...price, aliases: [], input_price: 0.000001 }] });
  const content = "name,input_price,output_price,valid_from\na,1,2,\nb,1,2,2026-12-01\n";
  await account.call("POST", "/v1/models/import", { format: "csv", content, replace: true });
  const history = new HistoryPage(page);
  await history.open();
  await history.narrow("What was done", "Model prices set");
  await expect(history.sentences).toHaveText(["Price of model gpt-<b> set", "Price of model gpt-<b> set"]);
  await expect(history.event("Price of model gpt-<b> set").getByRole("definition")).toHaveText([
    /0\.15 → .*0\.000001/,
    /omni → .*none/,
  ]);
  await history.narrow("What was done", "Model prices imported");
  await expect(history.sentences).toHaveText(["3 prices of models imported"]);
  await expect(history.event("3 prices of models imported").getByRole("definition")).toHaveText(["2", "1"]);
  await page.getByRole("button", { name: "Show all 3 prices" }).click();
  const prices = page.getByRole("list", { name: "Prices" }).locator("> li");
  await expect(prices).toHaveText([/^anewInput price1/, /^bnewfrom Dec 1, 2026/, /^gpt-<b>deleted/]);
  await expectFitForAll(page);
  await account.call("POST", "/v1/models", { models: [{ ...price, name: "later", valid_from: "2026-12-01" }] });
  await history.open("?search=later");
  const fields = history.event("Price of model later set").getByRole("definition");
  await expect(fields.last()).toHaveText("Dec 1, 2026");
});

test("in Chinese, the page speaks Chinese", async ({ page, context, account, baseURL }) => {
  const group_id = await account.newGroup("Research");
  await account.newKey("one", { group_id });
  await account.newKey("two", { group_id });
  await account.call("POST", `/v1/apikey_groups/${group_id}/batch_budget`, { budget: 500 });
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/history");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("历史记录");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "已为分组 Research 的 2 个密钥设置限额",
    "已在分组 Research 中创建密钥 two",
    "已在分组 Research 中创建密钥 one",
    "已创建分组 Research",
    "已使用密码登录",
    "已创建账户",
  ]);
  await expectFitForAll(page);
});

test("more events than are counted: the pager says so, and turns on behind them", async ({ page, account }) => {
  const COUNTED = 100_000;
  await account.addEvents(COUNTED + 20);
  const history = new HistoryPage(page);
  await history.open();
  await expect(page.getByText("1–50 of more than 100,000")).toBeVisible();
  await history.open(`?page=${COUNTED / 50}`);
  await page.getByRole("button", { name: "Next" }).click();
  // The creation of the account and the sign-in are events too.
  await expect(page.getByText("100,001–100,022 of more than 100,000")).toBeVisible();
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();
});
