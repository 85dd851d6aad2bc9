import { expect, type Locator, type Page } from "playwright/test";

/** The overview, in English. */
export class OverviewPage {
  readonly heading: Locator;
  /** The one line that says whether a key needs the owner. */
  readonly verdict: Locator;
  readonly chart: Locator;
  readonly spend: Locator;
  /** The reasons of refusals, with their numbers. */
  readonly reasons: Locator;
  /** The newest changes. */
  readonly changes: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Overview" });
    // A new account has its first steps above.
    this.verdict = page
      .getByRole("heading", { level: 2 })
      .filter({ hasNotText: /^(First steps|开始使用)$/ })
      .first();
    this.spend = page.getByRole("region", { name: "Spend", exact: true });
    this.chart = page.getByRole("slider", { name: "Spend per day, last 30 days" });
    this.reasons = page.getByRole("list", { name: "Refused in the last 7 days" }).getByRole("listitem");
    this.changes = page.getByRole("list", { name: "Newest changes" }).getByRole("listitem");
  }

  async open(): Promise<void> {
    await this.page.goto("/overview");
    await expect(this.heading).toBeVisible();
  }

  /** One of the numbers beside the verdict. */
  figure(name: string): Locator {
    return this.page.getByRole("list", { name: "Keys to look at" }).getByRole("link", { name });
  }

  /** What stands with one of the figures of spend. */
  spent(term: string | RegExp): Locator {
    return this.spend.getByText(term, { exact: true }).locator("xpath=following-sibling::dd");
  }
}
