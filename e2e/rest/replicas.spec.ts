import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { auditBooks } from "@/server/authorizations/audit-queries";
import { type Database, openDatabase } from "@/server/db/client";
import { allowConnections, type Cluster, prepareCluster } from "@/server/db/cluster";
import { findPort, startPostmaster, stopPostmaster } from "@/server/db/postmaster";
import { Balancer } from "../balancer";
import { Browser } from "../browser";
import { GATEWAY_TOKEN, type Product, startProduct, temporaryFolder } from "../product";
import { RetryingGateway } from "../retrying-gateway";
import { callAt } from "./client";

// Several servers on one PostgreSQL, as on several machines. They share nothing else but their settings. Each test goes on
// where the one before has ended, because a start is the dearest part of each.

const STARTED_AT_ONCE = 10;
const CLIENTS = 8;
const EMAIL = "owner@example.com";
const PASSWORD = "horses never paint";
const FAIR = 1_000_000;
/** A key with this budget is asked for more. */
const TIGHT = 10;

let cluster: Cluster;
let db: Database;
let env: Record<string, string>;
let replicas: Product[] = [];
let owner: string;
let balancer: Balancer;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(() => folder.remove());
  cluster = await prepareCluster(folder.path, pino({ level: "silent" }));
  await allowConnections(cluster, 500);
  await startPostmaster(cluster);
  closers.push(() => stopPostmaster(cluster));
  const DATABASE_URL = `postgresql://allowance:${cluster.password}@127.0.0.1:${await findPort(cluster)}/postgres`;
  db = openDatabase(DATABASE_URL);
  closers.push(() => db.close());
  env = { DATABASE_URL, AUTH_SECRET: "the secret that all replicas have in common", GATEWAY_TOKENS: GATEWAY_TOKEN };
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

const replica = (place: number): Product => {
  const found = replicas[place];
  if (!found) throw new Error(`there is no replica ${place}`);
  return found;
};
/** The token of the last link that a replica has printed. */
const linkOf = ({ output }: Product) => [...output().matchAll(/set-up\?token=(\S+)/g)].at(-1)?.[1];
/** Ends it with the tests, whatever comes of them. */
const keep = (started: Product): Product => {
  closers.push(() => started.process.kill("SIGKILL"));
  return started;
};
const newKey = async (budget: number): Promise<string> => {
  const answer = await callAt(replica(0).url, "POST", "/v1/apikeys", { key: owner, body: { name: "n", budget } });
  expect(answer.status).toBe(201);
  return answer.body.apikey;
};

test(`${STARTED_AT_ONCE} start at once on an empty database: all are ready, one migrates, and all print the same link`, async () => {
  await expect
    .poll(() =>
      db.pool.query("SELECT 1").then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const starts = Array.from({ length: STARTED_AT_ONCE }, () => startProduct({ env }));
  for (const start of starts) start.then(keep).catch(() => {});
  replicas = await Promise.all(starts);
  // One that waits too long for the others serves 503 meanwhile.
  await Promise.all(
    replicas.map(({ url }) => expect.poll(() => fetch(`${url}/readyz`).then(({ status }) => status)).toBe(200)),
  );
  await expect.poll(() => replicas.map(linkOf)).not.toContain(undefined);
  expect(new Set(replicas.map(linkOf)).size).toBe(1);
  const outputs = replicas.map(({ output }) => output());
  expect(outputs.filter((output) => output.includes('"msg":"migrated"'))).toHaveLength(1);
  expect(outputs.join("")).not.toContain("AUTH_SECRET is not");
  for (const { process: child } of replicas.splice(2)) child.kill("SIGKILL");
});

test("the link of one works at another, and a session of one is known to another", async () => {
  const token = linkOf(replica(0));
  const first = new Browser(replica(1).url);
  expect((await first.post("/api/auth/set-up", { token, email: EMAIL, password: PASSWORD })).status).toBe(200);
  const other = new Browser(replica(0).url);
  for (const [name, value] of first.cookies) other.cookies.set(name, value);
  expect((await other.get("/api/trpc/accounts.me")).status).toBe(200);
});

test("wrong passwords count together, wherever they are tried", async () => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt++) {
    const { status } = await new Browser(replica(attempt % 2).url).signIn(EMAIL, "a wrong password");
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
});

/** Spends over the balancer while something happens, and compares what was acknowledged with the database. */
async function spendDuring(event: () => Promise<void>): Promise<RetryingGateway> {
  const by = { kind: "command_line", name: "test", address: null } as const;
  const email = `${randomUUID()}@example.com`;
  owner = (await createAccount(db, { email, isProven: true, keyPrefix: "sk-", by })).apikey;
  const keys = await Promise.all([newKey(FAIR), newKey(FAIR), newKey(TIGHT)]);
  const [, , tight] = keys;
  const gateway = new RetryingGateway(await balancer.start(), GATEWAY_TOKEN);
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = client; !isOver; turn++) await gateway.spend(keys[turn % keys.length] ?? "", 1);
  });
  await expect.poll(() => gateway.captured.size).toBeGreaterThan(50);
  await event();
  const before = gateway.captured.size;
  await expect.poll(() => gateway.captured.size).toBeGreaterThan(before + 50);
  isOver = true;
  await Promise.all(clients);
  balancer.stop();

  expect(gateway.unexpected).toEqual([]);
  const { rows } = await db.pool.query<{ id: string; amount: number }>(
    "SELECT account_id || authorization_id AS id, amount::float8 FROM ledger WHERE account_id || authorization_id = ANY ($1)",
    [[...gateway.captured.keys()]],
  );
  expect(new Map(rows.map(({ id, amount }) => [id, amount]))).toEqual(gateway.captured);
  const spent = await callAt(replica(0).url, "GET", `/v1/apikeys/${tight?.slice(0, 10)}`, { key: owner });
  expect(spent.body.spent).toBeLessThanOrEqual(TIGHT);
  expect(gateway.refused).toBeGreaterThan(0);
  const client = await db.pool.connect();
  const { differences } = await auditBooks(client, 400).finally(() => client.release());
  expect(differences).toEqual([]);
  return gateway;
}

test("one is killed under load: no acknowledged write is lost, and clients see broken connections alone", async () => {
  balancer = new Balancer(replicas.map(({ url }) => url));
  const { unavailable } = await spendDuring(async () => {
    const killed = replica(1);
    const ended = once(killed.process, "exit");
    killed.process.kill("SIGKILL");
    await ended;
    replicas = replicas.slice(0, 1);
  });
  expect(unavailable).toBe(0);
});

test("a rolling upgrade under load: no request fails", async () => {
  balancer = new Balancer([replica(0).url]);
  const { broken, unavailable } = await spendDuring(async () => {
    const next = keep(await startProduct({ env }));
    await expect.poll(() => fetch(`${next.url}/readyz`).then(({ status }) => status)).toBe(200);
    balancer.targets = [replica(0).url, next.url];
    await expect.poll(() => next.output()).toContain('"path":"/v1/authorizations"');
    balancer.targets = [next.url];
    expect(await replica(0).stop()).toBe(0);
    replicas = [next];
  });
  expect([broken, unavailable]).toEqual([0, 0]);
});
