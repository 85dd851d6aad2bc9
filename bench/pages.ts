import { chromium } from "playwright";
import { findChromium } from "../e2e/chromium.mjs";
import { atMost, type Part } from "./part";
import { get } from "./requests";
import { type CreatedAccount, seedAccount, withServers } from "./servers";
import { count, table } from "./table";

/** What a browser with an empty cache loads for one page. */
interface PageMeasurement {
  /** The path, with names for ids. */
  page: string;
  /** Bytes of compressed JavaScript on the network. */
  scriptBytes: number;
  scripts: number;
}

interface Figures {
  pages: PageMeasurement[];
}

const KEYS = 1_000;
const GROUPS = 20;
/** Kilobytes of compressed JavaScript that the first load of a page may take. */
const GREATEST_KILOBYTES = 300;

/** What the pages of the dashboard load. */
export const pages: Part<Figures> = {
  name: "pages",
  measure: (folder) =>
    withServers(folder, async (servers) => {
      const account = await seedAccount(servers, KEYS, GROUPS);
      return { pages: await measurePages(servers.product.url, account) };
    }),
  report: ({ pages: measured }) => `## First load

JavaScript that a browser with empty caches loads for a page, compressed as it comes over the wire. The aim is at most
${GREATEST_KILOBYTES} kB.

${table(
  ["page", "JavaScript", "files"],
  measured.map(({ page, scriptBytes, scripts }) => [page, `**${count(scriptBytes / 1000)} kB**`, count(scripts)]),
)}`,
  targets: ({ pages: measured }) =>
    measured.map(({ page, scriptBytes }) =>
      atMost(`first load of ${page}`, scriptBytes / 1000, GREATEST_KILOBYTES, "kB"),
    ),
};

/** Loads the pages of the dashboard, each in a browser with an empty cache, until it sends no more requests. */
async function measurePages(url: string, account: CreatedAccount): Promise<PageMeasurement[]> {
  const groups = await get<{ data: { id: string }[] }>(`${url}/v1/apikey_groups/search?page_size=1`, account.apikey);
  const keys = await get<{ data: { apikey_id: string }[] }>(`${url}/v1/apikeys?page_size=1`, account.apikey);
  const paths: [string, string][] = [
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
    for (const [page, path] of paths) {
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
