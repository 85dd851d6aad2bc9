import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { expect, type Page } from "playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const RULES = {
  // axe has that rule off by default, because it still tries it (WCAG 2.5.3).
  all: { runOnly: TAGS, rules: { "label-content-name-mismatch": { enabled: true } } },
  colours: { runOnly: ["color-contrast", "link-in-text-block"] },
};

/**
 * Expects that axe finds no violation of WCAG 2.2 AA in the page as it stands, with an open dialog if there is one.
 * @param rules `colours`: those whose outcome a theme can change, where the page was tried in another theme before.
 */
export async function expectAccessible(page: Page, rules: keyof typeof RULES = "all"): Promise<void> {
  // On a busy machine the elements of a new page can be there before its stylesheet, and then have other sizes.
  await page.waitForLoadState("load");
  // The content security policy does not apply to code that the debugger evaluates.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await source);
  const violations = await page.evaluate(async (options) => {
    // The header stays in view and covers a part of what scrolls under it, and so does the head of a table. A reader scrolls
    // that free.
    window.scrollTo({ top: 0, behavior: "instant" });
    for (const frame of document.querySelectorAll("[role=region]:has(> table)")) frame.scrollTop = 0;
    // What fades has less contrast than what is there in the end. A turning circle has no end.
    const running = document.getAnimations().filter(({ playState }) => playState === "running");
    const ending = running.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    // What passes is not asked for: to name each of these elements is up to half of the work.
    return (await axe.run({ ...options, resultTypes: ["violations"] })).violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    }));
  }, RULES[rules]);
  expect(violations).toEqual([]);
}
