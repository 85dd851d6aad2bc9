import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { KeysPage } from "./pages/keys";

const NAMES = [
  '<img src=x onerror="window.hasRun=true"><script>window.hasRun=true</script>',
  "{name} <bdi># 'quoted' &amp; “more”",
  "مفتاح الإنتاج",
  "\u202Ereversed",
  "🚀👩‍🔬 密钥",
  "a".repeat(128),
];

test("names are shown as they are, whatever is written in them", async ({ page, account }) => {
  test.slow();
  const complaints: string[] = [];
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message());
    return dialog.dismiss();
  });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const ids = [];
  for (const name of NAMES) {
    ids.push(await account.newKey(name, { group_id: await account.newGroup(name), budget: 1 }));
  }
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.names()).toHaveText([...[...NAMES].reverse(), "default"]);
  await expectFitForAll(page);
  for (const [index, name] of NAMES.entries()) {
    await keys.open(`?q=${encodeURIComponent(name)}`);
    await expect(keys.row(name).getByRole("link")).toHaveText([name, name]);
    await keys.choose(name, "Edit limits");
    await expect(keys.dialog.getByRole("heading", { level: 2 })).toHaveText(`Limits of “${name}”`);
    await keys.fillLimit("Total budget", "2");
    await keys.press("Save limits");
    await expect(keys.news).toContainText(`Limits of “\u2068${name}\u2069” saved.`);
    await keys.choose(name, "Move to group");
    await expect(keys.dialog.getByRole("combobox")).toHaveValue(name);
    await keys.press("Cancel");
    await keys.choose(name, "Disable");
    await expect(keys.question.getByRole("heading")).toHaveText(`Disable “${name}”?`);
    await keys.press("Cancel");
    await page.goto(`/keys/${ids[index]}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
    await expectFitForAll(page);
  }
  expect(await page.evaluate(() => "hasRun" in window)).toBe(false);
  expect(complaints).toEqual([]);
});
