import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "playwright/test";

/** The dialog that creates many keys, in English. */
export class BulkCreateDialog {
  readonly dialog: Locator;
  /** The rows of the preview. */
  readonly planned: Locator;
  /** The rows of the new keys. */
  readonly made: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("dialog");
    this.planned = this.rowsOf("Keys that will be created");
    this.made = this.rowsOf("New keys");
  }

  private rowsOf(table: string): Locator {
    const head = this.page.getByRole("columnheader");
    return this.dialog.getByRole("table", { name: table }).getByRole("row").filter({ hasNot: head });
  }

  async open(): Promise<void> {
    await this.page.getByRole("button", { name: "More ways to create" }).click();
    await this.page.getByRole("menuitem", { name: "Create many keys" }).click();
    await expect(this.dialog).toBeVisible();
  }

  async chooseWay(way: "Names" | "Pattern" | "CSV"): Promise<void> {
    await this.dialog.getByRole("group", { name: "How the keys are named" }).getByText(way, { exact: true }).click();
  }

  async fill(field: string, text: string): Promise<void> {
    await this.dialog.getByRole("textbox", { name: field, exact: true }).fill(text);
  }

  async press(button: string): Promise<void> {
    await this.dialog.getByRole("button", { name: button, exact: true }).click();
  }

  /** Downloads the new keys, and returns the lines of the file without its head. */
  async download(): Promise<string[]> {
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.press("Download as CSV")]);
    expect(file.suggestedFilename()).toMatch(/^keys-\d{4}-\d{2}-\d{2}\.csv$/);
    const text = await readFile(await file.path(), "utf8");
    return text.split("\r\n").slice(1, -1);
  }
}
