import { expect, type Page } from "playwright/test";
import { sumExactly } from "@/components/yuan";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { holdScripts } from "./late-scripts";
import { chooseFrom } from "./pages/combobox";
import { UsagePage } from "./pages/usage";
import { bookEarlier, bookModel, ledgerOf, newSpendingKey, spend } from "./spend";

test("page, table, file and API agree with the ledger to the last decimal", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const inGroup = await newSpendingKey(account, "=1+1", { group_id });
  const alone = await newSpendingKey(account, "alone");
  for (const amount of [0.1, 0.2, 0.123456789]) await spend(account, inGroup, amount);
  await spend(account, alone, 1e-9);
  await bookEarlier(account, inGroup, 3, "12.345678901");
  await bookEarlier(account, alone, 3, "1234.5");
  await bookEarlier(account, alone, 29, "0.000000007");
  // Outside the range that is shown.
  await bookEarlier(account, alone, 30, "99");

  const usage = new UsagePage(page);
  await usage.open("?by=key&range=30");
  await expect(usage.chart).toHaveAttribute("aria-valuemax", "30");
  await expect(usage.totalRows()).toHaveText([
    `alone${alone.id} · No group¥1,234.500099%3`,
    `=1+1${inGroup.id} · Research¥12.76911%4`,
    "All 2 keys¥1,247.2691100%7",
  ]);
  await usage.showTable();
  const [head = [], ...rows] = await usage.figures();
  const sums = rows.pop() ?? [];
  expect(head).toEqual(["Day", "Total", "alone", "=1+1"]);
  expect(rows).toHaveLength(30);

  const first = rows[0]?.[0];
  const ledger = await ledgerOf(account);
  expect(ledger.map(({ spent }) => spent).sort()).toEqual([
    "0.000000001",
    "0.000000007",
    "0.423456789",
    "12.345678901",
    "1234.5",
    "99",
  ]);
  const ofDay = (id: string, day: string | undefined) =>
    ledger.find((sum) => sum.key_id === id && sum.day === day)?.spent ?? "0";
  for (const [day, total, ofAlone, ofGroup] of rows) {
    expect([ofAlone, ofGroup]).toEqual([ofDay(alone.id, day), ofDay(inGroup.id, day)]);
    expect(Number(total)).toBe(sumExactly([Number(ofAlone), Number(ofGroup)]));
  }
  expect(sums).toEqual(["Total", "1247.269135698", "1234.500000008", "12.76913569"]);

  await test.step("the file has the same figures, and no cell that computes", async () => {
    const [fileHead, ...lines] = await usage.exported("Export days");
    expect(fileHead).toEqual(["day", "total", `alone (${alone.id})`, `"'=1+1 (${inGroup.id})"`]);
    expect(lines).toEqual(rows);
  });

  await test.step("the file of all keys has their sums, and no cell that computes", async () => {
    const lines = await usage.exported("Export CSV");
    expect(lines[0]).toEqual(["apikey_id", "name", "group_id", "group_name", "captures", "spent"]);
    expect(lines.slice(1).sort()).toEqual(
      [
        [alone.id, "alone", "", "", "3", "1234.500000008"],
        [inGroup.id, '"\'=1+1"', group_id, "Research", "4", "12.76913569"],
      ].sort(),
    );
  });

  await test.step("and so has the API", async () => {
    const range = `from=${first}&to=${rows.at(-1)?.[0]}`;
    const answer = await account.call("GET", `/v1/usage?${range}&by=key`);
    expect(answer.total).toBe(1247.269135698);
    expect(answer.data.map(({ total }: { total: number }) => total)).toEqual([1234.500000008, 12.76913569]);
    const one = await account.call("GET", `/v1/apikeys/${inGroup.id}/usage?${range}`);
    expect(one.total).toBe(12.76913569);
    const all = await account.call("GET", `/v1/usage/totals?${range}&by=group&sort=name&order=asc&page_size=1`);
    expect(all).toMatchObject({
      data: [{ id: group_id, name: "Research", spent: 12.76913569, captures: 4 }],
      total: 2,
      spent: 1247.269135698,
      captures: 7,
    });
  });

  await test.step("by group they are the same sums", async () => {
    await usage.choose("By group");
    await expect(usage.table.getByRole("columnheader")).toHaveText(["Day", "Total", "No group", "Research"]);
    expect((await usage.figures()).at(-1)).toEqual(sums);
  });
});

