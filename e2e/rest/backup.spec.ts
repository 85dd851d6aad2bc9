import { type ChildProcess, execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { dataFolder } from "../data-folder";
import {
  type Finished,
  type Product,
  run,
  runToEnd,
  startProduct,
  type TemporaryFolder,
  temporaryFolder,
} from "../product";
import { callAt, database } from "./client";

type Env = Record<string, string>;

const command = (name: string, env: Env, ...args: string[]): Promise<Finished> => runToEnd(name, args, { env });
const answerOf = ({ code, stdout, stderr }: Finished) => {
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
};

const folders: TemporaryFolder[] = [];
afterAll(async () => {
  for (const folder of folders) await folder.remove();
});

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

/** A data folder whose database is there already. */
async function newDataFolder(): Promise<string> {
  const folder = await dataFolder();
  folders.push(folder);
  return folder.path;
}

/** @param template what is in it; without one it is empty. */
async function newDatabase(template = "template0"): Promise<string> {
  const name = `restored_${randomBytes(6).toString("hex")}`;
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8'`);
  return inject("databaseUrl").replace(/[^/]*$/, name);
}

async function inDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A way to the database on which the COMMIT of a restore is lost, or the answer to it. It ends when nobody uses it. */
async function wayThatLoses(lost: "COMMIT" | "answer", to: string): Promise<string> {
  const url = new URL(to);
  const { hostname, port } = url;
  const server = createServer((client) => {
    const behind = connect(Number(port), hostname);
    let isAtEnd = false;
    client.on("data", (bytes) => {
      isAtEnd ||= bytes.includes("COMMIT\0");
      if (!isAtEnd || lost === "answer") behind.write(bytes);
    });
    behind.on("data", (bytes) => (isAtEnd ? client.destroy() : client.write(bytes)));
    client.on("error", () => behind.destroy()).on("close", () => behind.destroy());
    behind.on("error", () => client.destroy()).on("close", () => client.destroy());
  });
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url.href;
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const DAYS = `from=${day(2)}&to=${day(-1)}`;

/** What an account with the default key `owner` sees of itself. */
async function whatIsSeen({ url }: Product, owner: string) {
  const seen: Record<string, unknown> = {};
  for (const path of [
    "/v1/apikeys?page_size=100",
    "/v1/apikey_groups",
    "/v1/history?page_size=100",
    `/v1/usage?by=key&${DAYS}`,
    "/v1/models",
    "/v1/models/changes",
  ]) {
    const { status, body } = await callAt(url, "GET", path, { key: owner });
    expect(status, path).toBe(200);
    seen[path] = body;
  }
  return seen;
}

/** A product with an account, a group, and keys that spend. */
let product: Product;
let dataDir: string;
let owner: string;
let keys: string[];
/** A backup of it. */
let file: string;
/** The name of a database with one account. Tests get copies. */
let withAccount: string;
const post = (path: string, body: object) => callAt(product.url, "POST", path, { key: owner, body });

beforeAll(async () => {
  dataDir = await newDataFolder();
  product = await startProduct({ env: { DATA_DIR: dataDir } });
  owner = answerOf(await command("account-create", { DATA_DIR: dataDir }, "--email", "a@example.com")).apikey;
  const { body: group } = await post("/v1/apikey_groups", {
    name: "知识库 \\. \t 'quoted'",
    description: "two\nlines\\",
  });
  await post("/v1/models", { models: [{ name: "own", aliases: ["o"], input_price: 1, output_price: 2 }] });
  const input = "name,input_price,output_price\noperators,1,2\n";
  answerOf(await runToEnd("models-import", ["-"], { env: { DATA_DIR: dataDir }, input }));
  keys = [];
  for (let n = 0; n < 5; n++) {
    const { body } = await post("/v1/apikeys", { name: `key ${n}`, budget: 1_000_000, group_id: group.id });
    keys.push(body.apikey);
  }
  await spend();
  file = join(await newFolder(), "some.backup");
  answerOf(await command("backup", { DATA_DIR: dataDir }, file));
  const DATABASE_URL = await newDatabase();
  const other = { DATABASE_URL, DATA_DIR: await newFolder() };
  answerOf(await command("account-create", other, "--email", "kept@example.com"));
  withAccount = new URL(DATABASE_URL).pathname.slice(1);
});
afterAll(async () => {
  if (product?.process.exitCode === null) await product.stop();
});

async function spend(): Promise<void> {
  for (const apikey of keys) {
    const { body } = await post("/v1/authorizations", { apikey, amount: 10 });
    const captured = await post(`/v1/authorizations/${body.authorization_id}/capture`, { amount: 0.123456789 });
    expect(captured.status).toBe(200);
    await post("/v1/authorizations", { apikey, amount: 1, request_id: "still open" });
  }
}

describe("npm run backup and npm run restore", () => {
  test("from the embedded database to an external one and back, with the same file: all is as it was", async () => {
    const file = join(await newFolder(), "all.backup");
    const before = await whatIsSeen(product, owner);
    const made = answerOf(await command("backup", { DATA_DIR: dataDir }, file));
    expect(made).toEqual({ file, rows: expect.any(Number), bytes: (await stat(file)).size, auth_secret: "included" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const secret = await readFile(join(dataDir, "auth-secret"), "utf8");
    const externalUrl = await newDatabase();
    const external = { DATABASE_URL: externalUrl, DATA_DIR: await newFolder() };
    const restored = { rows: made.rows, made_at: expect.any(String), auth_secret: "restored" };
    expect(answerOf(await command("restore", external, file))).toEqual(restored);
    expect(await readFile(join(external.DATA_DIR, "auth-secret"), "utf8")).toBe(secret);
    expect(answerOf(await command("audit-books", external)).differences).toBe(0);

    const again = join(await newFolder(), "again.backup");
    expect(answerOf(await command("backup", external, again))).toMatchObject({ rows: made.rows });
    const embedded = { DATA_DIR: await newFolder() };
    expect(answerOf(await command("restore", embedded, again))).toEqual(restored);
    expect(answerOf(await command("audit-books", embedded)).differences).toBe(0);

    for (const env of [external, embedded]) {
      const other = await startProduct({ env });
      try {
        expect(await whatIsSeen(other, owner)).toEqual(before);
        // The restored product goes on: values of keys work, and its books stay in order.
        for (const apikey of keys) {
          const { body } = await callAt(other.url, "POST", "/v1/authorizations", {
            key: owner,
            body: { apikey, amount: 2 },
          });
          expect(body.allowed).toBe(true);
        }
        const created = await callAt(other.url, "POST", "/v1/apikeys", { key: owner, body: { name: "new" } });
        expect(created.status).toBe(201);
      } finally {
        await other.stop();
      }
      expect(answerOf(await command("audit-books", env)).differences).toBe(0);
    }
  });

  test("while the server takes captures: the books of the backup are in order", async () => {
    const file = join(await newFolder(), "under-load.backup");
    let stopped = false;
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!stopped) await spend();
      }),
    );
    const made = await command("backup", { DATA_DIR: dataDir }, file).finally(() => {
      stopped = true;
    });
    await load;
    answerOf(made);
    const env = { DATABASE_URL: await newDatabase(), DATA_DIR: await newFolder() };
    answerOf(await command("restore", env, file));
    const books = answerOf(await command("audit-books", env));
    expect(books.differences).toBe(0);
    expect(books.keys).toBeGreaterThan(5);
  });
});

