import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { delay, hold } from "./hold";
import { BatchLimitsDialog } from "./pages/batch-limits";
import { GroupsPage } from "./pages/groups";
import { HistoryPage } from "./pages/history";
import { KeysPage } from "./pages/keys";

test("in the history: previewed, what was changed since is named, and the undoing can be undone", async ({
  page,
  context,
  account,
  baseURL,
}) => {
  const group_id = await account.newGroup("Research");
  const ids: string[] = [];
  for (const [i, name] of ["first", "second", "third", "fourth"].entries()) {
    ids.push(await account.newKey(name, { group_id, budget: i + 1, daily_limit: 5 }));
  }
  const [, second = "", , fourth = ""] = ids;
  await account.call("POST", `/v1/apikey_groups/${group_id}/batch_budget`, {
    budget: 500,
    daily_limit: 5,
    monthly_limit: 0,
  });
  await account.call("POST", "/v1/apikeys/batch_budget", { apikey_ids: [second], budget: 7 });
  await account.call("POST", `/v1/apikeys/${fourth}/revoke`);
  const history = new HistoryPage(page);
  await history.open();
  await expect(history.event("Key fourth revoked")).toContainText("Revoking is final and cannot be undone.");
  await expect(history.event("Key fourth revoked").getByRole("button", { name: "Undo" })).toHaveCount(0);

  const sentence = "Limits set on 4 keys of group Research";
  const undo = await history.undo(sentence);
  await expect(undo.element).toContainText("2 keys get back what they had before.");
  // The limit per day was the same before, and no limit per month was set.
  await expect(undo.changes).toHaveText([/^Total budget(¥500→becomes¥[13]on 1 key){2}$/]);
  await expect(undo.left).toHaveCount(2);
  await expect(undo.left.filter({ hasText: "second" })).toContainText("Changed since");
  await expect(undo.left.filter({ hasText: "fourth" })).toContainText("The API key is revoked.");
  await expectFitForAll(page);
  await undo.element.getByRole("checkbox", { name: "Also change what was changed since" }).check();
  await expect(undo.left).toHaveCount(1);
  await undo.press("Undo on 3 keys");
  await expect(undo.element).toContainText("Undone on 3 keys.");
  await undo.press("Close");

  const undoing = history.event("Limits set on 3 keys of group Research");
  await expect(undoing.getByRole("list", { name: "Keys" })).toContainText(/Total budget ¥500 .* ¥1/);
  await expect(undoing).toContainText("Undid this change");
  await expect(history.event(sentence)).toContainText("Undone by this change");
  await expect(history.events.first()).toContainText(`Browser · ${account.email}`);
  await undoing.getByRole("link", { name: "this change" }).click();
  await expect(history.sentences).toHaveText([sentence]);

  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.reload();
  await page.getByRole("button", { name: "撤销" }).click();
  await expect(page.getByRole("dialog")).toContainText("没有可撤销的内容。");
  await expect(page.getByRole("dialog")).toContainText("已经是之前的状态");
  await expectFitForAll(page);
  await page.keyboard.press("Escape");
  await page.goto("/history");
  await page.getByRole("button", { name: "撤销" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "在 3 个密钥上撤销" }).click();
  await expect(page.getByRole("dialog")).toContainText("已在 3 个密钥上撤销。");
});

