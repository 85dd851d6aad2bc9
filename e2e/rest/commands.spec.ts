import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pino } from "pino";
import { describe, expect, inject, test } from "vitest";
import { prepareCluster } from "@/server/db/cluster";
import { stopPostmaster } from "@/server/db/postmaster";
import { dataFolder } from "../data-folder";
import { runToEnd, temporaryFolder } from "../product";
import { database } from "./client";
import { answerOf, command, linesOf, newOwner } from "./command";

const env = { DATABASE_URL: inject("databaseUrl") };
const failing = (DATABASE_URL: string) =>
  runToEnd("account-create", ["--email", "a@example.com"], { env: { DATABASE_URL } });

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
    ["account-disable", /^ACCOUNT: required; usage: allowance account disable ACCOUNT/, [""]],
    ["models-list", /^account: required; usage: allowance models list/, ["--account", ""]],
    ["models-import", /^FILE: required; usage: allowance models import FILE/, [""]],
    ["models-import", /^FILE: is a folder, and no file; usage: allowance models import FILE/, ["."]],
  ])("%s, used wrongly: one line that names the fault, exit 2", async (name, line, args) => {
    const { code, stdout, stderr } = await command(name, ...args);
    expect([code, stdout, stderr.trimEnd().split("\n")]).toEqual([2, "", [expect.stringMatching(line)]]);
  });

  test("the path of a file counts from the folder where the command is typed, also without npm", async () => {
    const folder = await temporaryFolder();
    try {
      const { PATH } = process.env;
      const child = spawn(process.execPath, [resolve("server/cli/bin.mjs"), "models", "import", "none.csv"], {
        cwd: folder.path,
        env: { PATH, NODE_ENV: "production", ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let stderr = "";
      child.stderr.on("data", (chunk) => (stderr += chunk));
      await once(child, "close");
      expect(stderr).toContain(`nothing was changed: ${join(folder.path, "none.csv")}: ENOENT\n`);
    } finally {
      await folder.remove();
    }
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
      expect(linesOf(examined)).toContainEqual(expect.objectContaining(database));
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
