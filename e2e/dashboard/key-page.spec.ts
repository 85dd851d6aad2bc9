import { expect } from "playwright/test";
import { type Account, test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { KeyPage } from "./pages/key";
import { KeysPage } from "./pages/keys";
import { newSpendingKey, type SpendingKey, spend } from "./spend";

const authorize = (account: Account, { value }: SpendingKey, amount: number, rest: object = {}) =>
  account.call("POST", "/v1/authorizations", { apikey: value, amount, ...rest });

test("the single calls of a key: what became of each, by kind, and more of them", async ({ page, account }) => {
  const key = await newSpendingKey(account, "gateway", { daily_limit: 100 });
  const one = new KeyPage(page);
  await one.goto(key.id);
  await expect(one.activity).toContainText("No call in the last 14 days.");

  await spend(account, key, 4.25);
  const { authorization_id } = await authorize(account, key, 2, { request_id: "call-void" });
  await account.call("POST", `/v1/authorizations/${authorization_id}/void`);
  for (let i = 0; i < 22; i++) await authorize(account, key, 500, { request_id: `call-${i}` });
  await page.reload();
  await expect(one.calls()).toHaveCount(20);
  await expect(one.calls().first()).toContainText(
    "Refused¥500––Too little was left of the day's limitcall-21The account",
  );
  await one.activity.getByRole("button", { name: "Show more" }).click();
  await expect(one.calls()).toHaveCount(24);
  await expect(one.calls().last()).toContainText("Captured¥4.25¥4.25");
  await expect(one.activity).toContainText("That is all of the last 14 days.");
  await expectFitForAll(page);

  await one.activity.getByText("Voided").first().click();
  await expect(one.calls()).toHaveText([/Voided¥2–––call-voidThe account$/]);
  await expect(page).toHaveURL(/activity=voided/);
  await page.reload();
  await expect(one.calls()).toHaveCount(1);
  await page.setViewportSize({ width: 320, height: 740 });
  const [chip, amount] = await Promise.all(
    ["Voided", "¥2"].map((text) => one.calls().getByText(text, { exact: true }).boundingBox()),
  );
  expect(amount?.y).toBeGreaterThan((chip?.y ?? 1000) + (chip?.height ?? 0));
  await one.activity.getByText("Expired").first().click();
  await expect(one.activity).toContainText("No authorization expired in the last 14 days.");

  await account.call("POST", `/v1/apikeys/${key.id}/budget`, { input_price_limit: 8 });
  await authorize(account, key, 1, { input_price: 8.5 });
  await page.reload();
  await one.activity.getByText("Refused").first().click();
  await expect(one.calls().first()).toContainText(
    "The input price of ¥8.50 per million tokens was above the ceiling of ¥8.",
  );
});

test("the page begins with the state of the key, in words, in both languages", async ({
  page,
  context,
  account,
  baseURL,
}) => {
  test.slow();
  const key = await newSpendingKey(account, "edge");
  const one = new KeyPage(page);
  const expectState = async (text: string | RegExp) => {
    await one.goto(key.id);
    await expect(one.state.getByRole("status")).toHaveText(text);
  };
  const limits = (body: object) => account.call("POST", `/v1/apikeys/${key.id}/budget`, body);
  await expectState("Calls pass. The key has no limit of spend.");
  await expect(page).toHaveTitle(/^edge\b/);
  await limits({ daily_limit: 10, budget: 100 });
  await expectState("Calls pass as long as something is left of each limit.");
  await spend(account, key, 8.5);
  await expectState("Calls pass, but a limit is near85% of the limit per day of ¥10 is used.");
  await expect(one.state).toContainText(/Per day¥1\.50 left¥8\.50 of ¥10 spentResets .*, 00:00 GMT\+8/);
  await authorize(account, key, 1.5);
  await expectState("Calls are refused: nothing is leftOpen authorizations hold the rest of the limit per day of ¥10.");
  await limits({ budget: 8.5, daily_limit: 5 });
  await expectState(
    /nothing is leftThe limit per day of ¥5 is spent\. It resets on .* GMT\+8\.The total budget of ¥8\.50 is spent\. Calls pass again when it is raised\.$/,
  );
  await limits({ budget: 0, daily_limit: 0, expiry_date: "2026-01-31" });
  await expectState(/^The key expired on Jan 31, 2026Every call is refused/);
  await account.call("POST", `/v1/apikeys/${key.id}/disable`);
  await expectState("The key is disabledEvery call is refused until it is enabled.");
  await one.state.getByRole("button", { name: "Enable" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Enable key" }).click();
  await expect(one.state.getByRole("status")).toContainText("The key expired");
  await account.call("POST", `/v1/apikeys/${key.id}/revoke`);
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto(`/keys/${key.id}`);
  await expect(page.getByText("密钥已永久吊销，所有调用都会被拒绝。")).toBeVisible();
});

test("heads of the activity stand apart, also a left one after a right one", async ({ page, account }) => {
  const key = await newSpendingKey(account, "edge");
  await spend(account, key, 4.25);
  const one = new KeyPage(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await one.goto(key.id);
  const words = (name: string) =>
    one.activity.getByRole("columnheader", { name }).evaluate((head) => {
      const range = document.createRange();
      range.selectNodeContents(head);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    });
  expect((await words("Model")).left - (await words("Captured")).right).toBeGreaterThanOrEqual(28);
});

test("in Chinese, no space follows a sentence", async ({ page, context, account, baseURL }) => {
  const key = await newSpendingKey(account, "edge", { budget: 4 });
  await spend(account, key, 4);
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto(`/keys/${key.id}`);
  const state = page.getByRole("region", { name: "状态", exact: true }).getByRole("listitem");
  expect(await state.evaluate((item) => item.textContent)).toBe("总预算 ¥4 已用完。提高后调用即可再次通过。");
});

test("new limits show what is spent and held, and warn before they block the key", async ({ page, account }) => {
  const key = await newSpendingKey(account, "edge", { daily_limit: 10 });
  await spend(account, key, 4);
  await authorize(account, key, 1);
  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("edge", "Edit limits");
  await expect(keys.dialog).toContainText("¥4 spent, ¥1 held: ¥5 would be left");
  await keys.fillLimit("Per day", "5.5");
  await expect(keys.dialog).toContainText("¥4 spent, ¥1 held: ¥0.50 would be left");
  await expect(keys.dialog.getByRole("button", { name: "Save limits" })).toBeVisible();
  await keys.fillLimit("Per day", "5");
  await expect(keys.dialog).toContainText("¥4 spent, ¥1 held: nothing would be left");
  await expect(keys.dialog).toContainText("One key that works now would be blocked at once");
  await expectFitForAll(page);
  await keys.fillLimit("Per day", "20");
  await expect(keys.dialog.getByText("would be blocked at once")).toBeHidden();
  // Who is faster than the warning is not past it.
  await keys.fillLimit("Total budget", "3");
  await keys.dialog.getByRole("button", { name: /^Save/ }).click();
  await expect(keys.dialog).toContainText("One key that works now would be blocked at once");
  expect(await account.call("GET", `/v1/apikeys/${key.id}`)).toMatchObject({ budget: null, daily_limit: 10 });
  await keys.press("Save and block the key");
  await expect(keys.row("edge")).toContainText("Blocked: total budget");
});

test("a key that is not there: 404 that names the id and says what to do", async ({ page, account: _owner }) => {
  const answer = await page.goto("/keys/sk-Nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page).toHaveTitle(/No key sk-Nowhere/);
  await expect(page.getByText("There is no key sk-Nowhere in this account.")).toBeVisible();
  await expectFitForAll(page);
  await page.getByRole("link", { name: "Search for it" }).click();
  await expect(page).toHaveURL(/\/keys\?q=sk-Nowhere$/);
});
