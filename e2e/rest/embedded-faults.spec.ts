import { spawnSync } from "node:child_process";
import { appendFile, chmod, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Product, runToEnd, startProduct, temporaryFolder } from "../product";
import { superuserUrl } from "../superuser";
import { callAt } from "./client";

// Faults of the embedded PostgreSQL: the process says the reason that stands in postgres.log, soon, and ends or recovers.

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let isMounted = false;
let env: Record<string, string>;
let product: Product | undefined;

/**
 * A disk of its own, small enough to be filled, where this system lets us make one. PostgreSQL keeps up to 80 MB of old files
 * of its journal. There has to be room besides, which comes back when the disk is emptied.
 */
beforeAll(async () => {
  folder = await temporaryFolder();
  isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=256m,mode=755", "tmpfs", folder.path]).status === 0;
  if (!isMounted) console.log("the tests of a full disk are skipped: no disk of their own can be mounted");
  env = { DATA_DIR: folder.path };
  const first = await startProduct({ env });
  expect(await first.stop()).toBe(0);
});
afterAll(async () => {
  await product?.stop();
  if (isMounted) spawnSync("umount", ["-l", folder.path]);
  await folder.remove();
});
beforeEach(async () => {
  // Not `expect(product)`: a failure would print hundreds of lines of it.
  expect(product === undefined, "no product of a test that failed").toBe(true);
});

/** Starts the product, and waits until it is ready. */
async function startReady() {
  const started = await startProduct({ env });
  product = started;
  const readiness = async () => (await fetch(`${started.url}/readyz`)).json();
  await expect.poll(readiness).toEqual({ status: "ready" });
  return { started, readiness };
}

/** Creates an account. Returns its default key. */
async function newAccountKey(email: string): Promise<string> {
  const { stdout } = await runToEnd("account-create", ["--email", email], { env });
  return JSON.parse(stdout).apikey;
}

const settings = () => join(folder.path, "postgres/postgresql.conf");

async function expectFailingStart(words: RegExp): Promise<void> {
  const begun = performance.now();
  const { code, stdout, stderr } = await runToEnd("main", [], { env: { ...env, PORT: "0" } });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Allowance cannot start\. PostgreSQL /)]);
  expect(stderr).toMatch(words);
  const password = await readFile(join(folder.path, "postgres/allowance-password"), "utf8");
  expect(stdout + stderr).not.toContain(password.trim());
  // A start waits 60 s for a PostgreSQL that does not end. It must not wait for one that has ended.
  expect(performance.now() - begun).toBeLessThan(55_000);
}

test("a setting that PostgreSQL does not take: the reason, and exit 1", async () => {
  const text = await readFile(settings(), "utf8");
  await appendFile(settings(), "shared_buffers = 'a lot'\n");
  await expectFailingStart(/invalid value for parameter "shared_buffers": "a lot".* FATAL: .*contains errors/);
  await writeFile(settings(), text);
});

test("the memory that PostgreSQL keeps rows in goes by that of the machine, where the operator sets none", async () => {
  const text = await readFile(settings(), "utf8");
  const buffers = async () => {
    product = await startProduct({ env });
    const client = new Client({ connectionString: await superuserUrl(folder.path) });
    await client.connect();
    const { rows } = await client.query(
      "SELECT setting::int / 128 AS megabytes FROM pg_settings WHERE name = 'shared_buffers'",
    );
    await client.end();
    expect(await product.stop()).toBe(0);
    product = undefined;
    return rows;
  };
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const eighth = Math.floor(memory / 2 ** 20 / 8);
  expect(await buffers()).toEqual([{ megabytes: Math.min(1024, Math.max(128, eighth)) }]);
  await appendFile(settings(), "shared_buffers = 64MB # ours\n");
  expect(await buffers()).toEqual([{ megabytes: 64 }]);
  await writeFile(settings(), `${text}shared_buffers '96MB'\n`);
  expect(await buffers()).toEqual([{ megabytes: 96 }]);
  await writeFile(settings(), text);
});

test("a folder that others may read: the reason, and exit 1", async () => {
  await chmod(join(folder.path, "postgres"), 0o755);
  await expectFailingStart(/invalid permissions/);
  await chmod(join(folder.path, "postgres"), 0o700);
});

test("a password that is not that of the cluster: the reason, and exit 1", async () => {
  const file = join(folder.path, "postgres/allowance-password");
  const password = await readFile(file, "utf8");
  await writeFile(file, "another");
  await expectFailingStart(/refuses the password in its file allowance-password/);
  await writeFile(file, password);
});

test("one connection that somebody ends: the log does not say that PostgreSQL ended", async () => {
  product = await startProduct({ env });
  const client = new Client({ connectionString: await superuserUrl(folder.path) });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'allowance locks'",
  );
  await client.end();
  await expect.poll(product.output).toContain("connected to PostgreSQL again");
  expect(product.output()).toContain("PostgreSQL ended the connection that keeps the data folder; connecting again");
  expect(product.output()).not.toContain("ended unexpectedly");
  expect(await product.stop()).toBe(0);
  product = undefined;
});

