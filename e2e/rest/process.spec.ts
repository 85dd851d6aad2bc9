import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chown, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { openDatabase } from "@/server/db/client";
import { dataFolder } from "../data-folder";
import {
  freePort,
  type Product,
  runToEnd,
  SHARED_SECRET,
  startProduct,
  type TemporaryFolder,
  temporaryFolder,
} from "../product";
import { superuserUrl } from "../superuser";
import { callAt } from "./client";
import { canMakeContainers } from "./container";

let folder: TemporaryFolder;
const running: Product[] = [];
afterEach(async () => {
  for (const product of running.splice(0))
    if (product.process.exitCode === null && product.process.signalCode === null) await product.stop();
  await folder.remove();
});

/** Each test gets such a folder. */
function inFolder(make: () => Promise<TemporaryFolder>): void {
  beforeEach(async () => {
    folder = await make();
  });
}

async function start(env: Record<string, string> = {}, as: { uid?: number; gid?: number } = {}): Promise<Product> {
  const product = await startProduct({ env: { DATA_DIR: folder.path, ...env }, ...as });
  running.push(product);
  return product;
}

/** Creates an account beside the server that runs on the folder, and returns its default key. */
async function newAccount(dataDir = folder.path): Promise<string> {
  const database = openDatabase(await superuserUrl(dataDir));
  try {
    const by = { kind: "command_line", name: "test", address: null } as const;
    const account = { email: `${randomUUID()}@example.com`, isProven: true, keyPrefix: "sk-", by };
    return (await createAccount(database, account)).apikey;
  } finally {
    await database.close();
  }
}

const PLAIN_HTTP = "Warning: other machines can reach the sign-in over plain http";

const createKey = ({ url }: Product, key: string, name = "n") =>
  callAt(url, "POST", "/v1/apikeys", { key, body: { name } });
const createGroup = ({ url }: Product, key: string, name: string) =>
  callAt(url, "POST", "/v1/apikey_groups", { key, body: { name } });