test("in the message after each change of a key, as long as it is there", async ({ page, account }) => {
  const keys = new KeysPage(page);
  const { news } = keys;
  await account.newGroup("Research");
  const id = await account.newKey("production", { budget: 100 });
  const key = () => account.call("GET", `/v1/apikeys/${id}`);
  const undo = async () => {
    await news.getByRole("button", { name: "Undo" }).click();
    await expect(news).toContainText("Undone.");
    await expect(page.getByRole("main")).toBeFocused();
    await news.getByRole("button", { name: "Close" }).last().click();
    await expect(page.getByRole("main")).toBeFocused();
  };
  await keys.open();

  await keys.choose("production", "Rename");
  await keys.fillName("other");
  await keys.press("Rename");
  // A message does not go while the pointer is on it.
  await news.getByRole("button", { name: "Undo" }).hover();
  await expectFitForAll(page);
  await undo();
  await expect(keys.row("production")).toBeVisible();

  await keys.choose("production", "Move to group");
  await keys.chooseGroup("Research");
  await keys.press("Move");
  await undo();
  expect((await key()).group_id).toBeNull();

  await keys.choose("production", "Disable");
  await keys.press("Disable key");
  await undo();
  expect((await key()).status).toBe("active");

  await keys.choose("production", "Edit limits");
  await keys.fillLimit("Total budget", "5");
  await keys.press("Save limits");
  await undo();
  expect((await key()).budget).toBe(100);

  // A name that stays is no change, so there is nothing to undo.
  await keys.choose("production", "Rename");
  await keys.press("Rename");
  await expect(news).toContainText("Renamed to");
  // The button comes with the message and goes after a while, so it is not waited for.
  expect(await news.getByRole("button", { name: "Undo" }).count()).toBe(0);

  // Neither are limits that stay.
  await keys.choose("production", "Edit limits");
  await keys.press("Save limits");
  await expect(news).toContainText("saved.");
  expect(await news.getByRole("button", { name: "Undo" }).count()).toBe(0);

  // What somebody else has changed since stays.
  await keys.choose("production", "Rename");
  await keys.fillName("mine");
  await keys.press("Rename");
  await news.getByRole("button", { name: "Undo" }).hover();
  await account.call("POST", `/v1/apikeys/${id}/rename`, { name: "theirs" });
  await news.getByRole("button", { name: "Undo" }).click();
  await expect(news).toContainText("Not undone: Changed since");
  expect((await key()).name).toBe("theirs");
});

test("while a change is undone the message says so, and a second press does nothing", async ({ page, account }) => {
  const id = await account.newKey("production");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("production", "Disable");
  await keys.press("Disable key");
  await expect(keys.dialog).toBeHidden();
  const reverting = await hold(page, "**/api/trpc/history.revert**");
  let count = 0;
  page.on("request", (request) => {
    if (request.url().includes("history.revert")) count++;
  });
  const undo = keys.news.getByRole("button", { name: "Undo" });
  await undo.dblclick();
  await reverting.asked;
  await expect(undo).toHaveAttribute("aria-disabled", "true");
  await expect(undo.locator("svg.animate-spin")).toBeVisible();
  await expectFitForAll(page);
  await page.mouse.move(0, 0);
  reverting.release();
  await expect(keys.news).toContainText("Undone.");
  await expect(undo).toBeHidden();
  expect(count).toBe(1);
  expect((await account.call("GET", `/v1/apikeys/${id}`)).status).toBe("active");
});

test("who goes on at once is not told that somebody else changed the key", async ({ page, account }) => {
  await account.newKey("production", { budget: 100 });
  const keys = new KeysPage(page);
  await keys.open();
  // The page learns the new version of a key late.
  await delay(page, "**/api/trpc/keys.list**", 3_000);
  await keys.choose("production", "Disable");
  await keys.press("Disable key");
  await keys.choose("production", "Edit limits");
  await keys.fillLimit("Total budget", "5");
  await keys.press("Save limits");
  await expect(keys.row("production")).toContainText("¥5");
  await expect(keys.dialog).toBeHidden();
  await keys.news.getByRole("button", { name: "Undo" }).last().click();
  await expect(keys.news).toContainText("Undone.");
  await keys.choose("production", "Enable");
  await keys.press("Enable key");
  await expect(keys.row("production")).toContainText("Active");
  await expect(keys.question).toBeHidden();
});