describe("what is refused changes nothing", () => {
  let env: { DATABASE_URL: string; DATA_DIR: string };
  beforeAll(async () => {
    env = { DATABASE_URL: await newDatabase(withAccount), DATA_DIR: await newFolder() };
  });
  afterEach(async () => {
    const { rows } = await inDatabase(env.DATABASE_URL, (client) => client.query("SELECT email FROM account"));
    expect(rows).toEqual([{ email: "kept@example.com" }]);
  });

  test("a backup in the place of another file", async () => {
    const before = await readFile(file);
    const { code, stdout, stderr } = await command("backup", { DATA_DIR: dataDir }, file);
    expect([code, stdout, stderr.trim()]).toEqual([1, "", "there is a file of this name already; no backup was made"]);
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  test("a backup in the place of another file, before the database is asked", async () => {
    const away = { DATABASE_URL: "postgresql://allowance:none@127.0.0.1:1/allowance", DATA_DIR: env.DATA_DIR };
    const { code, stderr } = await command("backup", away, file);
    expect([code, stderr.trim()]).toEqual([1, "there is a file of this name already; no backup was made"]);
  });

  test.each(["EPERM", "ENOTSUP"])(
    "a backup in the place of another file where there are no links (%s)",
    async (code) => {
      const fault = `import { promises } from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      promises.link = async () => { throw Object.assign(new Error(), { code: "${code}", path: "draft" }); };
      syncBuiltinESMExports();`;
      const withoutLinks = {
        DATA_DIR: dataDir,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
      };
      const refused = await command("backup", withoutLinks, file);
      expect([refused.code, refused.stderr.trim()]).toEqual([
        1,
        "there is a file of this name already; no backup was made",
      ]);
      const folder = await newFolder();
      answerOf(await command("backup", withoutLinks, join(folder, "some.backup")));
      expect(await readdir(folder)).toEqual(["some.backup"]);
      const other = { DATABASE_URL: await newDatabase(), DATA_DIR: await newFolder() };
      answerOf(await command("restore", other, join(folder, "some.backup")));
    },
  );

  test.each(["backup", "restore"])("%s with a folder in the place of a file", async (name) => {
    const folder = await newFolder();
    const { code, stdout, stderr } = await command(name, env, folder);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^FILE: is a folder, and no file; usage: /)]);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each(["backup", "restore"])("%s with - in the place of a file", async (name) => {
    const INIT_CWD = await newFolder();
    const { code, stdout, stderr } = await command(name, { ...env, INIT_CWD }, "-");
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^FILE: must be the path of a file, /)]);
    expect(await readdir(INIT_CWD)).toEqual([]);
  });

  test("a backup into a folder that does not exist", async () => {
    const missing = join(await newFolder(), "missing", "some.backup");
    const { code, stderr } = await command("backup", { DATA_DIR: dataDir }, missing);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^no backup was made: .*ENOENT/)]);
  });

  test("a restore over accounts, unless told", async () => {
    const { code, stdout, stderr } = await command("restore", env, file);
    expect([code, stdout, stderr.trim()]).toEqual([
      1,
      "",
      "the database has accounts (1), which would be lost; nothing was changed. --overwrite replaces them",
    ]);
  });

  test("a restore into the database of another program, unless told", async () => {
    const DATABASE_URL = await newDatabase();
    const tables = ["a_customer", "b_order", "c_invoice", "d_payment", "e_address", "f_note"];
    await inDatabase(DATABASE_URL, (client) =>
      client.query(tables.map((name) => `CREATE TABLE ${name} (id int); INSERT INTO ${name} VALUES (1);`).join("")),
    );
    const { code, stdout, stderr } = await command("restore", { ...env, DATABASE_URL }, file);
    const named = `${tables.slice(0, 5).join(", ")} and 1 more`;
    expect([code, stdout, stderr.trim()]).toEqual([
      1,
      "",
      `the database has tables of another program (${named}), which would be lost; nothing was changed. --overwrite replaces them`,
    ]);
    const { rows } = await inDatabase(DATABASE_URL, (client) => client.query("SELECT id FROM f_note"));
    expect(rows).toEqual([{ id: 1 }]);
    answerOf(await command("restore", { ...env, DATABASE_URL }, file, "--overwrite"));
  });

  test("a restore of a damaged file, cut off or altered", async () => {
    const copy = join(await newFolder(), "damaged.backup");
    const whole = await readFile(file);
    const altered = Buffer.from(whole);
    altered[whole.length >> 1] = (altered[whole.length >> 1] as number) ^ 1;
    for (const damaged of [whole.subarray(0, whole.length - 20), whole.subarray(0, whole.length >> 1), altered]) {
      await writeFile(copy, damaged);
      const { code, stderr } = await command("restore", env, copy, "--overwrite");
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^the backup is damaged: .*; nothing was changed/)]);
    }
    await writeFile(copy, "no backup");
    expect((await command("restore", env, copy, "--overwrite")).stderr.trim()).toBe(
      "this is no backup; nothing was changed",
    );
  });

  test("a restore whose secret cannot be kept", async () => {
    const isFile = join(await newFolder(), "file");
    await writeFile(isFile, "");
    const DATABASE_URL = await newDatabase();
    const { code, stderr } = await command("restore", { DATABASE_URL, DATA_DIR: join(isFile, "data") }, file);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR: .*: ENOTDIR; nothing was changed. Set/)]);
    const tables = await inDatabase(DATABASE_URL, (client) =>
      client.query("SELECT FROM pg_tables WHERE schemaname = 'public'"),
    );
    expect(tables.rowCount).toBe(0);
  });

  test.each(["", "?application_name=keys", "?sslmode=disable&application_name=keys&keepalives=1"])(
    "a restore while a server uses the database, with %j behind its address",
    async (parameters) => {
      const other = await startProduct({ env: { ...env, DATABASE_URL: `${env.DATABASE_URL}${parameters}` } });
      try {
        const { code, stderr } = await command("restore", env, file, "--overwrite");
        expect([code, stderr.trim()]).toEqual([1, "a server uses the database; stop it first. Nothing was changed"]);
      } finally {
        await other.stop();
      }
      const embedded = await command("restore", { DATA_DIR: dataDir }, file, "--overwrite");
      expect([embedded.code, embedded.stderr]).toEqual([1, expect.stringContaining("another Allowance server uses")]);
    },
  );

  test.each([
    [[], /^FILE: required; usage: /],
    [["a", "b"], /^too many words; /],
    [["--overwritten", "a"], /^--overwritten: unknown option; did you mean --overwrite\?; usage: /],
  ])("a command line that cannot be understood: %o", async (args, message) => {
    const { code, stderr } = await command("restore", env, ...args);
    expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(message)]);
  });
});

