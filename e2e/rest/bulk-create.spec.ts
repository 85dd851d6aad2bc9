import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, NOWHERE, newAccount, newGroup } from "./client";
import { EVERY_LIMIT, UNSET } from "./limits";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const bulk = (keys: unknown, rest: object = {}) =>
  call("POST", "/v1/apikeys/bulk", { key: account.apikey, body: { keys, ...rest } });
const keyCount = () => database.prisma.apiKey.count({ where: { accountId: account.account_id } });

describe("201", () => {
  test("each key in its order, with its limits, its value and its event", async () => {
    const plain = await newGroup(account, "Plain");
    const group = await newGroup(account, "With defaults");
    const defaults = { defaults: { budget: 100, monthly_limit: 50 }, apply_defaults: true };
    await call("POST", `/v1/apikey_groups/${group}`, { key: account.apikey, body: defaults });
    const { status, body } = await bulk([
      { name: "every", ...EVERY_LIMIT },
      { name: "same name", group_id: plain },
      { name: "same name", group_id: group, budget: 0 },
      { name: "own", group_id: group, apply_defaults: false },
    ]);
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        message: "4 API keys created.",
        created_count: 4,
        keys: [
          { apikey: expect.any(String), name: "every", group_id: null, ...EVERY_LIMIT },
          { apikey: expect.any(String), name: "same name", group_id: plain, ...UNSET },
          { apikey: expect.any(String), name: "same name", group_id: group, ...UNSET, budget: 0, monthly_limit: 50 },
          { apikey: expect.any(String), name: "own", group_id: group, ...UNSET },
        ],
      },
    ]);
    for (const { apikey, name, group_id } of body.keys) {
      // The value is good: with it, the account's own endpoints are forbidden, and not unknown.
      expect((await call("GET", "/v1/apikeys", { key: apikey })).status).toBe(403);
      const id = apikey.slice(0, 10);
      const found = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
      expect(found.body).toMatchObject({ apikey_id: id, name, group_id });
      const { body: history } = await call("GET", `/v1/history?apikey_id=${id}`, { key: account.apikey });
      expect(history.data).toMatchObject([{ action: "key.created", key_count: 1, group_id, after: { name } }]);
    }
  });

  test("1000 keys with long names in one body, whose values all differ", async () => {
    const name = "名".repeat(124);
    const keys = Array.from({ length: 1000 }, (_, i) => ({ name: `${name}${i}`, ...EVERY_LIMIT }));
    const { status, body } = await bulk(keys);
    expect([status, body.created_count]).toEqual([201, 1000]);
    expect(body.keys.map((key: { name: string }) => key.name)).toEqual(keys.map((key) => key.name));
    expect(new Set(body.keys.map((key: { apikey: string }) => key.apikey)).size).toBe(1000);
    const list = await call("GET", "/v1/apikeys?page_size=1", { key: account.apikey });
    expect(list.body.total).toBe(1001);
  });

  test("parameters that a key does not know are ignored, and named once", async () => {
    const answer = await bulk(
      [
        { name: "a", bugdet: 5 },
        { name: "b", bugdet: 6 },
      ],
      { dry: true },
    );
    expect([answer.status, answer.headers.get("Ignored-Parameters")]).toEqual([201, "dry, keys.bugdet"]);
  });

  test("however many there are, the first 20 of them are named", async () => {
    const names = Array.from({ length: 150_000 }, (_, i) => `x${i}`);
    const answer = await bulk([{ ...Object.fromEntries(names.map((name) => [name, 0])), name: "a" }]);
    const named = names.slice(0, 20).map((name) => `keys.${name}`);
    expect([answer.status, answer.headers.get("Ignored-Parameters")]).toEqual([201, named.join(", ")]);
  });
});

describe("400, and no key is created", () => {
  test("a list instead of a key has no parameters that could be ignored", async () => {
    const { status, headers, body } = await bulk([["a"], { name: "b", bugdet: 5 }]);
    expect([status, body.error]).toEqual([400, "keys[0]: expected object, received array"]);
    expect(headers.get("Ignored-Parameters")).toBe("keys.bugdet");
  });

  test.each<[string, unknown, string | RegExp]>([
    [
      "a wrong row",
      [{ name: "a" }, { name: "", budget: -1 }],
      /^keys\[1\]\.name: .*; keys\[1\]\.budget: must be 0 or more/,
    ],
    ["null as a limit", [{ name: "a", budget: null }], "keys[0].budget: expected number (int or float), received null"],
    ["no list", { name: "a" }, "keys: expected array of objects, received object"],
    ["no object", ["a"], "keys[0]: expected object, received string"],
    ["no key", [], "keys: must have at least one key"],
    ["too many", Array.from({ length: 1001 }, () => ({ name: "a" })), "keys: must have at most 1000 keys"],
    // The time to compose them grows with the square of their number: it would be many minutes, in which the process does nothing else.
    [
      "a letter with a million accents",
      [{ name: `a${"\u0301".repeat(500_000)}${"\u0323".repeat(500_000)}` }],
      "keys[0].name: must be at most 128 characters long",
    ],
    [
      "a group that does not exist",
      [{ name: "a" }, { name: "b", group_id: NOWHERE.group_id }],
      "keys[1].group_id: names no existing group",
    ],
  ])("%s", async (_, keys, error) => {
    const answer = await bulk(keys);
    const expected = typeof error === "string" ? error : expect.stringMatching(error);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: expected }]);
    expect(await keyCount()).toBe(1);
  });

  test("the group of another account", async () => {
    const group_id = await newGroup(await newAccount());
    const { status, body } = await bulk([{ name: "a", group_id }]);
    expect([status, body.error]).toEqual([400, "keys[0].group_id: names no existing group"]);
  });
});

test("413: a body of more than 2 MiB; other endpoints keep their 64 KiB", async () => {
  const raw = (path: string, length: number) =>
    call("POST", path, {
      key: account.apikey,
      raw: JSON.stringify({ name: "a".repeat(length) }),
      headers: { "Content-Type": "application/json" },
    });
  expect((await raw("/v1/apikeys/bulk", 2 * 1024 * 1024)).status).toBe(413);
  expect((await raw("/v1/apikeys/bulk", 1024 * 1024)).body.error).toBe(
    "keys: expected array of objects, received nothing",
  );
  expect((await raw("/v1/apikeys", 64 * 1024)).status).toBe(413);
});
