import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { type Cluster, prepareCluster } from "@/server/db/cluster";
import { openEmbedded } from "@/server/db/embedded";
import { findPostmaster, startPostmaster, stopPostmaster } from "@/server/db/postmaster";
import { complaintsIn, GATEWAY_TOKEN, type Product, runToEnd, startProduct, temporaryFolder } from "../product";
import { superuserUrl } from "../superuser";
import { callAt } from "./client";
import { linesOf } from "./command";

const silent = pino({ level: "silent" });
type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => {})));
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  clients.push(client);
  return client;
}

async function accountBy(env: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await runToEnd("account-create", ["--email", `${Date.now()}@example.com`], { env });
  return JSON.parse(stdout || stderr).apikey;
}

/** Spends with a new key, so that every table of the hot path is written. */
async function spend({ url }: Product, key: string): Promise<void> {
  const { body: group } = await callAt(url, "POST", "/v1/apikey_groups", { key, body: { name: `g ${Date.now()}` } });
  const body = { name: "k", group_id: group.group_id, budget: 9 };
  const { apikey } = (await callAt(url, "POST", "/v1/apikeys", { key, body })).body;
  const held = await callAt(url, "POST", "/v1/authorizations", { key, body: { apikey, amount: 2 } });
  const path = `/v1/authorizations/${held.body.authorization_id}/capture`;
  expect((await callAt(url, "POST", path, { key, body: { amount: 1 } })).status).toBe(200);
}

/** The line of the doctor for a check. */
async function examined(env: Record<string, string>, check: string) {
  return linesOf(await runToEnd("doctor", [], { env })).find((line) => line.check === check);
}

