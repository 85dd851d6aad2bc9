import { randomUUID } from "node:crypto";
import { expect } from "playwright/test";
import { openDatabase } from "@/server/db/client";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { ModelsPage } from "./pages/models";

/** Sets a price of the operator, 2.5 and 10 dollars. It counts for every account, so the name is one of this test alone. */
async function setOperatorPrice(name: string): Promise<void> {
  const database = openDatabase(process.env.PRODUCT_DATABASE_URL ?? "");
  try {
    const id = randomUUID().replaceAll("-", "").slice(0, 24);
    await database.pool.query(
      `INSERT INTO operator_price (id, name, aliases, currency, rate, input_price, output_price, cached_input_price)
        VALUES ($1, $2, '{}', 'USD', 7.2, 2.5, 10, 1.25)`,
      [id, name],
    );
    await database.pool.query("UPDATE operator_catalogue SET prices_version = prices_version + 1");
  } finally {
    await database.close();
  }
}

test("other names that have a comma stay as they are when the price is edited", async ({ page, account }) => {
  const aliases = ["small,fast", "通义、千问", "plain"];
  await account.call("POST", "/v1/models", { models: [{ name: "own", aliases, input_price: 1, output_price: 2 }] });
  const models = new ModelsPage(page);
  await models.open("?q=own&source=account");
  await models.choose("own (This account, Always)", "Edit");
  await expect(models.field("Other names")).toHaveValue('"small,fast", "通义、千问", plain');
  await models.fill({ Output: "3" });
  await models.press("Save");
  await expect(models.dialog).toBeHidden();
  const stored = async () => (await account.call("GET", "/v1/models?name=own")).data;
  expect(await stored()).toMatchObject([{ aliases, output_price: 3 }]);
});

test("fields that stand side by side are in line, however long their hints are", async ({ page, account: _owner }) => {
  const models = new ModelsPage(page);
  await models.open();
  await page.getByRole("button", { name: "Add price" }).first().click();
  const top = async (label: string) => (await models.dialog.getByLabel(label, { exact: true }).boundingBox())?.y;
  expect(await top("Other names")).toBe(await top("Model"));
  expect(await top("Valid from")).toBe(await top("Max. output tokens"));
});

test("a price that was deleted meanwhile is told as such, and leaves the list", async ({ page, account }) => {
  await account.call("POST", "/v1/models", { models: [{ name: "own", input_price: 1, output_price: 2 }] });
  const models = new ModelsPage(page);
  await models.open("?q=own&source=account");
  await models.choose("own (This account, Always)", "Edit");
  await models.fill({ Input: "3" });
  const [{ model_id }] = (await account.call("GET", "/v1/models?name=own")).data;
  await account.call("POST", `/v1/models/${model_id}/delete`);
  await models.press("Save");
  await expect(models.dialog.getByRole("alert")).toHaveText("This price does not exist.");
  await expect(models.field("Input")).toHaveValue("3");
  await models.press("Cancel");
  await expect(models.rows("own")).toHaveCount(0);
});

test("a price that was changed meanwhile is not overwritten", async ({ page, account }) => {
  const set = (input_price: number, max_output_tokens: number | null = null) =>
    account.call("POST", "/v1/models", { models: [{ name: "own", input_price, output_price: 2, max_output_tokens }] });
  const stored = async () => (await account.call("GET", "/v1/models?name=own")).data;
  await set(1);
  const models = new ModelsPage(page);
  await models.open("?source=account");
  await models.choose("own (This account, Always)", "Edit");
  await models.fill({ "Max. output tokens": "4096" });
  await set(5);
  await models.press("Save");
  await expect(models.dialog.getByRole("alert")).toContainText("Changed meanwhile");
  expect(await stored()).toMatchObject([{ input_price: 5, max_output_tokens: null }]);

  await models.press("Show it as it is now");
  await expect(models.field("Input")).toHaveValue("5");
  await expect(models.field("Max. output tokens")).toHaveValue("");
  await models.fill({ "Max. output tokens": "4096" });
  await models.press("Save");
  await expect(models.dialog).toBeHidden();
  expect(await stored()).toMatchObject([{ input_price: 5, max_output_tokens: 4096 }]);

  await account.call("POST", "/v1/models", {
    models: [{ name: "own", input_price: 7, output_price: 2, valid_from: "2026-01-01" }],
  });
  await models.open("?source=account");
  await models.choose("own (This account, Jan 1, 2026)", "Delete");
  await expect(models.question).toContainText(
    "Then the earlier price of this account counts again: ¥5 input, ¥2 output.",
  );
  await models.press("Delete price");
  await expect(models.rows("own")).toHaveText([/In force/]);

  await models.choose("own (This account, Always)", "Edit");
  const [{ model_id }] = await stored();
  await account.call("POST", `/v1/models/${model_id}/delete`);
  await models.press("Save");
  await expect(models.dialog.getByRole("alert")).toContainText("This price does not exist.");
  expect(await stored()).toEqual([]);
});

test("a price that somebody else has added meanwhile is replaced only after it was shown", async ({
  page,
  account,
}) => {
  const stored = async () => (await account.call("GET", "/v1/models?name=own")).data;
  const models = new ModelsPage(page);
  await models.open();
  await page.getByRole("button", { name: "Add price" }).first().click();
  await models.fill({ Model: "own", Input: "1", Output: "2" });
  await page.route("**/api/trpc/models.set", async (route) => {
    const isMade = !route.request().postData()?.includes("dry_run");
    const theirs = { name: "own", input_price: 9, output_price: 2 };
    if (isMade && (await stored()).length === 0) await account.call("POST", "/v1/models", { models: [theirs] });
    await route.continue();
  });
  await models.press("Add price");
  await expect(models.dialog.getByRole("alert")).toContainText("Changed meanwhile");
  expect(await stored()).toMatchObject([{ input_price: 9 }]);
  await models.press("Show it as it is now");
  await expect(models.dialog.locator("tbody tr")).toContainText("¥9 → becomes ¥1");
  await expect(models.dialog.getByRole("alert")).toBeHidden();
  await models.press("Replace price");
  await expect(models.dialog).toBeHidden();
  expect(await stored()).toMatchObject([{ input_price: 1 }]);
});

