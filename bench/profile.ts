import { join } from "node:path";
import { profilerOptions, profilerTime, readSpending, type Spending } from "./cpu-profile";
import { introduce } from "./create";
import { authorize, authorizeAndCapture, check, createKeys, EMPTY_ANSWER } from "./endpoints";
import { type Endpoint, load } from "./load";
import { atMost, type Part } from "./part";
import { readProcessorTime } from "./process-time";
import { sized } from "./quick";
import { createAccount, type Server, type Servers, withServers } from "./servers";
import { seedSpenders } from "./spend";
import { table } from "./table";

/** What spends the processor time of both servers, in microseconds per request. */
interface SpendingComparison {
  title: string;
  product: Record<string, number>;
  reference: Record<string, number>;
}

interface Figures {
  spendings: SpendingComparison[];
}

/** A stretch of a server's run. */
interface Window {
  from: number;
  to: number;
  requests: number;
  /** Microseconds that the main thread ran; undefined where the system does not tell. */
  ran: number | undefined;
}

const WARM_UP_SECONDS = sized(4, 1);
const SECONDS = sized(5, 1);
/** Below so many microseconds per request, a package or file is not listed by name. */
const LEAST_SPENDING = 1;
const AUTHORIZE = "authorize, 1,000 keys";
/** Microseconds for an authorization that are neither PostgreSQL's client nor HTTP. */
const GREATEST_OWN_SHARE = 150;
const NOT_OWN = /^(pg|pg-.*|pgpass|postgres-.*|Node\.js: HTTP, sockets, streams)$/;

/** Where the time of the product goes. */
export const profile: Part<Figures> = {
  name: "profile",
  measure,
  report: ({ spendings }) => `## Where the rest goes

Both servers once more, under V8's profiler, which makes them slower. The profile says how the time is shared out; the
amount is the time that the main thread ran, divided by the requests answered. A function of Node.js counts for the
package that called it; called by a server's own code or by nobody, it is listed as a part of Node.js. The product's own
share is all but PostgreSQL's client (\`pg\` and its parts) and HTTP.

${spendings.map(spendingTable).join("\n\n")}`,
  targets: ({ spendings }) =>
    spendings
      .filter(({ title }) => title === AUTHORIZE)
      .map(({ title, product }) => atMost(`own share of ${title}`, ownShare(product), GREATEST_OWN_SHARE, "µs")),
};

async function measure(folder: string): Promise<Figures> {
  const folders = { product: join(folder, "product-profile"), reference: join(folder, "reference-profile") };
  const options = { product: profilerOptions(folders.product), reference: profilerOptions(folders.reference) };
  const windows = await withServers(folder, observeAll, options);
  // Profiles are written when their process ends.
  const spendings = [];
  for (const { title, product, reference } of windows) {
    spendings.push({
      title,
      product: await spendingPerRequest(folders.product, product),
      reference: await spendingPerRequest(folders.reference, reference),
    });
  }
  return { spendings };
}

async function observeAll(servers: Servers): Promise<{ title: string; product: Window; reference: Window }[]> {
  const { product, reference, client } = servers;
  const spenders = await seedSpenders(servers);
  const owner = await createAccount(servers, "owner@example.com");
  await introduce(client, owner);
  const endpoints = [
    authorize(AUTHORIZE, spenders),
    authorizeAndCapture("authorize and capture, 1,000 keys", spenders),
    authorizeAndCapture("authorize and capture, one key", spenders.slice(0, 1)),
    check("check, 1,000 keys", spenders),
    createKeys("create a key", [owner]),
    EMPTY_ANSWER,
  ];
  const windows = [];
  for (const endpoint of endpoints) {
    const { title } = endpoint;
    windows.push({ title, product: await observe(product, endpoint), reference: await observe(reference, endpoint) });
  }
  return windows;
}

async function observe({ url, pid }: Server, endpoint: Endpoint): Promise<Window> {
  await load(url, endpoint, { seconds: WARM_UP_SECONDS });
  const from = profilerTime();
  const ranBefore = await readProcessorTime(pid);
  const { requests } = await load(url, endpoint, { seconds: SECONDS });
  const ranAfter = await readProcessorTime(pid);
  const ran = ranBefore === undefined || ranAfter === undefined ? undefined : ranAfter - ranBefore;
  return { from, to: profilerTime(), requests, ran };
}

/**
 * The profile counts the time until a thread that was interrupted runs again. Where the system tells how long the thread
 * ran, all shares are made smaller by the same factor.
 */
async function spendingPerRequest(
  folder: string,
  { from, to, requests, ran }: Window,
): Promise<Record<string, number>> {
  const spending: Spending = await readSpending(folder, from, to);
  const profiled = total(spending.values());
  const factor = Math.min(1, (ran ?? profiled) / profiled);
  return Object.fromEntries([...spending].map(([spender, time]) => [spender, (time * factor) / requests]));
}

function ownShare(spending: Record<string, number>): number {
  return total(Object.entries(spending).map(([spender, time]) => (NOT_OWN.test(spender) ? 0 : time)));
}

function spendingTable({ title, product, reference }: SpendingComparison): string {
  const spenders = [...new Set([...Object.keys(product), ...Object.keys(reference)])]
    .map((name) => ({ name, product: product[name] ?? 0, reference: reference[name] ?? 0 }))
    .sort((a, b) => b.product - b.reference - (a.product - a.reference));
  const isListed = (row: { product: number; reference: number }) =>
    Math.max(row.product, row.reference) >= LEAST_SPENDING;
  const rest = spenders.filter((row) => !isListed(row));
  const rows = [
    { name: "**all**", product: total(Object.values(product)), reference: total(Object.values(reference)) },
    { name: "**own share**", product: ownShare(product), reference: ownShare(reference) },
    ...spenders.filter(isListed),
    {
      name: "others",
      product: total(rest.map((row) => row.product)),
      reference: total(rest.map((row) => row.reference)),
    },
  ];
  const cells = rows.map((row) => [
    row.name,
    ...[row.product, row.reference, row.product - row.reference].map((microseconds) => microseconds.toFixed(1)),
  ]);
  return `### ${title}\n\n${table(["µs a request", "product", "reference", "difference"], cells)}`;
}

function total(microseconds: Iterable<number>): number {
  return [...microseconds].reduce((sum, value) => sum + value, 0);
}