/** How many things of the schema a role owns: tables, indexes and functions, but not what belongs to an extension. */
async function ownedBy(client: Client, role: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
        SELECT oid, 'pg_class'::regclass AS catalog FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND pg_get_userbyid(relowner) = $1
        UNION ALL SELECT oid, 'pg_proc'::regclass FROM pg_proc
          WHERE pronamespace = 'public'::regnamespace AND pg_get_userbyid(proowner) = $1
      ) AS thing
      WHERE NOT EXISTS (SELECT FROM pg_depend WHERE objid = oid AND classid = catalog AND deptype = 'e')`,
    [role],
  );
  return rows[0]?.count ?? 0;
}

describe("the embedded PostgreSQL", () => {
  const SECRET = "a secret that PostgreSQL must not have";
  let folder: Folder;
  let product: Product;
  /** The address with which the product itself works. */
  let serviceUrl: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const env = { DATA_DIR: folder.path, AUTH_SECRET: SECRET, GATEWAY_TOKENS: GATEWAY_TOKEN, LOG_LEVEL: "warn" };
    product = await startProduct({ env });
    const embedded = await openEmbedded(folder.path, "command", silent);
    await embedded.close();
    serviceUrl = embedded.url;
  });
  afterAll(async () => {
    await product.stop();
    await folder.remove();
  });

  test.runIf(process.platform === "linux")("has nothing of the process in its environment", async () => {
    const pid = await findPostmaster(await prepareCluster(folder.path, silent));
    expect((await readFile(`/proc/${pid}/cmdline`, "utf8")).includes(folder.path)).toBe(true);
    const environment = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0").filter(Boolean);
    expect(environment).toEqual(["MALLOC_TOP_PAD_=524288", "MALLOC_TRIM_THRESHOLD_=2097152"]);
  });

  test("is served by a role that owns nothing and has no power over roles and databases", async () => {
    await spend(product, await accountBy({ DATA_DIR: folder.path }));
    const superuser = await connect(await superuserUrl(folder.path));
    const { rows: connections } = await superuser.query(
      "SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name LIKE 'allowance%'",
    );
    expect(connections).toEqual([{ usename: "allowance_service" }]);
    const { rowCount: owned } = await superuser.query(
      `SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND deptype = 'o'
        AND refobjid = 'allowance_service'::regrole`,
    );
    expect(owned).toBe(0);
    expect(await ownedBy(superuser, "allowance")).toBe(0);
    const { rows: roles } = await superuser.query(
      `SELECT DISTINCT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS can
        FROM pg_roles WHERE rolname IN ('allowance_owner', 'allowance_service')`,
    );
    expect(roles).toEqual([{ can: false }]);
    const { rowCount: memberships } = await superuser.query(
      "SELECT FROM pg_auth_members WHERE member IN ('allowance_owner'::regrole, 'allowance_service'::regrole)",
    );
    expect(memberships).toBe(0);
  });

  test.each([
    ["read a file", "SELECT pg_read_file('PG_VERSION')"],
    ["read a file into a table", "COPY account FROM '/etc/passwd'"],
    ["run a program", "COPY account TO PROGRAM 'true'"],
    ["make a role", "CREATE ROLE another"],
    ["make a database", "CREATE DATABASE another"],
    ["make a schema", "CREATE SCHEMA another"],
    ["make a table", "CREATE TABLE another (n int)"],
    ["make a temporary table", "CREATE TEMPORARY TABLE another (n int)"],
    ["make a function", "CREATE FUNCTION another() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
    ["make an extension", "CREATE EXTENSION dblink"],
    ["become the superuser", "SET ROLE allowance"],
    ["become the owner", "SET ROLE allowance_owner"],
    ["make itself a superuser", "ALTER ROLE allowance_service SUPERUSER"],
    ["change the password of the superuser", "ALTER ROLE allowance PASSWORD 'x'"],
    ["read the hashes of the roles' passwords", "SELECT * FROM pg_authid"],
    ["switch the triggers off", "SET session_replication_role = replica"],
    ["take the trigger of the ledger away", "ALTER TABLE ledger DISABLE TRIGGER ledger_append_only"],
    ["drop a table", "DROP TABLE event"],
    ["empty the ledger", "TRUNCATE ledger"],
    ["change the ledger", "UPDATE ledger SET amount = 0"],
    ["shorten the ledger", "DELETE FROM ledger"],
    ["write past the ledger", "INSERT INTO ledger_other SELECT * FROM ledger"],
    ["forget the last days of the ledger", "SELECT drop_ledger_partition((now() - interval '31 days')::date)"],
    ["read the history of migrations", "SELECT * FROM _prisma_migrations"],
    ["change a setting of PostgreSQL", "ALTER SYSTEM SET log_statement = 'all'"],
  ])("does not let that role %s", async (_, sql) => {
    const client = await connect(serviceUrl);
    // insufficient_privilege, or restrict_violation from our own functions.
    await expect(client.query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|23001)$/) });
  });

  test("does not let that role connect to another database, nor with another role's password", async () => {
    const service = new URL(serviceUrl);
    await expect(connect(Object.assign(new URL(service), { pathname: "/template1" }).href)).rejects.toMatchObject({
      code: "42501",
    });
    const superuser = new URL(await superuserUrl(folder.path));
    for (const password of ["", service.password]) {
      await expect(connect(Object.assign(new URL(superuser), { password }).href)).rejects.toThrow();
    }
  });

  test("serves the commands too", async () => {
    const env = { DATA_DIR: folder.path };
    const seeded = await runToEnd("seed", ["--keys", "20", "--groups", "2"], { env });
    expect([seeded.code, seeded.stderr]).toEqual([0, ""]);
    const { email } = JSON.parse(seeded.stdout);
    expect((await runToEnd("account-recover", ["--email", email], { env })).code).toBe(0);
    const audited = await runToEnd("audit-books", [], { env });
    expect([audited.stderr, JSON.parse(audited.stdout).differences]).toEqual(["", 0]);
  });
});

describe("a database that was made before there were roles", () => {
  let folder: Folder;
  let cluster: Cluster;
  let superuser: Client;
  let key: string;
  const running: Product[] = [];

  // As the earlier version left it: the superuser owns all.
  beforeEach(async () => {
    folder = await temporaryFolder();
    cluster = await prepareCluster(folder.path, silent);
    await startPostmaster(cluster);
    const url = await superuserUrl(folder.path);
    await expect
      .poll(() =>
        connect(url).then(
          () => "up",
          () => "down",
        ),
      )
      .toBe("up");
    superuser = await connect(url);
    key = await accountBy({ DATABASE_URL: url });
    expect(await ownedBy(superuser, "allowance")).toBeGreaterThan(50);
  });
  afterEach(async () => {
    for (const product of running.splice(0)) await product.stop();
    await stopPostmaster(cluster);
    await folder.remove();
  });

  const start = async () => {
    const product = await startProduct({ env: { DATA_DIR: folder.path } });
    running.push(product);
    return product;
  };

  test("is given to its owner at the start, and keeps everything", async () => {
    const product = await start();
    await spend(product, key);
    expect(await ownedBy(superuser, "allowance")).toBe(0);
    expect(await ownedBy(superuser, "allowance_owner")).toBeGreaterThan(50);
    expect((await superuser.query("SELECT FROM account")).rowCount).toBe(1);
  });

  test("is left as it was by a start that is killed in between; the next one does it", async () => {
    const reader = await connect(await superuserUrl(folder.path));
    // The transaction of the start has changed some tables already when it waits for this one.
    await reader.query("BEGIN; LOCK TABLE two_factor IN ACCESS SHARE MODE");
    const started = start();
    const waiting = async () =>
      (await superuser.query("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DO %'"))
        .rows;
    await expect.poll(waiting).toHaveLength(1);
    const [{ pid }] = await waiting();
    // Its end is that of a process that is killed: PostgreSQL undoes the transaction of a lost connection.
    await superuser.query("SELECT pg_terminate_backend($1::int)", [pid]);
    await expect.poll(waiting).toHaveLength(1);
    expect(await ownedBy(superuser, "allowance")).toBeGreaterThan(50);
    expect((await superuser.query("SELECT FROM pg_roles WHERE rolname LIKE 'allowance\\_%'")).rowCount).toBe(0);
    await reader.query("COMMIT");
    await started;
    expect(await ownedBy(superuser, "allowance")).toBe(0);
  });
});

describe("DATABASE_URL with MIGRATION_DATABASE_URL", () => {
  const NAME = "two_roles";
  const OTHER = "two_roles_other";
  let admin: Client;
  const urlFor = (role: string, database = NAME) =>
    Object.assign(new URL(inject("databaseUrl")), { username: role, password: "x", pathname: `/${database}` }).href;
  const dropAll = () =>
    [
      ...[NAME, OTHER].map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
      "DROP ROLE IF EXISTS outer_owner, outer_service, outer_reader",
    ].reduce((done, sql) => done.then(() => admin.query(sql)), Promise.resolve<unknown>(undefined));
  beforeAll(async () => {
    admin = new Client({ connectionString: inject("databaseUrl") });
    await admin.connect();
    await dropAll();
    await admin.query("CREATE ROLE outer_owner LOGIN PASSWORD 'x'");
    await admin.query("CREATE ROLE outer_service LOGIN PASSWORD 'x'");
    await admin.query("CREATE ROLE outer_reader LOGIN PASSWORD 'x'");
    await admin.query(`CREATE DATABASE ${NAME} OWNER outer_owner`);
    await admin.query(`CREATE DATABASE ${OTHER} OWNER outer_owner`);
  });
  afterAll(async () => {
    await dropAll();
    await admin.end();
  });

  test("migrates with the one and serves with the other, which gets its privileges from the first", async () => {
    const env = { DATABASE_URL: urlFor("outer_service"), MIGRATION_DATABASE_URL: urlFor("outer_owner") };
    const key = await accountBy(env);
    const product = await startProduct({ env });
    const owner = await connect(env.MIGRATION_DATABASE_URL);
    try {
      await spend(product, key);
      // A partition that is made while the role serves is none that it lacks rights on.
      const partitions = () => owner.query("SELECT FROM pg_class WHERE relname ~ '^ledger_\\d{8}$'");
      await expect.poll(async () => (await partitions()).rowCount, { timeout: 20_000 }).toBeGreaterThan(1);
      expect(await examined(env, "rights")).toEqual({
        check: "rights",
        state: "ok",
        found: "outer_service serves, and another role owns the tables",
        todo: null,
      });
    } finally {
      await product.stop();
    }
    expect([await ownedBy(owner, "outer_service"), await ownedBy(owner, "outer_owner")]).toEqual([
      0,
      expect.any(Number),
    ]);
    const service = await connect(env.DATABASE_URL);
    await expect(service.query("DROP TABLE account")).rejects.toMatchObject({ code: "42501" });
    expect(complaintsIn(product.output(), 50)).toEqual([]);
  });

  test("with a role that only reads, says what is missing and what to do", async () => {
    const env = { DATABASE_URL: urlFor("outer_service"), MIGRATION_DATABASE_URL: urlFor("outer_owner") };
    expect((await runToEnd("migrate", [], { env })).code).toBe(0);
    const owner = await connect(env.MIGRATION_DATABASE_URL);
    await owner.query("GRANT SELECT ON ALL TABLES IN SCHEMA public TO outer_reader");
    const reading = { DATABASE_URL: urlFor("outer_reader"), PORT: "0", LOG_LEVEL: "silent" };
    const { code, stderr } = await runToEnd("main", [], { env: reading });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Allowance cannot start\. the role of the database may not do this \(permission denied for table \w+\); allowance doctor says which right is missing\n$/,
      ),
    ]);
    expect(await examined(reading, "rights")).toEqual({
      check: "rights",
      state: "failed",
      found: expect.stringMatching(
        /^the role outer_reader does not own the tables, which belong to outer_owner, and cannot serve without GRANT \w+ ON .+ TO outer_reader$/,
      ),
      todo: "let MIGRATION_DATABASE_URL name the role that owns the tables",
    });
  });

  test("with the serving role alone, says whose the tables are and which setting is missing", async () => {
    const env = { DATABASE_URL: urlFor("outer_service"), MIGRATION_DATABASE_URL: urlFor("outer_owner") };
    expect((await runToEnd("migrate", [], { env })).code).toBe(0);
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const alone = { env: { DATABASE_URL: env.DATABASE_URL, DATA_DIR: folder.path, PORT: "0" } };
    const fault = "the role outer_service does not own the tables, which belong to outer_owner";
    const todo = "let MIGRATION_DATABASE_URL name the role that owns the tables";
    const failed = async (name: string, ...args: string[]) => {
      const { code, stderr } = await runToEnd(name, args, alone);
      return [code, stderr];
    };
    expect(await failed("main")).toEqual([1, `Allowance cannot start. ${fault}; ${todo}\n`]);
    expect(await failed("account-list")).toEqual([1, `nothing was listed: ${fault}; ${todo}\n`]);
    expect(await failed("backup", "/nowhere.backup")).toEqual([1, `no backup was made: ${fault}; ${todo}\n`]);
    const { code, stdout } = await runToEnd("doctor", [], alone);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, ...["migrations", "rights"].map((name) => lines.find(({ check }) => check === name))]).toEqual([
      1,
      { check: "migrations", state: "failed", found: fault, todo },
      { check: "rights", state: "warning", found: `${fault}, so the next version cannot change them`, todo },
    ]);
  });

  test("that lead to two databases are refused, and neither database is changed", async () => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const file = join(folder.path, "made.backup");
    const made = { DATABASE_URL: urlFor("outer_service"), MIGRATION_DATABASE_URL: urlFor("outer_owner") };
    expect((await runToEnd("migrate", [], { env: made })).code).toBe(0);
    expect((await runToEnd("backup", [file], { env: { ...made, DATA_DIR: folder.path } })).code).toBe(0);
    const MIGRATION_DATABASE_URL = urlFor("outer_owner", OTHER);
    const env = { DATABASE_URL: made.DATABASE_URL, MIGRATION_DATABASE_URL, DATA_DIR: folder.path, PORT: "0" };
    const fault = "MIGRATION_DATABASE_URL: leads to another database than DATABASE_URL";
    const failed = async (name: string, ...args: string[]) => {
      const { code, stderr } = await runToEnd(name, args, { env });
      return [code, stderr];
    };
    expect(await failed("main")).toEqual([78, `Allowance cannot start. ${fault}\n`]);
    expect(await failed("account-list")).toEqual([1, `${fault}\n`]);
    expect(await failed("backup", join(folder.path, "other.backup"))).toEqual([1, `${fault}\n`]);
    expect(await failed("restore", file, "--overwrite")).toEqual([1, `${fault}\n`]);
    const { code, stdout } = await runToEnd("doctor", [], { env });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/"rights","state":"failed","found":"[^"]*two databases/)]);
    const { rows } = await (await connect(MIGRATION_DATABASE_URL)).query(
      "SELECT FROM pg_tables WHERE schemaname = 'public'",
    );
    expect(rows).toEqual([]);
  });

  test("answers 503 while the serving role lacks a right, and serves when it has it again", async () => {
    const env = { DATABASE_URL: urlFor("outer_service"), MIGRATION_DATABASE_URL: urlFor("outer_owner") };
    const key = await accountBy(env);
    const product = await startProduct({ env });
    try {
      await spend(product, key);
      const owner = await connect(env.MIGRATION_DATABASE_URL);
      const calls = () =>
        Promise.all([
          callAt(product.url, "GET", "/v1/account", { key }),
          callAt(product.url, "POST", "/v1/apikey_groups", { key, body: { name: "later" } }),
          callAt(product.url, "POST", "/v1/authorizations", { key, body: { apikey: key, amount: 1 } }),
          callAt(product.url, "POST", "/api/auth/sign-in/email", { body: { email: "a@example.com", password: "x" } }),
        ]);
      await owner.query("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM outer_service");
      for (const { status, headers } of await calls()) expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
      await runToEnd("migrate", [], { env });
      expect((await calls()).map(({ status }) => status)).toEqual([200, 201, 200, 401]);
    } finally {
      await product.stop();
    }
  });
});
