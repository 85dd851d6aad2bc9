import { expect, type Locator, type Page } from "playwright/test";

/** The list of groups, in English. */
export class GroupsPage {
  readonly heading: Locator;
  readonly table: Locator;
  readonly dialog: Locator;
  readonly question: Locator;
  readonly news: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Groups" });
    this.table = page.getByRole("table", { name: "Groups" });
    this.dialog = page.getByRole("dialog");
    this.question = page.getByRole("alertdialog");
    this.news = page.getByRole("region", { name: "News" });
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/groups${query}`);
    await expect(this.heading).toBeVisible();
  }

  row(name: string): Locator {
    return this.table.getByRole("row").filter({ has: this.page.getByRole("link", { name, exact: true }) });
  }

  /** Names in the order in which they are shown. */
  names(): Promise<string[]> {
    return this.table.getByRole("link").allTextContents();
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole("searchbox", { name: "Search groups" }).fill(text);
  }

  async sortBy(column: string): Promise<void> {
    await this.table.getByRole("columnheader", { name: column }).getByRole("button").click();
  }

  async choose(name: string, action: string): Promise<void> {
    await this.table.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await this.page.getByRole("menuitem", { name: action }).click();
  }

  async startCreating(): Promise<void> {
    await this.page.getByRole("button", { name: "New group" }).click();
    await expect(this.dialog).toBeVisible();
  }

  async fill({ name, description }: { name?: string; description?: string }): Promise<void> {
    if (name !== undefined) await this.dialog.getByLabel("Name").fill(name);
    if (description !== undefined) await this.dialog.getByLabel("Description").fill(description);
  }

  async press(button: string): Promise<void> {
    await this.page.locator("dialog[open]").getByRole("button", { name: button, exact: true }).click();
  }
}
