import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Finished, runToEnd, startProduct, temporaryFolder } from "../product";
import { call, callAt, database } from "./client";

const beside = (...args: string[]): Promise<Finished> =>
  runToEnd("account-create", args, { env: { DATABASE_URL: inject("databaseUrl") } });

describe("beside a running server", () => {
  test("prints one line of JSON, and the key works at once", async () => {
    const email = `${randomUUID()}@Example.com`;
    const { code, stdout, stderr } = await beside("--email", email);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    const account = JSON.parse(stdout);
    expect(account).toEqual({
      account_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      email: email.toLowerCase(),
      apikey: expect.stringMatching(/^sk-[0-9A-Za-z]{45}$/),
    });
    expect((await call("GET", "/v1/apikey_groups", { key: account.apikey })).status).toBe(200);
  });

  test.each([
    ["no email", [], "email: required"],
    ["an option without a value", ["--email"], "email: required"],
    ["an unknown option", ["--mail", "a@example.com"], "email: required"],
    ["no address", ["--email", "owner"], "email: must be an email address"],
    ["two addresses", ["--email", "a@example.com b@example.com"], "email: must be an email address"],
    ["a very long one", ["--email", `${"a".repeat(250)}@example.com`], "email: must be an email address"],
  ])("%s: one clear line on stderr, exit 1, nothing created", async (_, args, message) => {
    const before = await database.prisma.account.count({ where: { email: { contains: args[1] ?? "@nowhere" } } });
    const { code, stdout, stderr } = await beside(...args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(message)]);
    expect(await database.prisma.account.count({ where: { email: { contains: args[1] ?? "@nowhere" } } })).toBe(before);
  });

  test("a taken address, in whatever letter case", async () => {
    const email = `${randomUUID()}@example.com`;
    await beside("--email", email);
    const { code, stderr } = await beside("--email", email.toUpperCase());
    expect([code, stderr]).toEqual([1, `email: an account for ${email} exists already\n`]);
    expect(await database.prisma.apiKey.count({ where: { account: { email } } })).toBe(1);
  });

  test("an unreachable database: one clear line", async () => {
    const { code, stderr } = await runToEnd("account-create", ["--email", "a@example.com"], {
      env: { DATABASE_URL: "postgresql://allowance:hunter2@127.0.0.1:1/none" },
    });
    expect([code, stderr]).toEqual([1, "the database cannot be reached; nothing was created\n"]);
  });
});

describe("on the embedded database", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  test("several at once without a server, then with one: every key works", async () => {
    const env = { DATA_DIR: folder.path };
    const create = (name: string) => runToEnd("account-create", ["--email", `${name}@example.com`], { env });
    const first = await Promise.all(["a", "b", "c"].map(create));
    expect(first.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, ""]));
    const product = await startProduct({ env });
    try {
      const all = [...first, await create("d")];
      for (const { stdout } of all) {
        expect((await callAt(product.url, "GET", "/v1/apikey_groups", { key: JSON.parse(stdout).apikey })).status).toBe(
          200,
        );
      }
    } finally {
      expect(await product.stop()).toBe(0);
    }
  });
});