test("days and choices that are made before the scripts of the page are there count", async ({ page, account: _ }) => {
  const scripts = await holdScripts(page);
  await page.goto("/usage?range=own&from=2026-03-01&to=2026-03-02", { waitUntil: "commit" });
  await page.getByLabel("To", { exact: true }).fill("2026-03-04");
  await new UsagePage(page).choose("By key");
  scripts.release();
  await expect(page).toHaveURL(/range=own.*from=2026-03-01.*to=2026-03-04.*by=key/);
});

test("range, stacking, group and view stand in the address", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const one = await newSpendingKey(account, "one", { group_id });
  const two = await newSpendingKey(account, "two");
  await spend(account, one, 2.5);
  await spend(account, two, 7.5);
  await bookEarlier(account, two, 60, "5");
  const usage = new UsagePage(page);
  await usage.open();
  await expect(page.getByText("Asia/Shanghai")).toBeVisible();
  const rows = usage.totalRows();
  await expect(rows).toHaveText(["No group¥7.5075%1", "Research¥2.5025%1", "In all¥10.00100%2"]);
  await usage.choose("90 days");
  await expect(rows).toHaveText(["No group¥12.5083.3%2", "Research¥2.5016.7%1", "In all¥15.00100%3"]);
  await usage.choose("By key");
  await expect(rows).toHaveText([/^two.*¥12\.50/, /^one.*¥2\.50/, "All 2 keys¥15.00100%3"]);
  await chooseFrom(page.getByRole("combobox", { name: "Group" }), "Research");
  await expect(rows).toHaveText([/^one.*¥2\.50/, "This key¥2.50100%1"]);
  await expect(page).toHaveURL(/range=90.*by=key.*group=/);
  await page.reload();
  await expect(rows).toHaveText([/^one.*¥2\.50/, "This key¥2.50100%1"]);
  await page.goBack();
  await expect(rows).toHaveText([/^two.*¥12\.50/, /^one.*¥2\.50/, "All 2 keys¥15.00100%3"]);

  await usage.choose("7 days");
  await usage.choose("From – to");
  await expect(usage.chart).toHaveAttribute("aria-valuemax", "7");
  const from = page.getByLabel("From", { exact: true });
  const last = await page.getByLabel("To", { exact: true }).inputValue();
  await from.fill("2999-01-01");
  await expect(page.getByText("Enter two days in their order, at most 366 days in all.")).toBeVisible();
  await expect(from).toHaveAttribute("aria-invalid", "true");
  await expect(usage.chart).toBeHidden();
  await from.fill(last);
  await expect(usage.chart).toHaveAttribute("aria-valuemax", "1");
  await usage.choose("This month");
  await expect(usage.chart).toHaveAttribute("aria-valuemax", String(Number(last.slice(8))));
  await usage.choose("Today");
  await expect(usage.chart).toHaveAttribute("aria-valuemax", "1");
});

