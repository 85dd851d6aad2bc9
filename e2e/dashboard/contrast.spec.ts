import { expect, type Locator } from "playwright/test";
import { test } from "./account";
import { KeyPage } from "./pages/key";
import { KeysPage } from "./pages/keys";
import { SecurityPage } from "./pages/security";
import { newSpendingKey, spend } from "./spend";

const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor);

/** Expects that the part of a bar can be told from the bar. */
async function expectToStandOut(bar: Locator): Promise<void> {
  await expect(bar.first()).toBeVisible();
  expect(await colourOf(bar.locator("> *").first())).not.toBe(await colourOf(bar.first()));
}

test.describe("the device replaces the colours of pages, as with a contrast theme of Windows", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("bars show how much is used, how often calls were refused, and how good a password is", async ({
    page,
    account,
  }) => {
    const key = await newSpendingKey(account, "one", { budget: 10 });
    await spend(account, key, 7.5);
    await account.call("POST", "/v1/authorizations", { apikey: key.value, amount: 5 });
    const keyPage = new KeyPage(page);
    await keyPage.goto(key.id);
    const left = keyPage.state.getByRole("definition").filter({ hasText: "¥7.50 of ¥10" });
    await expectToStandOut(left.locator("> span"));

    await page.goto("/overview");
    await expectToStandOut(
      page.getByRole("list", { name: "Refused in the last 7 days" }).locator("li > span[aria-hidden]"),
    );

    const security = new SecurityPage(page);
    await security.open();
    await security.password.getByLabel("New password").fill("correct horse");
    const steps = security.password.locator("meter + span");
    await expect(steps).toBeVisible();
    expect(await colourOf(steps.locator("> *").first())).not.toBe(await colourOf(page.locator("body")));
  });

  test("a field with a fault has another border than one without", async ({ page, account: _ }) => {
    const keys = new KeysPage(page);
    await keys.open();
    await keys.startCreating();
    const name = keys.dialog.getByRole("textbox", { name: "Name" });
    await expect(name).toHaveCSS("border-top-width", "1px");
    await keys.press("Create key");
    await expect(name).toHaveCSS("border-top-width", "3px");
  });

  test("the menu of pages on a phone shows which one is open", async ({ page, account: _ }) => {
    await page.setViewportSize({ width: 390, height: 740 });
    await new KeysPage(page).open();
    await page.getByRole("button", { name: "Menu" }).click();
    await expect(page.getByRole("menuitem", { name: "Keys" })).toHaveCSS("border-top-width", "1px");
    await expect(page.getByRole("menuitem", { name: "Groups" })).toHaveCSS("border-top-width", "0px");
  });

  test("what keeps its colour stands out from the background of the device, whatever theme was chosen", async ({
    page,
    account,
    baseURL,
  }) => {
    await spend(account, await newSpendingKey(account, "one"), 1);
    const fill = page.getByRole("slider").locator("svg rect").first();
    const fillIn = async (colorScheme: "light" | "dark", theme: string) => {
      await page.emulateMedia({ colorScheme });
      await page.context().addCookies([{ name: "theme", value: theme, url: baseURL ?? "" }]);
      await page.goto("/usage");
      await expect(fill).toBeVisible();
      return fill.evaluate((element) => getComputedStyle(element).fill);
    };
    expect(await fillIn("dark", "light")).toBe(await fillIn("dark", "dark"));
    expect(await fillIn("light", "dark")).toBe(await fillIn("light", "light"));
    expect(await fillIn("light", "light")).not.toBe(await fillIn("dark", "dark"));
  });
});

test("a device that asks for more contrast gets lines and bars that can be seen", async ({ page, account }) => {
  const key = await newSpendingKey(account, "one", { budget: 10 });
  await spend(account, key, 1);
  await page.emulateMedia({ contrast: "more" });
  const keyPage = new KeyPage(page);
  await keyPage.goto(key.id);
  const bar = keyPage.state.getByRole("definition").filter({ hasText: "of ¥10" }).locator("> span");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const line = await keyPage.state.evaluate((element) => getComputedStyle(element).borderTopColor);
    expect(contrast(line, await colourOf(page.locator("body")))).toBeGreaterThanOrEqual(3);
    expect(contrast(await colourOf(bar.locator("> span")), await colourOf(bar))).toBeGreaterThanOrEqual(3);
  }
});

/** How much two opaque colours differ, by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
