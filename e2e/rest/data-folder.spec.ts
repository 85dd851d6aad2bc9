import { randomUUID } from "node:crypto";
import { chown, mkdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runToEnd, temporaryFolder } from "../product";
import { createGroup, createKey, OwnFolder } from "./own-folder";

describe("the folder of the data", () => {
  const folder = new OwnFolder(temporaryFolder);

  /** The same with the command, which has to find the database of such a folder too. */
  async function createAccountBeside(dataDir: string): Promise<string> {
    const { stdout, stderr } = await runToEnd("account-create", ["--email", `${randomUUID()}@example.com`], {
      env: { DATA_DIR: dataDir },
    });
    return JSON.parse(stdout || stderr).apikey;
  }

  test("a path with spaces and letters outside ASCII", async () => {
    const path = join(folder.path, "my data 数据");
    const product = await folder.start({ DATA_DIR: path });
    expect((await createKey(product, await createAccountBeside(path))).status).toBe(201);
  });

  const isRoot = process.getuid?.() === 0;
  if (!isRoot) console.log("not root: the tests of other users' folders are left out");

  test.runIf(isRoot)("as root in a folder that only root may enter: kept elsewhere, and said so", async () => {
    const path = join(folder.path, "closed");
    await mkdir(path, { mode: 0o700 });
    const product = await folder.start({ DATA_DIR: join(path, "data") });
    expect(product.output()).toContain("the database is kept in /var/lib/allowance/");
    const key = await createAccountBeside(join(path, "data"));
    expect((await createGroup(product, key, "kept")).status).toBe(201);
    expect(await product.stop()).toBe(0);
    const again = await folder.start({ DATA_DIR: join(path, "data") });
    expect((await createGroup(again, key, "kept")).status).toBe(400);
    await again.stop();
    await rm(dirname(await realpath(join(path, "data/postgres"))), { recursive: true });
  });

  test.runIf(isRoot)("as an ordinary user, in a folder that only this user may enter", async () => {
    const nobody = { uid: 65534, gid: 65534 };
    const path = join(folder.path, "nobody's");
    await mkdir(path, { mode: 0o700 });
    await chown(path, nobody.uid, nobody.gid);
    const product = await folder.start({ DATA_DIR: path }, nobody);
    expect((await createKey(product, await createAccountBeside(path))).status).toBe(201);
    expect((await stat(join(path, "postgres"))).uid).toBe(nobody.uid);
  });
});
