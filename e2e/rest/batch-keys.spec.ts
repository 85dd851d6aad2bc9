import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, NOWHERE, newAccount, newGroup, newKey } from "./client";

const GONE = {
  apikey_id: NOWHERE.apikey_id,
  name: null,
  error: "the API key does not exist",
  code: "key_not_found",
  values: {},
};

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const batch = (body: unknown) => call("POST", "/v1/apikeys/batch", { key: account.apikey, body });
const setLimits = (body: unknown) => call("POST", "/v1/apikeys/batch_budget", { key: account.apikey, body });

async function newKeys(count: number, body: object = {}): Promise<string[]> {
  const keys = await Promise.all(Array.from({ length: count }, () => newKey(account, { ...body })));
  return keys.map(({ id }) => id);
}

async function read(id: string) {
  return (await call("GET", `/v1/apikeys/${id}`, { key: account.apikey })).body;
}

const eventsOf = (action: string) =>
  database.prisma.event.findMany({ where: { accountId: account.account_id, action } });

/** All rows that a batch could change, to prove that nothing has changed. */
async function everything() {
  const { rows } = await database.pool.query(
    `SELECT (SELECT json_agg(key ORDER BY id) FROM api_key key WHERE account_id = $1) AS keys,
      (SELECT count(*) FROM event WHERE account_id = $1) AS events,
      (SELECT count(*) FROM event_key WHERE account_id = $1) AS event_keys`,
    [account.account_id],
  );
  return rows;
}

describe("batch, 200", () => {
  test.each([
    ["disable", "disabled", "2 API keys disabled."],
    ["revoke", "revoked", "2 API keys revoked."],
  ])("%s: the keys that were named, and no other", async (action, status, message) => {
    const [first = "", second = "", other = ""] = await newKeys(3);
    const answer = await batch({ apikey_ids: [first, second], action });
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message, updated_count: 2, failed_count: 0, failed: [] },
    ]);
    expect([(await read(first)).status, (await read(second)).status]).toEqual([status, status]);
    expect(await read(other)).toMatchObject({ status: "active", version: 1 });
  });

  test("enable", async () => {
    const ids = await newKeys(2);
    await batch({ apikey_ids: ids, action: "disable" });
    const { body } = await batch({ apikey_ids: ids, action: "enable" });
    expect(body.message).toBe("2 API keys enabled.");
    for (const id of ids) expect(await read(id)).toMatchObject({ status: "active", version: 3 });
  });

  test("move to a group, and to none", async () => {
    const ids = await newKeys(2);
    const group_id = await newGroup(account, "Research");
    const { body } = await batch({ apikey_ids: ids, action: "move", group_id });
    expect(body.message).toBe("2 API keys moved.");
    for (const id of ids) expect(await read(id)).toMatchObject({ group_id, group_name: "Research" });
    await batch({ apikey_ids: ids, action: "move", group_id: null });
    for (const id of ids) expect(await read(id)).toMatchObject({ group_id: null, group_name: null });
  });

  test("keys that it cannot be done to are named with the reason, in the order sent; the others are done", async () => {
    const [good = "", revoked = ""] = await newKeys(2);
    await batch({ apikey_ids: [revoked], action: "revoke" });
    const theirs = await newKey(await newAccount());
    const own = account.apikey.slice(0, 10);
    const apikey_ids = ["sk-0nowher", theirs.id, own, good, revoked, NOWHERE.apikey_id];
    const { status, body } = await batch({ apikey_ids, action: "disable" });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "1 API key disabled, 5 failed.",
        updated_count: 1,
        failed_count: 5,
        failed: [
          { ...GONE, apikey_id: "sk-0nowher" },
          { ...GONE, apikey_id: theirs.id },
          {
            apikey_id: own,
            name: "default",
            error: "the default API key is never disabled; rotate it instead",
            code: "default_key_not_disabled",
            values: {},
          },
          { apikey_id: revoked, name: "a key", error: "the API key is revoked", code: "key_revoked", values: {} },
          GONE,
        ],
      },
    ]);
    expect((await read(good)).status).toBe("disabled");
    expect((await call("GET", "/v1/apikeys", { key: theirs.apikey })).status).toBe(403);
  });

  test("a key named twice counts once", async () => {
    const [id = ""] = await newKeys(1);
    const { body } = await batch({ apikey_ids: [id, id, id], action: "disable" });
    expect([body.updated_count, (await read(id)).version]).toEqual([1, 2]);
  });

  test("what is done already succeeds and stays as it is", async () => {
    const [done = "", open = ""] = await newKeys(2);
    await batch({ apikey_ids: [done], action: "disable" });
    const { body } = await batch({ apikey_ids: [done, open], action: "disable" });
    expect(body.updated_count).toBe(2);
    expect([(await read(done)).version, (await read(open)).version]).toEqual([2, 2]);
    expect((await eventsOf("key.disabled")).map(({ keyCount }) => keyCount)).toEqual([1, 1]);
  });

  test("a move that is sent again with its request_id is the same one, also when the group was renamed meanwhile", async () => {
    const group_id = await newGroup(account, "Research");
    const body = { apikey_ids: await newKeys(2), action: "move", group_id, request_id: "move" };
    const first = await batch(body);
    await call("POST", `/v1/apikey_groups/${group_id}`, { key: account.apikey, body: { name: "Science" } });
    const again = await batch(body);
    expect([again.status, again.body]).toEqual([200, { ...first.body, replayed: true }]);
    const other = await batch({ ...body, group_id: await newGroup(account, "Research") });
    expect([other.status, other.body.error]).toEqual([400, "request_id: was used before, for another change"]);
  });

  test("a revocation that is sent again with its request_id names the keys that failed, not those that it has revoked", async () => {
    const [revoked = "", ...others] = await newKeys(3);
    await batch({ apikey_ids: [revoked], action: "revoke" });
    const body = { apikey_ids: [...others, NOWHERE.apikey_id, revoked], action: "revoke", request_id: "revoke" };
    const first = await batch(body);
    expect(first.body).toMatchObject({ updated_count: 2, failed: [GONE, { apikey_id: revoked, code: "key_revoked" }] });
    expect((await batch(body)).body).toEqual({ ...first.body, replayed: true });
  });

  test("when every key fails: nothing is written", async () => {
    const before = await everything();
    const { body } = await batch({ apikey_ids: [NOWHERE.apikey_id], action: "revoke" });
    expect(body).toMatchObject({ message: "0 API keys revoked, 1 failed.", updated_count: 0, failed: [GONE] });
    expect(await everything()).toEqual(before);
  });

  test("1,000 keys, one event", async () => {
    await database.pool.query(
      "INSERT INTO api_key (account_id, id, name) SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n' FROM generate_series(1, 1000) n",
      [account.account_id],
    );
    const apikey_ids = Array.from({ length: 1000 }, (_, n) => `sk-${String(n + 1).padStart(7, "0")}`);
    expect((await batch({ apikey_ids, action: "disable" })).body.updated_count).toBe(1000);
    expect((await eventsOf("key.disabled")).map(({ keyCount }) => keyCount)).toEqual([1000]);
  });
});