test("this month stands beside the same days of the month before", async ({ page, account }) => {
  const key = await newSpendingKey(account, "one");
  await spend(account, key, 30);
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" }).format(new Date());
  const dayOfMonth = Number(today.slice(8));
  // The first day of the month before, and a day before it, which is not compared.
  const lastMonth = new Date(Date.parse(today) - dayOfMonth * 86_400_000);
  const back = dayOfMonth + lastMonth.getUTCDate() - 1;
  await bookEarlier(account, key, back, "20");
  await bookEarlier(account, key, back + 1, "7");
  const usage = new UsagePage(page);
  await usage.open("?range=month");
  await expect(usage.sheet.getByRole("definition")).toHaveText(["¥30", "¥20", "+50%"]);
  await expect(usage.legend()).toHaveCount(2);
  await usage.chart.focus();
  await page.keyboard.press("Home");
  await expect(usage.chart).toHaveAttribute("aria-valuetext", /; .*: ¥20$/);
  await expectFitForAll(page);
  await usage.showTable();
  const [, first, ...rest] = await usage.figures();
  expect([first?.at(-1), rest.at(-1)?.at(-1)]).toEqual(["20", "20"]);
  await usage.choose("Last month");
  await expect(usage.totalRows().last()).toHaveText("In all¥20100%1");
});

