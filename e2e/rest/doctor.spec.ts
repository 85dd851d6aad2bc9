import { existsSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { expect, inject, test } from "vitest";
import { runToEnd, temporaryFolder } from "../product";
import { database, newAccount } from "./client";
import { linesOf } from "./command";

const seeCauses = "see docs/operations.md#when-something-breaks";

test("beside a running server: one line a check; a setting that may lose captures fails, and says what to do", async () => {
  const url = new URL(inject("databaseUrl"));
  await database.pool.query(`CREATE ROLE careless LOGIN SUPERUSER PASSWORD 'careless';
    ALTER ROLE careless SET synchronous_commit = off`);
  const owners = [await newAccount(), await newAccount(), await newAccount()];
  const setZones = (zones: string[]) =>
    database.pool.query(
      "UPDATE account SET time_zone = zone FROM unnest($1::text[], $2::text[]) AS given(of, zone) WHERE id = of",
      [owners.map(({ account_id }) => account_id), zones],
    );
  await setZones(["asia/kathmandu", "CET", "CET"]);
  try {
    url.username = "careless";
    url.password = "careless";
    const finished = await runToEnd("doctor", [], { env: { DATABASE_URL: url.href, HOST: "127.0.0.1" } });
    expect([finished.code, finished.stderr]).toEqual([1, ""]);
    const lines = linesOf(finished);
    expect(lines.map(({ check }) => check)).toEqual([
      ...["configuration", "secret", "disk", "database", "version", "encoding", "writable", "pooler", "durability"],
      ...["connections", "migrations", "extensions", "rights", "clock", "time zones", "statistics", "instances"],
      ...["read replica", "distribution", "books"],
    ]);
    const found = (check: string) => lines.find((line) => line.check === check);
    for (const check of ["configuration", "database", "version", "encoding", "writable", "migrations", "clock"]) {
      expect(found(check)).toMatchObject({ state: "ok", todo: null });
    }
    expect(found("distribution")).toMatchObject({
      state: "ok",
      found: process.env.CITUS_URL ? "every table is where it belongs" : "all rows are on one PostgreSQL",
    });
    expect(found("durability")).toMatchObject({
      state: "failed",
      found: expect.stringContaining("synchronous_commit"),
      todo: expect.stringContaining("synchronous_commit = on"),
    });
    // The database takes CET for an abbreviation, of one offset all year.
    expect(found("time zones")).toMatchObject({
      state: "failed",
      found: expect.stringMatching(/^not known: (?!.*kathmandu).*\bCET\b/),
    });
    const [first] = [owners[1]?.email, owners[2]?.email].sort();
    expect(found("time zones")?.found).toContain(`CET (${first} and 1 more)`);
    expect(found("rights")).toMatchObject({ state: "warning", found: expect.stringContaining("superuser") });
    expect(found("instances")?.found).toMatch(/^servers: \d+ connections from 1 address/);
    expect(finished.stdout).not.toContain("careless:careless");
  } finally {
    await setZones(["UTC", "UTC", "UTC"]);
    await database.pool.query("DROP ROLE careless");
  }
});

test("without an account, it knows the time zone of new ones alone, and counts it as such", async () => {
  const url = new URL(inject("databaseUrl"));
  url.pathname = "/without_accounts";
  await database.pool.query("CREATE DATABASE without_accounts");
  try {
    const lines = linesOf(await runToEnd("doctor", [], { env: { DATABASE_URL: url.href } }));
    expect(lines.find(({ check }) => check === "time zones")).toMatchObject({
      state: "ok",
      found: "1 of accounts and of new accounts, all known",
    });
  } finally {
    await database.pool.query("DROP DATABASE without_accounts");
  }
});

test("one key and one connection are told as one", async () => {
  const url = Object.assign(new URL(inject("databaseUrl")), { pathname: "/of_one" }).href;
  const env = { DATABASE_URL: url };
  await database.pool.query("CREATE DATABASE of_one ENCODING 'UTF8' TEMPLATE template0");
  const client = new Client({ connectionString: url, application_name: "allowance" });
  try {
    expect((await runToEnd("account-create", ["--email", "owner@example.com"], { env })).code).toBe(0);
    await client.connect();
    const lines = linesOf(await runToEnd("doctor", [], { env }));
    const found = (name: string) => lines.find(({ check }) => check === name)?.found;
    expect(found("instances")).toBe("servers: 1 connection from 1 address");
    expect(found("books")).toBe("in order: 1 key, 0 authorizations");
  } finally {
    await client.end();
    await database.pool.query("DROP DATABASE of_one WITH (FORCE)");
  }
});

test("an empty database: says whether the role may make the tables, and asks for no index of tables that are not there", async () => {
  const url = Object.assign(new URL(inject("databaseUrl")), {
    pathname: "/of_nobody",
    username: "newcomer",
    password: "x",
  });
  const env = { DATABASE_URL: url.href };
  await database.pool.query("CREATE ROLE newcomer LOGIN PASSWORD 'x'");
  await database.pool.query("CREATE DATABASE of_nobody ENCODING 'UTF8' TEMPLATE template0");
  const examine = async () => {
    const lines = linesOf(await runToEnd("doctor", [], { env }));
    return ["extensions", "rights"].map((name) => lines.find(({ check }) => check === name));
  };
  try {
    const todo = "as a superuser: ALTER DATABASE of_nobody OWNER TO newcomer";
    expect(await examine()).toMatchObject([
      { state: "ok", todo: null },
      { state: "failed", found: "newcomer may not make the tables", todo },
    ]);
    const sentence = `newcomer may not make the tables; ${todo}`;
    expect((await runToEnd("migrate", [], { env })).stderr).toBe(`nothing was migrated: ${sentence}\n`);
    const { code, stderr } = await runToEnd("main", [], { env: { ...env, PORT: "0" } });
    expect([code, stderr]).toEqual([1, `Allowance cannot start. ${sentence}\n`]);
    await database.pool.query("ALTER DATABASE of_nobody OWNER TO newcomer");
    expect(await examine()).toMatchObject([{ state: "ok" }, { state: "ok" }]);
    expect((await runToEnd("migrate", [], { env })).code).toBe(0);
    expect(await examine()).toMatchObject([{ state: "ok" }, { state: "ok" }]);
  } finally {
    await database.pool.query("DROP DATABASE of_nobody WITH (FORCE)");
    await database.pool.query("DROP ROLE newcomer");
  }
});

test("a database of another program: says so, and nothing is made in it", async () => {
  const url = Object.assign(new URL(inject("databaseUrl")), { pathname: "/of_another" });
  const env = { DATABASE_URL: url.href, PORT: "0" };
  await database.pool.query("CREATE DATABASE of_another ENCODING 'UTF8' TEMPLATE template0");
  const inside = new Client({ connectionString: url.href });
  try {
    await inside.connect();
    await inside.query("CREATE TABLE account (id int); CREATE TABLE customer (id int)");
    const found = "the database is another program's, which has tables of the same names: account";
    const todo = "let DATABASE_URL name an empty database";
    const lines = linesOf(await runToEnd("doctor", [], { env }));
    expect(lines.find(({ check }) => check === "migrations")).toEqual({
      check: "migrations",
      state: "failed",
      found,
      todo,
    });
    const { code, stderr } = await runToEnd("main", [], { env });
    expect([code, stderr]).toEqual([1, `Allowance cannot start. ${found}; ${todo}\n`]);
    const { rows } = await inside.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname",
    );
    expect(rows.map(({ relname }) => relname)).toEqual(["account", "customer"]);
  } finally {
    await inside.end();
    await database.pool.query("DROP DATABASE of_another WITH (FORCE)");
  }
});

