import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pino } from "pino";
import { describe, expect, inject, test } from "vitest";
import { auditBooks } from "@/server/authorizations/audit-queries";
import { prepareCluster } from "@/server/db/cluster";
import { stopPostmaster } from "@/server/db/postmaster";
import { Browser } from "../browser";
import { dataFolder } from "../data-folder";
import { type Finished, GATEWAY_TOKEN, runToEnd, temporaryFolder } from "../product";
import { call, database, newAccount, newGroup, newKey, rows } from "./client";

const env = { DATABASE_URL: inject("databaseUrl") };
const command = (name: string, ...args: string[]): Promise<Finished> => runToEnd(name, args, { env });
const failing = (DATABASE_URL: string) =>
  runToEnd("account-create", ["--email", "a@example.com"], { env: { DATABASE_URL } });
const answerOf = ({ code, stdout, stderr }: Finished) => {
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

/** An account as an operator makes it, with a password. */
async function newOwner() {
  const email = `${crypto.randomUUID()}@example.com`;
  return answerOf(await command("account-create", "--email", email)) as Record<
    "account_id" | "email" | "apikey" | "password",
    string
  >;
}

const authorize = (apikey: string) =>
  call("POST", "/v1/authorizations", { key: GATEWAY_TOKEN, body: { apikey, amount: 2 } });
const capture = (id: string, amount = 1) =>
  call("POST", `/v1/authorizations/${id}/capture`, { key: GATEWAY_TOKEN, body: { amount } });

describe("the command line", () => {
  test("says its version, which is that of package.json, and its commands", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await command("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const { code, stdout } = await command("--help");
    expect(code).toBe(0);
    for (const name of [
      "start",
      "account",
      "key",
      "gateway",
      "models",
      "audit",
      "backup",
      "restore",
      "doctor",
      "seed",
      "migrate",
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    }
    expect(stdout).toContain("$ npx allowance account create --email owner@example.com");
  });

  test.each([
    ["acount", /^acount: unknown command; did you mean account\?; usage: allowance /, []],
    ["migrate", /^--jsn: unknown option; did you mean --json\?; usage: allowance migrate/, ["--jsn"]],
    ["account-disable", /^ACCOUNT: required; usage: allowance account disable ACCOUNT/, []],
    ["models-import", /^FILE: required; usage: allowance models import FILE/, [""]],
    ["models-import", /^FILE: is a folder, and no file; usage: allowance models import FILE/, ["."]],
  ])("%s, used wrongly: one line that names the fault, exit 2", async (name, line, args) => {
    const { code, stdout, stderr } = await command(name, ...args);
    expect([code, stdout, stderr.trimEnd().split("\n")]).toEqual([2, "", [expect.stringMatching(line)]]);
  });

  test("migrate: nothing is missing in a database that is served", async () => {
    expect(answerOf(await command("migrate"))).toEqual({ applied: [], migrations: expect.any(Number) });
  });
});

describe("an output that nobody gets", () => {
  /** Runs a command whose output is lost: into a pipe that nobody reads, or onto a device that is always full. */
  async function losing(to: "pipe" | "/dev/full", ...args: string[]): Promise<[number | null, string]> {
    const stdout = to === "pipe" ? to : openSync(to, "w");
    const { PATH } = process.env;
    const child = spawn(process.execPath, [".build/allowance.js", ...args], {
      env: { PATH, NODE_ENV: "production", ...env },
      stdio: ["ignore", stdout, "pipe"],
    });
    if (stdout !== "pipe") closeSync(stdout);
    child.stdout?.destroy();
    let stderr = "";
    child.stderr?.on("data", (chunk) => (stderr += chunk));
    const [code] = await once(child, "close");
    return [code, stderr];
  }
  const secretLost = (code: string) =>
    `the output could not be written (${code}); the work is done, and the secret that is shown once is lost\n`;

  test("a secret in a closed pipe: one line, exit 1", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    expect(await losing("pipe", "account", "create", "--email", email)).toEqual([1, secretLost("EPIPE")]);
    expect((await command("account-list")).stdout).toContain(email);
  });

  test("a list in a closed pipe: nothing, exit 0", async () => {
    expect(await losing("pipe", "account", "list")).toEqual([0, ""]);
  });

  test("a pipe that is closed before the end does not leave the embedded database running", async () => {
    const folder = await dataFolder("durable");
    try {
      const child = spawn(process.execPath, [".build/allowance.js", "doctor"], {
        env: { PATH: process.env.PATH, NODE_ENV: "production", DATA_DIR: folder.path },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const closed = once(child, "close");
      for await (const line of createInterface(child.stdout)) if (JSON.parse(line).check === "database") break;
      child.stdout.destroy();
      expect(await closed).toEqual([0, null]);
      expect(existsSync(join(folder.path, "postgres/postmaster.pid"))).toBe(false);
    } finally {
      await stopPostmaster(await prepareCluster(folder.path, pino({ level: "silent" })));
      await folder.remove();
    }
  });

  test.runIf(existsSync("/dev/full"))("on a full disk: one line, exit 1", async () => {
    const { email } = await newOwner();
    expect(await losing("/dev/full", "key", "rotate-default", email)).toEqual([1, secretLost("ENOSPC")]);
    expect(await losing("/dev/full", "account", "list")).toEqual([
      1,
      "the output could not be written (ENOSPC); the work is done\n",
    ]);
  });
});

describe("a command that only reads", () => {
  test.each([
    ["audit-books", "nothing was audited"],
    ["backup", "no backup was made"],
  ])("%s: makes no database where there is none, and says that an empty one has no tables", async (name, outcome) => {
    const folder = await temporaryFolder();
    const url = new URL(inject("databaseUrl"));
    url.pathname = `/empty_${name.replace("-", "_")}`;
    const args = name === "backup" ? [join(folder.path, "some.backup")] : [];
    const dataDir = join(folder.path, "data");
    try {
      expect(await runToEnd(name, args, { env: { DATA_DIR: dataDir } })).toEqual({
        code: 1,
        stdout: "",
        stderr: `there is no database in ${dataDir}; set DATA_DIR or DATABASE_URL to the one that is meant\n`,
      });
      expect(existsSync(dataDir)).toBe(false);
      await database.pool.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
      const { code, stdout, stderr } = await runToEnd(name, args, { env: { DATABASE_URL: url.href } });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        new RegExp(
          `^the database does not have the tables of this version .*; run allowance migrate, .*; ${outcome}\n$`,
        ),
      );
    } finally {
      await database.pool.query(`DROP DATABASE IF EXISTS ${url.pathname.slice(1)}`);
      await folder.remove();
    }
  });

  test("where nobody can look for a database, it does not say that there is none", async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    try {
      await writeFile(dataDir, "no folder");
      const unusable = new RegExp(`^DATA_DIR: ${dataDir} cannot be used: .*: E[A-Z]+$`);
      const { code, stdout, stderr } = await runToEnd("audit-books", [], { env: { DATA_DIR: dataDir } });
      expect([code, stdout, stderr.trimEnd()]).toEqual([1, "", expect.stringMatching(unusable)]);
      const examined = await runToEnd("doctor", [], { env: { DATA_DIR: dataDir } });
      const database = { check: "database", state: "failed", found: expect.stringMatching(unusable) };
      expect(
        examined.stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
      ).toContainEqual(expect.objectContaining(database));
    } finally {
      await folder.remove();
    }
  });
});

describe("on the embedded database", () => {
  /** Names on stderr each timer of a second or more that a process was kept alive for until it fired. */
  const TIMERS = `
    import { createHook } from "node:async_hooks";
    import { writeSync } from "node:fs";
    const timers = new Map();
    createHook({
      init(id, type, _, timer) {
        if (type === "Timeout" && timer._idleTimeout >= 1000) timers.set(id, timer);
      },
      before(id) {
        const timer = timers.get(id);
        if (timer?.hasRef()) writeSync(2, "waited for " + timer._idleTimeout + " ms\\n");
      },
    }).enable();`;

  test.each(["account-list", "audit-books", "doctor"])(
    "%s ends when its work is done, and waits for no deadline",
    async (name) => {
      const folder = await dataFolder("durable");
      try {
        const env = {
          DATA_DIR: folder.path,
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TIMERS)}`,
        };
        const { code, stderr } = await runToEnd(name, [], { env });
        expect([code, stderr]).toEqual([0, ""]);
      } finally {
        await folder.remove();
      }
    },
  );
});

describe("what is wrong with the database is told apart", () => {
  const url = new URL(inject("databaseUrl"));
  const changed = (change: (url: URL) => void) => {
    const other = new URL(url);
    change(other);
    return failing(other.href);
  };

  test("a wrong password, a database that does not exist, a role without rights", async () => {
    const password = await changed((other) => {
      other.password = "wrong";
    });
    expect([password.code, password.stderr]).toEqual([
      1,
      expect.stringMatching(/^the database refuses the user or the password .*; nothing was created\n$/),
    ]);
    const missing = await changed((other) => {
      other.pathname = "/nowhere";
    });
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^the database .* does not exist \(database "nowhere" does not exist\); .*; nothing was created\n$/,
      ),
    ]);
    await database.pool.query("CREATE ROLE without_rights LOGIN PASSWORD 'without'");
    try {
      const rights = await changed((other) => {
        other.username = "without_rights";
        other.password = "without";
      });
      expect([rights.code, rights.stderr]).toEqual([
        1,
        expect.stringMatching(/^the database refuses the user|^the role of the database may not do this/),
      ]);
      expect(rights.stderr).not.toContain("without:");
    } finally {
      await database.pool.query("DROP ROLE without_rights");
    }
  });
});

describe("how a command speaks to the database", () => {
  test.each(["prefer", "require", "verify-ca"])("with sslmode=%s, a failure is one line", async (mode) => {
    const url = new URL(inject("databaseUrl"));
    url.search = `?sslmode=${mode}`;
    const { stderr } = await failing(url.href);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(/^the address of the database demands TLS/)]);
  });

  test.each([
    ["PGOPTIONS", "-c default_transaction_read_only=on"],
    ["PGSSLNEGOTIATION", "direct"],
    ["PGREPLICATION", "true"],
  ])("%s of the shell is for psql, and changes nothing", async (variable, value) => {
    const email = `${crypto.randomUUID()}@example.com`;
    answerOf(await runToEnd("account-create", ["--email", email], { env: { ...env, [variable]: value } }));
    expect((await command("account-list")).stdout).toContain(email);
  });
});

describe("account disable", () => {
  test("keys, sessions and the sign-in are refused at once, with a reason; enable lets them in again", async () => {
    const owner = await newOwner();
    const { apikey } = await newKey(owner);
    const browser = new Browser(inject("productUrl"));
    expect((await browser.signIn(owner.email, owner.password)).status).toBe(200);
    const held = (await authorize(apikey)).body.authorization_id;
    expect(answerOf(await command("account-disable", owner.email.toUpperCase()))).toEqual({
      ...{ account_id: owner.account_id, email: owner.email, state: "disabled", changed: true },
    });

    for (const key of [owner.apikey, apikey]) {
      const refused = await call("GET", "/v1/apikey_groups", { key });
      expect([refused.status, refused.body]).toEqual([401, { success: false, error: "API key missing or invalid" }]);
    }
    const own = await call("POST", "/v1/authorizations", { key: owner.apikey, body: { apikey, amount: 1 } });
    expect(own.status).toBe(401);
    const message = "The account of the API key is disabled.";
    expect((await authorize(apikey)).body).toMatchObject({ allowed: false, code: "account_disabled", message });
    const check = await call("POST", "/v1/authorizations/check", { key: GATEWAY_TOKEN, body: { apikey, amount: 1 } });
    expect(check.body).toMatchObject({
      ...{ allowed: false, code: "account_disabled", message },
      change: "Ask the operator of the service to enable the account.",
    });
    expect(check.body.limits[0]).toMatchObject({ code: "account_disabled", passes: false });
    const headers = { "Allowance-Key": apikey, "Allowance-Amount": "1" };
    const byHeaders = await call("GET", "/v1/authorizations/check", { key: GATEWAY_TOKEN, headers });
    expect([byHeaders.status, byHeaders.headers.get("allowance-code")]).toEqual([401, "account_disabled"]);
    // The money of a call that was made is gone.
    expect((await capture(held)).status).toBe(200);

    expect((await browser.get("/api/trpc/accounts.me")).status).toBe(401);
    const again = new Browser(inject("productUrl"));
    const wrong = await again.signIn(owner.email, "another password");
    expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
    const right = await again.signIn(owner.email, owner.password);
    expect([right.status, right.body]).toEqual([
      403,
      {
        success: false,
        error: "the account is disabled; ask whoever runs this service",
        code: "ACCOUNT_DISABLED",
      },
    ]);
    expect((await again.get("/api/trpc/accounts.me")).status).toBe(401);

    const list = await command("account-list");
    const listed = list.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(listed.find(({ email }) => email === owner.email)).toEqual({
      ...{ account_id: owner.account_id, email: owner.email, created_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      ...{ keys: 2, state: "disabled" },
    });

    const enabled = await command("account-enable", owner.account_id);
    expect(answerOf(enabled)).toMatchObject({ state: "active", changed: true });
    expect((await authorize(apikey)).body.allowed).toBe(true);
    expect((await again.signIn(owner.email, owner.password)).status).toBe(200);
    const { body: history } = await call("GET", "/v1/history", { key: owner.apikey });
    const actor = { kind: "command_line", name: "account:disable" };
    expect(history.data.filter(({ action }: { action: string }) => action === "account.disabled")).toMatchObject([
      { actor },
    ]);
    expect(history.data.filter(({ action }: { action: string }) => action === "account.enabled")).toHaveLength(1);
  });

  test("an account that does not exist: one line, exit 1", async () => {
    const { code, stdout, stderr } = await command("account-disable", "nobody@example.com");
    expect([code, stdout, stderr]).toEqual([1, "", "there is no account for nobody@example.com\n"]);
  });
});

describe("key rotate-default", () => {
  test("prints the new value once; with --grace the old one works on", async () => {
    const owner = await newOwner();
    const status = async (key: string) => (await call("GET", "/v1/apikey_groups", { key })).status;
    const first = answerOf(await command("key-rotate-default", owner.email, "--grace", "600"));
    expect(first).toEqual({
      ...{ account_id: owner.account_id, email: owner.email },
      apikey: expect.stringMatching(`^${owner.apikey.slice(0, 10)}[0-9A-Za-z]{38}$`),
      previous_value_until: expect.any(Number),
    });
    expect([await status(owner.apikey), await status(first.apikey)]).toEqual([200, 200]);
    const second = answerOf(await command("key-rotate-default", owner.account_id));
    expect(second.previous_value_until).toBeNull();
    expect([await status(owner.apikey), await status(first.apikey), await status(second.apikey)]).toEqual([
      401, 401, 200,
    ]);
    const wrong = await command("key-rotate-default", owner.email, "--grace", "soon");
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([2, "", expect.stringMatching(/^grace: must be a whole/)]);
  });
});

describe("account delete", () => {
  test("nothing of the account is left, and the books of the others are in order", async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const group_id = await newGroup(owner);
    const { apikey } = await newKey(owner, { group_id, budget: 100 });
    const theirs = await newKey(other);
    for (const key of [apikey, theirs.apikey]) await capture((await authorize(key)).body.authorization_id);
    const held = (await authorize(apikey)).body.authorization_id;
    await call("POST", "/v1/saved_filters", { key: owner.apikey, body: { name: "mine", keys: { group_id } } });
    const models = [{ name: "mine", input_price: 1, output_price: 2 }];
    await call("POST", "/v1/models", { key: owner.apikey, body: { models } });
    const before = await rows(other);

    const refused = await command("account-delete", owner.email, "--yes");
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/^1 authorizations of .* are held; .*--discard-held\. Nothing was changed\n$/);
    expect((await authorize(apikey)).body.allowed).toBe(true);
    const unasked = await command("account-delete", owner.email, "--discard-held");
    expect([unasked.code, unasked.stderr]).toEqual([
      2,
      expect.stringMatching(/^yes: required where nobody can be asked/),
    ]);

    const { deleted, ...rest } = answerOf(await command("account-delete", owner.email, "--yes", "--discard-held"));
    expect(rest).toEqual({ account_id: owner.account_id, email: owner.email });
    expect(deleted).toMatchObject({
      account: 1,
      api_key: 2,
      api_key_group: 1,
      authorization: 3,
      ledger: 1,
      key_day: 1,
      saved_filter: 1,
      account_price: 1,
    });
    expect(Object.values(await rows(owner)).flat()).toEqual([]);
    expect((await call("GET", "/v1/apikey_groups", { key: owner.apikey })).status).toBe(401);
    expect((await authorize(apikey)).body.code).toBe("key_not_found");
    expect((await capture(held)).status).toBe(404);
    expect(await rows(other)).toEqual(before);
    const gone = await command("account-delete", owner.email, "--yes");
    expect([gone.code, gone.stderr]).toEqual([1, `there is no account for ${owner.email}\n`]);
  });

  test("one that was interrupted is left out of the audit, cannot be enabled, and can be gone on with", async () => {
    const owner = await newOwner();
    const { apikey } = await newKey(owner);
    await capture((await authorize(apikey)).body.authorization_id);
    await database.pool.query("UPDATE account SET disabled_at = now(), deleted_at = now() WHERE id = $1", [
      owner.account_id,
    ]);
    await database.pool.query("DELETE FROM ledger WHERE account_id = $1", [owner.account_id]);
    const client = await database.pool.connect();
    try {
      const { differences } = await auditBooks(client, 400);
      expect(differences.filter(({ account_id }) => account_id === owner.account_id)).toEqual([]);
    } finally {
      client.release();
    }
    const enabled = await command("account-enable", owner.email);
    expect([enabled.code, enabled.stderr]).toEqual([
      1,
      `the account ${owner.email} is being deleted, and cannot be enabled\n`,
    ]);
    expect(answerOf(await command("account-delete", owner.account_id, "--yes")).deleted).toMatchObject({ account: 1 });
    expect(Object.values(await rows(owner)).flat()).toEqual([]);
  });

  test("the ledger and the default key of an account that is not marked cannot be deleted", async () => {
    const owner = await newOwner();
    const { apikey } = await newKey(owner);
    await capture((await authorize(apikey)).body.authorization_id);
    const where = "WHERE account_id = $1";
    for (const table of ["ledger", "api_key"]) {
      await expect(database.pool.query(`DELETE FROM ${table} ${where}`, [owner.account_id])).rejects.toThrow(
        /append-only|never deleted/,
      );
    }
  });
});

describe("doctor", () => {
  const linesOf = ({ stdout }: Finished): Record<string, string | null>[] =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const seeCauses = "see docs/operations.md#when-something-breaks";

  test("beside a running server: one line a check; a setting that may lose captures fails, and says what to do", async () => {
    const url = new URL(inject("databaseUrl"));
    await database.pool.query(`CREATE ROLE careless LOGIN SUPERUSER PASSWORD 'careless';
      ALTER ROLE careless SET synchronous_commit = off`);
    const accounts = [(await newAccount()).account_id, (await newAccount()).account_id];
    const setZones = (zones: string[]) =>
      database.pool.query(
        "UPDATE account SET time_zone = zone FROM unnest($1::text[], $2::text[]) AS given(of, zone) WHERE id = of",
        [accounts, zones],
      );
    await setZones(["asia/kathmandu", "CET"]);
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
      expect(found("rights")).toMatchObject({ state: "warning", found: expect.stringContaining("superuser") });
      expect(found("instances")?.found).toMatch(/^servers: \d+ connections from 1 address/);
      expect(finished.stdout).not.toContain("careless:careless");
    } finally {
      await setZones(["UTC", "UTC"]);
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
      await database.pool.query("ALTER DATABASE of_nobody OWNER TO newcomer");
      expect(await examine()).toMatchObject([{ state: "ok" }, { state: "ok" }]);
      expect((await runToEnd("migrate", [], { env })).code).toBe(0);
      expect(await examine()).toMatchObject([{ state: "ok" }, { state: "ok" }]);
    } finally {
      await database.pool.query("DROP DATABASE of_nobody WITH (FORCE)");
      await database.pool.query("DROP ROLE newcomer");
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
});
