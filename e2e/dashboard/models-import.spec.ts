import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { HistoryPage } from "./pages/history";
import { ModelsPage } from "./pages/models";
import { Palette } from "./pages/palette";

test("an import that leaves the prices in yuan as they are shows what it changes", async ({ page, account }) => {
  await account.call("POST", "/v1/models", {
    models: [
      { name: "in-yuan", input_price: 7.2, output_price: 14.4 },
      { name: "in-dollars", currency: "USD", rate: 7.2, input_price: 1, output_price: 2 },
      { name: "uncached", input_price: 1, output_price: 2 },
    ],
  });
  const models = new ModelsPage(page);
  await models.open("?source=account");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const lines = ["in-yuan,1,2,,USD,7.2", "in-dollars,2,4,,USD,3.6", "uncached,1,2,1,,"];
  await models.fill({
    "Or paste the text": ["name,input_price,output_price,cached_input_price,currency,rate", ...lines].join("\n"),
  });
  await models.press("Preview");
  await expect(models.planned).toHaveText([
    /^in-dollars.*AlwaysRate to yuan: 7\.2 →\s+becomes 3\.6Changed¥7\.20USD 2 × 3\.6/,
    /^in-yuan.*AlwaysCurrency: CNY →\s+becomes USDRate to yuan: 1 →\s+becomes 7\.2Changed¥7\.20USD 1 × 7\.2/,
    /^uncached.*AlwaysCached input: As input →\s+becomes Price of its ownChanged¥1/,
  ]);
});

test("an import applies what was previewed, not what was typed while the preview was on its way", async ({
  page,
  account,
}) => {
  const models = new ModelsPage(page);
  await models.open();
  await page.getByRole("button", { name: "Import", exact: true }).first().click();
  const content = "Or paste the text";
  await models.fill({ [content]: "name,input_price,output_price\nseen,1,2" });
  const previewing = await hold(page, "**/api/trpc/models.import**");
  await models.press("Preview");
  await previewing.asked;
  await models.fill({ [content]: "name,input_price,output_price\nunseen,3,4" });
  previewing.release();
  await expect(models.planned).toHaveText([/^seen/]);
  await models.press("Apply one change");
  await expect(models.dialog).toBeHidden();
  const { data } = await account.call("GET", "/v1/models?source=account");
  expect(data.map(({ name }: { name: string }) => name)).toEqual(["seen"]);
});

test("a file of more bytes than a request may have is said to be too long", async ({ page, account: _ }) => {
  const models = new ModelsPage(page);
  await models.open();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await models.dialog.getByLabel("Choose a file").setInputFiles({
    name: "prices.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`name,input_price,output_price\n${"模".repeat(2_700_000)},1,2\n`),
  });
  await models.press("Preview");
  await expect(models.dialog.getByRole("alert")).toHaveText("The request is too long: at most 8,000,000 bytes.");
});

test("a file whose entries are all left out says that, in each language", async ({
  page,
  context,
  account: _owner,
  baseURL,
}) => {
  const models = new ModelsPage(page);
  const file = JSON.stringify({ image: { input_cost_per_pixel: 1e-7 }, half: { input_cost_per_token: 1e-7 } });
  for (const [language, open, text, rate, preview, sentence] of [
    [
      "en",
      "Import",
      "Or paste the text",
      "Yuan for 1 USD",
      "Preview",
      /has no price of a model\. None of its 2 entries/,
    ],
    ["zh-CN", "导入", "或粘贴文本", "1 USD 折合人民币（元）", "预览", /不包含任何模型价格。其中 2 个条目/],
  ] as const) {
    await context.addCookies([{ name: "language", value: language, url: baseURL ?? "" }]);
    await page.goto("/models");
    await page.getByRole("button", { name: open, exact: true }).first().click();
    await models.dialog.getByLabel(text).fill(file);
    await models.dialog.getByLabel(rate).fill("7.2");
    await models.dialog.getByRole("button", { name: preview }).click();
    await expect(models.dialog.getByRole("alert")).toContainText(sentence);
  }
});

test("in Chinese, a fault of an import is a Chinese sentence", async ({ page, context, account: _owner, baseURL }) => {
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  const models = new ModelsPage(page);
  await page.goto("/models");
  await page.getByRole("button", { name: "导入", exact: true }).first().click();
  await models.dialog.getByLabel("或粘贴文本").fill("name,input_price,output_price\nown,x,2\n,1,2\nless,-3.5,2");
  await models.dialog.getByRole("button", { name: "预览" }).click();
  const alert = models.dialog.getByRole("alert");
  await expect(alert).toContainText("文件");
  expect((await alert.innerText()).split("\n")).toEqual([
    "文件第 2 行（own）输入价格：应为数字。",
    "文件第 3 行名称：不能为空。",
    "文件第 4 行（less）输入价格：不能小于 0。",
  ]);
});