describe("batch, 400", () => {
  test.each<[Record<string, unknown>, string]>([
    [{ action: "disable" }, "exactly one of apikey_ids and filter is required"],
    [{ action: "disable", apikey_ids: "sk-0000000" }, "apikey_ids: expected array of strings, received string"],
    [{ action: "disable", apikey_ids: [] }, "apikey_ids: must name at least one key"],
    [{ action: "disable", apikey_ids: Array(1001).fill("sk-0000000") }, "apikey_ids: must name at most 1000 keys"],
    [{ action: "disable", apikey_ids: ["sk-0000000", 5] }, "apikey_ids[1]: expected string, received number"],
    [
      { action: "disable", apikey_ids: ["sk-0000000", "nope"] },
      "apikey_ids[1]: must be the first 10 characters of a key value",
    ],
    [{ action: "disable", apikey_ids: ["sk-\u0000"] }, "apikey_ids[0]: must be the first 10 characters of a key value"],
    [{ apikey_ids: ["sk-0000000"] }, "action: expected one of disable, enable, revoke, move, received nothing"],
    [{ apikey_ids: ["sk-0000000"], action: "rotate" }, "action: must be one of disable, enable, revoke, move"],
    [
      { apikey_ids: ["sk-0000000"], action: null },
      "action: expected one of disable, enable, revoke, move, received null",
    ],
    [{ apikey_ids: ["sk-0000000"], action: "move" }, "group_id: is required to move keys; null for no group"],
    [
      { apikey_ids: ["sk-0000000"], action: "move", group_id: "" },
      "group_id: must be a valid ObjectId of 24 hexadecimal characters",
    ],
    [{ apikey_ids: ["sk-0000000"], action: "move", group_id: NOWHERE.group_id }, "group_id: names no existing group"],
    // As if it chose keys: the filter does, and this one chooses all.
    [{ filter: {}, action: "disable", group_id: NOWHERE.group_id }, "group_id: is only for move"],
    [{ apikey_ids: ["sk-0000000"], action: "revoke", group_id: null }, "group_id: is only for move"],
  ])("%.80j", async (sent, error) => {
    const { status, body } = await batch(sent);
    expect([status, body]).toEqual([400, { success: false, error }]);
  });

  test("to another account's group: no key moves", async () => {
    const [id = ""] = await newKeys(1);
    const group_id = await newGroup(await newAccount());
    const { status, body } = await batch({ apikey_ids: [id], action: "move", group_id });
    expect([status, body.error]).toEqual([400, "group_id: names no existing group"]);
    expect((await read(id)).version).toBe(1);
  });
});

