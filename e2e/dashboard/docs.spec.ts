import { expect, test } from "playwright/test";

const url = process.env.PRODUCT_URL ?? "";
const key = process.env.PRODUCT_KEY ?? "";

// The policy would block requests to other hosts. Without it, the test sees every request that the page makes.
test.use({ bypassCSP: true });

test("the reference sends a call to this server, and nothing to any other", async ({ page, context }) => {
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  await context.route(
    ({ origin }) => origin !== url,
    (route) => {
      elsewhere.push(route.request().url());
      return route.abort();
    },
  );
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto(`${url}/docs`);
  await expect(page.getByRole("heading", { level: 1, name: "Allowance" })).toBeVisible();
  await page.getByRole("textbox", { name: "Bearer Token" }).first().fill(key);
  await page.getByRole("button", { name: "Test Request (post /v1/apikeys)" }).click();
  const client = page.getByRole("dialog", { name: "API Client" });
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/v1/apikeys");
  await client.getByRole("button", { name: /^Send post request/ }).click();
  const answer = await answered;
  expect(answer.status()).toBe(201);
  expect((await answer.json()).apikey).toMatch(/^sk-[0-9A-Za-z]{45}$/);
  await expect(client.getByRole("link", { name: "201 Created" })).toBeVisible();
  await client.getByRole("button", { name: "Close Client" }).click();
  await expect(client).toBeHidden();

  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the reference lists every endpoint of keys and groups", async ({ page }) => {
  await page.goto(`${url}/docs`);
  for (const operation of [
    "post /v1/apikeys",
    "post /v1/apikeys/{apikey_id}/budget",
    "post /v1/apikey_groups",
    "get /v1/apikey_groups",
    "post /v1/apikey_groups/{group_id}/batch_budget",
  ]) {
    await expect(page.getByRole("button", { name: `Test Request (${operation})` })).toBeVisible();
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`pages fit 360 pixels, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ["/", "/docs", "/nowhere"]) {
      await page.goto(url + path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([path, overflow]).toEqual([path, 0]);
    }
  });
}
