import { expect, type Locator, type Page } from "playwright/test";

/** The reference of the API, in English. */
export class DocsPage {
  readonly contents: Locator;

  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {
    this.contents = page.getByRole("navigation", { name: "Contents" });
  }

  async open(hash = ""): Promise<void> {
    await this.page.goto(`${this.url}/docs${hash}`);
    await expect(this.page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
  }

  /** One operation, by its summary. */
  operation(summary: string): Locator {
    return this.page.getByRole("article", { name: summary, exact: true });
  }

  /** The call of an operation for a shell. */
  call(summary: string): Locator {
    return this.operation(summary).getByRole("figure", { name: "Call" }).locator("pre");
  }

  /** Opens the fields, headers and examples of a status. */
  async openAnswer(summary: string, status: number): Promise<Locator> {
    const answer = this.operation(summary).locator("details", {
      has: this.page.getByText(String(status), { exact: true }),
    });
    await answer.first().locator("summary").first().click();
    return answer.first();
  }
}