test("one walks through the days with the keyboard, and points at them", async ({ page, account }) => {
  const group_id = await account.newGroup("فريق");
  const key = await newSpendingKey(account, "one", { group_id });
  const other = await newSpendingKey(account, "two");
  await spend(account, key, 2.5);
  await spend(account, other, 1);
  await bookEarlier(account, key, 2, "4");
  const usage = new UsagePage(page);
  await usage.open("?range=7");
  await usage.chart.focus();
  await expect(usage.chart).toHaveAttribute("aria-valuetext", /: ¥3\.50; فريق: ¥2\.50; No group: ¥1$/);
  await page.keyboard.press("ArrowLeft");
  await expect(usage.chart).toHaveAttribute("aria-valuetext", /: ¥0$/);
  await page.keyboard.press("ArrowLeft");
  await expect(usage.chart).toHaveAttribute("aria-valuetext", /: ¥4; فريق: ¥4$/);
  await expect(usage.figuresOfDay.getByText("فريق")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(usage.figuresOfDay.getByText("فريق")).toBeHidden();
  await page.keyboard.press("Home");
  await expect(usage.chart).toHaveAttribute("aria-valuenow", "1");
  await page.keyboard.press("End");
  await expect(usage.chart).toHaveAttribute("aria-valuenow", "7");
  await page.keyboard.press("Tab");
  const box = await usage.chart.boundingBox();
  await usage.chart.hover({ position: { x: (box?.width ?? 0) * 0.64, y: 20 } });
  await expect(usage.chart).toHaveAttribute("aria-valuenow", "5");
  await expect(usage.figuresOfDay.getByText("فريق")).toBeVisible();
});

test("the chart names five of many keys, and the list has all of them, sorted and searched", async ({
  page,
  account,
}) => {
  for (let index = 1; index <= 7; index++) {
    await bookEarlier(account, await newSpendingKey(account, `worker ${index}`), 1, String(index));
  }
  const usage = new UsagePage(page);
  await usage.open("?by=key");
  await expect(usage.legend()).toHaveText([...[7, 6, 5, 4, 3].map((number) => `worker ${number}`), "All other keys"]);
  await usage.showTable();
  expect((await usage.figures()).at(-1)).toEqual(["Total", "28", "7", "6", "5", "4", "3", "3"]);

  await expect(usage.totalRows()).toHaveCount(8);
  await expect(usage.totalRows().first()).toHaveText(/^worker 7.*¥725%1$/);
  await expect(usage.totalRows().last()).toHaveText("All 7 keys¥28100%7");
  await usage.totals.getByRole("button", { name: "Key" }).click();
  await expect(usage.totalRows().first()).toHaveText(/^worker 1.*¥1/);
  await expect(page).toHaveURL(/sort=name.*order=asc/);
  await page.getByRole("searchbox", { name: "Search name or id" }).fill("WORKER 3");
  await expect(usage.totalRows()).toHaveText([/^worker 3.*¥3100%1$/, "This key¥3100%1"]);
  await page.getByRole("searchbox", { name: "Search name or id" }).fill("nobody");
  await expect(usage.totals.getByText("No key with this name or id had a call in these days.")).toBeVisible();
  await expectFitForAll(page);
  await page.getByRole("searchbox", { name: "Search name or id" }).fill("n".repeat(129));
  await expect(page.getByText(/at most 128 characters/)).toBeVisible();
  await expect(usage.totalRows()).toHaveCount(0);
});

test("by model, each has its spend and its tokens, and what was authorized by an amount is one row", async ({
  page,
  account,
}) => {
  const key = await newSpendingKey(account, "one");
  await bookEarlier(account, key, 2, "1.5");
  for (let index = 1; index <= 6; index++) {
    const tokens = { input: index * 1000, cached: index * 100, output: index };
    await bookModel(account, key, { daysAgo: 1, model: `model-${index}`, amount: String(10 * index), tokens });
  }
  const usage = new UsagePage(page);
  await usage.open();
  await usage.choose("By model");
  const largest = [6, 5, 4, 3, 2].map((number) => `model-${number}`);
  await expect(usage.legend()).toHaveText([...largest, "All other models"]);
  await expect(usage.totals.getByRole("columnheader")).toHaveText([
    ...["Model", "Spent", "Share", "Calls", "Input tokens", "Of that cached", "Output tokens"],
  ]);
  await expect(usage.totalRows()).toHaveText([
    "model-6¥60.0028.4%16,0006006",
    ...largest.slice(1).map((name) => new RegExp(`^${name}¥`)),
    "model-1¥10.004.7%11,0001001",
    "Calls authorized by amount¥1.500.7%1–––",
    "In all¥211.50100%721,0002,10021",
  ]);
  await usage.totals.getByRole("button", { name: "Output tokens" }).click();
  await usage.totals.getByRole("button", { name: "Output tokens" }).click();
  await expect(usage.totalRows().first()).toHaveText(/^model-1/);
  await expect(page).toHaveURL(/by=model.*sort=output_tokens.*order=asc/);
  await expectFitForAll(page);
  const [head, ...lines] = await usage.exported("Export CSV");
  expect(head).toEqual(["model", "captures", "spent", "input_tokens", "cached_input_tokens", "output_tokens"]);
  expect([lines[0], lines.at(-1)]).toEqual([
    ["model-6", "1", "60", "6000", "600", "6"],
    ["(no model)", "1", "1.5", "", "", ""],
  ]);
  await page.getByRole("searchbox", { name: "Search models" }).fill("MODEL-3");
  await expect(usage.totalRows()).toHaveText([/^model-3¥30/, /^In all of these¥30/]);
});

test("the lines of a chart of very little have an amount each", async ({ page, account }) => {
  const key = await newSpendingKey(account, "first call");
  await spend(account, key, 0.0002);
  const usage = new UsagePage(page);
  await usage.open();
  await expect(usage.sheet.locator("[aria-hidden] > span[style]").filter({ hasText: "¥" })).toHaveText([
    "¥0",
    "¥0.00005",
    "¥0.0001",
    "¥0.00015",
    "¥0.0002",
  ]);
});

test("a group that is gone is said to be so in the filter, and one press leads to all groups", async ({
  page,
  context,
  account,
  baseURL,
}) => {
  const id = await account.newGroup("Research");
  await account.call("POST", `/v1/apikey_groups/${id}/delete`);
  await page.goto(`/usage?group=${id}`);
  const group = page.getByRole("combobox", { name: "Group" });
  await expect(group).toHaveValue("No such group");
  await page.getByRole("button", { name: "Show all groups" }).click();
  await expect(group).toHaveValue("All groups");
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  for (const path of ["/keys", "/history"]) {
    await page.goto(`${path}?group=${id}`);
    await expect(page.getByRole("combobox", { name: "分组", exact: true })).toHaveValue("分组不存在");
  }
});

test("where nothing was spent the page says so", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const usage = new UsagePage(page);
  await usage.open();
  await expect(page.getByRole("heading", { name: "Nothing was spent" })).toBeVisible();
  await expectFitForAll(page);
  // A call that cost nothing stands in the list below, so the page does not say that there was none.
  const key = await newSpendingKey(account, "one");
  await spend(account, key, 0);
  await usage.open();
  await expect(page.getByText("No call of these days has cost anything.")).toBeVisible();
  await expect(usage.totalRows()).toHaveText(["No group¥00%1", "In all¥00%1"]);
  await spend(account, key, 1);
  await usage.open(`?group=${group_id}`);
  await expectChoicesToBeSeen(page);
  await page.getByRole("button", { name: "Show all groups" }).click();
  await expect(usage.totalRows()).toHaveText(["No group¥1100%2", "In all¥1100%2"]);
});

