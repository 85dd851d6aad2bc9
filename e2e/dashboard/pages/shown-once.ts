import { expect, type Locator, type Page } from "playwright/test";
import { expectCopied } from "../copied";

/** The dialog that shows a key value, in English. */
export class ShownOnce {
  readonly dialog: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("dialog").filter({ has: page.getByRole("group", { name: "Key", exact: true }) });
  }

  /** The value that is shown. */
  async value(): Promise<string> {
    const text = await this.dialog.getByRole("group", { name: "Key", exact: true }).locator("code").textContent();
    expect(text).toMatch(/^sk-[0-9A-Za-z]{45}$/);
    return text ?? "";
  }

  /** Copies the value, and returns the content of the clipboard. */
  async copy(): Promise<string> {
    const group = this.dialog.getByRole("group", { name: "Key", exact: true });
    await expectCopied(this.page, () => group.getByRole("button", { name: "Copy" }).click());
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  async press(button: string): Promise<void> {
    await this.dialog.getByRole("button", { name: button, exact: true }).click();
  }

  /** Copies the value, closes the dialog, and returns the value. */
  async take(): Promise<string> {
    const value = await this.copy();
    await this.press("Done");
    await expect(this.dialog).toBeHidden();
    return value;
  }
}
