import { expect, test } from "playwright/test";

test("the home page says what this is, and leads to the reference", async ({ page }) => {
  const response = await page.goto(process.env.PRODUCT_URL ?? "");
  expect([response?.status(), response?.headers()["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Allowance/);
  await expect(page.getByText("npm run -s account:create -- --email owner@example.com")).toBeVisible();
  await expect(page.getByRole("link", { name: "Sign up" })).toBeHidden();
  await page.setViewportSize({ width: 320, height: 740 });
  const option = page.getByText("--email owner@example.com", { exact: true });
  expect(await option.evaluate((element) => element.getClientRects().length)).toBe(1);
  await page
    .getByRole("link", { name: /reference/i })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs$/);
});

test("an unknown page is 404 and leads home", async ({ page }) => {
  const response = await page.goto(`${process.env.PRODUCT_URL}/nowhere`);
  expect(response?.status()).toBe(404);
  await page.getByRole("link", { name: /home/i }).click();
  await expect(page).toHaveURL(`${process.env.PRODUCT_URL}/`);
});

test("a path that is no text is 404", async ({ request }) => {
  for (const path of ["/%E0%A4%A", "/keys/%FF", "/groups/%ED%A0%80"]) {
    expect((await request.get(process.env.PRODUCT_URL + path)).status(), path).toBe(404);
  }
});
