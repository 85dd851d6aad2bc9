import { Client } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, prepareCluster, readPort } from "@/server/db/cluster";
import { findPostmaster, startPostmaster, stopPostmaster } from "@/server/db/postmaster";
import { makeKeyValue } from "@/server/keys/key-value";
import { type Product, runToEnd, startProduct, temporaryFolder } from "../product";
import { callAt, ENDPOINTS, NOWHERE } from "./client";

const UNAVAILABLE = { success: false, error: "the database cannot be reached or is too busy; try again later" };
const NOT_CREATED = {
  success: false,
  error: "creation failed: the API key was not created because of an internal failure",
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let cluster: Cluster;
let databaseUrl: string;
let product: Product;
let key: string;

/** A PostgreSQL of our own, like that of an operator: the product knows only its DATABASE_URL. */
beforeAll(async () => {
  folder = await temporaryFolder();
  cluster = await prepareCluster(folder.path, pino({ level: "silent" }));
  databaseUrl = `postgresql://allowance:${cluster.password}@127.0.0.1:${await readPort(cluster)}/postgres`;
});
afterAll(async () => {
  await product.stop();
  await stopPostmaster(cluster);
  await folder.remove();
});

const readiness = () => fetch(`${product.url}/readyz`).then(({ status }) => status);
const callEach = () =>
  Promise.all(
    ENDPOINTS.map(async ([method, path]) => ({
      method,
      path,
      ...(await callAt(product.url, method, path, {
        key,
        ...(method === "POST" && { body: { name: "n", budget: 1 } }),
      })),
    })),
  );

async function startDatabase() {
  await startPostmaster(cluster);
  await expect.poll(readiness).toBe(200);
}

async function expectUnavailable() {
  for (const { method, path, status, headers, body } of await callEach()) {
    if (`${method} ${path}` === "POST /v1/apikeys") {
      expect([status, body]).toEqual([500, NOT_CREATED]);
    } else {
      expect([path, status, body]).toEqual([path, 503, UNAVAILABLE]);
      expect(headers.get("retry-after")).toBe("1");
    }
  }
}

async function expectServing() {
  const answers = await callEach();
  const statuses = Object.fromEntries(answers.map(({ method, path, status }) => [`${method} ${path}`, status]));
  expect(statuses).toMatchObject({
    "POST /v1/apikeys": 201,
    [`POST /v1/apikeys/${NOWHERE.apikey_id}/budget`]: 404,
    "GET /v1/apikey_groups": 200,
    [`POST /v1/apikey_groups/${NOWHERE.group_id}/batch_budget`]: 400,
  });
  for (const { path, status } of answers) expect([path, status < 500]).toEqual([path, true]);
}

describe("a database that is away", () => {
  test("at the start: the process serves, and begins to work when the database comes", async () => {
    product = await startProduct({ env: { DATABASE_URL: databaseUrl } });
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    expect(await readiness()).toBe(503);
    expect((await callAt(product.url, "GET", "/v1/apikey_groups", {})).status).toBe(401);
    const { value } = makeKeyValue("sk-");
    expect((await callAt(product.url, "GET", "/v1/apikey_groups", { key: value })).status).toBe(503);
    await startDatabase();
    const { stdout } = await runToEnd("account-create", ["--email", "a@example.com"], {
      env: { DATABASE_URL: databaseUrl },
    });
    key = JSON.parse(stdout).apikey;
    await expectServing();
  });

  test("stopped under it: 503 with Retry-After, 500 for a creation; 200 on the first request after it is back", async () => {
    await stopPostmaster(cluster);
    await expectUnavailable();
    expect(await readiness()).toBe(503);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    await startPostmaster(cluster);
    // /readyz would use a connection of the pool, so that the next request would not be the first. So this asks PostgreSQL.
    await expect.poll(canConnect).toBe(true);
    await expectServing();
  });

  test("killed under load: the process lives, every answer is 201, 500 or 503, and what was answered 201 is there", async () => {
    const created: string[] = [];
    const seen = new Set<number>();
    let stop = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!stop) {
        const { status, body } = await callAt(product.url, "POST", "/v1/apikeys", { key, body: { name: "load" } });
        seen.add(status);
        if (status === 201) created.push(body.apikey.slice(0, 10));
      }
    });
    await expect.poll(() => created.length).toBeGreaterThan(50);
    const pid = await findPostmaster(cluster);
    if (pid === undefined) throw new Error("PostgreSQL does not run");
    process.kill(pid, "SIGKILL");
    await expect.poll(() => seen.has(500)).toBe(true);
    await restart();
    const before = created.length;
    await expect.poll(() => created.length).toBeGreaterThan(before);
    stop = true;
    await Promise.all(load);
    expect([...seen].sort()).toEqual([201, 500]);
    for (const id of created.slice(0, 100)) {
      const { status } = await callAt(product.url, "POST", `/v1/apikeys/${id}/budget`, { key, body: { budget: 1 } });
      expect(status).toBe(200);
    }
  });

  test("hanging: an answer all the same", async () => {
    const pid = await findPostmaster(cluster);
    if (pid === undefined) throw new Error("PostgreSQL does not run");
    await product.stop();
    process.kill(pid, "SIGSTOP");
    try {
      product = await startProduct({ env: { DATABASE_URL: databaseUrl } });
      await expectUnavailable();
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await expect.poll(readiness).toBe(200);
    // It has all that was asked meanwhile to do first.
    await expect.poll(() => expectServing().then(() => "serving", String)).toBe("serving");
  });

  test("no answer and no log line holds a key, a password, a stack or SQL in its answer", async () => {
    await stopPostmaster(cluster);
    const answers = JSON.stringify(await callEach());
    expect(answers).not.toMatch(/SELECT|INSERT|ECONNREFUSED|node_modules|\.ts:|\.js:/);
    expect(product.output()).not.toContain(key.slice(10));
    expect(product.output()).not.toContain(cluster.password);
    await startDatabase();
  });
});

async function canConnect(): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

/** Starts PostgreSQL after a kill. It may need more than one start, until its killed processes are gone. */
async function restart(): Promise<void> {
  let postmaster = await startPostmaster(cluster);
  const isBack = async () => {
    if (postmaster.hasEnded()) postmaster = await startPostmaster(cluster);
    return canConnect();
  };
  await expect.poll(isBack).toBe(true);
}
