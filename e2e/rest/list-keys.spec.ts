import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, database, NOWHERE, newAccount, newGroup, newKey, unspent } from "./client";
import { AMOUNTS, UNSET } from "./limits";

const PATH = "/v1/apikeys";

/** The names of the keys that a query finds, in the order of the answer. */
async function namesFor(account: Account, query: Record<string, string>): Promise<string[]> {
  const { status, body } = await list(account, query);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.map(({ name }: { name: string }) => name);
}

function list(account: Account, query: Record<string, string> | string) {
  return call("GET", `${PATH}?${new URLSearchParams(query)}`, { key: account.apikey });
}

const inSomeOrder = (names: string[]) => [...names].sort();

describe("200", () => {
  test("every key that is not revoked, the default key too, newest first, with its fields and never its value", async () => {
    const account = await newAccount();
    const group_id = await newGroup(account, "Research");
    const limits = { budget: 1000.5, daily_limit: 0, input_price_limit: 0.000000001, expiry_date: "2031-12-31" };
    const { id, apikey } = await newKey(account, { name: "production", group_id, ...limits });
    const revoked = await newKey(account);
    await call("POST", `${PATH}/${revoked.id}/revoke`, { key: account.apikey, body: {} });
    const { status, body } = await call("GET", PATH, { key: account.apikey });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: "list",
      data: [
        {
          apikey_id: id,
          name: "production",
          is_default: false,
          status: "active",
          group_id,
          group_name: "Research",
          ...UNSET,
          ...limits,
          ...unspent({ budget: 1000.5 }),
          created_at: expect.any(Number),
          version: 1,
        },
        expect.objectContaining({
          apikey_id: account.apikey.slice(0, 10),
          is_default: true,
          group_id: null,
          group_name: null,
          status: "active",
        }),
      ],
      total: 2,
      total_is_exact: true,
      page: 1,
      page_size: 50,
    });
    expect(body.data[0].created_at).toBeGreaterThan(Date.now() / 1000 - 60);
    for (const value of [apikey, account.apikey]) expect(JSON.stringify(body)).not.toContain(value.slice(10));
  });

  test("query parameters that nobody knows are ignored", async () => {
    const account = await newAccount();
    const { status, body } = await list(account, { colour: "red", account_id: "x", apikey: "y" });
    expect([status, body.total]).toEqual([200, 1]);
  });
});

describe("search", () => {
  const names = [
    "Production",
    "straße 1",
    "МОСКВА",
    "ΟΔΟΣΑΝ",
    "生产密钥",
    "مفتاح",
    "თბილისი",
    "é",
    "100%",
    "a_b",
    "back\\slash",
    "axb",
    "🔑".repeat(128),
  ];
  let account: Account;
  beforeAll(async () => {
    account = await newAccount();
    for (const name of names) await newKey(account, { name });
  });

  test.each([
    ["another letter case", "pROD", ["Production"]],
    ["a part in the middle", "ducti", ["Production"]],
    ["Cyrillic", "москв", ["МОСКВА"]],
    ["Greek, with the sigma that ends a word", "οδος", ["ΟΔΟΣΑΝ"]],
    ["Greek, with the sigma inside a word", "οδοσ", ["ΟΔΟΣΑΝ"]],
    ["a letter that is two in capitals", "STRASSE", ["straße 1"]],
    ["Chinese", "密钥", ["生产密钥"]],
    ["Arabic", "مفت", ["مفتاح"]],
    ["Georgian, which got capitals late", "ბილ", ["თბილისი"]],
    ["a decomposed letter", "e\u0301", ["é"]],
    ["its capital", "É", ["é"]],
    ["a percent sign means itself", "%", ["100%"]],
    ["an underscore means itself", "_", ["a_b"]],
    ["a backslash means itself", "\\", ["back\\slash"]],
    ["a space means itself", " ", ["straße 1"]],
    ["128 characters outside the basic plane", "🔑".repeat(128), ["🔑".repeat(128)]],
    ["quotes and a statement", "'; DROP TABLE api_key; --", []],
    ["what only the default key has", "default", ["default"]],
  ])("%s", async (_, search, found) => {
    expect(await namesFor(account, { search })).toEqual(found);
  });

  test("a part of the id, in another letter case", async () => {
    const { id } = await newKey(account, { name: "by its id" });
    expect(await namesFor(account, { search: id.slice(3).toLowerCase() })).toEqual(["by its id"]);
    expect(await namesFor(account, { search: id })).toEqual(["by its id"]);
  });

  test("name and id are two things: nothing reaches from one into the other", async () => {
    expect(await namesFor(account, { search: "axb sk-" })).toEqual([]);
  });

  test("an empty one finds all", async () => {
    const { body } = await list(account, { search: "" });
    expect(body.total).toBeGreaterThan(names.length);
  });

  test("a renamed key is found by its new name alone", async () => {
    const { id } = await newKey(account, { name: "former" });
    await call("POST", `${PATH}/${id}/rename`, { key: account.apikey, body: { name: "LATTER" } });
    expect(await namesFor(account, { search: "former" })).toEqual([]);
    expect(await namesFor(account, { search: "latter" })).toEqual(["LATTER"]);
  });
});