describe("batch_budget, 200", () => {
  test("what is omitted stays, the expiry date too; keys that fail are named", async () => {
    const [first = "", second = ""] = await newKeys(2, { daily_limit: 3, expiry_date: "2031-12-31" });
    const [other = ""] = await newKeys(1);
    const { status, body } = await setLimits({ apikey_ids: [first, NOWHERE.apikey_id, second], budget: 0.000000001 });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "Limits updated on 2 API keys, 1 failed.",
        updated_count: 2,
        failed_count: 1,
        failed: [GONE],
      },
    ]);
    const after = { budget: 0.000000001, daily_limit: 3, expiry_date: "2031-12-31", version: 2 };
    expect(await read(first)).toMatchObject(after);
    expect(await read(second)).toMatchObject(after);
    expect(await read(other)).toMatchObject({ budget: null, version: 1 });
  });

  test("the default key has limits like any other", async () => {
    const id = account.apikey.slice(0, 10);
    expect((await setLimits({ apikey_ids: [id], monthly_limit: 7 })).body.updated_count).toBe(1);
    expect((await read(id)).monthly_limit).toBe(7);
  });

  test("dry_run: what would happen, and nothing has", async () => {
    const [first = "", second = ""] = await newKeys(2, { name: "worker", budget: 5 });
    const apikey_ids = [first, second, NOWHERE.apikey_id, first];
    const before = await everything();
    const { status, body } = await setLimits({ apikey_ids, budget: 9, expiry_date: "2020-01-01", dry_run: true });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "Nothing changed. Limits would be set on 2 API keys, 1 failed.",
        updated_count: 0,
        failed_count: 1,
        failed: [GONE],
        preview: {
          key_count: 2,
          changes: [
            {
              parameter: "budget",
              before: [{ value: 5, key_count: 2 }],
              distinct_count: 1,
              unset_count: 0,
              after: 9,
              changed_count: 2,
            },
            {
              parameter: "expiry_date",
              before: [{ value: null, key_count: 2 }],
              distinct_count: 1,
              unset_count: 2,
              after: "2020-01-01",
              changed_count: 2,
            },
          ],
          blocked_count: 2,
          blocked: [first, second].sort().map((apikey_id) => ({ apikey_id, name: "worker" })),
        },
      },
    ]);
    expect(await everything()).toEqual(before);
  });

  test("dry_run false is a run", async () => {
    const apikey_ids = await newKeys(1);
    const { body } = await setLimits({ apikey_ids, budget: 9, dry_run: false });
    expect([body.updated_count, body.preview]).toEqual([1, undefined]);
  });
});

describe("batch_budget, 400", () => {
  test.each<[Record<string, unknown>, RegExp]>([
    [{ budget: 1 }, /^exactly one of apikey_ids and filter is required$/],
    [{ apikey_ids: [], budget: 1 }, /^apikey_ids: must name at least one key$/],
    [{ apikey_ids: ["sk-0000000"] }, /^at least one limit parameter is required: budget, expiry_date,/],
    [{ apikey_ids: ["sk-0000000"], budget: "1" }, /^budget: expected number \(int or float\), received string$/],
    [{ apikey_ids: ["sk-0000000"], budget: -1 }, /^budget: must be 0 or more; 0 means no limit$/],
    [{ apikey_ids: ["sk-0000000"], budget: 1, dry_run: "yes" }, /^dry_run: expected boolean, received string$/],
    [{ apikey_ids: ["sk-0000000"], budget: 1, dry_run: null }, /^dry_run: expected boolean, received null$/],
  ])("%j, with dry_run and without", async (sent, error) => {
    for (const more of "dry_run" in sent ? [{}] : [{}, { dry_run: true }]) {
      const { status, body } = await setLimits({ ...sent, ...more });
      expect([status, body]).toEqual([400, { success: false, error: expect.stringMatching(error) }]);
    }
  });
});
