import { expect, type Locator } from "playwright/test";

/**
 * Chooses an option of an editable combobox: types its label, and presses the option when the options that match are there. The
 * list becomes shorter then, and an option before that may move away under the press.
 */
export async function chooseFrom(combobox: Locator, label: string): Promise<void> {
  await combobox.click();
  await combobox.fill(label);
  const list = combobox.page().locator(`[id="${await combobox.getAttribute("aria-controls")}"]`);
  await expect(list).toHaveAttribute("aria-busy", "false");
  await list.getByRole("option", { name: label, exact: true }).click();
}
