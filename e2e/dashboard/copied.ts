import { expect, type Locator } from "playwright/test";

/**
 * Presses a button that copies, and expects that "Copied" is said. That is said for two seconds, so it is looked for while the
 * press is under way: where copying also leaves an entry of the browser's history, the press may end later on a busy machine.
 * @param says the element, which is empty before and after.
 */
export async function expectCopied(says: Locator, press: () => Promise<void>): Promise<void> {
  await Promise.all([expect(says).toHaveText("Copied"), press()]);
}
