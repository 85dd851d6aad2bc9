import type { Page } from "playwright/test";
import { deferred } from "@/server/workers/deferred";

/** Holds back the scripts of a page, so that it shows what the server has drawn, until they are released. */
export async function holdScripts(page: Page): Promise<{ release(): void }> {
  const released = deferred<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await released.promise;
    await route.continue();
  });
  return { release: () => released.resolve() };
}
