import { expect } from "playwright/test";
import { test } from "./account";
import { expectAccessible } from "./axe";
import { expectFitForAll } from "./fit-for-all";
import { GroupPage } from "./pages/group";
import { HistoryPage } from "./pages/history";
import { KeysPage } from "./pages/keys";

test("limits that new keys start with are set, filled in, compared and set on all keys", async ({
  page,
  context,
  account,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await account.newGroup("Research");
  await account.newGroup("Plain");
  await account.newKey("old", { group_id: id, budget: 5 });
  const group = new GroupPage(page);
  const { dialog } = group.keys;
  await group.open(id);
  await expect(group.defaults).toContainText("None.");
  await group.startChangingDefaults();
  await group.keys.fillLimit("Total budget", "100");
  await group.keys.fillLimit("Per day", "12.5");
  await expectAccessible(page);
  await group.keys.press("Save");
  await expect(group.keys.news).toContainText("start with these limits.");
  await expect(group.defaults).toContainText("¥100");
  await expect(group.defaults).toContainText("One key of this group has other limits.");
  await expectFitForAll(page);

  // They are filled in, and what was typed stays when another group is chosen.
  const keys = new KeysPage(page);
  await keys.open();
  await keys.startCreating();
  await keys.fillName("new");
  await keys.chooseGroup("Research");
  await expect(dialog).toContainText(
    "From group “Research”: Total budget and Per day. You can change them for this key.",
  );
  await keys.fillLimit("Total budget", "50");
  await expect(dialog).toContainText("From group “Research”: Per day.");
  await keys.chooseGroup("Plain");
  await expect(dialog).not.toContainText("From group");
  await expect(dialog.getByRole("textbox", { name: "Total budget (" })).toHaveValue("50");
  await expect(dialog.getByRole("switch", { name: "Per day" })).not.toBeChecked();
  await keys.chooseGroup("Research");
  await expect(dialog.getByRole("textbox", { name: "Per day (" })).toHaveValue("12.5");
  await expectAccessible(page);
  await keys.press("Create key");
  const value = await keys.shownOnce.take();
  expect(await account.call("GET", `/v1/apikeys/${value.slice(0, 10)}`)).toMatchObject({
    group_name: "Research",
    budget: 50,
    daily_limit: 12.5,
    monthly_limit: null,
  });

  // Both keys differ: they are listed, and the batch has the defaults filled in.
  await group.open(id);
  await expect(group.defaults).toContainText("2 keys of this group have other limits.");
  await group.defaults.getByRole("link", { name: "Show them" }).click();
  await expect(page).toHaveURL(/look=differs_from_group/);
  await expect(group.keys.row("old")).toBeVisible();
  await expect(group.keys.row("new")).toBeVisible();
  await group.defaults.getByRole("button", { name: "Set these on all keys" }).click();
  await expect(group.batch.box("Total budget")).toHaveValue("100");
  await expect(group.batch.box("Per day")).toHaveValue("12.5");
  await expect(group.batch.limit("Per month").getByRole("checkbox")).not.toBeChecked();
  await group.batch.preview();
  await group.batch.press("Set limits of 2 keys");
  await expect(dialog).toContainText("Limits set on 2 keys.");
  await group.keys.press("Close");
  await expect(group.defaults).not.toContainText("other limits");
  expect((await account.call("GET", "/v1/apikeys?look=differs_from_group")).total).toBe(0);

  const history = new HistoryPage(page);
  await history.open(`?group=${id}`);
  await expect(page.getByText("Total budget, for new keys")).toBeVisible();
  await expect(page.getByText("No default").first()).toBeVisible();
});

test.describe("in Chinese", () => {
  test.use({ locale: "zh-CN" });

  test("the section and its dialog", async ({ page, account }) => {
    const id = await account.newGroup("研究组");
    await account.newKey("旧密钥", { group_id: id });
    await account.call("POST", `/v1/apikey_groups/${id}`, { defaults: { budget: 100 }, apply_defaults: true });
    await page.goto(`/groups/${id}`);
    const section = page.getByRole("region", { name: "新密钥的默认限额" });
    await expect(section).toContainText("通过 API 创建时，请求中省略的限额也取默认值");
    await expect(section).toContainText("本组有 1 个密钥的限额与此不一致。");
    await section.getByRole("button", { name: "修改限额" }).click();
    await expect(page.getByRole("dialog")).toContainText("“研究组”中新密钥的默认限额");
    await page.getByRole("dialog").getByText("也用于 API").click();
    await page.getByRole("button", { name: "保存" }).click();
    await expect(section).toContainText("仅当请求要求时才取默认值");
    expect(await account.call("GET", `/v1/apikey_groups/${id}`)).toMatchObject({
      apply_defaults: false,
      defaults: { budget: 100 },
    });
  });
});
