import { chromium } from "playwright";
import { findChromium } from "../e2e/chromium.mjs";
import { get } from "./requests";
import type { CreatedAccount } from "./servers";

/** What a browser with an empty cache loads for one page. */
export interface PageMeasurement {
  /** The path, with names for ids. */
  page: string;
  /** Bytes of compressed JavaScript on the network. */
  scriptBytes: number;
  scripts: number;
}

/** Loads the pages of the dashboard, each in a browser with an empty cache, until it sends no more requests. */
export async function measurePages(url: string, account: CreatedAccount): Promise<PageMeasurement[]> {
  const groups = await get<{ data: { id: string }[] }>(`${url}/v1/apikey_groups/search?page_size=1`, account.apikey);
  const keys = await get<{ data: { apikey_id: string }[] }>(`${url}/v1/apikeys?page_size=1`, account.apikey);
  const pages: [string, string][] = [
    ["/keys", "/keys"],
    ["/keys/{apikey_id}", `/keys/${keys.data[0]?.apikey_id}`],
    ["/groups", "/groups"],
    ["/groups/{group_id}", `/groups/${groups.data[0]?.id}`],
    ["/settings", "/settings"],
  ];
  const executablePath = findChromium();
  if (!executablePath) throw new Error("the first load of the pages is measured with Chromium; install it");
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const measured = [];
    for (const [page, path] of pages) {
      const context = await browser.newContext({ baseURL: url });
      const { email, password } = account;
      const answer = await context.request.post("/api/auth/sign-in/email", {
        data: { email, password },
        headers: { origin: url },
      });
      if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
      const tab = await context.newPage();
      const sizes: Promise<number>[] = [];
      tab.on("requestfinished", (request) => {
        if (request.resourceType() === "script") sizes.push(request.sizes().then((size) => size.responseBodySize));
      });
      const response = await tab.goto(path, { waitUntil: "networkidle" });
      if (response?.status() !== 200 || new URL(tab.url()).pathname !== path) {
        throw new Error(`GET ${path}: ${response?.status()} at ${tab.url()}`);
      }
      const bytes = await Promise.all(sizes);
      measured.push({ page, scriptBytes: bytes.reduce((sum, size) => sum + size, 0), scripts: bytes.length });
      await context.close();
    }
    return measured;
  } finally {
    await browser.close();
  }
}
