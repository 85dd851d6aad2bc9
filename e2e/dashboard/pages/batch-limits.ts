import { expect, type Locator, type Page } from "playwright/test";

/** The dialog that sets limits of many keys, in English. */
export class BatchLimitsDialog {
  readonly dialog: Locator;
  /** The rows of the preview. */
  readonly changes: Locator;
  readonly failedKeys: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("dialog");
    this.changes = this.dialog.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 4 }) });
    this.failedKeys = this.dialog.getByRole("list", { name: "Keys that failed" });
  }

  limit(name: string): Locator {
    return this.dialog.getByRole("group", { name });
  }

  async tick(name: string): Promise<void> {
    await this.limit(name).getByRole("checkbox", { name }).check();
  }

  async set(name: string, value: string): Promise<void> {
    await this.tick(name);
    await this.box(name).fill(value);
  }

  /** Changes a limit from what it is, for example `Raise by`. */
  async changeBy(name: string, way: string, value: string): Promise<void> {
    await this.tick(name);
    await this.limit(name).getByRole("combobox").selectOption({ label: way });
    await this.box(name).fill(value);
  }

  async setUnlimited(name: string): Promise<void> {
    await this.tick(name);
    await this.limit(name).getByRole("checkbox", { name: "Unlimited" }).check();
  }

  box(name: string): Locator {
    return this.limit(name).getByLabel(name).and(this.page.locator("input:not([type=checkbox])"));
  }

  change(name: string): Locator {
    return this.changes.filter({ has: this.page.getByRole("heading", { level: 4, name }) });
  }

  async press(button: string): Promise<void> {
    await this.dialog.getByRole("button", { name: button, exact: true }).click();
  }

  async preview(): Promise<void> {
    await this.press("Preview");
    await expect(this.changes.first()).toBeVisible();
  }
}