test("a restore that may overwrite replaces everything", async () => {
  const env = { DATABASE_URL: await newDatabase(withAccount), DATA_DIR: await newFolder() };
  answerOf(await command("restore", env, file, "--overwrite"));
  const { rows } = await inDatabase(env.DATABASE_URL, (client) => client.query("SELECT email FROM account"));
  expect(rows).toEqual([{ email: "a@example.com" }]);
});

test("what is restored is there when a step after it fails, and the command says so", async () => {
  const MIGRATION_DATABASE_URL = await newDatabase();
  const noRole = new URL(MIGRATION_DATABASE_URL);
  noRole.username = "nobody_of_this_name";
  const env = { DATABASE_URL: noRole.href, MIGRATION_DATABASE_URL, DATA_DIR: await newFolder() };
  const { code, stderr } = await command("restore", env, file);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/; the backup is in the database, and a start does what/)]);
  const { rows } = await inDatabase(MIGRATION_DATABASE_URL, (client) => client.query("SELECT email FROM account"));
  expect(rows).toEqual([{ email: "a@example.com" }]);
  expect((await stat(join(env.DATA_DIR, "auth-secret"))).mode & 0o777).toBe(0o600);
});

test("a secret that cannot take its place after the restore is kept beside it, and the rest is done", async () => {
  const env = { DATABASE_URL: await newDatabase(), DATA_DIR: await newFolder() };
  const taken = join(env.DATA_DIR, "auth-secret");
  await mkdir(taken);
  const { code, stderr } = await command("restore", env, file);
  const [draft = ""] = (await readdir(env.DATA_DIR)).filter((name) => name !== "auth-secret");
  const kept = join(env.DATA_DIR, draft);
  expect([code, stderr]).toEqual([
    1,
    `the backup is in the database, but its AUTH_SECRET could not be put into ${taken} (EISDIR); it is in ${kept}: ` +
      "rename that file, or set AUTH_SECRET to what it holds\n",
  ]);
  expect(await readFile(kept, "utf8")).toBe(await readFile(join(dataDir, "auth-secret"), "utf8"));
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  // A table that nobody has analyzed has -1.
  const { rows } = await inDatabase(env.DATABASE_URL, (client) =>
    client.query("SELECT reltuples FROM pg_class WHERE oid = 'account'::regclass"),
  );
  expect(rows).toEqual([{ reltuples: 1 }]);
});

