import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../data-folder";
import { isAlive, runToEnd, temporaryFolder } from "../product";
import { callAt } from "./client";
import { canMakeContainers } from "./container";
import { createKey, OwnFolder } from "./own-folder";

const PLAIN_HTTP = "Warning: other machines can reach the sign-in over plain http";

describe("the first start", () => {
  const folder = new OwnFolder(temporaryFolder);

  test("says where it serves and how to get an account, and warns of plain http; it is healthy and ready", async () => {
    const product = await folder.start();
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
    await expect(folder.postmasterPid()).rejects.toThrow("ENOENT");
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
    const starts = await Promise.allSettled([folder.start(), folder.start()]);
    expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const outcome of starts) {
      if (outcome.status === "rejected")
        expect(String(outcome.reason)).toContain("another Allowance server uses this data folder");
      else expect((await createKey(outcome.value, await folder.newAccount())).status).toBe(201);
    }
  });
});

describe("a later start", () => {
  const folder = new OwnFolder(dataFolder);

  test("warns of no plain http where HOST or PUBLIC_URL is set", async () => {
    for (const safe of [{ HOST: "127.0.0.1" }, { PUBLIC_URL: "https://keys.example.com" }]) {
      const product = await folder.start(safe);
      expect(product.output()).toContain("Allowance serves at");
      expect(product.output()).not.toContain(PLAIN_HTTP);
      await product.stop();
    }
  });

  test("a second server on the same data folder: a clear sentence, exit 1, the first one goes on", async () => {
    const first = await folder.start();
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
      const first = await folder.start();
      const postmaster = await folder.postmasterPid();
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
      expect(await folder.postmasterPid()).toBe(postmaster);
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
    const product = await folder.start({ KEY_PREFIX: "ak_" });
    const key = await folder.newAccount();
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