test.each([
  [
    "is wrong: its own setting is to be corrected",
    { pathname: "/none" },
    /"none" does not exist.*; correct DATABASE_READ_URL/,
  ],
  ["leads nowhere: the reason is found", { port: "1" }, /^the database cannot be reached/],
])("a read replica whose address %s", async (_, change, reason) => {
  const DATABASE_URL = inject("databaseUrl");
  const { href: DATABASE_READ_URL } = Object.assign(new URL(DATABASE_URL), change);
  const lines = linesOf(await runToEnd("doctor", [], { env: { DATABASE_URL, DATABASE_READ_URL } }));
  expect(lines.find(({ check }) => check === "read replica")).toMatchObject({
    state: "warning",
    found: expect.stringMatching(new RegExp(`${reason.source}; the primary answers meanwhile$`)),
    todo: seeCauses,
  });
});

test("a data folder that has lost its secret, or is none: it fails, and a start says the same", async () => {
  const folder = await temporaryFolder();
  const file = join(folder.path, "auth-secret");
  await writeFile(file, "");
  const secretIn = async (DATA_DIR: string) => {
    const finished = await runToEnd("doctor", [], { env: { DATABASE_URL: inject("databaseUrl"), DATA_DIR } });
    expect(finished.code).toBe(1);
    return linesOf(finished).find(({ check }) => check === "secret");
  };
  try {
    expect(await secretIn(folder.path)).toMatchObject({ state: "failed", found: `${file} has lost the secret` });
    const todoWithoutFile = "it must be a file in the folder that DATA_DIR names; correct that, or set AUTH_SECRET";
    expect(await secretIn(file)).toMatchObject({
      state: "failed",
      found: expect.stringMatching(/read: ENOTDIR$/),
      todo: todoWithoutFile,
    });
    const env = { DATABASE_URL: inject("databaseUrl"), DATA_DIR: folder.path, PORT: "0" };
    const { code, stderr } = await runToEnd("main", [], { env });
    const message = `Allowance cannot start. AUTH_SECRET: ${file} has lost the secret; set AUTH_SECRET to `;
    expect([code, stderr]).toEqual([78, expect.stringContaining(message)]);

    await writeFile(file, "hunter2");
    const short = `${file} is shorter than 32 characters`;
    const todo = "put a longer one there, or delete the file; both end all sessions and lose all second factors";
    expect(await secretIn(folder.path)).toMatchObject({ state: "failed", found: short, todo });
    const refused = await runToEnd("main", [], { env });
    expect([refused.code, refused.stderr]).toEqual([78, `Allowance cannot start. AUTH_SECRET: ${short}; ${todo}\n`]);

    await rm(file);
    await mkdir(file);
    expect(await secretIn(folder.path)).toMatchObject({
      state: "failed",
      found: `${file} cannot be read: EISDIR`,
      todo: todoWithoutFile,
    });
    const unread = await runToEnd("main", [], { env });
    const sentence = `Allowance cannot start. AUTH_SECRET: ${file} cannot be read: EISDIR; ${todoWithoutFile}\n`;
    expect([unread.code, unread.stderr]).toEqual([78, sentence]);
  } finally {
    await folder.remove();
  }
});

