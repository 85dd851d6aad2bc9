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

  /** Opens the dialog that undoes the newest event with this sentence. */
  async undo(sentence: string): Promise<UndoDialog> {
    await this.event(sentence).getByRole("button", { name: "Undo" }).click();
    const dialog = new UndoDialog(this.page);
    await expect(dialog.element.getByRole("heading", { level: 2, name: "Undo this change?" })).toBeVisible();
    return dialog;
  }

  async narrow(filter: string, option: string): Promise<void> {
    const box = this.page.getByRole("combobox", { name: filter, exact: true });
    await (filter === "Group" ? chooseFrom(box, option) : box.selectOption({ label: option }));
  }
}

/** The dialog that undoes a change, in English. */
export class UndoDialog {
  readonly element: Locator;

  constructor(readonly page: Page) {
    this.element = page.getByRole("dialog");
  }

  /** What stays as it is: names and reasons. */
  get left(): Locator {
    return this.element.getByRole("list", { name: /stays? as (it is|they are)/ }).getByRole("listitem");
  }

  /** What changes: the fields. */
  get changes(): Locator {
    return this.element.getByRole("listitem").filter({ has: this.page.getByRole("heading", { level: 3 }) });
  }

  /** Presses a button at the foot. */
  async press(name: string): Promise<void> {
    await this.element.locator("footer").getByRole("button", { name, exact: true }).click();
  }
}
