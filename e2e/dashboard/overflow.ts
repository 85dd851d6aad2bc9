import { expect, type Page } from "playwright/test";

/** Expects that the page, as it stands, is not wider than its window, and that an open dialog cuts nothing at its side. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  const dialogs = page.locator("dialog[open], dialog[open] .dialog-body");
  const beyond = await dialogs.evaluateAll((parts) => parts.map((part) => part.scrollWidth - part.clientWidth));
  expect(Math.max(0, ...beyond)).toBe(0);
}
