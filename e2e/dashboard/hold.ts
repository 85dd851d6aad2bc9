import type { Page, Route } from "playwright/test";
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

/** Delays each call to an address, as a slow line does. */
export async function delay(page: Page, address: string, ms: number): Promise<void> {
  await page.route(address, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue().catch(() => {});
  });
}

/** Loses the answer to the next call to an address, with its cookies: the server has done what it was asked. */
export async function loseAnswer(page: Page, address: string): Promise<void> {
  const lose = async (route: Route) => {
    const request = route.request();
    const url = request.url();
    const cookies = await page.context().cookies(url);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const headers = { ...request.headers(), cookie, origin: new URL(url).origin };
    // `route.fetch` would keep the cookies of the answer.
    await fetch(url, { method: request.method(), headers, body: request.postData() });
    await route.abort();
  };
  await page.route(address, lose, { times: 1 });
}
