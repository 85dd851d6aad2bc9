import { expect, type Locator, type Page } from "playwright/test";
import { BatchLimitsDialog } from "./batch-limits";
import { KeysPage } from "./keys";

/** The page of one group, in English. */
export class GroupPage {
  /** The section with the limits that new keys start with. */
  readonly defaults: Locator;
  readonly keys: KeysPage;
  readonly batch: BatchLimitsDialog;

  constructor(readonly page: Page) {
    this.defaults = page.getByRole("region", { name: "Limits that new keys start with" });
    this.keys = new KeysPage(page);
    this.batch = new BatchLimitsDialog(page);
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`/groups/${id}`);
    await expect(this.defaults).toBeVisible();
  }

  async startChangingDefaults(): Promise<void> {
    await this.defaults.getByRole("button", { name: /^(Set|Change) limits$/ }).click();
    await expect(this.keys.dialog).toBeVisible();
  }
}
