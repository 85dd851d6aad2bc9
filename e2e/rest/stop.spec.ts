import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { dataFolder } from "../data-folder";
import { isAlive } from "../product";
import { OwnFolder } from "./own-folder";

describe("stop", () => {
  const folder = new OwnFolder(dataFolder);

  test("SIGTERM finishes what is under way, stops PostgreSQL, exits 0", async () => {
    const product = await folder.start();
    const key = await folder.newAccount();
    const postmaster = await folder.postmasterPid();
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

  test("SIGHUP, with which a terminal ends, stops PostgreSQL too, and ends by it", async () => {
    const { process: child } = await folder.start();
    const postmaster = await folder.postmasterPid();
    const ended = once(child, "exit");
    child.kill("SIGHUP");
    expect(await ended).toEqual([null, "SIGHUP"]);
    await expect.poll(() => isAlive(postmaster)).toBe(false);
  });

  test("an idle connection does not hold it up", async () => {
    const product = await folder.start();
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
    await once(socket, "connect");
    const closed = once(socket, "close");
    expect(await product.stop()).toBe(0);
    await closed;
  });
});

describe("stop during a start", () => {
  const folder = new OwnFolder(() => dataFolder("durable"));

  /** A start that waits for a PostgreSQL that another signal has stopped. */
  async function startHanging() {
    const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, DATA_DIR: folder.path, PORT: "0" };
    const child = spawn(process.execPath, [".build/main.js"], { env });
    let postmaster = 0;
    // The lock file is there before PostgreSQL takes connections.
    while (!(postmaster > 0)) postmaster = await folder.postmasterPid().catch(() => 0);
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