describe("filters", () => {
  let account: Account;
  let group_id: string;
  beforeAll(async () => {
    account = await newAccount();
    group_id = await newGroup(account);
    const change = (id: string, action: string) =>
      call("POST", `${PATH}/${id}/${action}`, { key: account.apikey, body: {} });
    await newKey(account, { name: "active", group_id });
    await newKey(account, { name: "active, its last day far off", expiry_date: "9999-12-31" });
    await newKey(account, { name: "expired", expiry_date: "2020-01-01", group_id });
    await change((await newKey(account, { name: "disabled", group_id })).id, "disable");
    await change((await newKey(account, { name: "disabled, expired too", expiry_date: "2020-01-01" })).id, "disable");
    const { id } = await newKey(account, { name: "revoked, disabled and expired", expiry_date: "2020-01-01" });
    await change(id, "disable");
    await change(id, "revoke");
  });

  test.each([
    ["active", ["active", "active, its last day far off", "default"]],
    ["disabled", ["disabled", "disabled, expired too"]],
    ["expired", ["expired"]],
    ["revoked", ["revoked, disabled and expired"]],
  ])("status %s: the keys that have it, and say so", async (status, found) => {
    const { body } = await list(account, { status });
    expect(inSomeOrder(body.data.map(({ name }: { name: string }) => name))).toEqual(found);
    expect(new Set(body.data.map((key: { status: string }) => key.status))).toEqual(new Set([status]));
    expect(body.total).toBe(found.length);
  });

  test("a key is active on its last day, and expired on the next, in the account's zone", async () => {
    const other = await newAccount();
    await newKey(other, { name: "ends" });
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      await database.prisma.account.update({ where: { id: other.account_id }, data: { timeZone: zone } });
      for (const [days, status] of [
        [0, "active"],
        [-1, "expired"],
      ]) {
        await database.pool.query(
          `UPDATE api_key SET expiry_date = (now() AT TIME ZONE $1)::date + $2::int
            WHERE account_id = $3 AND name = 'ends'`,
          [zone, days, other.account_id],
        );
        const { body } = await list(other, { search: "ends" });
        expect([zone, body.data[0].status]).toEqual([zone, status]);
      }
    }
  });

  test("a group, in capitals too", async () => {
    const found = ["active", "disabled", "expired"];
    expect(inSomeOrder(await namesFor(account, { group_id }))).toEqual(found);
    expect(inSomeOrder(await namesFor(account, { group_id: group_id.toUpperCase() }))).toEqual(found);
  });

  test("no group", async () => {
    expect(inSomeOrder(await namesFor(account, { group_id: "none" }))).toEqual([
      "active, its last day far off",
      "default",
      "disabled, expired too",
    ]);
  });

  test("all of them together", async () => {
    expect(await namesFor(account, { group_id, status: "disabled", search: "DIS" })).toEqual(["disabled"]);
    expect(await namesFor(account, { group_id, status: "revoked" })).toEqual([]);
  });

  test("a group that is not there has no keys", async () => {
    const { status, body } = await list(account, { group_id: NOWHERE.group_id });
    expect([status, body.data, body.total]).toEqual([200, [], 0]);
  });
});

