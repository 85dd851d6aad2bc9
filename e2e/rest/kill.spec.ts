import { once } from "node:events";
import { chown, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../data-folder";
import { callAt } from "./client";
import { createGroup, createKey, OwnFolder } from "./own-folder";

describe("after kill -9", () => {
  const folder = new OwnFolder(() => dataFolder("durable"));

  test("of the server under load: the next start has every key that was answered", async () => {
    const product = await folder.start();
    const key = await folder.newAccount();
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
    const again = await folder.start();
    const { body } = await callAt(again.url, "GET", "/v1/apikey_groups", { key });
    const kept = new Set(body.data.map((group: { name: string }) => group.name));
    expect(names.filter((name) => !kept.has(name))).toEqual([]);
    expect(names.length).toBeGreaterThanOrEqual(200);
  });

  test("of PostgreSQL and then the server: the next start recovers, nothing is lost", async () => {
    const product = await folder.start();
    const key = await folder.newAccount();
    expect((await createGroup(product, key, "kept")).status).toBe(201);
    process.kill(await folder.postmasterPid(), "SIGKILL");
    product.process.kill("SIGKILL");
    await once(product.process, "exit");
    const again = await folder.start();
    expect((await createGroup(again, key, "kept")).status).toBe(400);
    expect((await createKey(again, key)).status).toBe(201);
  });

  test("a lock file that names another program by now does not block the start", async () => {
    const product = await folder.start();
    const key = await folder.newAccount();
    const lock = join(folder.path, "postgres/postmaster.pid");
    const text = await readFile(lock, "utf8");
    expect(await product.stop()).toBe(0);
    await writeFile(lock, text.replace(/^\d+/, String(process.pid)));
    const owner = await stat(join(folder.path, "postgres"));
    await chown(lock, owner.uid, owner.gid);
    const again = await folder.start();
    expect((await createKey(again, key)).status).toBe(201);
  });

  test("of PostgreSQL alone: the server brings it back by itself", async () => {
    const product = await folder.start();
    const key = await folder.newAccount();
    process.kill(await folder.postmasterPid(), "SIGKILL");
    await expect.poll(async () => (await createKey(product, key)).status).toBe(500);
    await expect.poll(async () => (await createKey(product, key)).status).toBe(201);
  });
});
