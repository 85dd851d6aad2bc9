import { expect, type Page } from "playwright/test";
import { test } from "./account";
import { KeysPage } from "./pages/keys";
import { SettingsPage } from "./pages/settings";
import { newSpendingKey, spend } from "./spend";

/** Whether something lies over all of the element that has the focus. */
const isCovered = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused) return true;
    const { left, right, top, bottom } = focused.getBoundingClientRect();
    const seen = [left + 2, (left + right) / 2, right - 2].flatMap((x) =>
      [top + 2, (top + bottom) / 2, bottom - 2].map((y) => document.elementFromPoint(x, y)),
    );
    return !seen.some((element) => focused.contains(element));
  });

test("the column of menus covers nothing that has the focus, and stays where it is with the focus", async ({
  page,
  account,
}) => {
  await account.newKey("production");
  await page.setViewportSize({ width: 640, height: 600 });
  const keys = new KeysPage(page);
  await keys.open();
  const region = page.getByRole("region", { name: "API keys", exact: true });
  const menu = page.getByRole("button", { name: "Actions for production", exact: true });
  await page.getByRole("checkbox", { name: "Select production", exact: true }).focus();
  let stops = 0;
  for (; !(await menu.evaluate((element) => element === document.activeElement)); stops++) {
    await page.keyboard.press("Tab");
    expect(await isCovered(page), await page.evaluate(() => document.activeElement?.outerHTML)).toBe(false);
  }
  expect(stops).toBeGreaterThan(4);

  await region.evaluate((element) => element.scrollTo({ left: 0 }));
  await menu.click();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  expect(await region.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
});

test("the sum below a long table covers nothing that has the focus", async ({ page, account }) => {
  for (let i = 1; i <= 12; i++) await spend(account, await newSpendingKey(account, `key ${i}`), i);
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.goto("/usage?by=key");
  const links = page.getByRole("table", { name: "Spend by key" }).getByRole("rowheader").getByRole("link");
  await links.first().focus();
  for (let i = 1; i < 12; i++) {
    await page.keyboard.press("Tab");
    await expect(links.nth(i)).toBeFocused();
    expect(await isCovered(page), `row ${i + 1}`).toBe(false);
  }
});

test("after the address of the gateway is saved with the keyboard, the focus is in its field, and Back shows it", async ({
  page,
  account: _,
}) => {
  const settings = new SettingsPage(page);
  await settings.open();
  const address = page.getByRole("textbox", { name: "Address of the gateway" });
  const saved = "https://gateway.example.com/v1";
  await address.fill(`${saved}/`);
  const save = page.locator("#gateway").getByRole("button", { name: "Save" });
  await save.focus();
  await page.keyboard.press("Enter");
  await expect(save).toBeDisabled();
  await expect(address).toHaveValue(saved);
  await expect(address).toBeFocused();
  await page.getByRole("navigation").getByRole("link", { name: "Keys" }).click();
  await expect(page).toHaveURL(/\/keys/);
  await page.goBack();
  await expect(address).toHaveValue(saved);
});

test("after the zone is saved with the keyboard, the focus is in its field", async ({ page, account: _ }) => {
  const settings = new SettingsPage(page);
  await settings.open();
  await settings.zone.fill("Europe/Berlin");
  const save = page.getByRole("button", { name: "Save zone" });
  await save.focus();
  await page.keyboard.press("Enter");
  await expect(save).toBeDisabled();
  await expect(settings.zone).toBeFocused();
});
