import { expect, type Locator, type Page } from "playwright/test";

const FIELD = /^(Search keys, groups, pages, actions|搜索密钥、分组、页面和操作)$/;

/** The command palette, in both languages. */
export class Palette {
  readonly field: Locator;
  readonly list: Locator;
  readonly selected: Locator;

  constructor(readonly page: Page) {
    this.field = page.getByRole("combobox", { name: FIELD });
    this.list = page.getByRole("listbox", { name: /^(Command palette|命令面板)$/ });
    this.selected = this.list.getByRole("option", { selected: true });
  }

  /** Opens it with the keyboard. */
  async open(): Promise<void> {
    await this.page.keyboard.press("Control+k");
    await expect(this.field).toBeFocused();
  }

  section(name: string): Locator {
    return this.list.getByRole("group", { name, exact: true });
  }
}
