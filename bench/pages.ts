import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { type Browser, type BrowserContext, chromium } from "playwright";
import { findChromium } from "../e2e/chromium.mjs";
import { settle } from "./compare";
import { MODELS, SPENDING } from "./large-account";
import {
  createLargeAccount,
  GREATEST_MS,
  isUsage,
  type ListMeasurement,
  listTable,
  listTargets,
  measureLists,
} from "./lists";
import { median, medianTime } from "./median";
import { atMost, type Part } from "./part";
import { sized } from "./quick";
import { get } from "./requests";
import { type CreatedAccount, seedAccount, withServers } from "./servers";
import { count, table } from "./table";

/** What a browser with an empty cache loads for one page of the large account, and how long the server takes for it. */
interface PageMeasurement {
  /** The path, with names for ids. */
  page: string;
  /** Bytes of compressed JavaScript on the network. */
  scriptBytes: number;
  scripts: number;
  /** From the request to the end of the HTML: the median. */
  serverMs: number;
}

/** When the largest part of a page has been drawn, with the scripts in the cache: the medians, from the navigation on. */
interface PaintMeasurement {
  page: string;
  largeMs: number;
  emptyMs: number;
}

interface Figures {
  pages: PageMeasurement[];
  paints: PaintMeasurement[];
  lists: ListMeasurement[];
  /** Usage of an account in which every key spends; undefined in figures from before it was measured. */
  usage?: ListMeasurement[];
}

const KEYS = sized(100_000, 2_000);
const GROUPS = sized(500, 20);
const ROUNDS = sized(9, 2);
/** The same page is drawn after 150 ms or after 310. The median of nine loads was anything between 1.02 and 1.33 times the other. */
const PAINT_ROUNDS = sized(25, 2);
/** Kilobytes of compressed JavaScript that the first load of a page may take. The API reference is a viewer of its own. */
const GREATEST_KILOBYTES = 300;
const GREATEST_KILOBYTES_OF: Record<string, number> = { "/docs": 400 };
/** How much longer a page of the large account may take to be drawn than the same page of an empty one. */
const GREATEST_RATIO = 1.2;
/** The pages that are drawn from everything that the account has. */
const PAINTED = ["/overview", "/keys", "/usage", "/usage?by=model"];

/** What the pages of the dashboard load, and how long they take with many keys. */
export const pages: Part<Figures> = {
  name: "pages",
  measure: (folder) =>
    withServers(folder, async (servers) => {
      const { url } = servers.product;
      const empty = await seedAccount(servers, 0, 0, "empty@example.com");
      const large = await seedAccount(servers, KEYS, GROUPS);
      await waitForRollUp(servers);
      const spending = await createLargeAccount(servers, SPENDING);
      await settle(servers.client);
      return {
        ...(await inBrowser(async (browser) => ({
          pages: await measurePages(browser, url, large),
          paints: await measurePaints(browser, url, large, empty),
        }))),
        lists: await measureLists(url, large.apikey),
        usage: await measureLists(url, spending, isUsage),
      };
    }),
  report: ({ pages: measured, paints, lists, usage = [] }) => `## Pages

The pages of an account of ${count(KEYS)} keys in ${count(GROUPS)} groups, as \`npm run seed\` makes it.

JavaScript that a browser with empty caches loads for a page, compressed as it comes over the wire; and how long the server
takes for the page, from the request to the end of the HTML, one request at a time.

${table(
  ["page", "JavaScript", "target", "files", "server ms", "target"],
  measured.map(({ page, scriptBytes, scripts, serverMs }) => [
    page,
    `**${count(scriptBytes / 1000)} kB**`,
    `≤ ${kilobytesOf(page)}`,
    count(scripts),
    `**${serverMs.toFixed(0)}**`,
    `≤ ${GREATEST_MS}`,
  ]),
)}

When the largest part of a page has been drawn (largest contentful paint), with the scripts in the cache, beside the same page
of an account without keys, loaded in turn.

${table(
  ["page", "ms", "empty account, ms", "ratio", "target"],
  paints.map(({ page, largeMs, emptyMs }) => [
    page,
    largeMs.toFixed(0),
    emptyMs.toFixed(0),
    `**${(largeMs / emptyMs).toFixed(2)}**`,
    `≤ ${GREATEST_RATIO}`,
  ]),
)}

Its lists over HTTP:

${listTable(lists)}${usage.length === 0 ? "" : usageSection(usage)}`,
  targets: ({ pages: measured, paints, lists, usage = [] }) => [
    ...measured.flatMap(({ page, scriptBytes, serverMs }) => [
      atMost(`first load of ${page}`, scriptBytes / 1000, kilobytesOf(page), "kB"),
      atMost(`the server's time for ${page}`, serverMs, GREATEST_MS, "ms"),
    ]),
    ...paints.map(({ page, largeMs, emptyMs }) =>
      atMost(`paint of ${page}, ratio to an empty account`, largeMs / emptyMs, GREATEST_RATIO, ""),
    ),
    ...listTargets(lists),
    ...listTargets(usage).map((target) => ({ ...target, title: `${target.title}, every key spends` })),
  ],
};

