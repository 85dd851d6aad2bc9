import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureBatch } from "./batch";
import { closeDownTo, onClose } from "./closers";
import { compare, settle } from "./compare";
import { measureLists } from "./lists";
import type { Endpoint } from "./load";
import { measurePages } from "./pages";
import { missedTargets, type Results, writeReport } from "./report";
import { createGroups } from "./requests";
import { createAccount, seedAccount, withServers } from "./servers";
import { authorizeAndCapture, seedSpenders } from "./spend";
import { measureSpending } from "./spending";
import { measureStatements } from "./statements";

/**
 * Measures the product against the reference server (reference.ts) on one database, writes bench/results.md, and ends
 * with 1 when a target is missed.
 */
const GROUPS = 10;
const KEYS_PER_GROUP = 5;
const LISTED_KEYS = 100_000;
const LISTED_GROUPS = 200;
const KEYS_THAT_SPEND = 1_000;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void closeDownTo(0).finally(() => process.exit(1)));
}
try {
  const results = await measure();
  console.log(await writeReport(results));
  const missed = missedTargets(results);
  for (const target of missed) console.error(`missed: ${target}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
await closeDownTo(0);

async function measure(): Promise<Results> {
  const folder = await mkdtemp(join(tmpdir(), "allowance-bench-"));
  onClose(() => rm(folder, { recursive: true, force: true }));
  // When this process is root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);

  let endpoints: Endpoint[] = [];
  const measured = await withServers(folder, { product: [], reference: [] }, async (servers) => {
    const { product, client, databaseUrl } = servers;
    const owner = await createAccount(folder, "owner@example.com");
    const lister = await createAccount(folder, "lister@example.com");
    const large = await createAccount(folder, "large@example.com");
    await createGroups(product, lister, GROUPS, KEYS_PER_GROUP);
    const spender = await createAccount(folder, "spender@example.com");
    endpoints = endpointsOf(owner, lister, await seedSpenders(client, spender, KEYS_THAT_SPEND));
    const comparisons = [];
    for (const endpoint of endpoints) {
      say(endpoint.title);
      comparisons.push(await compare(endpoint, servers));
    }
    say("set the limits of a large group");
    const batch = await measureBatch(client, product, large);
    say(`lists of ${LISTED_KEYS} keys`);
    const seeded = await seedAccount(folder, LISTED_KEYS, LISTED_GROUPS);
    await settle(client);
    const lists = await measureLists(product, seeded.apikey);
    say("first load of the pages");
    const pages = await measurePages(product, seeded);
    say("statements");
    const statements = await measureStatements(databaseUrl, owner);
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    return { comparisons, batch, lists, pages, statements, postgresVersion: rows[0]?.server_version ?? "" };
  });
  say("profiles");
  return { ...measured, spendings: await measureSpending(folder, endpoints) };
}

/** The requests that both servers answer. */
function endpointsOf(owner: string, lister: string, spenders: readonly string[]): Endpoint[] {
  return [
    {
      title: "create a key",
      requests: [
        {
          method: "POST",
          path: "/v1/apikeys",
          headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "production", budget: 1000, daily_limit: 12.5 }),
        },
      ],
      status: 201,
      target: 0.5,
    },
    {
      title: `list ${GROUPS} groups`,
      requests: [{ method: "GET", path: "/v1/apikey_groups", headers: { authorization: `Bearer ${lister}` } }],
      status: 200,
      target: 0.4,
    },
    { title: "empty answer", requests: [{ method: "GET", path: "/healthz" }], status: 200 },
    {
      title: `authorize and capture, ${KEYS_THAT_SPEND.toLocaleString("en")} keys`,
      requests: authorizeAndCapture(spenders),
      status: 200,
      target: 0.6,
    },
    {
      title: "authorize and capture, one key",
      requests: authorizeAndCapture(spenders.slice(0, 1)),
      status: 200,
      target: 2,
      isTailBound: true,
    },
  ];
}

function say(what: string): void {
  console.error(`bench: ${what}`);
}
