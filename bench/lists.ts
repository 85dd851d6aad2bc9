import { settle } from "./compare";
import { MILLION, MODELS, makeLargeAccount, type Size } from "./large-account";
import { median, medianTime } from "./median";
import { atMost, type Part, type Target } from "./part";
import { isQuick, sized } from "./quick";
import { get } from "./requests";
import { findAccountId } from "./seed";
import { createAccount, type Servers, seedAccount, withServers } from "./servers";
import { count, table } from "./table";

/** How long one list takes on a large account, from sending the request to the end of the answer. */
export interface ListMeasurement {
  title: string;
  /** How many elements match in all; null where the answer does not say. */
  total: number | null;
  medianMs: number;
  slowestMs: number;
}

interface List {
  data: { id: string; name: string; apikey_id: string }[];
  total?: number;
}

interface Figures {
  lists: ListMeasurement[];
  /** How long `READING` takes. */
  readingMs: number;
}

const ROUNDS = sized(9, 2);
/** A list that takes long is not repeated after so many milliseconds. */
const LONGEST_MS = 10_000;
/** Reads each key once, because no index has the budgets: tells how fast a machine is. */
const READING = "SELECT count(budget) FROM api_key WHERE account_id = $1";
/** Milliseconds that a list may take. */
export const GREATEST_MS = 200;

/** The lists of an account with a million keys. */
export const lists: Part<Figures> = {
  name: "lists",
  measure: (folder) => withServers(folder, measure),
  report: ({ lists: measured, readingMs }) => `## Lists

Lists of an account of ${count(MILLION.keys)} keys in ${count(MILLION.groups)} groups, with their history and the spend of ${MILLION.days} days
with ${MODELS} models (\`bench/large-account.ts\`), over HTTP, one request at a time. The median counts; it has the way through HTTP in it.
To compare machines: by itself, PostgreSQL takes **${readingMs.toFixed(0)} ms** for \`${READING}\`.

${listTable(measured)}`,
  targets: ({ lists: measured }) => listTargets(measured),
};

/** The lists as a table. */
export function listTable(measured: readonly ListMeasurement[]): string {
  return table(
    ["list", "found", "median ms", "slowest ms", "target"],
    measured.map(({ title, total, medianMs, slowestMs }) => [
      title,
      total === null ? "" : count(total),
      `**${medianMs.toFixed(0)}**`,
      slowestMs.toFixed(0),
      `≤ ${GREATEST_MS}`,
    ]),
  );
}

/** The targets of the slowest list, and of all that are too slow. */
export function listTargets(measured: readonly ListMeasurement[]): Target[] {
  return measured
    .toSorted((a, b) => b.medianMs - a.medianMs)
    .filter(({ medianMs }, place) => place === 0 || medianMs > GREATEST_MS)
    .map(({ title, medianMs }) => atMost(title, medianMs, GREATEST_MS, "ms"));
}

async function measure(servers: Servers): Promise<Figures> {
  const { url } = servers.product;
  const apikey = isQuick ? (await seedAccount(servers, 2_000, 50)).apikey : await createLargeAccount(servers, MILLION);
  await settle(servers.client);
  const accountId = await findAccountId(servers.client, apikey);
  const read = () => servers.client.query(READING, [accountId]);
  // The first reading is not counted, as the first answer of a list is not.
  await read();
  return { readingMs: await medianTime(ROUNDS, read), lists: await measureLists(url, apikey) };
}

/** Creates an account and fills it by SQL. Returns its default key. */
export async function createLargeAccount(servers: Servers, size: Size): Promise<string> {
  const apikey = await createAccount(servers, "spending@example.com");
  await makeLargeAccount(servers.client, await findAccountId(servers.client, apikey), size);
  return apikey;
}

/**
 * Times the lists of an account.
 * @param isMeasured tells by its title whether a list is measured.
 */