async function postmasterPid(dataDir = folder.path): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("the first start", () => {
  inFolder(temporaryFolder);

  test("says where it serves and how to get an account, and warns of plain http; it is healthy and ready", async () => {
    const product = await start();
    expect(product.output()).toContain(PLAIN_HTTP);
    expect(product.output()).toContain(`Allowance serves at ${product.url}`);
    expect(product.output()).toContain("npm run -s account:create -- --email owner@example.com");
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${product.url}/openapi.json`)).status).toBe(200);
  });

  test("with the port taken: a clear sentence, exit 1, no PostgreSQL left", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(address instanceof Object ? address.port : 0);
    const { code, stderr } = await runToEnd("main", [], {
      env: { DATA_DIR: folder.path, PORT: port, HOST: "127.0.0.1" },
    });
    other.close();
    expect([code, stderr]).toEqual([
      1,
      `Allowance cannot start. port ${port} is in use; stop what listens there, or set PORT\n`,
    ]);
    await expect(postmasterPid()).rejects.toThrow("ENOENT");
  });

  test.each([
    ["PORT", "http"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["DATABASE_URL", "postgresql://a:p%ff@localhost/x"],
    ["DATA_DIR", "/dev/null/data"],
    // Nobody can make a folder there.
    ["DATA_DIR", "/proc/allowance/data"],
  ])("with %s=%s: a clear sentence that names it, exit 78", async (name, value) => {
    const { code, stderr } = await runToEnd("main", [], { env: { DATA_DIR: folder.path, PORT: "0", [name]: value } });
    expect(code).toBe(78);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(`Allowance cannot start. ${name}: `)]);
  });

  test("with an address that the machine does not have yet: a clear sentence that names HOST, exit 1", async () => {
    const { code, stderr } = await runToEnd("main", [], {
      env: { DATA_DIR: folder.path, PORT: "0", HOST: "192.0.2.1" },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Allowance cannot start\. HOST: cannot listen on 192\.0\.2\.1: .*\n$/);
  });

  test("single sign-on without PUBLIC_URL: a clear sentence that names it, exit 78", async () => {
    const env = { OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "allowance", OIDC_CLIENT_SECRET: "a secret" };
    const { code, stderr } = await runToEnd("main", [], { env: { DATA_DIR: folder.path, ...env } });
    expect([code, stderr]).toEqual([
      78,
      "Allowance cannot start. PUBLIC_URL: must be set with OIDC_ISSUER, because the provider sends browsers back to it\n",
    ]);
  });

  test("two servers at once on a new data folder: one serves, the other ends with that sentence", async () => {
    const starts = await Promise.allSettled([start(), start()]);
    expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const outcome of starts) {
      if (outcome.status === "rejected")
        expect(String(outcome.reason)).toContain("another Allowance server uses this data folder");
      else expect((await createKey(outcome.value, await newAccount())).status).toBe(201);
    }
  });
});

describe("a later start", () => {
  inFolder(dataFolder);

  test("warns of no plain http where HOST or PUBLIC_URL is set", async () => {
    for (const safe of [{ HOST: "127.0.0.1" }, { PUBLIC_URL: "https://keys.example.com" }]) {
      const product = await start(safe);
      expect(product.output()).toContain("Allowance serves at");
      expect(product.output()).not.toContain(PLAIN_HTTP);
      await product.stop();
    }
  });

  test("a second server on the same data folder: a clear sentence, exit 1, the first one goes on", async () => {
    const first = await start();
    const { code, stderr } = await runToEnd("main", [], { env: { DATA_DIR: folder.path, PORT: "0" } });
    expect([code, stderr]).toEqual([
      1,
      "Allowance cannot start. another Allowance server uses this data folder; stop it, or set another DATA_DIR\n",
    ]);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  test.skipIf(!canMakeContainers)(
    "a command in another container: a clear sentence, and no second PostgreSQL",
    async () => {
      const first = await start();
      const postmaster = await postmasterPid();
      const container = ["--pid", "--fork", "--mount-proc", "--ipc"];
      const list = () =>
        spawnSync("unshare", [...container, process.execPath, ".build/allowance.js", "account", "list"], {
          env: { ...process.env, NODE_ENV: "production", DATA_DIR: folder.path },
          encoding: "utf8",
        });
      expect(list()).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("a process in another container uses this data folder; "),
      });
      expect(await postmasterPid()).toBe(postmaster);
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
      // A process that was killed leaves its claim, which holds nobody up.
      const ended = once(first.process, "exit");
      first.process.kill("SIGKILL");
      await ended;
      process.kill(postmaster, "SIGINT");
      await expect.poll(() => isAlive(postmaster)).toBe(false);
      expect((await readdir(folder.path)).filter((name) => name.startsWith("in-use-"))).toHaveLength(1);
      expect(list().status).toBe(0);
      expect((await readdir(folder.path)).filter((name) => name.startsWith("in-use-"))).toEqual([]);
    },
  );

  test("KEY_PREFIX changes new keys; older ones stay valid", async () => {
    const product = await start({ KEY_PREFIX: "ak_" });
    const key = await newAccount();
    const { status, body } = await createKey(product, key);
    expect([status, body.apikey.slice(0, 3)]).toEqual([201, "ak_"]);
    expect((await callAt(product.url, "GET", "/v1/apikey_groups", { key: body.apikey })).status).toBe(403);
    const limits = await callAt(product.url, "POST", `/v1/apikeys/${body.apikey.slice(0, 10)}/budget`, {
      key,
      body: { budget: 1 },
    });
    expect(limits.status).toBe(200);
  });
});

describe("the log", () => {
  inFolder(dataFolder);

  test("has each answer's Request-Id, and never a key, wherever the client put one", async () => {
    const product = await start();
    const key = await newAccount();
    const { headers, body } = await createKey(product, key);
    await callAt(product.url, "POST", `/v1/apikeys/${body.apikey}/budget`, { key, body: { budget: body.apikey } });
    await callAt(product.url, "GET", `/v1/${body.apikey}?key=${body.apikey}`, { key: body.apikey });
    await expect.poll(() => product.output()).toContain(headers.get("request-id"));
    await product.stop();
    expect(product.output()).not.toContain(key.slice(10));
    expect(product.output()).not.toContain(body.apikey.slice(10));
  });

  describe("its lines that wait to be written together", () => {
    /** Sends requests, and returns their ids as soon as the last one is answered. */
    const callOften = ({ url }: Product) =>
      Promise.all(
        Array.from({ length: 50 }, async () => {
          const { headers } = await callAt(url, "GET", "/v1/apikey_groups", {});
          return headers.get("request-id") ?? "none";
        }),
      );

    test.each([
      ["SIGTERM", 0],
      ["SIGUSR2", 1],
    ] as const)("are written before the process ends after %s", async (signal, status) => {
      // SIGUSR2 stands in for a fault of the server. Next.js would go on after an uncaught error.
      const fault =
        "process.once('SIGUSR2', () => { process.removeAllListeners('uncaughtException'); throw Error('x'); })";
      const product = await start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` });
      const ended = once(product.process, "close");
      const ids = await callOften(product);
      product.process.kill(signal);
      expect((await ended)[0]).toBe(status);
      expect(ids.filter((id) => !product.output().includes(id))).toEqual([]);
      // After the fault PostgreSQL goes on. The next start takes it over, and stops it in the end.
      if (signal === "SIGUSR2") await start();
    });
  });
});

