import { expect, type Page } from "playwright/test";
import { test } from "./account";
import { expectNoSidewaysScroll } from "./overflow";
import { KeysPage } from "./pages/keys";
import { ModelsPage } from "./pages/models";
import { SecurityPage } from "./pages/security";

/** What of a page keeps its size when the letters of the browser become twice as large. */
const staysSmall = (page: Page) =>
  page.evaluate(() => {
    const hasText = (element: Element) =>
      element.matches("input, select, textarea") ||
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    const written = [...document.querySelectorAll("body *:not(script, style)")].filter(hasText);
    const before = written.map(sizeOf);
    document.documentElement.style.fontSize = "200%";
    const small = written.filter((element, i) => Math.abs(sizeOf(element) / (before[i] ?? 0) - 2) > 0.01);
    document.documentElement.style.fontSize = "";
    return { seen: written.length, small: small.map((element) => element.textContent?.trim().slice(0, 40)) };
  });

test("all text grows with the letters of the browser", async ({ page, account }) => {
  const id = await account.newKey("production", { budget: 100, daily_limit: 5 });
  await account.newGroup("Research", "A description");
  for (const path of [
    "/overview",
    "/keys",
    `/keys/${id}`,
    "/groups",
    "/models",
    "/usage",
    "/history",
    "/settings",
    "/docs",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const { seen, small } = await staysSmall(page);
    expect(seen).toBeGreaterThan(15);
    expect(small, path).toEqual([]);
  }
});

test("on a phone with large letters, the account menu and the exports are in sight", async ({ page, account: _ }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/keys", "/history"]) {
    await page.goto(path);
    const account = page.getByRole("banner").getByRole("button", { name: /^Account/ });
    await expect(account).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "150%";
    });
    await expect(account).toBeInViewport({ ratio: 1 });
    await expectNoSidewaysScroll(page);
  }
});

test("the name of the product is in sight beside the mark wherever there is room", async ({ page, account: _ }) => {
  for (const width of [360, 1024, 1280, 1600]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/keys");
    await expect(page.getByRole("banner").getByText("Allowance", { exact: true })).toBeInViewport({ ratio: 0.8 });
    await expectNoSidewaysScroll(page);
  }
});

test("on a phone with large letters, the fields of a dialog have room between its text and its buttons", async ({
  page,
  account,
}) => {
  await account.newKey("production of the northern region");
  await page.setViewportSize({ width: 320, height: 780 });
  const keys = new KeysPage(page);
  await keys.open();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "150%";
  });
  await keys.choose("production of the northern region", "Rotate");
  const field = keys.dialog.getByRole("combobox", { name: "The old value works on for" });
  await field.focus();
  await expect(field).toBeInViewport({ ratio: 1 });
});

test("on a narrow phone with large letters, the reference and the page of a group fit its width", async ({
  page,
  account,
}) => {
  const group_id = await account.newGroup("Research");
  await account.newKey("production", { group_id });
  await page.setViewportSize({ width: 320, height: 780 });
  for (const path of ["/docs", `/groups/${group_id}`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "150%";
    });
    await expectNoSidewaysScroll(page);
  }
});

test("on a phone with letters twice as large, lists and the page of a key fit its width", async ({ page, account }) => {
  const id = await account.newKey("production", { group_id: await account.newGroup("Research") });
  await page.setViewportSize({ width: 390, height: 780 });
  for (const path of ["/keys", `/keys/${id}`, "/groups", "/models", "/history"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    await expectNoSidewaysScroll(page);
  }
});

test("on a phone with letters of twice the size, the settings and long dialogs do not scroll sideways", async ({
  page,
  account,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const enlarge = () =>
    page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
  const expectDialogFits = async () => {
    await expectNoSidewaysScroll(page);
    const cut = await page
      .locator("dialog[open] button")
      .evaluateAll((buttons) => buttons.filter((button) => button.scrollWidth > button.clientWidth + 1).length);
    expect(cut).toBe(0);
  };
  const security = new SecurityPage(page);
  await security.open();
  await enlarge();
  await expectNoSidewaysScroll(page);
  await security.startSecondFactor(account.password);
  await expectDialogFits();

  const models = new ModelsPage(page);
  await models.open();
  await enlarge();
  await page.getByRole("button", { name: "Import" }).click();
  await expectDialogFits();
  await models.fill({ "Or paste the text": "name,input_price,output_price\none,1,2\ntwo,2,3" });
  await models.press("Preview");
  await models.press("Apply 2 changes");
  await expect(models.news).toContainText("Imported: 2 new");
  await page.goto("/history");
  await enlarge();
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(page.getByRole("button", { name: "Undo on 2 prices" })).toBeVisible();
  await expectDialogFits();
});
