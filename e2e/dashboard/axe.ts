import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { expect, type Page } from "playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Expects that axe finds nothing against WCAG 2.2 AA in the page as it stands, an open dialog included. */
export async function expectAccessible(page: Page): Promise<void> {
  // The debugger evaluates it: the policy of the page does not forbid that.
  await page.evaluate(await source);
  // For seven seconds React Aria keeps there what it has read out of a button at work, even if that is gone since.
  const where = { exclude: ["[data-live-announcer]"] };
  const violations = await page.evaluate(
    async ({ tags, where }) => {
      const { axe } = window as unknown as { axe: { run(where: object, options: object): Promise<AxeResults> } };
      return (await axe.run(where, { runOnly: tags })).violations.map(({ id, nodes }) => ({
        id,
        where: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
      }));
    },
    { tags: TAGS, where },
  );
  expect(violations).toEqual([]);
}
