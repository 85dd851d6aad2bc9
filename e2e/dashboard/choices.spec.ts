import { expect, test } from "playwright/test";
import { expectAccessible } from "./axe";
import { expectNoSidewaysScroll } from "./overflow";

const url = process.env.PRODUCT_URL ?? "";

const NOT_FOUND = { en: "Page not found", "zh-CN": "页面不存在" };

for (const [language, heading] of Object.entries(NOT_FOUND)) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${language}, ${colorScheme}`, () => {
      test.use({ locale: language, colorScheme, viewport: { width: 360, height: 740 } });

      test("a page is in the browser's language, accessible, and fits 360 pixels", async ({ page }) => {
        for (const path of ["/nowhere", "/"]) {
          await page.goto(url + path);
          await expect(page.locator("html")).toHaveAttribute("lang", language);
          if (path === "/nowhere") await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
          await expectNoSidewaysScroll(page);
          await expectAccessible(page);
        }
      });
    });
  }
}

test("a chosen language stands above the browser's", async ({ page, context }) => {
  await context.addCookies([{ name: "language", value: "zh-CN", url }]);
  await page.goto(`${url}/nowhere`);
  await expect(page.getByRole("heading", { level: 1, name: NOT_FOUND["zh-CN"] })).toBeVisible();
});

for (const [theme, background] of [
  ["light", "rgb(251, 251, 250)"],
  ["dark", "rgb(18, 19, 17)"],
] as const) {
  test(`the theme ${theme} stands above the system's, before any script runs`, async ({ browser }) => {
    const context = await browser.newContext({
      colorScheme: theme === "light" ? "dark" : "light",
      javaScriptEnabled: false,
    });
    await context.addCookies([{ name: "theme", value: theme, url }]);
    const page = await context.newPage();
    await page.goto(`${url}/nowhere`);
    await expect(page.locator("body")).toHaveCSS("background-color", background);
    await context.close();
  });
}

test("the reference follows the chosen theme", async ({ page, context }) => {
  await context.addCookies([{ name: "theme", value: "dark", url }]);
  await page.goto(`${url}/docs`);
  await expect(page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(18, 19, 17)");
});
