import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { KeysPage } from "./pages/keys";
import { RequestWatch } from "./request-watch";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const GATEWAY = "https://gateway.example.com/v1";

test("a checklist leads to the first call, and goes away by itself", async ({ page, account }) => {
  await page.goto("/overview");
  const checklist = page.getByRole("region", { name: "First steps" });
  await expect(checklist).toContainText("0 of 4 done");
  await expectFitForAll(page);
  await account.newGroup("Research");
  const { apikey } = await account.call("POST", "/v1/apikeys", { name: "first" });
  await page.reload();
  await expect(checklist).toContainText("2 of 4 done");
  await checklist.getByRole("link", { name: "Address of the gateway" }).click();
  const section = page.getByRole("region", { name: "Gateway" });
  await section.getByLabel("Address of the gateway").fill("gateway.example.com");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section).toContainText("Enter an address that begins with http:// or https://");
  await section.getByLabel("Address of the gateway").fill(`${GATEWAY}/`);
  await section.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("region", { name: "News" })).toContainText(`The gateway is at ${GATEWAY}.`);
  await account.call("POST", "/v1/authorizations", { apikey, amount: 1 });
  await page.goto("/overview");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(checklist).toBeHidden();
});

test("the checklist can be hidden", async ({ page, account: _ }) => {
  await page.goto("/overview");
  const checklist = page.getByRole("region", { name: "First steps" });
  await checklist.getByRole("button", { name: "Hide" }).click();
  await expect(checklist).toBeHidden();
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Keys" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("region", { name: "Spend" })).toBeVisible();
  await expect(checklist).toBeHidden();
  // It would come with the answer to its question.
  const requests = new RequestWatch(page);
  await page.reload();
  await requests.quiet();
  await expect(page.getByRole("region", { name: "Spend" })).toBeVisible();
  await expect(checklist).toBeHidden();
});

test("the server draws the checklist with the page, or leaves it out when it is hidden", async ({
  page,
  account: _,
}) => {
  const drawn = async () => (await page.request.get("/overview")).text();
  expect(await drawn()).toContain("First steps</h2>");
  await page.goto("/overview");
  const checklist = page.getByRole("region", { name: "First steps" });
  await checklist.getByRole("button", { name: "Hide" }).click();
  await expect(checklist).toBeHidden();
  expect(await drawn()).not.toContain("First steps</h2>");
});

test("a new key comes with programs that use it; the gateway's address is asked for once", async ({
  page,
  account,
}) => {
  const keys = new KeysPage(page);
  await keys.open();
  const create = async (name: string) => {
    await keys.startCreating();
    await keys.fillName(name);
    await keys.press("Create key");
    return keys.shownOnce.value();
  };
  const first = await create("first");
  const use = keys.shownOnce.dialog.getByRole("region", { name: "Use it" });
  // On a small screen the example does not fit.
  await expect(use.getByLabel("Address of the gateway")).toHaveCSS("text-overflow", "ellipsis");
  await use.getByLabel("Address of the gateway").fill(GATEWAY);
  await use.getByRole("button", { name: "Save" }).click();
  for (const language of ["curl", "Python", "Node"]) {
    await use.getByText(language, { exact: true }).click();
    const program = use.getByRole("group", { name: `Program in ${language}` });
    await expect(program).toContainText(first);
    await expect(program).toContainText(GATEWAY);
  }
  await expectFitForAll(page);
  await use.getByRole("button", { name: "Copy" }).click();
  // The program has the key in it, so that nothing is lost with the dialog.
  await keys.shownOnce.press("Done");
  await expect(keys.shownOnce.dialog).toBeHidden();

  await account.call("POST", "/v1/account", { language: "zh-CN" });
  await page.goto("/overview");
  await expect(page.getByRole("region", { name: "开始使用" })).toContainText("创建密钥：已完成");
  await page.goto("/keys");
  await page.getByRole("button", { name: "创建密钥" }).first().click();
  await page.getByRole("dialog").getByRole("textbox", { name: "名称" }).fill("second");
  await page.locator("dialog[open] footer").getByRole("button", { name: "创建密钥" }).click();
  const again = page.getByRole("region", { name: "使用密钥" });
  await expect(again.getByRole("group", { name: "curl 程序" })).toContainText(`${GATEWAY}/chat/completions`);
  await expect(again.getByLabel("网关地址")).toBeHidden();
});
