import { execFileSync } from "node:child_process";
import { expect, test } from "playwright/test";
import { expectFitForAll } from "./fit-for-all";
import { expectNoSidewaysScroll } from "./overflow";
import { DocsPage } from "./pages/docs";

const url = process.env.PRODUCT_URL ?? "";
const key = process.env.PRODUCT_KEY ?? "";

const MOST_KILOBYTES = 300;

test.describe("the reference", () => {
  // The policy would block requests to other hosts. Without it, the test sees every request that the page makes.
  test.use({ bypassCSP: true });

  test("the reference loads from this server alone, and few scripts", async ({ page, context }) => {
    const elsewhere: string[] = [];
    const complaints: string[] = [];
    const sizes: Promise<number>[] = [];
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
    page.on("requestfinished", (request) => {
      if (request.resourceType() === "script") sizes.push(request.sizes().then((size) => size.responseBodySize));
    });

    const docs = new DocsPage(page, url);
    await docs.open();
    // The search works when the scripts have run.
    await docs.contents.getByRole("searchbox").fill("BATCH_budget");
    await expect(docs.contents.getByRole("listitem")).toHaveCount(2);
    await docs.contents.getByRole("searchbox").fill("nothing like it");
    await expect(docs.contents.getByText("No operation matches.")).toBeVisible();
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes / 1000).toBeLessThan(MOST_KILOBYTES);
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test("every operation of the document has its place, and a call that works as it stands", async ({ page, request }) => {
  const { paths } = await (await request.get(`${url}/openapi.json`)).json();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods as object));
  const docs = new DocsPage(page, url);
  await docs.open("#createApiKey");
  await expect(page.getByRole("article")).toHaveCount(operations.length);
  await expect(docs.contents.getByRole("listitem")).toHaveCount(operations.length);
  for (const { summary, operationId } of operations) {
    await expect(docs.operation(summary)).toHaveAttribute("aria-labelledby", operationId);
  }

  const create = docs.operation("Create an API key");
  await expect(create.getByRole("heading", { level: 3 })).toBeInViewport();
  await expect(create.getByText("name").first()).toBeVisible();
  await expect(create.getByText("required")).toHaveCount(1);
  await expect(create.getByText("1 – 128 characters").first()).toBeVisible();
  await expect(docs.operation("Set prices of models").getByText("> 0", { exact: true }).first()).toBeAttached();
  const refused = await docs.openAnswer("Create an API key", 400);
  await expect(refused.locator("pre").first()).toContainText('"success": false');
  await expect(create.getByRole("link", { name: /^Also 401, 403, 413, 429/ })).toHaveAttribute("href", "#errors");

  const call = (await docs.call("Create an API key").textContent()) ?? "";
  expect(call).toContain(`"${url}/v1/apikeys"`);
  const answer = execFileSync("sh", ["-c", call], { env: { ...process.env, KEY: key }, encoding: "utf8" });
  expect(JSON.parse(answer)).toMatchObject({ success: true, apikey: expect.stringMatching(/^sk-[0-9A-Za-z]{45}$/) });
  // Its headers go together, and the example of a key names none.
  const check = (await docs.call("Check by headers whether a call would be authorized").textContent()) ?? "";
  const checked = execFileSync("sh", ["-c", check], { env: { ...process.env, KEY: key }, encoding: "utf8" });
  expect(JSON.parse(checked)).toMatchObject({ success: false, code: "key_not_found" });
});

test("the reference is fit for all, with answers and fields open", async ({ page }) => {
  const docs = new DocsPage(page, url);
  await docs.open();
  await docs.openAnswer("List API keys", 200);
  await docs.operation("List API keys").getByText("Fields of data").click();
  await docs.openAnswer("Create an API key", 400);
  await expectFitForAll(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Contents" }).click();
  await docs.contents.getByRole("link", { name: "Create a group" }).click();
  await expect(docs.contents).toBeHidden();
  await expect(docs.operation("Create a group").getByRole("heading", { level: 3 })).toBeInViewport();
});

test("in Chinese, the frame speaks Chinese and the document English", async ({ page, context }) => {
  await context.addCookies([{ name: "language", value: "zh-CN", url }]);
  await page.goto(`${url}/docs`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("API 文档");
  await expect(page.getByRole("navigation", { name: "目录" }).getByRole("link", { name: "身份验证" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 3, name: "Create an API key" })).toHaveAttribute("lang", "en");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`pages fit 360 pixels, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ["/", "/nowhere"]) {
      await page.goto(url + path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
  });
}
