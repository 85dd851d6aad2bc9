import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "playwright/test";

/** The page of usage, in English. */
export class UsagePage {
  readonly heading: Locator;
  readonly chart: Locator;
  readonly table: Locator;
  /** What stands beside a day that is pointed at. */
  readonly figuresOfDay: Locator;
  /** The section of the chart or the table. */
  readonly sheet: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Usage" });
    this.chart = page.getByRole("slider", { name: "Spend per day" });
    this.table = page.getByRole("table", { name: "Spend per day" });
    this.sheet = page.getByRole("region", { name: "Spend per day" }).first();
    this.figuresOfDay = this.sheet.locator("[aria-hidden] ul");
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/usage${query}`);
    await expect(this.heading).toBeVisible();
  }

  /** Chooses one of the options above the chart. */
  async choose(choice: string): Promise<void> {
    await this.page.getByText(choice, { exact: true }).click();
  }

  /** The list of every group, key or model. */
  get totals(): Locator {
    return this.page.getByRole("table", { name: /^Spend by (group|key|model)$/ });
  }

  /** Its rows: name, amount, share, calls. The last one has the sums. */
  totalRows(): Locator {
    return this.totals.locator("tbody tr");
  }

  /** What the colours and the line of the chart stand for. */
  legend(): Locator {
    return this.page.getByRole("list", { name: "Colors of the chart" }).getByRole("listitem");
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

  /** The lines of an exported file: the days of the chart, or every group or key. The first line is the head. */
  async exported(link: "Export days" | "Export CSV"): Promise<string[][]> {
    const downloading = this.page.waitForEvent("download");
    await this.page.getByRole("link", { name: link }).click();
    const text = await readFile(await (await downloading).path(), "utf8");
    return text
      .replace("\uFEFF", "")
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
  }
}
