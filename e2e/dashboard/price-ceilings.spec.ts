import { expect } from "playwright/test";
import { type OwnPrice, REST } from "../prices";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { GroupPage } from "./pages/group";
import { KeyPage } from "./pages/key";
import { KeysPage } from "./pages/keys";

const PRICES: OwnPrice[] = [
  REST,
  { name: "small", input: 1.5, output: 6 },
  { name: "medium", aliases: ["medium-2026"], input: 8, output: 24 },
  { name: "large", input: 20, output: 80 },
];

test("price ceilings say which models they allow: while they are typed, on the key, and for many keys", async ({
  page,
  account,
}) => {
  await account.addPrices(PRICES);
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
  await keys.fillLimit("Input price ceiling", "");
  await expect(dialog).toContainText("Enter the ceiling to see which models it allows.");
  await keys.fillLimit("Input price ceiling", "20");
  await expect(dialog).toContainText("Allows 3 of 4 models1 newly allowed");
  await dialog.getByText("Allows 3 of 4 models").click();
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

  await new KeyPage(page).goto(id);
  const limits = page.getByRole("region", { name: "Limits", exact: true });
  await expect(limits).toContainText("Allows 3 of 4 models");
  // Of a long list, the first ones are shown, and the others are searched.
  await account.addPrices(Array.from({ length: 60 }, (_, i) => ({ name: `model-${i + 10}`, input: 1, output: 1 })));
  await page.reload();
  await limits.getByText("Allows 63 of 64 models").click();
  await expect(limits).toContainText("And 13 more. Search to find them.");
  await limits.getByRole("searchbox", { name: "Search models" }).fill("DIUM-2026");
  await expect(limits.getByRole("rowheader")).toHaveText(["mediumalso medium-2026"]);
  await expectFitForAll(page);

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
