import { settle } from "./compare";
import { authorizeAndCapture } from "./endpoints";
import { load, type Measurement } from "./load";
import { atMost, type Part } from "./part";
import { sized } from "./quick";
import { createGroup, post } from "./requests";
import { makeKeyValues, seedGroup } from "./seed";
import { createAccount, type Servers, withServers } from "./servers";
import { count, table } from "./table";

interface Figures {
  keys: number;
  /** How long the change took. */
  seconds: number;
  /** Authorizations and captures before the change, and while it went on. */
  quiet: Measurement;
  during: Measurement;
}

const KEYS = sized(1_000_000, 5_000);
const SPENDERS = 1_000;
const QUIET_SECONDS = sized(10, 1);
const WARM_UP_SECONDS = sized(4, 1);
/** The 99th percentile may become so many times as long. */
const GREATEST_TAIL = 10;
/** Milliseconds that a chunk may hold its locks. */
const LONGEST_LOCK_MS = 1_000;

/** Authorizations of keys whose limits are being changed with those of a million others. */
export const largeChange: Part<Figures> = {
  name: "large-change",
  isOnRequest: true,
  measure: (folder) => withServers(folder, measure),
  report: ({ keys, seconds, quiet, during }) => `## Spend during a large change

The limits of a group of ${count(keys)} keys are set by one request, which took ${seconds.toFixed(0)} s. Meanwhile ${count(SPENDERS)} of these keys
authorize and capture.

${table(
  ["authorize and capture", "requests/s", "p50 ms", "p99 ms", "longest ms"],
  [
    ["before", ...cells(quiet)],
    ["during the change", ...cells(during)],
  ],
)}`,
  targets: ({ keys, quiet, during }) => [
    atMost(`p99 of spend while ${count(keys)} keys change: times the quiet one`, during.p99 / quiet.p99, GREATEST_TAIL),
    atMost(`longest wait of spend while ${count(keys)} keys change`, during.longest, LONGEST_LOCK_MS, "ms"),
  ],
};

async function measure(servers: Servers): Promise<Figures> {
  const { client, product } = servers;
  const owner = await createAccount(servers, "large@example.com");
  const groupId = await createGroup(product.url, owner, "Large");
  const spenders = makeKeyValues(SPENDERS);
  await seedGroup(client, owner, groupId, spenders, KEYS);
  await settle(client);
  const calls = spenders.map(({ value }) => value);
  const endpoint = authorizeAndCapture("authorize and capture", calls);
  await load(product.url, endpoint, { seconds: WARM_UP_SECONDS });
  const quiet = await load(product.url, endpoint, { seconds: QUIET_SECONDS });
  const begun = performance.now();
  const change = post<{ updated_count: number }>(
    `${product.url}/v1/apikey_groups/${groupId}/batch_budget`,
    owner,
    { budget: 1e13, daily_limit: 1e12 },
    200,
  ).then(({ updated_count }) => {
    if (updated_count !== KEYS) throw new Error(`${updated_count} keys were updated, not ${KEYS}`);
    return (performance.now() - begun) / 1000;
  });
  const during = await load(product.url, endpoint, { until: change });
  return { keys: KEYS, seconds: await change, quiet, during };
}

function cells({ perSecond, p50, p99, longest }: Measurement): string[] {
  return [count(perSecond), p50.toFixed(1), p99.toFixed(1), count(longest)];
}
