import { expect, type Locator, type Page } from "playwright/test";
import { chooseFrom } from "./combobox";
import { ShownOnce } from "./shown-once";

/** The page of all keys, in English. */
export class KeysPage {
  readonly heading: Locator;
  readonly table: Locator;
  readonly dialog: Locator;
  readonly question: Locator;
  readonly news: Locator;
  readonly selection: Locator;
  readonly shownOnce: ShownOnce;

  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "API keys" });
    this.table = page.getByRole("table", { name: "API keys" });
    this.dialog = page.getByRole("dialog");
    this.question = page.getByRole("alertdialog");
    this.news = page.getByRole("region", { name: "News" });
    this.selection = page.getByRole("region", { name: "Selected keys" });
    this.shownOnce = new ShownOnce(page);
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/keys${query}`);
    await expect(this.heading).toBeVisible();
  }

  row(name: string): Locator {
    return this.table
      .getByRole("row")
      .filter({ has: this.page.getByRole("rowheader").getByRole("link", { name, exact: true }) });
  }

  get createButton(): Locator {
    return this.page.getByRole("button", { name: "Create key" }).first();
  }

  /** The links of the keys, in the order in which they are shown. */
  names(): Locator {
    return this.table.getByRole("rowheader").getByRole("link");
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole("searchbox", { name: "Search name or id" }).fill(text);
  }

  async filterBy(filter: "Status" | "Group", choice: string): Promise<void> {
    const box = this.page.getByRole("combobox", { name: filter, exact: true });
    await (filter === "Group" ? chooseFrom(box, choice) : box.selectOption({ label: choice }));
  }

  async sortBy(column: string): Promise<void> {
    await this.head(column).getByRole("button").click();
  }

  head(column: string): Locator {
    return this.table.getByRole("columnheader", { name: column, exact: true });
  }

  /** Shows or hides a column. */
  async toggleColumn(column: string): Promise<void> {
    await this.page.getByRole("button", { name: "Choose columns" }).click();
    await this.page.getByRole("menuitemcheckbox", { name: column }).click();
    await this.page.keyboard.press("Escape");
  }

  /** Opens the dialog of an action on one key. */
  async choose(name: string, action: string): Promise<void> {
    await this.page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await this.page.getByRole("menuitem", { name: action, exact: true }).click();
  }

  async tick(...names: string[]): Promise<void> {
    for (const name of names) await this.table.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
  }

  /** Selects the keys of the page, and then all that match. */
  async selectAll(offer: string): Promise<void> {
    await this.table.getByRole("checkbox", { name: "Select all keys of this page" }).check();
    await this.selection.getByRole("button", { name: offer, exact: true }).click();
  }

  async startCreating(): Promise<void> {
    await this.createButton.click();
    await expect(this.dialog).toBeVisible();
  }

  async fillName(name: string): Promise<void> {
    await this.dialog.getByRole("textbox", { name: "Name" }).fill(name);
  }

  async chooseGroup(name: string): Promise<void> {
    await chooseFrom(this.page.locator("dialog[open]").getByRole("combobox", { name: "Group" }), name);
  }

  /** Turns a limit on if it is off, and types its amount. */
  async fillLimit(name: string, amount: string): Promise<void> {
    const limit = this.dialog.getByRole("switch", { name });
    if (!(await limit.isChecked())) await this.toggleLimit(name);
    await this.dialog.getByRole("textbox", { name: `${name} (` }).fill(amount);
  }

  async toggleLimit(name: string): Promise<void> {
    await this.dialog.getByText(name, { exact: true }).first().click();
  }

  /** Presses a button at the foot of the open dialog. */
  async press(button: string): Promise<void> {
    await this.page.locator("dialog[open] footer").getByRole("button", { name: button, exact: true }).click();
  }
}