test("a restore whose connection breaks at the end does not say that nothing was changed", async () => {
  const url = await newDatabase();
  const DATA_DIR = await newFolder();
  const broken = await command("restore", { DATABASE_URL: await wayThatLoses("answer", url), DATA_DIR }, file);
  expect([broken.code, broken.stderr]).toEqual([
    1,
    "the connection to the database broke at the end, so either all of the backup was restored or none of it; " +
      "restore it again with --overwrite\n",
  ]);
  expect(await readdir(DATA_DIR)).toEqual([]);
  const again = await command("restore", { DATABASE_URL: url, DATA_DIR }, file, "--overwrite");
  expect(answerOf(again).auth_secret).toBe("restored");
});

describe("interrupted", () => {
  /** As Ctrl-C under npm, which hands on the signal that the terminal has sent already. */
  const interrupt = async (child: ChildProcess, signal: "SIGINT" | "SIGHUP" = "SIGINT") => {
    const closed = once(child, "close");
    child.kill(signal);
    await delay(5);
    child.kill(signal);
    expect(await closed).toEqual([null, signal]);
  };

  test.each(["SIGINT", "SIGHUP"] as const)(
    "by %s, a backup leaves no part of the file, which would hold secrets",
    async (signal) => {
      const target = await newFolder();
      const env = { DATABASE_URL: await newDatabase(withAccount), DATA_DIR: await newFolder() };
      await inDatabase(env.DATABASE_URL, async (client) => {
        await client.query("BEGIN; LOCK TABLE account");
        const child = run("backup", [join(target, "some.backup")], { env });
        await expect.poll(() => readdir(target)).toEqual([expect.stringMatching(/^some\.backup\.\d+\.part$/)]);
        await interrupt(child, signal);
      });
      expect(await readdir(target)).toEqual([]);
    },
  );

  test("a restore leaves no draft of the secret", async () => {
    const DATABASE_URL = await wayThatLoses("COMMIT", await newDatabase());
    const DATA_DIR = await newFolder();
    const child = run("restore", [file], { env: { DATABASE_URL, DATA_DIR } });
    await expect.poll(() => readdir(DATA_DIR)).toEqual([expect.stringMatching(/^auth-secret\.\d+$/)]);
    await interrupt(child);
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  test("a command stops the embedded PostgreSQL that it has started", async () => {
    const dir = await newDataFolder();
    // Nobody writes into it, so the command waits.
    const pipe = join(await newFolder(), "pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    const child = run("restore", [pipe], { env: { DATA_DIR: dir } });
    const lockFile = () => readFile(join(dir, "postgres", "postmaster.pid"), "utf8").catch(() => "");
    await expect.poll(lockFile).toMatch(/\bready\b/);
    await interrupt(child);
    expect(await lockFile()).toBe("");
  });
});

test("the way of a secret that the environment gives", async () => {
  const file = join(await newFolder(), "no-secret.backup");
  const AUTH_SECRET = "a secret of the environment, long enough for all";
  const made = await command("backup", { DATA_DIR: dataDir, AUTH_SECRET }, file);
  expect(answerOf(made).auth_secret).toBe("missing");
  expect(made.stderr).toBe(
    "AUTH_SECRET is not in the backup, because it is not kept in DATA_DIR; keep it beside the backup\n",
  );
});

test("a backup of a data folder that has lost its secret says so", async () => {
  const env = { DATABASE_URL: await newDatabase(withAccount), DATA_DIR: await newFolder() };
  const secret = join(env.DATA_DIR, "auth-secret");
  await writeFile(secret, "");
  const made = await command("backup", env, join(await newFolder(), "some.backup"));
  expect(answerOf(made).auth_secret).toBe("missing");
  expect(made.stderr).toContain(
    `AUTH_SECRET is not in the backup, because ${secret} has lost the secret; set AUTH_SECRET`,
  );
});
