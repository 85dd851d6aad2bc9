import { expect, type Locator, type Page } from "playwright/test";
import { ShownOnce } from "./shown-once";

/** The settings of the account, in English unless a method takes another name. */
export class SettingsPage {
  readonly zone: Locator;
  readonly defaultKey: Locator;
  readonly dialog: Locator;
  readonly news: Locator;
  readonly shownOnce: ShownOnce;

  constructor(readonly page: Page) {
    this.zone = page.getByRole("combobox", { name: "Zone" });
    this.defaultKey = page.getByRole("region", { name: "Default key" });
    this.dialog = page.getByRole("dialog");
    this.news = page.getByRole("region", { name: "News" });
    this.shownOnce = new ShownOnce(page);
  }

  async open(heading = "Settings"): Promise<void> {
    await this.page.goto("/settings");
    await this.expectHeading(heading);
  }

  async expectHeading(heading: string): Promise<void> {
    await expect(this.page.getByRole("heading", { level: 1 })).toHaveText(heading);
  }

  async saveZone(zone: string): Promise<void> {
    await this.zone.fill(zone);
    await this.page.getByRole("button", { name: "Save zone" }).click();
  }

  /** A radio button of a section. */
  choice(section: string, name: string): Locator {
    return this.page.getByRole("group", { name: section }).getByRole("radio", { name, exact: true });
  }

  async choose(section: string, name: string): Promise<void> {
    await this.page.getByRole("group", { name: section }).getByText(name, { exact: true }).click();
  }
}
