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

  /** Opens it with the keyboard. A page that does not listen yet is asked again. */
  async open(): Promise<void> {
    await expect(async () => {
      if (!(await this.field.isVisible())) await this.page.keyboard.press("Control+k");
      await expect(this.field).toBeFocused({ timeout: 5_000 });
    }).toPass();
  }

  section(name: string): Locator {
    return this.list.getByRole("group", { name, exact: true });
  }
}
