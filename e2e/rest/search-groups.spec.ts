import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, database, NOWHERE, newAccount, newGroup, newKey } from "./client";
import { UNSET } from "./limits";

const PATH = "/v1/apikey_groups";

const search = (account: Account, query: Record<string, string> | string = "") =>
  call("GET", `${PATH}/search?${new URLSearchParams(query)}`, { key: account.apikey });

async function namesFor(account: Account, query: Record<string, string>): Promise<string[]> {
  const { status, body } = await search(account, query);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.map(({ name }: { name: string }) => name);
}

describe("200", () => {
  test("an account without groups", async () => {
    const { status, body } = await search(await newAccount());
    expect([status, body]).toEqual([
      200,
      { object: "list", data: [], total: 0, total_is_exact: true, page: 1, page_size: 50 },
    ]);
  });

  test("a group with its fields; the same when it is read alone", async () => {
    const account = await newAccount();
    const id = await newGroup(account, "Research");
    const { body } = await search(account);
    expect(body.data).toEqual([
      {
        id,
        name: "Research",
        description: "",
        created_at: expect.any(Number),
        updated_at: body.data[0].created_at,
        apikey_count: 0,
        shared_limits: UNSET,
        differing_limits: [],
        spent_this_month: 0,
        defaults: UNSET,
        apply_defaults: false,
        differing_key_count: 0,
      },
    ]);
    const one = await call("GET", `${PATH}/${id.toUpperCase()}`, { key: account.apikey });
    expect([one.status, one.body]).toEqual([200, body.data[0]]);
  });

  test("what the keys of a group spent this month, those too that were revoked since", async () => {
    const account = await newAccount();
    const group_id = await newGroup(account);
    const spend = async (name: string, amount: number, body = {}) => {
      const { apikey, id } = await newKey(account, { name, ...body });
      const key = account.apikey;
      const held = await call("POST", "/v1/authorizations", { key, body: { apikey, amount } });
      const path = `/v1/authorizations/${held.body.authorization_id}/capture`;
      expect((await call("POST", path, { key, body: { amount } })).status).toBe(200);
      return id;
    };
    await spend("one", 0.1, { group_id });
    const revoked = await spend("two", 0.200000001, { group_id });
    await call("POST", `/v1/apikeys/${revoked}/revoke`, { key: account.apikey, body: {} });
    await spend("elsewhere", 5);
    const earlier = await spend("of last month", 7, { group_id });
    await database.pool.query(
      `UPDATE api_key SET day = day - 31, month = (month - interval '1 month')::date WHERE account_id = $1 AND id = $2`,
      [account.account_id, earlier],
    );
    expect((await search(account)).body.data[0].spent_this_month).toBe(0.300000001);
  });

  test("limits that all keys share, and those that differ; revoked keys do not count", async () => {
    const account = await newAccount();
    const group_id = await newGroup(account);
    const shared = { daily_limit: 0.1, output_price_limit: 0, expiry_date: "2031-12-31" };
    await newKey(account, { group_id, ...shared, budget: 1, monthly_limit: 5 });
    await newKey(account, { group_id, ...shared, budget: 2 });
    const { id } = await newKey(account, { group_id, budget: 3, daily_limit: 7, input_price_limit: 1 });
    await call("POST", `/v1/apikeys/${id}/revoke`, { key: account.apikey, body: {} });
    const { body } = await search(account);
    expect(body.data[0]).toMatchObject({
      apikey_count: 2,
      shared_limits: { ...UNSET, ...shared },
      differing_limits: ["budget", "monthly_limit"],
    });
  });

  test("set on some keys and unset on others is a difference, 0 and unset are one too", async () => {
    const account = await newAccount();
    const group_id = await newGroup(account);
    await newKey(account, { group_id, budget: 0, expiry_date: "2031-12-31" });
    await newKey(account, { group_id });
    const { body } = await search(account);
    expect(body.data[0].differing_limits).toEqual(["budget", "expiry_date"]);
  });
});

