import { expect, type Locator, type Page } from "playwright/test";

/** The page of one key, in English. */
export class KeyPage {
  readonly state: Locator;
  readonly activity: Locator;
  readonly spend: Locator;
  readonly open: Locator;
  readonly refusals: Locator;
  readonly check: Locator;

  constructor(readonly page: Page) {
    this.state = page.getByRole("region", { name: "State", exact: true });
    this.activity = page.getByRole("region", { name: "Activity", exact: true }).first();
    this.spend = page.getByRole("region", { name: "Spend", exact: true });
    this.open = page.getByRole("region", { name: "Open authorizations" }).first();
    this.refusals = page.getByRole("region", { name: "Refusals, last 30 days" });
    this.check = page.getByRole("region", { name: "Would a call pass?" });
  }

  async goto(apikeyId: string): Promise<void> {
    await this.page.goto(`/keys/${apikeyId}`);
    await expect(this.spend).toBeVisible();
  }

  /** Checks whether a call would pass. */
  async ask(amount: string, prices: { input?: string; output?: string } = {}): Promise<void> {
    await this.check.getByRole("textbox", { name: "Most that it may cost" }).fill(amount);
    await this.check.getByRole("textbox", { name: "Input price" }).fill(prices.input ?? "");
    await this.check.getByRole("textbox", { name: "Output price" }).fill(prices.output ?? "");
    await this.check.getByRole("button", { name: "Check" }).click();
  }

  /** The calls of the activity that are shown, without the last row. */
  calls(): Locator {
    return this.activity.getByRole("row").filter({ has: this.page.getByRole("rowheader") });
  }

  /** The row of a limit in the answer. */
  limit(name: string): Locator {
    return this.check.getByRole("row").filter({ has: this.page.getByRole("rowheader", { name, exact: true }) });
  }
}
