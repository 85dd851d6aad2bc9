import type { Locator, Page } from "playwright/test";

/** The dialog that shows how far a change of all keys that match has come, in English. */
export class WalkDialog {
  readonly dialog: Locator;
  readonly bar: Locator;
  readonly state: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("dialog");
    this.bar = this.dialog.getByRole("progressbar", { name: "Progress" });
    this.state = this.dialog.getByRole("heading", { level: 3 });
  }

  async press(button: "Stop after this part" | "Go on" | "Close"): Promise<void> {
    await this.dialog.locator("footer").getByRole("button", { name: button, exact: true }).click();
  }
}