test("the figures of another account are not seen", async ({ page, account, other }) => {
  const group_id = await other.newGroup("Theirs");
  await spend(other, await newSpendingKey(other, "theirs", { group_id }), 1);
  await spend(account, await newSpendingKey(account, "mine"), 2);
  const usage = new UsagePage(page);
  await usage.open("?by=key");
  await expect(usage.totalRows()).toHaveText([/^mine.*¥2100%1$/, "One key¥2100%1"]);
  await usage.open(`?by=key&group=${group_id}`);
  await expect(page.getByRole("heading", { name: "Nothing was spent" })).toBeVisible();
});

test("a file is for the account that is signed in, of a range that is valid", async ({ page, context, account }) => {
  await spend(account, await newSpendingKey(account, "one"), 1);
  const statuses = (query: string) =>
    Promise.all(
      ["", "/all"].map(async (file) => (await context.request.get(`/usage/export${file}?${query}`)).status()),
    );
  expect(await statuses("from=2026-02-30&to=2026-03-01&by=key")).toEqual([400, 400]);
  expect(await statuses("from=2026-02-01&to=2026-03-01&by=day")).toEqual([400, 400]);
  expect(await statuses("from=2026-02-01&to=2026-03-01&by=key")).toEqual([200, 200]);
  await context.clearCookies();
  expect(await statuses("from=2026-02-01&to=2026-03-01&by=key")).toEqual([401, 401]);
  await page.goto("/usage?range=7");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test("in Chinese, the page speaks Chinese", async ({ page, context, account, baseURL }) => {
  await spend(account, await newSpendingKey(account, "one"), 1);
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/usage");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("用量");
  await expect(page.getByRole("table", { name: "各分组花费" }).locator("tbody tr")).toHaveText([
    "未分组¥1100%1",
    "合计¥1100%1",
  ]);
  await page.getByRole("button", { name: "以表格显示" }).click();
  await expect(page.getByRole("columnheader", { name: "合计" })).toBeVisible();
  await page.goto("/keys");
  await expect(page.getByRole("row", { name: "one" }).getByRole("time")).toHaveText(/前，\d{4}年|现在，\d{4}年/);
});

test("chart and table are fit for all", async ({ page, account }) => {
  const group_id = await account.newGroup("x".repeat(128));
  await spend(account, await newSpendingKey(account, "one", { group_id }), 123_456.7891);
  await spend(account, await newSpendingKey(account, "two"), 1);
  const usage = new UsagePage(page);
  await usage.open();
  await usage.chart.focus();
  await expectFitForAll(page);
  await usage.showTable();
  await expectFitForAll(page);
  await usage.open("?range=own&from=2026-03-01&to=2026-02-01");
  await expectFitForAll(page);
});

/** Expects that what is chosen, and the present page, can be told where the device replaces the colours of pages. */
async function expectChoicesToBeSeen(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: "active" });
  const colourOf = (label: string) =>
    page.locator("label", { hasText: label }).evaluate((chip) => getComputedStyle(chip).backgroundColor);
  expect(await colourOf("30 days")).not.toBe(await colourOf("90 days"));
  const pages = page.getByRole("navigation", { name: "Main" });
  await expect(pages.getByRole("link", { name: "Usage" })).toHaveCSS("border-top-width", "1px");
  await expect(pages.getByRole("link", { name: "Groups" })).toHaveCSS("border-top-width", "0px");
  await page.emulateMedia({ forcedColors: "none" });
}
