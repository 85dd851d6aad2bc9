import type { Page } from "playwright/test";
import { deferred } from "@/server/workers/deferred";

/** Holds calls to an address back. `asked` resolves when there is one. */
export async function hold(page: Page, address: string): Promise<{ asked: Promise<unknown>; release(): void }> {
  const released = deferred<void>();
  await page.route(address, async (route) => {
    await released.promise;
    await route.continue();
  });
  return { asked: page.waitForRequest(address), release: () => released.resolve() };
}
