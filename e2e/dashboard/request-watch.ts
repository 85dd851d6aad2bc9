import { expect, type Page, type Request } from "playwright/test";

const QUIET_MS = 500;

/**
 * Watches what a page asks for, from now on. `networkidle` of Playwright never comes where a page was quiet before it had
 * loaded, as on a busy machine.
 */
export class RequestWatch {
  readonly #open = new Set<Request>();
  #changedAt = Date.now();

  constructor(page: Page) {
    page.on("request", (request) => {
      this.#open.add(request);
      this.#changedAt = Date.now();
    });
    const end = (request: Request) => {
      this.#open.delete(request);
      this.#changedAt = Date.now();
    };
    page.on("requestfinished", end);
    page.on("requestfailed", end);
  }

  /** Waits until every request is answered, and half a second has brought no other. */
  async quiet(): Promise<void> {
    const isQuiet = () => this.#open.size === 0 && Date.now() - this.#changedAt >= QUIET_MS;
    await expect.poll(isQuiet, { intervals: [50] }).toBe(true);
  }
}