test("an import shows what would change before it is applied", async ({ page, context, account, baseURL }) => {
  const price = (input: number, output: number) => ({ input_cost_per_token: input, output_cost_per_token: output });
  const file = JSON.stringify({
    "example/new": { ...price(1.5e-7, 6e-7), cache_read_input_token_cost: 7.5e-8, max_output_tokens: 16384 },
    "example/dearer": price(2e-6, 8e-6),
    "example/same": price(1e-6, 1e-6),
    "example/image": { input_cost_per_pixel: 1e-7 },
  });
  const dollars = { currency: "USD", rate: 7.2 };
  await account.call("POST", "/v1/models", {
    models: [
      { name: "example/dearer", input_price: 1, output_price: 8, ...dollars },
      { name: "example/same", input_price: 1, output_price: 1, ...dollars },
      { name: "example/gone", input_price: 3, output_price: 4 },
    ],
  });
  const models = new ModelsPage(page);
  await models.open("?source=account");
  await new Palette(page).open();
  await page.keyboard.type("import prices");
  await page.keyboard.press("Enter");
  await expect(models.dialog.getByRole("heading", { name: "Import prices" })).toBeVisible();
  await expectFitForAll(page);
  await models.press("Preview");
  await expect(models.dialog.getByText("Choose a file, or paste its text.")).toBeVisible();
  await models.fill({ "Or paste the text": "name,price\nexample,1" });
  await models.press("Preview");
  const alert = models.dialog.getByRole("alert");
  await expect(alert).toHaveText("File line 1: has no column input_price.");
  await models.fill({ "Or paste the text": 'name,input_price,output_price\nown,1,"2' });
  await models.press("Preview");
  await expect(alert).toHaveText(
    "File line 2: has a cell in quotation marks that is not closed, or has a single one inside.",
  );
  await models.fill({ "Or paste the text": "name,input_price,output_price\nown,1,2\n,1,2\nmore,1,2,3\nown,3,4" });
  await models.press("Preview");
  await expect(alert).toContainText("line 3");
  expect((await alert.innerText()).split("\n")).toEqual([
    "File line 3 Name: must not be empty.",
    "File line 4 (more): has more cells than there are columns.",
    "File line 5 (own): has the same name and first day as line 2.",
  ]);
  await models.dialog
    .getByLabel("Choose a file")
    .setInputFiles({ name: "prices.json", mimeType: "application/json", buffer: Buffer.from(file) });
  await expect(models.dialog).toContainText("prices.json LiteLLM's JSON");
  await models.fill({ "Yuan for 1 USD": "7.2" });
  await models.dialog.getByRole("checkbox").check();
  await models.press("Preview");
  await expect(models.dialog).toContainText("3 prices of this account would change. Nothing has been changed yet.");
  await expect(models.planned).toHaveText([/^example\/dearer.*Changed.*¥7\.20 →\s+becomes ¥14\.40USD 2 × 7\.2/]);
  await models.dialog.getByText("New · 1", { exact: true }).click();
  await expect(models.planned).toHaveText([/^example\/new.*New.*¥1\.08.*¥0\.54.*¥4\.32/]);
  await models.dialog.getByText("Deleted · 1", { exact: true }).click();
  await expect(models.planned).toHaveText([/^example\/gone.*Deleted/]);
  await models.dialog.getByText("Left out · 1", { exact: true }).click();
  await expect(models.dialog.getByRole("listitem")).toHaveText(["Has no price per token · 1example/image"]);
  await models.dialog.getByText("Changed · 1", { exact: true }).click();
  await expectFitForAll(page);
  const own = async () =>
    (await account.call("GET", "/v1/models?source=account")).data.map(({ name }: { name: string }) => name);
  expect(await own()).toEqual(["example/dearer", "example/gone", "example/same"]);
  await models.press("Apply 3 changes");
  await expect(models.news).toContainText("Imported: 1 new, 1 changed, 1 deleted.");
  await expect(models.rows("example/dearer")).toContainText("USD 2 × 7.2");
  expect(await own()).toEqual(["example/dearer", "example/new", "example/same"]);

  await models.news.getByRole("button", { name: "Undo" }).click();
  await expect(models.news).toContainText("Undone on 3 prices.");
  expect(await own()).toEqual(["example/dearer", "example/gone", "example/same"]);
  const history = new HistoryPage(page);
  await history.open("?search=EXAMPLE/new");
  await expect(history.sentences).toHaveText(["Prices of 3 models set", "3 prices of models imported"]);
  const undo = await history.undo("Prices of 3 models set");
  await expect(undo.element).toContainText("3 prices become what they were before.");
  await expect(undo.element.locator("tbody tr")).toHaveText([
    /^example\/dearer.*Changed.*¥7\.20 →\s+becomes ¥14\.40/,
    /^example\/gone.*Deleted/,
    /^example\/new.*New.*¥1\.08/,
  ]);
  await expectFitForAll(page);
  await undo.press("Undo on 3 prices");
  await expect(undo.element).toContainText("3 prices are as they were before.");
  await undo.press("Close");
  expect(await own()).toEqual(["example/dearer", "example/new", "example/same"]);

  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/models?source=account");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("模型");
  await expect(page.getByRole("table", { name: "模型" }).locator("tbody tr").first()).toContainText(
    /生效中.*本账户.*USD 2 × 7\.2/,
  );
  await page.getByRole("button", { name: "导入" }).click();
  await page.getByLabel("或粘贴文本").fill(file);
  await page.getByLabel("1 USD 折合人民币（元）").fill("7.2");
  await page.getByRole("button", { name: "预览" }).click();
  await expect(page.getByRole("dialog")).toContainText("没有任何变化。");
  await page.getByText("略过 · 1", { exact: true }).click();
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveText(["没有按 token 计的价格 · 1example/image"]);
  await expect(page.getByRole("button", { name: "没有可应用的更改" })).toBeDisabled();
});
