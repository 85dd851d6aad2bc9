import { expect } from "playwright/test";
import { test } from "./account";
import { KeysPage } from "./pages/keys";
import { Palette } from "./pages/palette";

test("a page that is printed has all rows of its table, and dark letters on white paper", async ({ page, account }) => {
  await account.addKeys(40);
  const keys = new KeysPage(page);
  await keys.open("?size=50");
  const palette = new Palette(page);
  await palette.open();
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

  await page.emulateMedia({ media: "print" });
  // A4 without its margins.
  await page.setViewportSize({ width: 718, height: 1047 });
  await expect(keys.names()).toHaveCount(41);
  // Paper does not scroll.
  const place = page.getByRole("region", { name: "API keys", exact: true });
  await expect(place).toHaveCSS("overflow", "visible");
  expect(await place.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  // The frame goes around all columns.
  expect(await place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(page.locator("body")).toHaveCSS("color", "rgb(25, 26, 23)");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
});
