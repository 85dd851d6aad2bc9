import { expect, type Locator } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { GroupsPage } from "./pages/groups";
import { KeysPage } from "./pages/keys";

/** Three English words in a row. The server has no shorter sentence. */
const ENGLISH = /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/;

async function expectChinese(where: Locator, text: string): Promise<void> {
  await expect(where).toContainText(text);
  expect(await where.innerText()).not.toMatch(ENGLISH);
}

test("what the server refuses is said in Chinese on a Chinese page", async ({ page, context, account, baseURL }) => {
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  const group = await account.newGroup("研发");
  await account.newKey("网关", { group_id: group });

  await test.step("400: what is wrong with a parameter, with its bound", async () => {
    const { dialog } = new GroupsPage(page);
    await page.goto("/groups");
    await page.getByRole("button", { name: "新建分组" }).click();
    await dialog.getByLabel("名称").fill("研发");
    await dialog.getByRole("button", { name: "创建分组" }).click();
    await expectChinese(dialog, "已有同名分组。");
    // The page itself would not send it.
    await page.route("**/api/trpc/groups.create", (route) =>
      route.continue({ postData: JSON.stringify({ name: "研".repeat(129), description: 5 }) }),
    );
    await dialog.getByRole("button", { name: "创建分组" }).click();
    await expectChinese(dialog, "名称：最多 128 个字符。 说明：应为文本。");
    await expectFitForAll(page);
    await dialog.getByRole("button", { name: "取消" }).click();
  });

  await test.step("409, with a number", async () => {
    const { question } = new GroupsPage(page);
    await page.route("**/api/trpc/groups.delete", (route) =>
      route.continue({ postData: JSON.stringify({ group_id: group }) }),
    );
    await page.getByRole("button", { name: "对“研发”的操作" }).click();
    await page.getByRole("menuitem", { name: "删除" }).click();
    await question.getByRole("button", { name: "删除分组" }).click();
    await expectChinese(question, "该分组中还有 1 个密钥。");
  });

  await test.step("the reason for which a key was left out of a change of many", async () => {
    const { question } = new KeysPage(page);
    await page.goto("/keys");
    await page.getByRole("checkbox", { name: "选择本页全部密钥" }).check();
    await page.getByRole("region", { name: "已选密钥" }).getByRole("button", { name: "停用" }).click();
    await expectChinese(question, "默认 API 密钥不能停用，请改为轮换。");
  });
});

test("a notice that the server is away ends by itself", async ({ page, context, account }) => {
  await account.newKey("here");
  const keys = new KeysPage(page);
  const away = page.getByRole("alert").filter({ hasText: "The server cannot be reached." });
  await keys.open();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await context.setOffline(true);
  await keys.search("here");
  await expect(away).toBeVisible();
  await context.setOffline(false);
  await expect(away).toBeHidden();
  await expect(keys.names()).toHaveText(["here"]);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);

  await keys.choose("here", "Rename");
  await keys.fillName("there");
  await context.setOffline(true);
  await keys.press("Rename");
  await expect(keys.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await context.setOffline(false);
  await expect(keys.dialog.getByRole("status")).toHaveText("The server answers again. Try again now.");
  await keys.press("Rename");
  await expect(keys.row("there")).toBeVisible();
});
