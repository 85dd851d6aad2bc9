import { expect, type Locator, type Page } from "playwright/test";
import { chooseFrom } from "./combobox";

/** The history, in English. */
export class HistoryPage {
  readonly events: Locator;

  constructor(readonly page: Page) {
    this.events = page
      .getByRole("list", { name: "History" })
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { level: 2 }) });
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/history${query}`);
    await expect(this.page.getByRole("heading", { level: 1, name: "History" })).toBeVisible();
  }

  /** The newest event with this sentence. */
  event(sentence: string): Locator {
    return this.events.filter({ has: this.page.getByRole("heading", { name: sentence, exact: true }) }).first();
  }

  /** The sentences in the order in which they are shown. */
  get sentences(): Locator {
    return this.events.getByRole("heading", { level: 2 });
  }

  async narrow(filter: string, option: string): Promise<void> {
    const box = this.page.getByRole("combobox", { name: filter, exact: true });
    await (filter === "Group" ? chooseFrom(box, option) : box.selectOption({ label: option }));
  }
}
