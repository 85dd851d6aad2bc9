import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { Browser } from "../browser";
import { type Finished, runToEnd, startProduct, temporaryFolder } from "../product";
import { call, callAt, database } from "./client";

const beside = (...args: string[]): Promise<Finished> => besideWith("", ...args);
const besideWith = (input: string | Uint8Array, ...args: string[]): Promise<Finished> =>
  runToEnd("account-create", args, { env: { DATABASE_URL: inject("databaseUrl") }, input });
const signIn = (email: string, password: string) =>
  new Browser(inject("productUrl")).signIn(email, password).then(({ status }) => status);

describe("beside a running server", () => {
  test("prints one line of JSON; key and password work at once", async () => {
    const email = `${randomUUID()}@Example.com`;
    const { code, stdout, stderr } = await beside("--email", email);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    const account = JSON.parse(stdout);
    expect(account).toEqual({
      account_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      email: email.toLowerCase(),
      apikey: expect.stringMatching(/^sk-[0-9A-Za-z]{45}$/),
      password: expect.stringMatching(/^[\w-]{20}$/),
    });
    expect(await signIn(email, account.password)).toBe(200);
    const events = await database.prisma.event.findMany({
      where: { accountId: account.account_id, actor: "command_line" },
    });
    expect(events).toMatchObject([
      { action: "account.created", actor: "command_line", actorName: "account:create", address: null },
    ]);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`${account.password}|${account.apikey}`));
    expect((await call("GET", "/v1/apikey_groups", { key: account.apikey })).status).toBe(200);
  });

  test("takes the password from the standard input, and does not print it", async () => {
    const email = `${randomUUID()}@example.com`;
    const { code, stdout } = await besideWith("a password of my own\n", "--email", email, "--password-stdin");
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).toEqual(["account_id", "email", "apikey"]);
    expect(await signIn(email, "a password of my own")).toBe(200);
  });

  test.each([
    ["too short", "h7Kq2vX9mP4\n", "password: must be at least 12 characters long\n"],
    ["missing", "", "password: must be at least 12 characters long\n"],
    [
      "too common",
      "password1234\n",
      "password: is too easy to guess: it is one of the commonest passwords, or made of them\n",
    ],
    ["on two lines", "a password of my own\nand a remark\n", "password: must be one line\n"],
    ["not in UTF-8", Buffer.from("ein Schlüssel von mir\n", "latin1"), "password: must be in UTF-8\n"],
    ["too long", "p".repeat(129), "password: must be at most 128 characters long\n"],
  ])("a password that is %s: one clear line on stderr, exit 1, nothing created", async (_, input, line) => {
    const email = `${randomUUID()}@example.com`;
    const { code, stdout, stderr } = await besideWith(input, "--email", email, "--password-stdin");
    expect([code, stdout, stderr]).toEqual([1, "", line]);
    expect(await database.prisma.account.count({ where: { email } })).toBe(0);
  });

  test.each([
    ["no email", [], "email: required"],
    ["an option without a value", ["--email"], "email: required"],
    ["an unknown option", ["--mail", "a@example.com"], "--mail: unknown option; did you mean --email?"],
    ["no address", ["--email", "owner"], "email: must be an email address"],
    ["two addresses", ["--email", "a@example.com b@example.com"], "email: must be an email address"],
    ["a very long one", ["--email", `${"a".repeat(250)}@example.com`], "email: must be an email address"],
  ])("%s: one clear line on stderr, exit 1, nothing created", async (_, args, message) => {
    // Of this address alone: other specs make accounts whose addresses end like it.
    const count = () => database.prisma.account.count({ where: { email: args[1] ?? "@nowhere" } });
    const before = await count();
    const { code, stdout, stderr } = await beside(...args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(message)]);
    expect(await count()).toBe(before);
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
