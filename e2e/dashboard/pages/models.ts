import { expect, type Locator, type Page } from "playwright/test";

/** The page of models, in English. */
export class ModelsPage {
  readonly heading: Locator;
  readonly table: Locator;
  readonly dialog: Locator;
  readonly question: Locator;
  readonly news: Locator;
  /** What an import would change. */
  readonly planned: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Models" });
    this.table = page.getByRole("table", { name: "Models" });
    this.dialog = page.getByRole("dialog");
    this.question = page.getByRole("alertdialog");
    this.news = page.getByRole("region", { name: "News" });
    this.planned = page.getByRole("table", { name: "What would change" }).locator("tbody tr");
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/models${query}`);
    await expect(this.heading).toBeVisible();
  }

  /** The rows of a model, whosever its prices are: name, status, whose, prices, tokens, first day. */
  rows(name: string): Locator {
    return this.table.locator("tbody tr").filter({ has: this.page.getByText(name, { exact: true }) });
  }

  /** @param price as the menu names it: `name (This account, Always)`. */
  async choose(price: string, action: string): Promise<void> {
    await this.table.getByRole("button", { name: `Actions for ${price}`, exact: true }).click();
    await this.page.getByRole("menuitem", { name: action, exact: true }).click();
  }

  field(name: string): Locator {
    return this.dialog.getByLabel(name, { exact: true });
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(fields)) await this.field(name).fill(text);
  }

  async press(button: string): Promise<void> {
    await this.page.locator("dialog[open]").getByRole("button", { name: button, exact: true }).click();
  }
}
