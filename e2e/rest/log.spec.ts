import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { dataFolder } from "../data-folder";
import { freePort, type Product, SHARED_SECRET, temporaryFolder } from "../product";
import { callAt } from "./client";
import { createKey, OwnFolder } from "./own-folder";

describe("the log", () => {
  const folder = new OwnFolder(dataFolder);

  test("has each answer's Request-Id, and never a key, wherever the client put one", async () => {
    const product = await folder.start();
    const key = await folder.newAccount();
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
      const product = await folder.start({
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
      });
      const ended = once(product.process, "close");
      const ids = await callOften(product);
      product.process.kill(signal);
      expect((await ended)[0]).toBe(status);
      expect(ids.filter((id) => !product.output().includes(id))).toEqual([]);
      // After the fault PostgreSQL goes on. The next start takes it over, and stops it in the end.
      if (signal === "SIGUSR2") await folder.start();
    });
  });
});

describe("a log that cannot be written", () => {
  const folder = new OwnFolder(temporaryFolder);

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
