import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { GroupPage } from "./pages/group";
import { KeyPage } from "./pages/key";
import { KeysPage } from "./pages/keys";

const MODELS = [
  // A price for each name that has no other, so that the operator's catalogue, which specs share, does not count.
  { name: "*", input_price: 1_000, output_price: 1_000 },
  { name: "small", input_price: 1.5, output_price: 6 },
  { name: "medium", aliases: ["medium-2026"], input_price: 8, output_price: 24 },
  { name: "large", input_price: 20, output_price: 80 },
];
const MORE_MODELS = Array.from({ length: 60 }, (_, i) => ({
  name: `model-${i + 10}`,
  input_price: 1,
  output_price: 1,
}));

test("price ceilings say which models they allow: while they are typed, on the key, and for many keys", async ({
  page,
  account,
}) => {
  const setPrices = (models: object[]) => account.call("POST", "/v1/models", { models });
  await setPrices(MODELS);
  const group = await account.newGroup("Research");
  const id = await account.newKey("edge", { input_price_limit: 8, group_id: group });
  await account.newKey("core", { group_id: group });

  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("edge", "Edit limits");
  const { dialog } = keys;
  await expect(dialog.getByText("Allows 2 of 4 models")).toBeVisible();
  await keys.fillLimit("Input price ceiling", "1.5");
  await expect(dialog).toContainText("Allows 1 of 4 models1 no longer allowed");
  await dialog.getByText("Allows 1 of 4 models").click();
  await expect(dialog.getByRole("region", { name: "No longer allowed: 1" })).toBeVisible();
  await keys.fillLimit("Input price ceiling", "");
  await expect(dialog).toContainText("Enter the ceiling to see which models it allows.");
  await keys.fillLimit("Input price ceiling", "20");
  await expect(dialog).toContainText("Allows 3 of 4 models1 newly allowed");
  await expect(dialog.getByRole("region", { name: "Newly allowed: 1" })).toContainText("large¥20¥80");
  await dialog.getByText("Allowed: 3", { exact: true }).click();
  await expect(dialog.getByRole("row")).toHaveText([
    "ModelInputOutput",
    "large¥20¥80",
    "mediumalso medium-2026¥8¥24",
    "small¥1.50¥6",
  ]);
  await expectFitForAll(page);
  await keys.press("Save limits");
  await expect(dialog).toBeHidden();

  await new KeyPage(page).goto(id);
  const limits = page.getByRole("region", { name: "Limits", exact: true });
  await expect(limits).toContainText("Allows 3 of 4 models");
  // Of a long list, the first ones are shown, and the others are searched.
  await setPrices(MORE_MODELS);
  await page.reload();
  await limits.getByText("Allows 63 of 64 models").click();
  await expect(limits).toContainText("And 13 more. Search to find them.");
  await limits.getByRole("searchbox", { name: "Search models" }).fill("DIUM-2026");
  await expect(limits.getByRole("rowheader")).toHaveText(["mediumalso medium-2026"]);

  const its = new GroupPage(page);
  await its.open(group);
  await page.getByRole("button", { name: "Set limits for all keys" }).click();
  const { batch } = its;
  await batch.set("Input price ceiling", "8");
  await expect(batch.dialog).toContainText("Allows at most 62 of 64 models");
  await batch.preview();
  await expect(batch.dialog).toContainText("Allows 62 of 64 models");
  await batch.dialog.getByText("2 no longer allowed").click();
  await expect(batch.dialog.getByRole("listitem").filter({ hasText: /^(large|\*)/ })).toHaveText([
    "large",
    "* on 1 key",
  ]);
});

test("a ceiling with more decimals than are stored counts as it is stored", async ({ page, account }) => {
  await account.call("POST", "/v1/models", { models: MODELS });
  const id = await account.newKey("pasted");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("pasted", "Edit limits");
  await keys.fillLimit("Input price ceiling", "1.50000000000000004");
  await expect(keys.dialog.getByText("Allows 1 of 4 models")).toBeVisible();
  await keys.fillLimit("Input price ceiling", "1.4999999999");
  await expect(keys.dialog).toContainText("Allows 1 of 4 models");
  await keys.press("Save limits");
  await expect(keys.dialog).toBeHidden();
  expect(await account.call("GET", `/v1/apikeys/${id}`)).toMatchObject({ input_price_limit: 1.5 });
});
