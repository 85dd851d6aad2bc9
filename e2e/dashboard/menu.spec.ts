import { expect } from "playwright/test";
import { test } from "./account";
import { hold } from "./hold";

test("a long name that comes late stands whole in a menu on a phone", async ({ page, account }) => {
  const name = "W".repeat(64);
  await account.call("POST", "/v1/saved_filters", { name, keys: { status: "disabled" } });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/groups");
  await page.waitForLoadState("load");
  const reading = await hold(page, "**/api/trpc/savedFilters.list**");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("menuitem", { name: "Keys" }).click();
  await reading.asked;
  await page.getByRole("button", { name: "Saved filters", exact: true }).click();
  const menu = page.getByRole("menu", { name: "Saved filters" });
  await expect(menu.getByRole("menuitem", { name: "Reading the saved filters…" })).toBeVisible();
  reading.release();
  await expect(menu.getByRole("menuitem", { name })).toBeInViewport({ ratio: 1 });
  expect(await menu.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