describe("order", () => {
  let account: Account;
  beforeAll(async () => {
    account = await newAccount();
    await newKey(account, { name: "b", budget: 2, daily_limit: 1, expiry_date: "2031-01-01" });
    await newKey(account, { name: "a", budget: 10, daily_limit: 1 });
    await newKey(account, { name: "c", budget: 0, daily_limit: 1, expiry_date: "2030-01-01" });
  });

  test.each<[string, "asc" | "desc", string[]]>([
    ["created_at", "desc", ["c", "a", "b", "default"]],
    ["created_at", "asc", ["default", "b", "a", "c"]],
    ["name", "asc", ["a", "b", "c", "default"]],
    ["name", "desc", ["default", "c", "b", "a"]],
    ["budget", "asc", ["c", "b", "a", "default"]],
    ["budget", "desc", ["a", "b", "c", "default"]],
    ["expiry_date", "asc", ["c", "b"]],
    ["expiry_date", "desc", ["b", "c"]],
  ])("by %s %s, unset values last", async (sort, order, expected) => {
    const names = await namesFor(account, { sort, order });
    expect(names.slice(0, expected.length)).toEqual(expected);
    expect(names).toHaveLength(4);
  });

  test.each(["daily_limit", "monthly_limit", "input_price_limit", "output_price_limit"])(
    "by %s: keys of one value follow by their ids, in the order asked for",
    async (sort) => {
      for (const order of ["asc", "desc"]) {
        const { body } = await list(account, { sort, order });
        const ties = body.data.filter((key: { daily_limit: number | null }) => key.daily_limit === 1);
        const ids: string[] = ties.map((key: { apikey_id: string }) => key.apikey_id);
        expect(ids).toEqual(order === "asc" ? ids.toSorted() : ids.toSorted().reverse());
        expect(ids).toHaveLength(3);
      }
    },
  );
});

describe("pages", () => {
  let account: Account;
  beforeAll(async () => {
    account = await newAccount();
    for (let i = 0; i < 6; i++) await newKey(account, { name: "tie", budget: i % 2 });
  });

  test.each(["created_at", "name", "budget", "monthly_limit"])(
    "by %s: each key on one page, and the total on each",
    async (sort) => {
      const ids: string[] = [];
      for (const page of ["1", "2", "3", "4"]) {
        const { body } = await list(account, { sort, page, page_size: "2" });
        expect([body.total, body.page, body.page_size]).toEqual([7, Number(page), 2]);
        expect(body.data).toHaveLength(page === "4" ? 1 : 2);
        ids.push(...body.data.map((key: { apikey_id: string }) => key.apikey_id));
      }
      expect(new Set(ids).size).toBe(7);
    },
  );

  test("a page past the last is empty and knows the total", async () => {
    const { status, body } = await list(account, { page: "20000", page_size: "100" });
    expect([status, body.data, body.total, body.page]).toEqual([200, [], 7, 20_000]);
  });
});

describe("400", () => {
  let account: Account;
  beforeAll(async () => {
    account = await newAccount();
  });
  const spent = ["spent_today", "spent_this_month", "spent", "share_used"];
  const sorts = ["created_at", "name", ...AMOUNTS, "expiry_date", ...spent, "last_used_at"].join(", ");
  const objectId = "group_id: must be a valid ObjectId of 24 hexadecimal characters, or none";

  test.each([
    ["page=0", "page: must be 1 or more"],
    ["page=-1", "page: must be 1 or more"],
    ["page=20001", "page: must be 20000 or less"],
    ["page=1000000000000000", "page: must be 20000 or less"],
    ["page=1.5", "page: expected number (int), received string"],
    ["page=1e2", "page: expected number (int), received string"],
    ["page=01", "page: expected number (int), received string"],
    ["page=", "page: expected number (int), received string"],
    ["page=two", "page: expected number (int), received string"],
    ["page=1&page=2", "page: expected number (int), received array"],
    ["page_size=0", "page_size: must be 1 or more"],
    ["page_size=101", "page_size: must be 100 or less"],
    ["status=gone", "status: must be one of active, disabled, expired, exhausted, revoked"],
    ["status=", "status: must be one of active, disabled, expired, exhausted, revoked"],
    [
      "status=active&status=revoked",
      "status: expected one of active, disabled, expired, exhausted, revoked, received array",
    ],
    ["sort=id", `sort: must be one of ${sorts}`],
    ["sort=name;drop", `sort: must be one of ${sorts}`],
    ["order=up", "order: must be one of asc, desc"],
    ["order=asc&order=desc", "order: expected one of asc, desc, received array"],
    ["group_id=nope", objectId],
    ["group_id=", objectId],
    ["group_id=none&group_id=none", "group_id: expected string, received array"],
    ["search=a&search=b", "search: expected string, received array"],
    ["search=%00", "search: must not contain the character NUL"],
    [`search=${"n".repeat(129)}`, "search: must be at most 128 characters long"],
    ["page=0&order=up", "order: must be one of asc, desc; page: must be 1 or more"],
  ])("%s", async (query, error) => {
    const { status, body } = await call("GET", `${PATH}?${query}`, { key: account.apikey });
    expect([status, body]).toEqual([400, { success: false, error }]);
  });
});

