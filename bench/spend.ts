import { type Bounds, type Comparison, compare, comparisonTable, comparisonTargets, on } from "./compare";
import { authorizeAndCapture, check, EMPTY_ANSWER } from "./endpoints";
import { type Endpoint, load } from "./load";
import type { Part } from "./part";
import { sized } from "./quick";
import { findAccountId, makeKeyValues, seedAccounts, seedKeys } from "./seed";
import { createAccount, type Servers, withServers } from "./servers";

const KEYS = 1_000;

interface Figures {
  comparisons: Comparison[];
  /** Processor time of the load itself, in microseconds for one request of the empty answer. */
  loadMicroseconds: number;
}

/** Authorize, capture and check beside the reference server. */
export const spend: Part<Figures> = {
  name: "spend",
  measure: (folder) => withServers(folder, measure),
  report: ({ comparisons, loadMicroseconds }) => `## Spend

A gateway's calls, each for the next key in turn.

${comparisonTable(comparisons)}

The load itself takes ${loadMicroseconds.toFixed(0)} µs of processor time for a request of the empty answer.`,
  targets: ({ comparisons }) => comparisonTargets(comparisons),
};

async function measure(servers: Servers): Promise<Figures> {
  const { product, reference, client } = servers;
  const ofOneAccount = await seedSpenders(servers);
  const ofManyAccounts = await seedOwners(servers);
  const faster = { least: 2, isTailBound: true };
  const endpoints: [Endpoint, Bounds][] = [
    [authorizeAndCapture("authorize and capture, 1,000 keys of one account", ofOneAccount), faster],
    [authorizeAndCapture("authorize and capture, 1,000 accounts of one key", ofManyAccounts), faster],
    [authorizeAndCapture("authorize and capture, one key", ofOneAccount.slice(0, 1)), { least: 5 }],
    [check("check, 1,000 keys", ofOneAccount), { least: 1.5 }],
    [EMPTY_ANSWER, {}],
  ];
  const comparisons = [];
  for (const [endpoint, bounds] of endpoints) {
    comparisons.push(await compare(client, on(product, endpoint), on(reference, endpoint), bounds));
  }
  return { comparisons, loadMicroseconds: await measureLoad(reference.url) };
}

/** Puts 1,000 keys with limits into a new account, and returns their values. */
export async function seedSpenders(servers: Servers): Promise<string[]> {
  const owner = await createAccount(servers, "spender@example.com");
  const keys = makeKeyValues(KEYS);
  await seedKeys(servers.client, await findAccountId(servers.client, owner), keys, KEYS);
  return keys.map(({ value }) => value);
}

/** Makes 1,000 accounts with one key beside the default key, and returns the values of these keys. */
async function seedOwners({ client }: Servers): Promise<string[]> {
  const keys = makeKeyValues(KEYS);
  await seedAccounts(client, makeKeyValues(KEYS), keys, 2);
  return keys.map(({ value }) => value);
}

/** Processor time of this process for a request, in microseconds. */
async function measureLoad(url: string): Promise<number> {
  const begun = process.cpuUsage();
  const { requests } = await load(url, EMPTY_ANSWER, { seconds: sized(3, 0.5) });
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / requests;
}