test("before the first start, a data folder that its user cannot make fails, as the start does", async () => {
  const folder = await temporaryFolder();
  // Root may write everywhere.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  try {
    await chmod(folder.path, 0o555);
    const DATA_DIR = join(folder.path, "made/by the start");
    const { code, stdout } = await runToEnd("doctor", [], { env: { DATA_DIR, HOST: "127.0.0.1" }, ...user });
    const verdict = {
      state: "failed",
      found: `DATA_DIR: ${DATA_DIR} cannot be made: ${folder.path}: EACCES`,
      todo: "make it for the user that serves, or set another DATA_DIR",
    };
    const findings = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(findings.filter(({ state }) => state !== "ok")).toEqual([
      { check: "secret", ...verdict },
      { check: "database", ...verdict },
    ]);
    expect(code).toBe(1);
    expect((await runToEnd("main", [], { env: { DATA_DIR, PORT: "0" }, ...user })).code).toBe(78);
  } finally {
    await folder.remove();
  }
});

test("before the first start it makes nothing; a database that is away fails", async () => {
  const folder = await temporaryFolder();
  try {
    const before = await runToEnd("doctor", [], { env: { DATA_DIR: folder.path } });
    expect(before.code).toBe(0);
    expect(linesOf(before).at(-1)).toMatchObject({ check: "database", state: "ok" });
    expect(existsSync(join(folder.path, "postgres"))).toBe(false);
  } finally {
    await folder.remove();
  }
  const away = await runToEnd("doctor", [], { env: { DATABASE_URL: "postgresql://a:b@127.0.0.1:1/c" } });
  expect(away.code).toBe(1);
  expect(linesOf(away).at(-1)).toMatchObject({ check: "database", state: "failed", todo: seeCauses });
  const wrong = await runToEnd("doctor", [], { env: { PORT: "many" } });
  expect([wrong.code, linesOf(wrong)]).toEqual([
    1,
    [expect.objectContaining({ check: "configuration", state: "failed", found: expect.stringMatching(/^PORT: /) })],
  ]);
});