test("a price of the operator is overridden, prices are added, changed, planned and deleted", async ({
  page,
  account,
}) => {
  const prefix = randomUUID().slice(0, 8);
  const [chat, family] = [`${prefix}-chat`, `${prefix}-mini*`];
  await setOperatorPrice(chat);
  const models = new ModelsPage(page);
  await models.open(`?q=${prefix}`);
  const ofOperator = "Operator¥18USD 2.5 × 7.2¥9USD 1.25 × 7.2¥72USD 10 × 7.2–Always";
  await expect(models.rows(chat)).toHaveText([new RegExp(`In force.*${ofOperator.replaceAll(".", "\\.")}`)]);

  await models.choose(`${chat} (Operator, Always)`, "Override");
  await expect(models.field("Model")).toBeDisabled();
  await expect(models.field("Output")).toHaveValue("10");
  await models.fill({ Currency: "cny", Input: "15.5", "Cached input": "", Output: "60" });
  await models.press("Add price");
  await expect(models.news).toContainText("added");
  await expect(models.rows(chat)).toHaveText([
    /In force.*This accountoverrides the operator's¥15\.50¥15\.50¥60\.00–Always/,
    /Overridden.*Operator¥18\.00/,
  ]);

  // While a dialog is open, the page takes no keys.
  await expect(models.dialog).toBeHidden();
  await page.keyboard.press("c");
  await models.fill({ Model: family, "Other names": `${prefix}-small, ${prefix}-tiny`, Currency: "USD" });
  await models.fill({ "Yuan for 1 USD": "7.2", Input: "0.15", Output: "much" });
  await expect(models.dialog.getByText("= ¥1.08")).toBeVisible();
  for (const wrong of ["0.0000000001", "9".repeat(400)]) {
    await models.fill({ Input: wrong });
    await expect(models.dialog.getByText("= ¥")).toBeHidden();
  }
  await models.fill({ Input: "0.14999999999" });
  await expect(models.dialog.getByText("= ¥1.08")).toBeVisible();
  await models.press("Add price");
  await expect(models.field("Output")).toBeFocused();
  await expect(models.dialog.getByText("Enter a number such as 12.5.")).toBeVisible();
  await expectFitForAll(page);
  await models.fill({ Output: "0.6", "Max. output tokens": "16384" });
  await models.press("Add price");
  await expect(models.rows(family)).toHaveText([
    /Pattern.*-small,.*In force.*This account¥1\.08USD 0\.15 × 7\.2¥1\.08.*¥4\.32USD 0\.6 × 7\.216,384Always/,
  ]);

  await models.choose(`${family} (This account, Always)`, "Edit");
  await models.fill({ "Cached input": "0.075" });
  await models.press("Save");
  await expect(models.rows(family)).toContainText("¥0.54");
  await models.choose(`${family} (This account, Always)`, "New price from a later day");
  await models.fill({ Input: "0.1", "Valid from": "2999-01-01" });
  await models.press("Add price");
  await expect(models.rows(family)).toHaveText([/Planned.*¥0\.72.*Jan 1, 2999/, /In force/]);

  // A price that would be replaced is said to be so first.
  await models.choose(`${family} (This account, Always)`, "New price from a later day");
  await models.fill({ Input: "0.2", "Valid from": "2999-01-01" });
  await models.press("Add price");
  await expect(models.dialog.getByText("This model has a price from this day on", { exact: true })).toBeVisible();
  await expect(models.dialog.locator("tbody tr")).toContainText("¥0.72 → becomes ¥1.44");
  await models.press("Replace price");
  await expect(models.rows(family)).toHaveText([/Planned.*¥1\.44/, /In force/]);
  const answer = await account.call("GET", `/v1/models?source=account&search=${prefix}`);
  expect(answer.data).toMatchObject([
    { name: chat, currency: "CNY", rate: 1, input_price: 15.5, cached_input_price: null, output_price: 60 },
    { name: family, input_price: 0.2, valid_from: "2999-01-01", state: "upcoming" },
    { name: family, input_price: 0.15, cached_input_price: 0.075, max_output_tokens: 16384, rate: 7.2 },
  ]);

  await models.table.getByRole("columnheader", { name: "Output" }).first().getByRole("button").click();
  await expect(page).toHaveURL(/sort=output/);
  await page.setViewportSize({ width: 360, height: 740 });
  await models.table.getByRole("columnheader", { name: "Cached input" }).getByRole("button").click();
  await expect(page).toHaveURL(/sort=cached_input/);
  await page.setViewportSize({ width: 1280, height: 720 });
  await expectFitForAll(page);
  await models.choose(`${chat} (This account, Always)`, "Delete");
  await expect(models.question).toContainText(
    "Then the operator's price counts: ¥18 input, ¥72 output. Where another name or a pattern of this account covers the model, that price counts instead.",
  );
  await models.press("Delete price");
  await expect(models.rows(chat)).toHaveText([/In force.*Operator/]);
  await page.getByRole("combobox", { name: "Whose prices" }).selectOption("This account's");
  await expect(models.table.locator("tbody tr")).toHaveCount(2);
});