test("the message after two attempts undoes both", async ({ page, account }) => {
  const ids = [await account.newKey("one"), await account.newKey("two")];
  const statuses = () =>
    Promise.all(ids.map(async (id) => (await account.call("GET", `/v1/apikeys/${id}`)).status as string));
  const [one, two] = ids;
  // The first attempt reaches one key alone.
  await page.route(
    /keys\.batch\b/,
    async (route) => {
      const postData = { ...route.request().postDataJSON(), apikey_ids: [one] };
      const response = await route.fetch({ postData });
      const json = await response.json();
      json.result.data.failed_count = 1;
      json.result.data.failed = [
        { apikey_id: two, name: "two", code: "internal_error", values: {}, error: "internal error" },
      ];
      await route.fulfill({ response, json });
    },
    { times: 1 },
  );
  const keys = new KeysPage(page);
  await keys.open();
  await keys.tick("one", "two");
  await keys.selection.getByRole("button", { name: "Disable" }).click();
  await keys.press("Disable");
  await keys.press("Try these again");
  await keys.press("Close");
  await expect(keys.news).toContainText("2 keys disabled.");
  expect(await statuses()).toEqual(["disabled", "disabled"]);
  await keys.news.getByRole("button", { name: "Undo" }).click();
  await expect(keys.news).toContainText("Undone on 2 keys.");
  expect(await statuses()).toEqual(["active", "active"]);
});

test("in the message after a change of many keys, of a group, and of its limits", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  const ids: string[] = [];
  for (const name of ["one", "two"]) ids.push(await account.newKey(name, { group_id, budget: 100 }));
  await account.call("POST", `/v1/apikeys/${await account.newKey("off")}/disable`);
  const all = () => Promise.all(ids.map((id) => account.call("GET", `/v1/apikeys/${id}`)));
  const keys = new KeysPage(page);
  const undo = async (done: string) => {
    await keys.news.getByRole("button", { name: "Undo" }).click();
    await expect(keys.news).toContainText(done);
    await keys.news.getByRole("button", { name: "Close" }).last().click();
  };
  await keys.open();
  // The first one is disabled already, so the change is none of it.
  await keys.tick("off", "one", "two");
  await keys.selection.getByRole("button", { name: "Disable" }).click();
  await keys.press("Disable");
  await keys.press("Close");
  await undo("Undone on 2 keys.");
  expect((await all()).map(({ status }) => status)).toEqual(["active", "active"]);

  // An answer is lost on its way. The second press is no second change, and there is one to undo.
  await page.route(/keys\.batch\b/, (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await keys.tick("one", "two");
  await keys.selection.getByRole("button", { name: "Disable" }).click();
  await keys.press("Disable");
  await expect(keys.question).toContainText("Try again.");
  await keys.press("Disable");
  await keys.press("Close");
  await undo("Undone on 2 keys.");
  expect((await all()).map(({ status }) => status)).toEqual(["active", "active"]);

  // It was so before, and there is nothing to undo.
  await keys.tick("off");
  await keys.selection.getByRole("button", { name: "Disable" }).click();
  await keys.press("Disable");
  await keys.press("Close");
  await expect(keys.news).toContainText("1 key disabled.");
  await expect(keys.news.getByRole("button", { name: "Undo" })).toHaveCount(0);

  await page.goto(`/groups/${group_id}`);
  await page.getByRole("button", { name: "Set limits for all keys" }).first().click();
  const limits = new BatchLimitsDialog(page);
  await limits.set("Per day", "80");
  await limits.preview();
  await limits.press("Set limits of 2 keys");
  await keys.press("Close");
  await undo("Undone on 2 keys.");
  expect((await all()).map(({ daily_limit }) => daily_limit)).toEqual([null, null]);

  const groups = new GroupsPage(page);
  await groups.open();
  await groups.choose("Research", "Edit");
  await groups.fill({ name: "Science" });
  await groups.press("Save");
  await undo("Undone.");
  await expect(groups.row("Research")).toBeVisible();

  // Revoking names the keys, says that it is final, and offers nothing.
  await keys.open();
  await keys.tick("one", "two");
  await keys.selection.getByRole("button", { name: "Revoke" }).click();
  await expect(keys.question).toContainText("This cannot be undone.");
  await expect(keys.question.getByRole("listitem")).toHaveText([/^(one|two) sk-/, /^(one|two) sk-/]);
  await keys.press("Revoke");
  await keys.press("Close");
  await expect(keys.selection).toHaveCount(0);
  await expect(keys.news.getByRole("button", { name: "Undo" })).toHaveCount(0);
});