test("a file of PostgreSQL is away while it serves: 503 and not ready with that cause, and ready when it is back", async () => {
  const { started, readiness } = await startReady();
  const key = await newAccountKey("away@example.com");
  // Connections that are there have read it. So many calls at once need further ones.
  const file = join(folder.path, "postgres/global/pg_filenode.map");
  await rename(file, `${file}.away`);
  const statuses = async () =>
    new Set(
      await Promise.all(
        Array.from({ length: 24 }, async () => (await callAt(started.url, "GET", "/v1/apikeys", { key })).status),
      ),
    );
  await expect.poll(statuses).toContain(503);
  expect(await statuses()).not.toContain(500);
  await expect.poll(readiness).toMatchObject({ status: "not ready", cause: "database_files" });
  await rename(`${file}.away`, file);
  await expect.poll(readiness).toEqual({ status: "ready" });
  expect(await statuses()).toEqual(new Set([200]));
  expect(await started.stop()).toBe(0);
  product = undefined;
});

const filler = () => join(folder.path, "filler");

/** Leaves so many megabytes of the disk. */
async function fill(left = 0): Promise<void> {
  const { bavail, bsize } = await statfs(folder.path);
  await writeFile(filler(), Buffer.alloc(bavail * bsize - left * 2 ** 20)).catch(() => {});
}

/** Begins further files of the journal, of 16 MB each. Where there is no room for one, PostgreSQL ends. */
async function beginJournalFiles(count: number): Promise<void> {
  const client = new Client({ connectionString: await superuserUrl(folder.path) });
  client.on("error", () => {});
  await client.connect();
  for (let begun = 0; begun < count; begun++) {
    await client.query("SELECT pg_switch_wal()");
    await client.query("SELECT pg_logical_emit_message(true, 'test', '')");
  }
  await client.end();
}

test("a full disk: not ready with the cause while it serves, ready when there is room; a start says the reason", async ({
  skip,
}) => {
  skip(!isMounted, "no disk of its own can be mounted");
  /** Writes a line into the log of PostgreSQL, after which so many bytes are left of its last block. */
  const fillLogUpTo = async (left: number) => {
    const log = join(folder.path, "postgres.log");
    const { size, blksize } = await stat(log);
    await appendFile(log, `${" ".repeat(2 * blksize - (size % blksize) - left - 1)}\n`);
  };
  const { started, readiness } = await startReady();
  const key = await newAccountKey("a@example.com");
  const createKey = async () =>
    (await callAt(started.url, "POST", "/v1/apikeys", { key, body: { name: "n".repeat(100) } })).status;
  expect(await createKey()).toBe(201);
  // The journal gets room, so that the tables are the first that find none.
  await beginJournalFiles(1);
  await fill();
  // Until a file has to grow, writes succeed.
  const createMany = () => Promise.all(Array.from({ length: 50 }, createKey)).then((all) => all.includes(500));
  await expect.poll(createMany).toBe(true);
  await expect.poll(readiness).toMatchObject({ status: "not ready", cause: "database_disk_full" });
  await expect.poll(started.output).toContain('"cause":"database_disk_full"');
  await rm(filler());
  await expect.poll(readiness).toEqual({ status: "ready" });
  expect(await createKey()).toBe(201);
  expect(await started.stop()).toBe(0);
  product = undefined;
  // PostgreSQL writes its log onto the full disk too: of its reason a part has room, or nothing.
  for (const left of [45, 0]) {
    await fillLogUpTo(left);
    await fill();
    await expectFailingStart(/No space left on device/);
    await rm(filler());
  }
});

test("a full disk that ends PostgreSQL, because its journal finds no room: not ready with that cause, ready when there is room", async ({
  skip,
}) => {
  skip(!isMounted, "no disk of its own can be mounted");
  const { started, readiness } = await startReady();
  // Less than a file of the journal takes.
  await fill(8);
  // Some files are there already.
  await expect(beginJournalFiles(20)).rejects.toThrow();
  await expect.poll(readiness).toMatchObject({ status: "not ready", cause: "database_disk_full" });
  await expect.poll(started.output).toContain("No space left on device");
  // PostgreSQL is started again and again meanwhile.
  expect(await readiness()).toMatchObject({ cause: "database_disk_full" });
  await rm(filler());
  await expect.poll(readiness).toEqual({ status: "ready" });
  expect(await started.stop()).toBe(0);
  product = undefined;
});

test("a first start on a disk that is too small: the reason, and exit 1", async ({ skip }) => {
  skip(!isMounted, "no disk of its own can be mounted");
  const first = { DATA_DIR: join(folder.path, "first"), PORT: "0" };
  // With less room, PostgreSQL panics after its reason; with more, it quotes a statement behind it.
  for (const left of [20, 30]) {
    await fill(left);
    const { code, stderr } = await runToEnd("main", [], { env: first });
    await rm(filler());
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Allowance cannot start\. .*(No space left on device|Check free disk space)/),
    ]);
  }
});
