import { expect, type Page } from "playwright/test";
import { addDays } from "@/components/day";
import { type Account, test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { KeysPage } from "./pages/keys";
import { OverviewPage } from "./pages/overview";
import { bookEarlier, newSpendingKey, type SpendingKey, spend } from "./spend";

/** Asks for more than the key has left. */
async function refuse(account: Account, { value }: SpendingKey, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await account.call("POST", "/v1/authorizations", { apikey: value, amount: 1_000 });
  }
}

test("says what needs the owner, and each number leads to its list", async ({ page, account, baseURL }) => {
  const { today } = await account.call("GET", "/v1/overview");
  const spent = await newSpendingKey(account, "all spent", { budget: 10 });
  await spend(account, spent, 10);
  await refuse(account, spent, 3);
  const near = await newSpendingKey(account, "nearly spent", { daily_limit: 20 });
  await spend(account, near, 17);
  await refuse(account, near, 1);
  await account.newKey("ends soon", { expiry_date: addDays(today, 5) });
  await bookEarlier(account, near, 1, "40.5");

  const overview = new OverviewPage(page);
  await page.goto("/");
  await expect(page).toHaveURL(`${baseURL}/overview`);
  await expect(overview.verdict).toHaveText("1 key is at a limit");
  await expect(overview.figure("at a limit")).toHaveText("1 at a limit");
  await expect(overview.spent("Today")).toContainText("¥27");
  await expect(overview.spent("Today")).toContainText("¥40.50");
  await expect(overview.chart).toHaveAttribute("aria-valuetext", /¥27$/);
  await expect(overview.reasons.first()).toContainText("Too little was left of the total budget3 · 1 key");
  await expect(overview.changes).toHaveCount(4);
  await expect(overview.changes.first()).toContainText("Key ends soon created");
  await expectFitForAll(page);
  await expectFiguresInLine(page, overview);

  const keys = new KeysPage(page);
  for (const [figure, name] of [
    ["at a limit", "all spent"],
    ["near a limit", "nearly spent"],
    ["expires within 7 days", "ends soon"],
  ] as const) {
    await overview.open();
    await overview.figure(figure).click();
    await expect(page).toHaveURL(/\/keys\?/);
    await expect(keys.names()).toHaveText([name]);
  }
  await overview.open();
  await overview.spent("Today").getByRole("link", { name: "¥40.50" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible();
  await expect(page.getByText("¥40.50").first()).toBeVisible();
  await overview.open();
  await overview.reasons.nth(1).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: "Refused calls" })).toBeVisible();
  await expect(page.getByLabel("Reason")).toHaveValue("daily_limit");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByLabel("Reason").selectOption("Every reason");
  await expect(page.getByRole("row")).toHaveCount(3);
  await expectFitForAll(page);
  await page.getByRole("link", { name: "all spent" }).click();
  await expect(page).toHaveURL(`${baseURL}/keys/${spent.id}`);
});

test("a number of keys that is counted no further stays in its place on the smallest screen", async ({
  page,
  account,
}) => {
  const { today } = await account.call("GET", "/v1/overview");
  await account.addKeys(10_001);
  const expiry = { filter: { search: "bulk" }, expiry_date: addDays(today, 5) };
  for (let after: string | undefined; after !== null; ) {
    after = (await account.call("POST", "/v1/apikeys/batch_budget", { ...expiry, after })).next;
  }
  const overview = new OverviewPage(page);
  await page.setViewportSize({ width: 320, height: 740 });
  await overview.open();
  const figure = overview.figure("expire within 7 days");
  await expect(figure).toHaveText("10,000+ expire within 7 days");
  expect(await figure.evaluate((place) => place.scrollWidth - place.clientWidth)).toBe(0);
});

test("what the month will cost is no link, because no list has this sum", async ({ page, account }) => {
  const overview = new OverviewPage(page);
  await spend(account, await newSpendingKey(account, "spends", { budget: 100 }), 27);
  const { projected } = (await account.call("GET", "/v1/overview")).spend;
  await overview.open();
  const figure = overview
    .spent(/^By .*, at this pace$/)
    .getByRole("paragraph")
    .first();
  await expect(figure).toContainText(projected.spent === null ? "–" : "≈");
  await expect(figure.getByRole("link")).toHaveCount(0);
});

test("what has the focus is not covered by the head of the page", async ({ page, account: _owner }) => {
  const overview = new OverviewPage(page);
  await page.setViewportSize({ width: 1280, height: 400 });
  await overview.open();
  await page.getByRole("main").getByRole("link").last().focus();
  const head = (await page.getByRole("banner").boundingBox())?.height ?? 1000;
  await expect(overview.spend.getByRole("link").first()).toBeVisible();
  for (const link of (await overview.spend.getByRole("link").all()).reverse()) {
    while (!(await link.evaluate((it) => it === document.activeElement))) await page.keyboard.press("Shift+Tab");
    expect((await link.boundingBox())?.y).toBeGreaterThanOrEqual(head);
  }
});

test("a link to a page of refused keys that is gone leads to the last page", async ({ page, account }) => {
  await refuse(account, await newSpendingKey(account, "all spent", { budget: 10 }), 1);
  await page.goto("/overview/refusals?page=3");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expect(page).toHaveURL(/page=1/);
});

test("a new account has nothing to watch, in both languages", async ({ page, context, account, baseURL }) => {
  const overview = new OverviewPage(page);
  await overview.open();
  await expect(overview.verdict).toHaveText("Nothing to watch yet");
  await expect(overview.spent("Today")).toContainText("¥0");
  await expect(overview.changes).toHaveText([/^Account created/]);
  await account.newKey("one");
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/overview");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("概览");
  await expect(overview.verdict).toHaveText("所有密钥都有余量");
  await expect(page.getByText("没有调用被拒绝。")).toBeVisible();
  await expect(page.getByRole("link", { name: "概览" })).toHaveAttribute("aria-current", "page");
  await expectFitForAll(page);
  await page.goto("/overview/refusals?code=budget");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("没有调用被拒绝");
  await page.getByRole("button", { name: "显示全部原因" }).click();
  await expect(page).toHaveURL(`${baseURL}/overview/refusals`);
});

/** Expects the numbers beside the verdict at one height on a narrow screen, where one of them has words of two lines. */
async function expectFiguresInLine(page: Page, overview: OverviewPage): Promise<void> {
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 740 });
  const heights = await Promise.all(
    ["at a limit", "within 7 days"].map((name) => overview.figure(name).locator("span").first().boundingBox()),
  );
  expect(heights[0]?.y).toBe(heights[1]?.y);
  if (viewport) await page.setViewportSize(viewport);
}
