import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "playwright/test";

/** The page of usage, in English. */
export class UsagePage {
  readonly heading: Locator;
  readonly chart: Locator;
  readonly table: Locator;
  /** The section of the chart or the table. */
  readonly sheet: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Usage" });
    this.chart = page.getByRole("slider", { name: "Spend per day" });
    this.table = page.getByRole("table", { name: "Spend per day" });
    this.sheet = page.getByRole("region", { name: "Spend per day" }).first();
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/usage${query}`);
    await expect(this.heading).toBeVisible();
  }

  /** Chooses one of the options above the chart. */
  async choose(choice: string): Promise<void> {
    await this.page.getByText(choice, { exact: true }).click();
  }

  /** The groups or keys that spent most: name, share, amount. */
  top(): Locator {
    return this.page.getByRole("list", { name: /^(Groups|Keys) that spent most$/ }).getByRole("listitem");
  }

  async showTable(): Promise<void> {
    await this.page.getByRole("button", { name: "Show as table" }).click();
    await expect(this.table).toBeVisible();
  }

  /** The exact amounts of the table, row by row. The first row is the head. */
  figures(): Promise<string[][]> {
    return this.table
      .locator("tr")
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll("th, td")].map(
            (cell) =>
              cell.querySelector("data")?.value ?? cell.querySelector("time")?.dateTime ?? cell.textContent ?? "",
          ),
        ),
      );
  }

  /** The lines of the exported file. The first line is the head. */
  async exported(): Promise<string[][]> {
    const downloading = this.page.waitForEvent("download");
    await this.page.getByRole("link", { name: "Export CSV" }).click();
    const text = await readFile(await (await downloading).path(), "utf8");
    return text
      .replace("\uFEFF", "")
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
  }
}
