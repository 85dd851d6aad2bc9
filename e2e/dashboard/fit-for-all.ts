import type { Page } from "playwright/test";
import { expectAccessible } from "./axe";
import { expectNoSidewaysScroll } from "./overflow";

/** Expects that the page as it stands is accessible in the light and the dark theme, and fits a screen 360 px wide. */
export async function expectFitForAll(page: Page): Promise<void> {
  const viewport = page.viewportSize();
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, "colours");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  if (viewport) await page.setViewportSize(viewport);
}