describe("an export walks through all keys", () => {
  const walk = (account: Account, query: Record<string, string>) =>
    call("GET", `${PATH}/export?${new URLSearchParams(query)}`, { key: account.apikey });

  test("in chunks, newest first, each key once", async () => {
    const account = await newAccount();
    await database.pool.query(
      `INSERT INTO api_key (account_id, id, name, created_at)
        SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n', now() - (n / 100) * interval '1 hour'
        FROM generate_series(1, 4100) n`,
      [account.account_id],
    );
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const { status, body } = await walk(account, after === null ? {} : { after });
      expect(status).toBe(200);
      ids.push(...body.data.map((key: { apikey_id: string }) => key.apikey_id));
      after = body.next;
    } while (after !== null);
    expect([ids.length, new Set(ids).size]).toEqual([4101, 4101]);
    const { body } = await list(account, { page_size: "100", page: "30" });
    expect(ids.slice(2900, 3000)).toEqual(body.data.map((key: { apikey_id: string }) => key.apikey_id));
  });

  test("only those that match", async () => {
    const account = await newAccount();
    const group_id = await newGroup(account);
    await newKey(account, { name: "in", group_id });
    await newKey(account, { name: "out" });
    const { body } = await walk(account, { group_id, search: "IN", status: "active" });
    expect(body).toEqual({ object: "list", data: [expect.objectContaining({ name: "in" })], next: null });
  });

  test("in the order of a list, from the value that a key had when it was read", async () => {
    const account = await newAccount();
    await database.pool.query(
      `INSERT INTO api_key (account_id, id, name, spent, budget)
        SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n~' || n % 7, n % 90 + n % 11 * 0.000000001, nullif(n % 5, 0) * 100
        FROM generate_series(1, 1500) n`,
      [account.account_id],
    );
    const idsOf = (body: { data: { apikey_id: string }[] }) => body.data.map(({ apikey_id }) => apikey_id);
    for (const query of [
      { sort: "share_used", order: "desc" },
      { sort: "name", order: "asc" },
    ]) {
      const first = await walk(account, query);
      const ids = idsOf(first.body);
      // The key where the walk is has another value before the next chunk.
      await database.pool.query("UPDATE api_key SET spent = 0, name = 'a' WHERE account_id = $1 AND id = $2", [
        account.account_id,
        ids.at(-1),
      ]);
      for (let after = first.body.next; after !== null; ) {
        const { status, body } = await walk(account, { ...query, after });
        expect(status).toBe(200);
        ids.push(...idsOf(body));
        after = body.next;
      }
      expect(new Set(ids).size).toBe(1501);
      // That key alone may come once more, where its new value is.
      expect(ids.length - 1501).toBeLessThanOrEqual(1);
    }
    const { status, body } = await walk(account, { sort: "spent", after: "sk-0000001" });
    expect([status, body.error]).toEqual([400, "after: must be `next` of an answer with the same sort"]);
  });

  test("400: NUL where an id is wanted", async () => {
    const { status, body } = await walk(await newAccount(), { after: "\0" });
    expect([status, body.error]).toEqual([400, "after: must not contain the character NUL"]);
  });
});
