import type { Locator } from "playwright/test";

/** Chooses an option of an editable combobox: types its label, and presses the option when it is there. */
export async function chooseFrom(combobox: Locator, label: string): Promise<void> {
  await combobox.click();
  await combobox.fill(label);
  await combobox.page().getByRole("option", { name: label, exact: true }).click();
}