export async function measureLists(
  url: string,
  apikey: string,
  isMeasured: (title: string) => boolean = () => true,
): Promise<ListMeasurement[]> {
  const measured = [];
  for (const [title, path] of await listPaths(url, apikey)) {
    if (isMeasured(title)) measured.push(await measureList(url, apikey, title, path));
  }
  return measured;
}

/** Whether a list adds up what was spent. */
export function isUsage(title: string): boolean {
  return title.startsWith("usage");
}

/**
 * Days in the zone of a new account, `YYYY-MM-DD`. The last day of a range is its today, of which nothing is rolled up yet: by
 * the days of another zone, that would be left out at some hours.
 */
const DAYS = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" });

/** The lists of the dashboard and of the API, with what they are called. */
async function listPaths(url: string, apikey: string): Promise<[string, string][]> {
  const largest = await get<List>(`${url}/v1/apikey_groups/search?page_size=1&sort=apikey_count`, apikey);
  const group = largest.data[0]?.id;
  const keys = await get<List>(`${url}/v1/apikeys?page_size=1&sort=spent`, apikey);
  const key = keys.data[0]?.apikey_id ?? "";
  const deep = Math.min(20_000, Math.ceil((keys.total ?? 0) / 50));
  const day = (ago: number) => DAYS.format(Date.now() - ago * 86_400_000);
  const days = (number: number) => `from=${day(number - 1)}&to=${day(0)}`;
  const middle = Math.ceil(deep / 2);
  const limits = ["budget", "daily_limit", "input_price_limit", "expiry_date"];
  const sorts = ["name", ...limits, "spent", "spent_this_month", "share_used", "last_used_at"];
  return [
    ["keys: the first page", "/v1/apikeys"],
    ["keys: the page in the middle", `/v1/apikeys?page=${middle}`],
    ["keys: the last page", `/v1/apikeys?page=${deep}`],
    ...sorts.flatMap((sort): [string, string][] => [
      [`keys: by ${sort}`, `/v1/apikeys?sort=${sort}&order=desc`],
      [`keys: by ${sort}, the page in the middle`, `/v1/apikeys?sort=${sort}&order=desc&page=${middle}`],
      [`keys: by ${sort}, the last page`, `/v1/apikeys?sort=${sort}&order=asc&page=${deep}`],
    ]),
    ...["active", "disabled", "expired", "exhausted", "revoked"].map((status): [string, string] => [
      `keys: ${status}`,
      `/v1/apikeys?status=${status}`,
    ]),
    ["keys: active, by spent", "/v1/apikeys?status=active&sort=spent"],
    ["keys: active, by spent, page 1,000", "/v1/apikeys?status=active&sort=spent&page=1000"],
    ["keys: over 80 %", "/v1/apikeys?look=over_80"],
    ["keys: never used", "/v1/apikeys?look=never_used"],
    ["keys: idle for 30 days", "/v1/apikeys?look=idle_30_days"],
    ["keys: that expire within 7 days", "/v1/apikeys?look=expiring_7_days"],
    ["keys: without limits", "/v1/apikeys?look=unlimited"],
    ["keys: search, many found", "/v1/apikeys?search=crawler-prod"],
    ["keys: search, many found, by name", "/v1/apikeys?search=crawler&sort=name&order=asc"],
    ["keys: search, one found", `/v1/apikeys?search=${key.slice(3)}`],
    ["keys: search, none found", "/v1/apikeys?search=nothing%20like%20it"],
    ["keys: search of two letters", "/v1/apikeys?search=sk"],
    ["keys: search of two letters, few found", "/v1/apikeys?search=qx"],
    ["keys: search of two letters, few found, by budget", "/v1/apikeys?search=qx&sort=budget"],
    ["keys: search of two characters, none found", "/v1/apikeys?search=%3D%3D"],
    ["keys: of the largest group", `/v1/apikeys?group_id=${group}`],
    ["keys: search, group, status and sort", `/v1/apikeys?search=bot&group_id=${group}&status=active&sort=budget`],
    ["groups: all", "/v1/apikey_groups"],
    ["groups: by number of keys", "/v1/apikey_groups/search?sort=apikey_count&order=desc"],
    ["groups: search", "/v1/apikey_groups/search?search=group%2019"],
    ["usage: by group, 30 days", `/v1/usage?by=group&${days(30)}`],
    ["usage: by group, 90 days", `/v1/usage?by=group&${days(90)}`],
    ["usage: by key, 30 days", `/v1/usage?by=key&${days(30)}`],
    ["usage: by key, 90 days", `/v1/usage?by=key&${days(90)}`],
    ["usage: all groups, 90 days", `/v1/usage/totals?by=group&${days(90)}`],
    ["usage: all keys, 90 days", `/v1/usage/totals?by=key&${days(90)}`],
    ["usage: all keys by name, 90 days, page 200", `/v1/usage/totals?by=key&sort=name&order=asc&page=200&${days(90)}`],
    ["usage: all keys, 90 days, search, many found", `/v1/usage/totals?by=key&search=crawler&${days(90)}`],
    ["usage: all keys, 90 days, search of one digit", `/v1/usage/totals?by=key&search=1&${days(90)}`],
    ["usage: by key of the largest group, 90 days", `/v1/usage?by=key&group_id=${group}&${days(90)}`],
    ["usage: by model, 30 days", `/v1/usage?by=model&${days(30)}`],
    ["usage: by model, 90 days", `/v1/usage?by=model&${days(90)}`],
    ["usage: by model of the largest group, 90 days", `/v1/usage?by=model&group_id=${group}&${days(90)}`],
    ["usage: all models, 90 days", `/v1/usage/totals?by=model&${days(90)}`],
    ["usage: all models of the largest group, 90 days", `/v1/usage/totals?by=model&group_id=${group}&${days(90)}`],
    ["usage: the file by model, 90 days", `/v1/usage/export?by=model&${days(90)}`],
    ["usage: of one key, 90 days", `/v1/apikeys/${key}/usage?${days(90)}`],
    ["overview", "/v1/overview"],
    ["refusals: of 7 days", `/v1/refusals?${days(7)}`],
    ["history: the first page", "/v1/history"],
    ["history: the last page", `/v1/history?page=${deep}`],
    ["history: of a kind", "/v1/history?action=key.renamed"],
    ["history: of the command line", "/v1/history?actor=command_line"],
    ["history: of a key", `/v1/history?apikey_id=${key}`],
    ["history: of the largest group", `/v1/history?group_id=${group}`],
    ["history: of 30 days", `/v1/history?${days(30)}`],
    ["history: search, many found", "/v1/history?search=crawler"],
    ["history: search, one found", `/v1/history?search=${key.slice(3)}`],
    ["history: search, none found", "/v1/history?search=nothing%20like%20it"],
    ["history: search of two characters, none found", "/v1/history?search=%3D%3D"],
    ["history: search in the largest group, few found", `/v1/history?search=crawler&group_id=${group}`],
  ];
}

async function measureList(url: string, apikey: string, title: string, path: string): Promise<ListMeasurement> {
  // The first answer is not counted, because it fills caches that are full in a running server.
  const total = await totalOf(url + path, apikey);
  const times: number[] = [];
  const deadline = performance.now() + LONGEST_MS;
  while (times.length === 0 || (times.length < ROUNDS && performance.now() < deadline)) {
    const begun = performance.now();
    await totalOf(url + path, apikey);
    times.push(performance.now() - begun);
  }
  return { title, total, medianMs: median(times), slowestMs: Math.max(...times) };
}

/** How many elements a list has. A list that PostgreSQL does not finish in its time has none; its time counts. */
async function totalOf(url: string, apikey: string): Promise<number | null> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${apikey}` } });
  const text = await response.text();
  if (response.status === 503) return null;
  if (response.status !== 200) throw new Error(`GET ${url}: ${response.status} ${text}`);
  // The total of usage is yuan, and a file has none.
  return url.includes("/usage") ? null : ((JSON.parse(text) as List).total ?? null);
}
