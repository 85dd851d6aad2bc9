import type { Page } from "playwright/test";
import { expectAccessible } from "./axe";
import { expectNoSidewaysScroll } from "./overflow";

/** From these widths on, the frame of the page shows more side by side. */
const WIDER_FROM = [1024, 1280];

/** Expects that the page as it stands is accessible in the light and the dark theme, and fits screens from 360 px on. */
export async function expectFitForAll(page: Page): Promise<void> {
  const viewport = page.viewportSize();
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, "colours");
  await page.emulateMedia({ colorScheme: "light" });
  for (const width of WIDER_FROM) {
    await page.setViewportSize({ width, height: 740 });
    await expectNoSidewaysScroll(page);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  if (viewport) await page.setViewportSize(viewport);
}
