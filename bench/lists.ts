import { settle } from "./compare";
import { median } from "./median";
import { atMost, type Part } from "./part";
import { sized } from "./quick";
import { get } from "./requests";
import { type Servers, seedAccount, withServers } from "./servers";
import { count, table } from "./table";

/** How long one list takes on a large account, from sending the request to the end of the answer. */
interface ListMeasurement {
  title: string;
  path: string;
  /** How many elements match in all. */
  total: number;
  medianMs: number;
  slowestMs: number;
}

interface List {
  data: { id: string; name: string; apikey_id: string }[];
  total: number;
}

interface Figures {
  keys: number;
  groups: number;
  lists: ListMeasurement[];
}

const KEYS = sized(100_000, 2_000);
const GROUPS = 200;
const ROUNDS = sized(15, 3);
/** Milliseconds that a list may take. */
const GREATEST_MS = 200;

/** The lists of a large account. */
export const lists: Part<Figures> = {
  name: "lists",
  measure: (folder) => withServers(folder, measure),
  report: ({ keys, groups, lists: measured }) => `## Lists

Lists of an account of ${count(keys)} keys in ${groups} groups with a history of as many changes (\`npm run seed\`), over HTTP, one
request at a time. The aim is an answer within ${GREATEST_MS} ms; the median counts.

${listTable(measured)}`,
  targets: ({ lists: measured }) => measured.map(({ title, medianMs }) => atMost(title, medianMs, GREATEST_MS, "ms")),
};

async function measure(servers: Servers): Promise<Figures> {
  const { apikey } = await seedAccount(servers, KEYS, GROUPS);
  await settle(servers.client);
  return { keys: KEYS, groups: GROUPS, lists: await measureLists(servers.product.url, apikey) };
}

function listTable(measured: readonly ListMeasurement[]): string {
  const rows = measured.map(({ title, total, medianMs, slowestMs }) => [
    title,
    count(total),
    `**${medianMs.toFixed(0)}**`,
    slowestMs.toFixed(0),
  ]);
  return table(["list", "found", "median ms", "slowest ms"], rows);
}

/** Times the lists of the dashboard, one request at a time. */
async function measureLists(url: string, apikey: string): Promise<ListMeasurement[]> {
  const lists = await get<List>(`${url}/v1/apikey_groups/search?page_size=1`, apikey);
  const group = lists.data[0]?.id ?? "";
  const keys = await get<List>(`${url}/v1/apikeys?page_size=1`, apikey);
  const key = keys.data[0]?.apikey_id ?? "";
  const paths: [string, string][] = [
    ["keys: the first page", "/v1/apikeys"],
    ["keys: search, many found", "/v1/apikeys?search=crawler-prod"],
    ["keys: search, one found", `/v1/apikeys?search=${key.slice(3)}`],
    ["keys: search, none found", "/v1/apikeys?search=nothing%20like%20it"],
    ["keys: sort by name", "/v1/apikeys?sort=name&order=asc"],
    ["keys: sort by budget", "/v1/apikeys?sort=budget&order=desc"],
    ["keys: sort by expiry date", "/v1/apikeys?sort=expiry_date&order=asc"],
    ["keys: a deep page", "/v1/apikeys?page=1900"],
    ["keys: a deep page by name", "/v1/apikeys?sort=name&order=asc&page=1900"],
    ["keys: a deep page by budget", "/v1/apikeys?sort=budget&order=asc&page=1900"],
    ["keys: of a group", `/v1/apikeys?group_id=${group}`],
    ["keys: expired", "/v1/apikeys?status=expired"],
    ["keys: search, group, status and sort", `/v1/apikeys?search=bot&group_id=${group}&status=active&sort=budget`],
    ["groups: by number of keys", "/v1/apikey_groups/search?sort=apikey_count&order=desc"],
    ["groups: search", "/v1/apikey_groups/search?search=assist"],
    ["history: the first page", "/v1/history"],
    ["history: a deep page", "/v1/history?page=2000"],
    ["history: of a kind", "/v1/history?action=key.revoked"],
    ["history: of a key", `/v1/history?apikey_id=${key}`],
  ];
  const measured = [];
  for (const [title, path] of paths) measured.push(await measureList(url, apikey, title, path));
  return measured;
}

async function measureList(url: string, apikey: string, title: string, path: string): Promise<ListMeasurement> {
  // The first answer is not counted, because it fills caches that are full in a running server.
  const { total } = await get<List>(url + path, apikey);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    await get(url + path, apikey);
    times.push(performance.now() - begun);
  }
  return { title, path, total, medianMs: median(times), slowestMs: Math.max(...times) };
}