describe("search, order and pages", () => {
  let account: Account;
  beforeAll(async () => {
    account = await newAccount();
    for (const [name, keys] of [
      ["b Research", 1],
      ["a_b", 0],
      ["c 100%", 2],
      ["d МОСКВА", 0],
    ] as const) {
      const group_id = await newGroup(account, name);
      for (let i = 0; i < keys; i++) await newKey(account, { group_id });
    }
  });

  test.each([
    ["RESEARCH", ["b Research"]],
    ["москва", ["d МОСКВА"]],
    ["_", ["a_b"]],
    ["%", ["c 100%"]],
    ["\\", []],
    ["nothing like it", []],
    ["", ["d МОСКВА", "c 100%", "a_b", "b Research"]],
  ])("search %j", async (text, found) => {
    const { body } = await search(account, { search: text });
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(found);
    expect(body.total).toBe(found.length);
  });

  test.each([
    ["name", "asc", ["a_b", "b Research", "c 100%", "d МОСКВА"]],
    ["name", "desc", ["d МОСКВА", "c 100%", "b Research", "a_b"]],
    ["created_at", "asc", ["b Research", "a_b", "c 100%", "d МОСКВА"]],
    ["created_at", "desc", ["d МОСКВА", "c 100%", "a_b", "b Research"]],
    ["apikey_count", "asc", ["a_b", "d МОСКВА", "b Research", "c 100%"]],
    ["apikey_count", "desc", ["c 100%", "b Research", "d МОСКВА", "a_b"]],
  ])("sort %s %s", async (sort, order, expected) => {
    expect(await namesFor(account, { sort, order })).toEqual(expected);
  });

  test.each(["name", "created_at", "apikey_count"])("pages by %s: each group on one", async (sort) => {
    const names: string[] = [];
    for (const page of ["1", "2", "3"]) {
      const { body } = await search(account, { sort, page, page_size: "2" });
      expect([body.total, body.page, body.page_size]).toEqual([4, Number(page), 2]);
      names.push(...body.data.map(({ name }: { name: string }) => name));
    }
    expect(new Set(names).size).toBe(4);
    expect(names).toHaveLength(4);
  });

  test("query parameters that nobody knows are ignored", async () => {
    expect((await search(account, { group_id: "x", colour: "red" })).body.total).toBe(4);
  });
});

describe("400", () => {
  test.each([
    ["sort=budget", "sort: must be one of created_at, name, apikey_count"],
    ["order=ASC", "order: must be one of asc, desc"],
    ["page=0", "page: must be 1 or more"],
    ["page_size=1000", "page_size: must be 100 or less"],
    ["search=a&search=b", "search: expected string, received array"],
    [`search=${"n".repeat(129)}`, "search: must be at most 128 characters long"],
  ])("%s", async (query, error) => {
    const { status, body } = await search(await newAccount(), query);
    expect([status, body]).toEqual([400, { success: false, error }]);
  });

  test("a group_id that is no ObjectId", async () => {
    const { status, body } = await call("GET", `${PATH}/nope`, { key: (await newAccount()).apikey });
    expect([status, body.error]).toEqual([400, "group_id: must be a valid ObjectId of 24 hexadecimal characters"]);
  });
});

test("404: a group that is not there, and another account's, in the same words", async () => {
  const theirs = await newGroup(await newAccount());
  const { apikey } = await newAccount();
  for (const id of [NOWHERE.group_id, theirs]) {
    const { status, body } = await call("GET", `${PATH}/${id}`, { key: apikey });
    expect([status, body]).toEqual([404, { success: false, error: "group_id: the group does not exist" }]);
  }
});

describe("names", () => {
  const names = async (account: Account, query: Record<string, string>) => {
    const { status, body } = await call("GET", `${PATH}/names?${new URLSearchParams(query)}`, { key: account.apikey });
    return status === 200 ? [body.data.map(({ name }: { name: string }) => name), body.has_more] : status;
  };

  test("in their order, by a part in any letter case, by their ids, and no others", async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const ids: string[] = [];
    for (const name of ["beta", "Alpha", "知识库", "alphabet"]) ids.push(await newGroup(account, name));
    const foreign = await newGroup(other, "Alpha of another");
    expect(await names(account, {})).toEqual([["Alpha", "alphabet", "beta", "知识库"], false]);
    expect(await names(account, { search: "ALPHA" })).toEqual([["Alpha", "alphabet"], false]);
    expect(await names(account, { search: "识" })).toEqual([["知识库"], false]);
    expect(await names(account, { page_size: "3" })).toEqual([["Alpha", "alphabet", "beta"], true]);
    const asked = [ids[0]?.toUpperCase(), ids[2], foreign, NOWHERE.group_id].join(",");
    expect(await names(account, { group_ids: asked, page_size: "1" })).toEqual([["beta", "知识库"], false]);
    expect(await names(account, { group_ids: Array(101).fill(foreign).join(",") })).toBe(400);
  });

  test("the one whose whole name is searched for comes first, in any letter case", async () => {
    const account = await newAccount();
    for (const name of ["Ödland", "an Ödland", "100%", "1000%"]) await newGroup(account, name);
    expect(await names(account, { search: "ödland" })).toEqual([["Ödland", "an Ödland"], false]);
    expect(await names(account, { search: "ödland", page_size: "1" })).toEqual([["Ödland"], true]);
    expect(await names(account, { search: "0%" })).toEqual([["100%", "1000%"], false]);
    expect(await names(account, { search: "1000%" })).toEqual([["1000%"], false]);
  });
});
