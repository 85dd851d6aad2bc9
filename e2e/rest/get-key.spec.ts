import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, NOWHERE, newAccount, newGroup, newKey, unspent } from "./client";
import { UNSET } from "./limits";

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

const get = (id: string) => call("GET", `/v1/apikeys/${id}`, { key: account.apikey });

describe("200", () => {
  test("the key with its limits, its group and its status, and never its value", async () => {
    const group_id = await newGroup(account, "Research");
    const limits = { budget: 123456789012345.12, monthly_limit: 0, output_price_limit: 0.1, expiry_date: "2031-12-31" };
    const { id, apikey } = await newKey(account, { name: "production", group_id, ...limits });
    const { status, body } = await get(id);
    expect([status, body]).toEqual([
      200,
      {
        apikey_id: id,
        name: "production",
        is_default: false,
        status: "active",
        group_id,
        group_name: "Research",
        ...UNSET,
        ...limits,
        ...unspent({ budget: 123456789012345.12 }),
        created_at: expect.any(Number),
        version: 1,
        previous_value_until: null,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(apikey.slice(10));
  });

  test("the default key", async () => {
    const { body } = await get(account.apikey.slice(0, 10));
    expect(body).toMatchObject({ is_default: true, status: "active", group_id: null });
  });

  test("a revoked key", async () => {
    const { id } = await newKey(account, { name: "gone" });
    await call("POST", `/v1/apikeys/${id}/revoke`, { key: account.apikey, body: {} });
    const { status, body } = await get(id);
    expect([status, body]).toEqual([200, expect.objectContaining({ name: "gone", status: "revoked", version: 2 })]);
  });

  test("the version grows with every change", async () => {
    const { id } = await newKey(account);
    const change = (action: string, body: object) =>
      call("POST", `/v1/apikeys/${id}/${action}`, { key: account.apikey, body });
    const changes: [string, object][] = [
      ["budget", { budget: 1 }],
      ["rename", { name: "another" }],
      ["move", { group_id: await newGroup(account) }],
      ["disable", {}],
      ["enable", {}],
      ["rotate", {}],
    ];
    for (const [i, [action, body]] of changes.entries()) {
      await change(action, body);
      expect([action, (await get(id)).body.version]).toEqual([action, i + 2]);
    }
  });
});

describe("404", () => {
  test.each([
    ["an id that no key has", NOWHERE.apikey_id],
    ["something else than an id", "nope"],
    ["the id in another letter case", "SK-0000000"],
  ])("%s", async (_, id) => {
    const { status, body } = await get(id);
    expect([status, body]).toEqual([404, { success: false, error: "apikey_id: the API key does not exist" }]);
  });

  test("another account's key", async () => {
    const { id } = await newKey(await newAccount());
    expect((await get(id)).status).toBe(404);
  });
});
