import { expect, type Route } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { BatchLimitsDialog } from "./pages/batch-limits";
import { KeysPage } from "./pages/keys";
import { WalkDialog } from "./pages/walk";

/** How many keys one call changes at most (docs/api.md#change-all-keys-that-match). */
const KEYS_OF_CALL = 5_000;

test("20 % more for all keys that match: stopped, cut off and gone on with, and each key has it once", async ({
  page,
  account,
}) => {
  await account.addKeys(2 * KEYS_OF_CALL + 1_200);
  const other = await account.newKey("other", { budget: 100 });
  const keys = new KeysPage(page);
  const batch = new BatchLimitsDialog(page);
  const walk = new WalkDialog(page);
  await keys.open("?q=bulk");
  await keys.table.getByRole("checkbox", { name: "Select all keys of this page" }).check();
  await expect(keys.selection).toContainText("All 50 keys on this page are selected.");
  await keys.selectAll("Select all 11,200 that match");
  await expect(keys.selection.getByRole("status")).toHaveText("All 11,200 keys that match are selected");
  await keys.selection.getByRole("button", { name: "Set limits" }).click();
  await batch.changeBy("Per day", "Lower by", "100");
  await batch.changeBy("Total budget", "Raise by", "20");
  await batch.press("Preview");
  await expect(batch.limit("Per day")).toContainText("it must be below 100");
  await batch.limit("Per day").getByRole("checkbox", { name: "Per day" }).uncheck();
  await batch.preview();
  await expect(batch.change("Total budget")).toContainText(/¥100.*¥120.*on 11,200 keys.*changes on 11,200 of 11,200/);

  // The calls of the walk wait for the test, one after the other.
  const calls: Route[] = [];
  const isWalk = (route: Route) => "request_id" in route.request().postDataJSON();
  await page.route("**/api/trpc/keys.setLimitsOfMany**", (route) =>
    isWalk(route) ? calls.push(route) : route.continue(),
  );
  const call = async (count: number) => {
    await expect.poll(() => calls.length).toBe(count);
    return calls[count - 1] as Route;
  };
  await batch.press("Set limits of 11,200 keys");
  await expect(walk.state).toHaveText("Under way");
  await expect(walk.dialog).not.toContainText("Nothing has changed yet");
  await (await call(1)).continue();
  await expect(walk.bar).toHaveAttribute("aria-valuetext", "5,000 of 11,200 keys");
  await walk.press("Stop after this part");
  await (await call(2)).continue();
  await expect(walk.state).toHaveText("Stopped");
  await expect(walk.dialog).toContainText("Limits set on 10,000 keys.");
  await expect(walk.dialog).toContainText("The other 1,200 keys are as they were.");
  await expectFitForAll(page);

  // The third call is done, and its answer is lost.
  await walk.press("Go on");
  const lost = await call(3);
  await lost.fetch();
  await lost.abort();
  await expect(walk.state).toHaveText("Interrupted");
  await expect(walk.dialog.getByRole("alert")).toContainText("The server cannot be reached.");
  await walk.press("Go on");
  const fourth = await call(4);
  await page.evaluate(() => window.history.back());
  await expect(walk.dialog).toContainText("Stopping after this part");
  // It was the last part, and the server says so again.
  await fourth.continue();
  await expect(walk.state).toHaveText("Done");
  await expect(walk.dialog).toContainText("Limits set on 11,200 keys.");
  await expect(walk.dialog.getByRole("link", { name: "See it in the history" })).toHaveAttribute("href", "/history");
  await walk.press("Close");
  await expect(keys.selection).toBeHidden();
  await expect(keys.row("bulk 11200")).toContainText("¥120");
  expect(await account.call("GET", "/v1/apikeys/sk-0000001")).toMatchObject({ budget: 120, version: 2 });
  expect(await account.call("GET", `/v1/apikeys/${other}`)).toMatchObject({ budget: 100, version: 1 });
  const { data } = await account.call("GET", "/v1/history?action=key.limits_set");
  expect(data.map((event: { key_count: number }) => event.key_count)).toEqual([1_200, 5_000, 5_000]);

  await page.goto("/history");
  await expect(page.getByText("× 1.2").first()).toBeVisible();
});

test("all keys are moved and revoked after a count, and what does not fit is left out; in both languages", async ({
  page,
  context,
  account,
  baseURL,
}) => {
  const group_id = await account.newGroup("Research");
  await account.newGroup("Archive");
  await account.addKeys(60);
  const ids = Array.from({ length: 60 }, (_, n) => `sk-${String(n + 1).padStart(7, "0")}`);
  await account.call("POST", "/v1/apikeys/batch", { apikey_ids: ids, action: "move", group_id });
  const keys = new KeysPage(page);
  const walk = new WalkDialog(page);

  // Ticked keys: the group that they share is proposed, and a press without a choice moves nothing.
  await keys.open();
  await keys.tick("bulk 60", "bulk 59");
  await keys.selection.getByRole("button", { name: "Move" }).click();
  const group = page.locator("dialog[open]").getByRole("combobox", { name: "Group" });
  await expect(group).toHaveValue("Research");
  await expect(page.locator("dialog[open] footer").getByRole("button", { name: "Move" })).toBeDisabled();
  await keys.press("Cancel");

  await keys.open("?q=bulk");
  await keys.selectAll("Select all 60 that match");
  await keys.selection.getByRole("button", { name: "Move" }).click();
  await expect(group).toHaveValue("Research");
  await keys.chooseGroup("Archive");
  await expect(keys.question).toContainText("60 keys will be moved.");
  await keys.press("Move");
  await expect(walk.dialog).toContainText("60 keys moved.");
  await walk.press("Close");
  await expect(keys.row("bulk 60")).toContainText("Archive");

  // No filter: the default key is among them.
  await keys.open();
  await keys.selectAll("Select all 61 keys");
  await keys.selection.getByRole("button", { name: "Revoke" }).click();
  await expect(keys.question).toContainText("60 that work now are refused at once:");
  await expect(keys.question.getByRole("list", { name: "Keys that are left out" })).toHaveText(
    "1 key: The default API key cannot be revoked. Rotate it instead.",
  );
  await keys.press("Revoke");
  await expect(keys.question).toContainText("Type 60, the number of keys.");
  expect((await account.call("GET", "/v1/apikeys")).total).toBe(61);
  await keys.press("Cancel");

  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/keys");
  await page.getByRole("table").getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "选择全部 61 个密钥" }).click();
  await page.getByRole("button", { name: "吊销", exact: true }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox", { name: "要吊销这些密钥，请输入 60" }).fill("60");
  await expect(question).toContainText("将吊销 60 个密钥。");
  await expectFitForAll(page);
  await question.getByRole("button", { name: "吊销", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("已吊销 60 个密钥。");
  expect((await account.call("GET", "/v1/apikeys")).total).toBe(1);
});
