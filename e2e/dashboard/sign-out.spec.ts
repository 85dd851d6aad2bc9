import { chromium, expect } from "playwright/test";
import { test } from "./account";

const url = process.env.PRODUCT_URL ?? "";

test("signing out ends at the page to sign in, and the way back is closed", async ({ page, account }) => {
  await page.setViewportSize({ width: 1024, height: 740 });
  await page.goto("/keys");
  // Beside the links to all pages no more than a part of its first letter would fit.
  await expect(page.getByText(account.email).first()).toBeHidden();
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${url}/sign-in`);
  await page.goto("/keys");
  await expect(page).toHaveURL(`${url}/sign-in?next=%2Fkeys`);
  expect(account.email).toContain("@");
});

test("signing out that the server refuses says why", async ({ page, account: _ }) => {
  await page.goto("/keys");
  const refusal = { success: false, error: "busy", code: "too_many_at_once", values: {} };
  await page.route("**/api/auth/sign-out", (route) => route.fulfill({ status: 429, json: refusal }));
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("region", { name: "News" })).toContainText(
    "Your account has too many requests under way.",
  );
  await expect(page).toHaveURL(`${url}/keys`);
});

for (const [kind, ignoreDefaultArgs] of [
  ["loads pages again", []],
  ["keeps pages in memory, whatever they say", ["--disable-back-forward-cache"]],
] as const) {
  test(`after signing out, Back shows nothing of the account: a browser that ${kind}`, async ({ account }, info) => {
    const browser = await chromium.launch({
      ...info.project.use.launchOptions,
      ignoreDefaultArgs: [...ignoreDefaultArgs],
    });
    try {
      const context = await browser.newContext({ baseURL: url });
      await account.signIn(context);
      await account.newKey("a key that nobody else may see");
      const page = await context.newPage();
      if (ignoreDefaultArgs.length > 0) {
        await context.route(/\/(keys|settings)$/, async (route) => {
          const response = await route.fetch({ maxRedirects: 0 });
          const { "cache-control": _, ...headers } = response.headers();
          await route.fulfill({ response, headers });
        });
        // React gets no turn in this page, as when the owner goes on before a slow browser has made the page work.
        await page.addInitScript(() => {
          if (location.pathname === "/keys") MessagePort.prototype.postMessage = () => undefined;
        });
      }
      await page.goto("/keys");
      await expect(page.getByText("a key that nobody else may see").first()).toBeVisible();
      await page.goto("/settings");
      await expect(page.getByRole("region", { name: "Sessions" })).toBeVisible();
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await expect(page).toHaveURL(`${url}/sign-in`);
      for (const path of ["/settings", "/keys"]) {
        // `goBack` waits for a load, which a page from memory does not have.
        await page.evaluate(() => history.back());
        await expect(page).toHaveURL(`${url}/sign-in?next=${encodeURIComponent(path)}`);
        await expect(page.getByText(account.email)).toHaveCount(0);
        await expect(page.getByText("a key that nobody else may see")).toHaveCount(0);
      }
    } finally {
      await browser.close();
    }
  });
}