describe("a log that cannot be written", () => {
  inFolder(temporaryFolder);

  test.each(["1", "2"])("stops nothing, and says how many lines it lacks: WORKERS=%s", async (WORKERS) => {
    // A limit for files stands in for a full disk. The database is another process, which it does not limit.
    const MOST_BYTES = 2 * 1024 * 1024;
    const file = join(folder.path, "log");
    await writeFile(file, Buffer.alloc(MOST_BYTES));
    const PORT = await freePort();
    const child = spawn(
      "sh",
      ["-c", `ulimit -f ${MOST_BYTES / 512}; exec "$0" .build/allowance.js start >>"$1"`, process.execPath, file],
      {
        env: {
          ...{ PATH: process.env.PATH, NODE_ENV: "production", PORT, HOST: "127.0.0.1", WORKERS },
          ...{ DATABASE_URL: inject("databaseUrl"), AUTH_SECRET: SHARED_SECRET },
        },
      },
    );
    const ended = once(child, "exit");
    onTestFinished(() => void child.kill("SIGKILL"));
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const url = `http://127.0.0.1:${PORT}`;
    const ready = () =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready).toBe(200);
    // They are more than what waits to be written.
    for (let i = 0; i < 40; i++) {
      const answers = Array.from({ length: 50 }, () => fetch(`${url}/v1`));
      for (const { status } of await Promise.all(answers)) expect(status).toBe(404);
    }
    expect(stderr).toBe(
      "Allowance cannot write its log (EFBIG). It serves on, and lines that find no room are lost.\n",
    );
    await writeFile(file, "");
    const lost = async () => {
      await fetch(`${url}/v1`);
      const line = /"lines":(\d+),"msg":"the log could not be written; these lines are lost"/;
      return Number(line.exec(await readFile(file, "utf8"))?.[1] ?? 0);
    };
    await expect.poll(lost).toBeGreaterThan(0);
    await writeFile(file, Buffer.alloc(MOST_BYTES));
    await fetch(`${url}/v1`);
    child.kill("SIGTERM");
    expect([await ended, stderr.split("\n")]).toEqual([[0, null], expect.objectContaining({ length: 2 })]);
  });
});

describe("the folder of the data", () => {
  inFolder(temporaryFolder);

  /** The same with the command, which has to find the database of such a folder too. */
  async function createAccountBeside(dataDir: string): Promise<string> {
    const { stdout, stderr } = await runToEnd("account-create", ["--email", `${randomUUID()}@example.com`], {
      env: { DATA_DIR: dataDir },
    });
    return JSON.parse(stdout || stderr).apikey;
  }

  test("a path with spaces and letters outside ASCII", async () => {
    const path = join(folder.path, "my data 数据");
    const product = await startProduct({ env: { DATA_DIR: path } });
    running.push(product);
    expect((await createKey(product, await createAccountBeside(path))).status).toBe(201);
  });

  const isRoot = process.getuid?.() === 0;
  if (!isRoot) console.log("not root: the tests of other users' folders are left out");

  test.runIf(isRoot)("as root in a folder that only root may enter: kept elsewhere, and said so", async () => {
    const path = join(folder.path, "closed");
    await mkdir(path, { mode: 0o700 });
    const product = await startProduct({ env: { DATA_DIR: join(path, "data") } });
    running.push(product);
    expect(product.output()).toContain("the database is kept in /var/lib/allowance/");
    const key = await createAccountBeside(join(path, "data"));
    expect((await createGroup(product, key, "kept")).status).toBe(201);
    expect(await product.stop()).toBe(0);
    const again = await startProduct({ env: { DATA_DIR: join(path, "data") } });
    running.push(again);
    expect((await createGroup(again, key, "kept")).status).toBe(400);
    await again.stop();
    await rm(dirname(await realpath(join(path, "data/postgres"))), { recursive: true });
  });

  test.runIf(isRoot)("as an ordinary user, in a folder that only this user may enter", async () => {
    const nobody = { uid: 65534, gid: 65534 };
    const path = join(folder.path, "nobody's");
    await mkdir(path, { mode: 0o700 });
    await chown(path, nobody.uid, nobody.gid);
    const product = await start({ DATA_DIR: path }, nobody);
    expect((await createKey(product, await createAccountBeside(path))).status).toBe(201);
    expect((await stat(join(path, "postgres"))).uid).toBe(nobody.uid);
  });
});

