import { execFileSync } from "node:child_process";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Cluster, choosePort, prepareCluster, urlOf } from "@/server/db/cluster";
import { type EmbeddedPostgres, openEmbedded } from "@/server/db/embedded";
import { findPort, findPostmaster, startPostmaster, stopPostmaster } from "@/server/db/postmaster";
import { type Product, runToEnd, startProduct, temporaryFolder } from "../product";
import { callAt } from "./client";

const silent = pino({ level: "silent" });
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let primary: EmbeddedPostgres;
let standby: Cluster;
let onStandby: Pool;
let product: Product;
let key: string;

/** A primary, and a standby that streams from it. */
beforeAll(async () => {
  folder = await temporaryFolder();
  const [first, second] = [join(folder.path, "primary"), join(folder.path, "standby")];
  await (await openEmbedded(first, "command", silent)).close();
  await mkdir(second);
  const cluster = await prepareCluster(first, silent);
  // Owners and modes are kept, because PostgreSQL may run as another user than the test.
  execFileSync("cp", ["-a", cluster.directory, join(second, "postgres")]);
  primary = await openEmbedded(first, "command", silent);
  const port = await findPort(cluster);
  standby = await prepareCluster(second, silent);
  await rm(join(standby.directory, "postmaster.pid"), { force: true });
  await writeFile(join(standby.directory, "standby.signal"), "");
  const source = `host=127.0.0.1 port=${port} user=allowance password=${cluster.password}`;
  await appendFile(join(standby.directory, "postgresql.conf"), `primary_conninfo = '${source}'\n`);
  await choosePort(standby);
  await startPostmaster(standby);
  onStandby = new Pool({ connectionString: urlOf(standby, await findPort(standby), "allowance") });
  onStandby.on("error", () => {});
  await vi.waitUntil(standbyAnswers, WAIT);

  const env = {
    DATABASE_URL: primary.url,
    MIGRATION_DATABASE_URL: primary.ownerUrl,
    DATABASE_READ_URL: urlOf(standby, await findPort(standby), "allowance_service"),
    DATA_DIR: first,
  };
  product = await startProduct({ env });
  const { stdout } = await runToEnd("account-create", ["--email", "owner@example.com"], { env });
  key = JSON.parse(stdout).apikey;
});
afterAll(async () => {
  expect(await product?.stop()).toBe(0);
  await onStandby?.end();
  if (standby) await stopPostmaster(standby);
  await primary?.close();
  await folder.remove();
});

const WAIT = { timeout: 120_000, interval: 50 };
const standbyAnswers = () =>
  onStandby.query("SELECT").then(
    () => true,
    () => false,
  );
const create = async (name: string) =>
  expect((await callAt(product.url, "POST", "/v1/apikeys", { key, body: { name } })).status).toBe(201);
async function names(): Promise<string[]> {
  const { status, body } = await callAt(product.url, "GET", "/v1/apikeys", { key });
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
}

/** When the product has last asked the standby for anything but its position. */
async function lastStatement(): Promise<string> {
  const { rows } = await onStandby.query(
    `SELECT max(query_start)::text AS at FROM pg_stat_activity
      WHERE application_name = 'allowance' AND query NOT LIKE '%pg_is_in_recovery%'`,
  );
  return rows[0].at ?? "";
}

/** Asks for a list: whether it was read from the standby. */
async function isReadThere(): Promise<boolean> {
  const before = await lastStatement();
  const { status } = await callAt(product.url, "GET", "/v1/apikeys?search=a", { key });
  expect(status).toBe(200);
  return (await lastStatement()) > before;
}

/** The value of a metric whose name and labels these are; 0 where there is none. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.split(" ")[1] ?? 0);
}
const answeredBy = (who: "replica" | "primary") => metric(`allowance_replica_reads_total{answered_by="${who}"}`);

test("lists come from the replica, and have what was written a moment before", async () => {
  await expect.poll(isReadThere).toBe(true);
  for (let n = 0; n < 20; n++) {
    await create(`quick ${n}`);
    expect(await names()).toContain(`quick ${n}`);
  }
  await expect.poll(isReadThere).toBe(true);
  const paths = ["apikey_groups", "apikey_groups/search", "apikeys/export", "history", "history/export"];
  for (const path of [...paths, `usage${RANGE}&by=group`, `usage${RANGE}&by=key`]) {
    expect((await callAt(product.url, "GET", `/v1/${path}`, { key })).status, path).toBe(200);
  }
  const id = key.slice(0, 10);
  for (const path of [`usage${RANGE}`, `refusals${RANGE}`, "authorizations", "activity"]) {
    expect((await callAt(product.url, "GET", `/v1/apikeys/${id}/${path}`, { key })).status, path).toBe(200);
  }
  expect(product.output()).not.toContain("DATABASE_URL answers");
  expect(await answeredBy("replica")).toBeGreaterThan(20);
  for (const pool of ["general", "list"]) {
    const of = (part: string) => metric(`allowance_pool_${part}{pool="replica_${pool}"}`);
    expect(await of("connections")).toBeGreaterThan(0);
    expect(await of("connections_idle")).toBeGreaterThan(0);
    expect(await of("connections_max")).toBeGreaterThan(1);
    expect(await of("waiting")).toBe(0);
  }
});

const RANGE = "?from=2026-11-01&to=2026-11-30";

test("while the replica is behind, the primary answers, and the log says so", async () => {
  await onStandby.query("SELECT pg_wal_replay_pause()");
  await expect
    .poll(async () => (await onStandby.query("SELECT pg_get_wal_replay_pause_state() AS state")).rows[0].state)
    .toBe("paused");
  await create("while paused");
  const [replica, primary] = [await answeredBy("replica"), await answeredBy("primary")];
  expect(await names()).toContain("while paused");
  expect(await isReadThere()).toBe(false);
  expect([await answeredBy("replica"), await answeredBy("primary")]).toEqual([replica, primary + 2]);
  await expect.poll(() => product.output()).toContain("DATABASE_READ_URL is behind; DATABASE_URL answers");
  await onStandby.query("SELECT pg_wal_replay_resume()");
  await expect.poll(isReadThere).toBe(true);
});

test("a replica that was killed, or has become a primary, is not read", async () => {
  process.kill((await findPostmaster(standby)) as number, "SIGKILL");
  expect(await names()).toContain("while paused");
  await create("while away");
  expect(await names()).toContain("while away");
  await expect.poll(() => product.output()).toContain("DATABASE_READ_URL cannot be read; DATABASE_URL answers");
  expect(product.output().split("DATABASE_READ_URL cannot be read")).toHaveLength(2);

  await expect
    .poll(async () => {
      if ((await findPostmaster(standby)) === undefined) await startPostmaster(standby);
      return standbyAnswers();
    })
    .toBe(true);
  await expect.poll(isReadThere).toBe(true);

  await onStandby.query("SELECT pg_promote()");
  await create("after the promotion");
  expect(await names()).toContain("after the promotion");
  await expect.poll(() => product.output()).toMatch(/DATABASE_READ_URL is (no replica|behind); DATABASE_URL answers/);
});
