import { expect, type Page } from "playwright/test";

/**
 * Presses a button that copies, and expects that "Copied" is said. That is said for two seconds, and who looks again and again may
 * miss it on a busy machine. So the page itself notes what is said.
 * @param where a selector of what says it.
 */
export async function expectCopied(page: Page, press: () => Promise<void>, where = "[role=status]"): Promise<void> {
  const said = await page.evaluateHandle((where) => {
    const texts: (string | null)[] = [];
    const note = () => {
      for (const { textContent } of document.querySelectorAll(where)) texts.push(textContent);
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  }, where);
  await press();
  await expect.poll(() => said.evaluate((texts) => texts)).toContain("Copied");
}