describe("stop", () => {
  inFolder(dataFolder);

  test("SIGTERM finishes what is under way, stops PostgreSQL, exits 0", async () => {
    const product = await start();
    const key = await newAccount();
    const postmaster = await postmasterPid();
    // The server has the headers and not yet the body, so the request is not finished.
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
    const body = JSON.stringify({ name: "the last" });
    socket.write(
      `POST /v1/apikeys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await once(socket, "data");
    const stopped = product.stop();
    await expect
      .poll(() =>
        fetch(`${product.url}/healthz`).then(
          () => "answers",
          () => "refused",
        ),
      )
      .toBe("refused");
    socket.write(body);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await stopped).toBe(0);
    // The process has ended, but the system may list it a moment longer.
    await expect.poll(() => isAlive(postmaster)).toBe(false);
  });

  test("an idle connection does not hold it up", async () => {
    const product = await start();
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
    await once(socket, "connect");
    const closed = once(socket, "close");
    expect(await product.stop()).toBe(0);
    await closed;
  });
});

describe("stop during a start", () => {
  inFolder(() => dataFolder("durable"));

  /** A start that waits for a PostgreSQL that another signal has stopped. */
  async function startHanging() {
    const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, DATA_DIR: folder.path, PORT: "0" };
    const child = spawn(process.execPath, [".build/main.js"], { env });
    let postmaster = 0;
    // The lock file is there before PostgreSQL takes connections.
    while (!(postmaster > 0)) postmaster = await postmasterPid().catch(() => 0);
    process.kill(postmaster, "SIGSTOP");
    onTestFinished(() => {
      child.kill("SIGKILL");
      if (isAlive(postmaster)) process.kill(postmaster, "SIGKILL");
    });
    return { child, postmaster };
  }

  test("SIGTERM ends it also while PostgreSQL does not come up, with 0", async () => {
    const { child, postmaster } = await startHanging();
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const ended = once(child, "exit");
    const begun = performance.now();
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    // It waits twice 10 s for PostgreSQL to stop. Without the abort it waited for more than a minute.
    expect(performance.now() - begun).toBeLessThan(45_000);
    expect(output).not.toContain("cannot start");
    // The signals that it got take effect as soon as it goes on.
    process.kill(postmaster, "SIGCONT");
    await expect.poll(() => isAlive(postmaster)).toBe(false);
  });
});

describe("after kill -9", () => {
  inFolder(() => dataFolder("durable"));

  test("of the server under load: the next start has every key that was answered", async () => {
    const product = await start();
    const key = await newAccount();
    const names: string[] = [];
    let isUp = true;
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        for (let i = 0; isUp; i++) {
          const name = `${client}-${i}`;
          const answer = await createGroup(product, key, name).catch(() => undefined);
          if (answer?.status === 201) names.push(name);
          if (names.length === 200) product.process.kill("SIGKILL");
          isUp &&= answer !== undefined;
        }
      }),
    );
    await once(product.process, "exit");
    await load;
    const again = await start();
    const { body } = await callAt(again.url, "GET", "/v1/apikey_groups", { key });
    const kept = new Set(body.data.map((group: { name: string }) => group.name));
    expect(names.filter((name) => !kept.has(name))).toEqual([]);
    expect(names.length).toBeGreaterThanOrEqual(200);
  });

  test("of PostgreSQL and then the server: the next start recovers, nothing is lost", async () => {
    const product = await start();
    const key = await newAccount();
    expect((await createGroup(product, key, "kept")).status).toBe(201);
    process.kill(await postmasterPid(), "SIGKILL");
    product.process.kill("SIGKILL");
    await once(product.process, "exit");
    const again = await start();
    expect((await createGroup(again, key, "kept")).status).toBe(400);
    expect((await createKey(again, key)).status).toBe(201);
  });

  test("a lock file that names another program by now does not block the start", async () => {
    const product = await start();
    const key = await newAccount();
    const lock = join(folder.path, "postgres/postmaster.pid");
    const text = await readFile(lock, "utf8");
    expect(await product.stop()).toBe(0);
    await writeFile(lock, text.replace(/^\d+/, String(process.pid)));
    const owner = await stat(join(folder.path, "postgres"));
    await chown(lock, owner.uid, owner.gid);
    const again = await start();
    expect((await createKey(again, key)).status).toBe(201);
  });

  test("of PostgreSQL alone: the server brings it back by itself", async () => {
    const product = await start();
    const key = await newAccount();
    process.kill(await postmasterPid(), "SIGKILL");
    await expect.poll(async () => (await createKey(product, key)).status).toBe(500);
    await expect.poll(async () => (await createKey(product, key)).status).toBe(201);
  });
});
