import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { version } from "@/package.json";
import { Browser } from "../browser";
import { complaintsIn, freePort, temporaryFolder } from "../product";
import { callAt } from "./client";
import { Container, canMakeContainers } from "./container";

if (!canMakeContainers) console.warn("ship.spec.ts is skipped: only root on Linux can make a root folder");

/**
 * What the Dockerfile makes of `dist/`, without an engine: a clean root folder, which is read-only, has no npm and no name
 * server, and is run by its user. The build is the one that the other tests use.
 */
describe.skipIf(!canMakeContainers)("the container", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let container: Container;
  let port: string;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    const built = spawnSync("node", ["server/cli/prepare.mjs", "client", "server", "pages", "dist"], {
      encoding: "utf8",
    });
    expect(built.stderr).not.toContain("failed");
    folder = await temporaryFolder();
    container = new Container(folder.path, "dist");
    port = await freePort();
  }, 600_000);
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await folder?.remove();
  });

  /** Starts the server, and waits until it is ready. */
  async function start() {
    const child = container.spawn({ PORT: port, HOST: "127.0.0.1" });
    running.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const url = `http://127.0.0.1:${port}`;
    await expect
      .poll(() =>
        child.exitCode === null
          ? fetch(`${url}/readyz`).then(
              ({ status }) => status,
              () => 0,
            )
          : output,
      )
      .toBe(200);
    const stop = async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
      return child.exitCode;
    };
    return { url, stop, complaints: () => complaintsIn(output, 40), output: () => output };
  }

  test("serves, keeps its data on the volume, and needs nothing that it does not hold", async () => {
    expect(existsSync(join(container.root, "usr/local/bin/npm"))).toBe(false);
    const first = await start();
    const { stdout, stderr } = await container.run("account", "create", "--email", "owner@example.com");
    expect(stderr).toBe("");
    const { apikey: key, password } = JSON.parse(stdout);
    // Other products of the tests hash passwords in less time (`quick-hashing.mjs`).
    const browser = new Browser(first.url);
    expect((await browser.signIn("owner@example.com", `not ${password}`)).status).toBe(401);
    expect((await browser.signIn("owner@example.com", password)).status).toBe(200);
    const created = await callAt(first.url, "POST", "/v1/apikey_groups", { key, body: { name: "kept" } });
    expect(created.status).toBe(201);
    expect((await fetch(`${first.url}/sign-in`)).status).toBe(200);
    expect((await fetch(`${first.url}/icon.svg`)).status).toBe(200);
    expect((await fetch(`${first.url}/openapi.json`)).status).toBe(200);
    expect(first.output()).toMatch(/^ {2}allowance account create/m);
    const health = { PORT: port, HOST: "127.0.0.1" };
    expect((await container.checkHealth(health)).code).toBe(0);
    expect(first.complaints()).toEqual([]);
    expect(await first.stop()).toBe(0);
    expect((await container.checkHealth(health)).code).toBe(1);

    // Pages that cannot be loaded are no pages, and all else works.
    renameSync(join(container.root, "allowance/.next"), join(container.root, "allowance/.lost"));
    const second = await start();
    expect(JSON.stringify((await callAt(second.url, "GET", "/v1/apikey_groups", { key })).body)).toContain('"kept"');
    expect((await fetch(`${second.url}/sign-in`)).status).toBe(500);
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    await expect
      .poll(() => second.complaints().map((line) => JSON.parse(line).err.message))
      .toEqual(["the pages cannot be loaded"]);
    expect(await second.stop()).toBe(0);
  }, 300_000);

  test("has the version of the package", async () => {
    expect(await container.run("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});