const usageSection = (usage: readonly ListMeasurement[]) => `

Usage of another account with as many keys and groups, in which every key spends in ${SPENDING.days} days, with 1 to 4 of ${MODELS} models
(\`bench/large-account.ts\`), over HTTP:

${listTable(usage)}`;

function kilobytesOf(page: string): number {
  return GREATEST_KILOBYTES_OF[page] ?? GREATEST_KILOBYTES;
}

/** Waits until the spend of the days that are over is in the totals, as it is in a running server. */
async function waitForRollUp({ client }: { client: Client }): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ due: boolean }>(
      "SELECT EXISTS (SELECT FROM key_day WHERE NOT is_rolled AND day < (now() AT TIME ZONE 'Asia/Shanghai')::date) AS due",
    );
    if (!rows[0]?.due) return;
    await delay(500);
  }
}

async function inBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("the pages are measured with Chromium; install it");
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** The pages: what they are called, and their paths. */
async function pathsOf(url: string, { apikey }: CreatedAccount): Promise<[string, string][]> {
  const groups = await get<{ data: { id: string }[] }>(`${url}/v1/apikey_groups/search?page_size=1`, apikey);
  const keys = await get<{ data: { apikey_id: string }[] }>(`${url}/v1/apikeys?page_size=1&sort=spent`, apikey);
  return [
    ["/overview", "/overview"],
    ["/overview/refusals", "/overview/refusals"],
    ["/keys", "/keys"],
    ["/keys/{apikey_id}", `/keys/${keys.data[0]?.apikey_id}`],
    ["/groups", "/groups"],
    ["/groups/{group_id}", `/groups/${groups.data[0]?.id}`],
    ["/usage", "/usage"],
    ["/usage?by=model", "/usage?by=model"],
    ["/history", "/history"],
    ["/settings", "/settings"],
    ["/docs", "/docs"],
    ["/sign-in", "/sign-in"],
  ];
}

/** Loads the pages of the dashboard, each in a browser with an empty cache, until it sends no more requests. */
async function measurePages(browser: Browser, url: string, account: CreatedAccount): Promise<PageMeasurement[]> {
  const measured = [];
  for (const [page, path] of await pathsOf(url, account)) {
    const context = await browser.newContext({ baseURL: url });
    // Who is signed in is sent on from there.
    if (path !== "/sign-in") await signIn(context, url, account);
    const tab = await context.newPage();
    const sizes: Promise<number>[] = [];
    tab.on("requestfinished", (request) => {
      if (request.resourceType() === "script") sizes.push(request.sizes().then((size) => size.responseBodySize));
    });
    const response = await tab.goto(path, { waitUntil: "networkidle" });
    if (response?.status() !== 200 || !tab.url().startsWith(url + path)) {
      throw new Error(`GET ${path}: ${response?.status()} at ${tab.url()}`);
    }
    const bytes = await Promise.all(sizes);
    const scriptBytes = bytes.reduce((sum, size) => sum + size, 0);
    measured.push({ page, scriptBytes, scripts: bytes.length, serverMs: await timeOnServer(context, path) });
    await context.close();
  }
  return measured;
}

function timeOnServer(context: BrowserContext, path: string): Promise<number> {
  return medianTime(ROUNDS, async () => (await context.request.get(path)).body());
}

/** Loads pages of both accounts in turn, so that other work on the machine slows both alike. */
async function measurePaints(
  browser: Browser,
  url: string,
  large: CreatedAccount,
  empty: CreatedAccount,
): Promise<PaintMeasurement[]> {
  const contexts = await Promise.all(
    [large, empty].map(async (account) => {
      const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
      await signIn(context, url, account);
      await context.addInitScript(() => {
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntries()) Object.assign(window, { paintedAfter: startTime });
        }).observe({ type: "largest-contentful-paint", buffered: true });
      });
      return context;
    }),
  );
  const measured = [];
  for (const page of PAINTED) {
    const times: number[][] = contexts.map(() => []);
    // The first load fills the cache.
    for (let round = 0; round <= PAINT_ROUNDS; round++) {
      for (const [i, context] of contexts.entries()) {
        const time = await paintedAfter(context, page);
        if (round > 0) times[i]?.push(time);
      }
    }
    const [largeMs = 0, emptyMs = 0] = times.map(median);
    measured.push({ page, largeMs, emptyMs });
  }
  return measured;
}

async function paintedAfter(context: BrowserContext, path: string): Promise<number> {
  const tab = await context.newPage();
  await tab.goto(path, { waitUntil: "networkidle" });
  // The browser tells of what it has drawn a little later.
  const told = await tab.waitForFunction(() => (window as unknown as { paintedAfter?: number }).paintedAfter);
  const after = Number(await told.jsonValue());
  await tab.close();
  return after;
}

async function signIn(context: BrowserContext, url: string, { email, password }: CreatedAccount): Promise<void> {
  const answer = await context.request.post("/api/auth/sign-in/email", {
    data: { email, password },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
}
