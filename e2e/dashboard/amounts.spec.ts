import { expect, type Locator, type Page } from "playwright/test";
import { test } from "./account";
import { expectNoSidewaysScroll } from "./overflow";
import { BatchLimitsDialog } from "./pages/batch-limits";
import { KeysPage } from "./pages/keys";
import { UsagePage } from "./pages/usage";
import { bookModel, newSpendingKey, spend } from "./spend";

const LARGEST = 1e15;
const LIMITS = { budget: LARGEST, daily_limit: 123456789012345.12, monthly_limit: LARGEST };

/** Expects that no amount reaches beyond its place, onto the one beside it. */
async function expectAmountsInPlace(page: Page): Promise<void> {
  const beyond = await page.locator("dd").evaluateAll((places) =>
    places
      .filter((place) => {
        const endOf = (part: Element | null) => part?.getBoundingClientRect().right ?? 0;
        return place.scrollWidth > place.clientWidth || endOf(place) > endOf(place.closest("dl")) + 1;
      })
      .map((place) => place.textContent),
  );
  expect(beyond).toEqual([]);
  await expectNoSidewaysScroll(page);
}

test("the largest amounts stay in their places on every screen", async ({ page, account }) => {
  const group_id = await account.newGroup("large");
  const key = await newSpendingKey(account, "large", { ...LIMITS, group_id });
  await account.call("POST", `/v1/apikey_groups/${group_id}`, { defaults: LIMITS });
  await spend(account, key, 88888888888888.75);
  await account.call("POST", "/v1/authorizations", { apikey: key.value, amount: 11111111111111.25 });
  for (const path of ["/overview", `/keys/${key.id}`, `/groups/${group_id}`]) {
    await page.goto(path);
    await expect(page.getByText(/¥\d+(,\d{3}){4}/).first()).toBeVisible();
    for (const width of [1440, 1024, 768, 640, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await test.step(`${path} at ${width}`, () => expectAmountsInPlace(page));
    }
  }
  // The figures of a day in the chart, of a group and of no group.
  await spend(account, await newSpendingKey(account, "in no group"), 88888888888888.75);
  await page.goto("/usage");
  await expect(page.getByRole("slider")).toBeVisible();
  await page.setViewportSize({ width: 320, height: 740 });
  await expectAmountsInPlace(page);
  const ends = await page
    .getByText(/^[A-Z][a-z]{2} \d{1,2}$/)
    .filter({ visible: true })
    .evaluateAll((days) => days.map((day) => day.getBoundingClientRect()).map(({ left, right }) => [left, right]));
  expect(ends.length).toBeGreaterThan(1);
  // Each day ends before the next one begins.
  expect(ends.flat()).toEqual(ends.flat().toSorted((one, other) => one - other));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("slider").focus();
  await expect(page.locator("[aria-hidden] ul").getByText("No group")).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("at 320 pixels a card of a key has its menu beside the name, and usage shows whole amounts and words", async ({
  page,
  account,
}) => {
  const key = await newSpendingKey(account, "production");
  await spend(account, key, 12345.6789);
  await page.setViewportSize({ width: 320, height: 740 });
  await page.goto("/keys");
  const menu = await page.getByRole("button", { name: "Actions for production" }).boundingBox();
  const link = await page.getByRole("link", { name: "production" }).boundingBox();
  expect(Math.abs((menu?.y ?? 0) - (link?.y ?? 1000))).toBeLessThan(12);

  await page.goto("/usage?by=group");
  const table = page.getByRole("region", { name: "Spend by group" }).getByRole("region");
  await expect(table.getByText("¥12,345.6789").first()).toBeVisible();
  const [frame, amount] = await Promise.all([
    table.boundingBox(),
    table.getByText("¥12,345.6789").first().boundingBox(),
  ]);
  expect((amount?.x ?? 1000) + (amount?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));

  const model = "azure_ai/mistral.claude-3.5:free";
  await bookModel(account, key, {
    daysAgo: 1,
    model,
    amount: "30459.8341",
    tokens: { input: 1, cached: 0, output: 1 },
  });
  const usage = new UsagePage(page);
  await usage.open("?by=model");
  const name = usage.totals.getByRole("link", { name: model });
  await expect(name).toBeVisible();
  expect(await brokenWords(name)).toEqual([]);
  expect(await name.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
});

/** The words of an element that begin in one line and end in another one. */
function brokenWords(element: Locator): Promise<string[]> {
  return element.evaluate((root) => {
    // What stands in one node has its words in one piece, and a word does not go from one node to the next.
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[a-z0-9.]+/gi)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
      }
    }
    return broken;
  });
}

test("a limit is read whole in the field that edits it", async ({ page, context, account, baseURL }) => {
  const limits = {
    budget: LARGEST,
    daily_limit: 1234567.8912,
    monthly_limit: 123456789.12,
    output_price_limit: 0.000123,
  };
  await account.newKey("one", limits);
  const keys = new KeysPage(page);
  const cut = () =>
    keys.dialog
      .getByRole("textbox")
      .evaluateAll((fields) => fields.filter((field) => field.scrollWidth > field.clientWidth).length);
  await keys.open();
  await keys.choose("one", "Edit limits");
  await expect(keys.dialog.getByRole("textbox")).toHaveCount(4);
  expect(await cut()).toBe(0);
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.reload();
  await page.getByRole("button", { name: "one 的操作" }).click();
  await page.getByRole("menuitem", { name: "编辑限额" }).click();
  await expect(keys.dialog.getByRole("textbox")).toHaveCount(4);
  expect(await cut()).toBe(0);
});

test("a limit of many keys is read whole in its field", async ({ page, account }) => {
  await account.newKey("one");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.tick("one");
  await keys.selection.getByRole("button", { name: "Set limits" }).click();
  const batch = new BatchLimitsDialog(page);
  for (const [name, value] of [
    ["Total budget", "1000000000000000"],
    ["Per month", "123456789.12"],
    ["Output price ceiling", "0.000123"],
  ] as const) {
    await batch.set(name, value);
    expect(await batch.box(name).evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
  }
});

test("amounts of a column stand in line, in each table of spend", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  await spend(account, await newSpendingKey(account, "one", { group_id }), 1234.5);
  await spend(account, await newSpendingKey(account, "two", { group_id: await account.newGroup("Sales") }), 0.1234);
  await account.newGroup("Empty");
  const decimals = (table: Locator, column: number) =>
    table
      .locator(`tr > :nth-child(${column}) data`)
      .evaluateAll((amounts) => amounts.map(({ textContent }) => textContent?.split(".")[1]?.length ?? 0));

  await page.goto("/groups");
  const groups = page.getByRole("table", { name: "Groups" });
  await expect(groups.getByText("¥1,234.5000")).toBeVisible();
  expect(await decimals(groups, 3)).toEqual([4, 4, 4]);

  const usage = new UsagePage(page);
  await usage.open("?by=key&range=7");
  await expect(usage.totals.getByText("¥1,234.6234")).toBeVisible();
  expect(await decimals(usage.totals, 2)).toEqual([4, 4, 4]);
  await usage.showTable();
  expect(await decimals(usage.table, 2)).toEqual(Array(8).fill(4));
  // The column of the one key whose amounts need no more.
  expect(await decimals(usage.table, 3)).toEqual(Array(8).fill(2));
});

test("in the list of usage, a long group takes no more than two lines below its key", async ({ page, account }) => {
  const group_id = await account.newGroup("w".repeat(128));
  await spend(account, await newSpendingKey(account, "production", { group_id }), 1);
  await page.setViewportSize({ width: 320, height: 740 });
  const usage = new UsagePage(page);
  await usage.open("?by=key");
  const group = usage.totals.getByText("wwww");
  await expect(group).toBeVisible();
  const lines = (element: Element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight);
  expect(await group.locator("xpath=ancestor-or-self::p").evaluate(lines)).toBeLessThanOrEqual(2);
});
