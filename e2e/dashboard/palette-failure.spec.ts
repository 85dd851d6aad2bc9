import { expect } from "playwright/test";
import { test } from "./account";
import { Palette } from "./pages/palette";

test("a search that could not be made does not say that nothing was found", async ({ page, account }) => {
  await account.newKey("production");
  await page.goto("/keys");
  await page.waitForLoadState("load");
  const palette = new Palette(page);
  await palette.open();
  await account.endSessions();
  await page.keyboard.type("production");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Your session has ended.")).toBeVisible();
  await expect(dialog.getByRole("status")).not.toContainText("Searching");
  await expect(dialog).not.toContainText("Nothing found");
});
