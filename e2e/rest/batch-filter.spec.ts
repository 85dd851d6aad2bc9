import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, newAccount, newGroup, newKey } from "./client";
import { idOf, KEYS_OF_CALL, keyRowsOf } from "./key-rows";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const { batch, setLimits, read, history, insertKeys, count } = keyRowsOf(() => account);
const ownId = () => account.apikey.slice(0, 10);

describe("batch with filter, 200", () => {
  test("all keys that match, and no other; what it cannot be done to is counted by reason", async () => {
    const group_id = await newGroup(account);
    const inside = await newKey(account, { group_id });
    const off = await newKey(account, { group_id });
    await batch({ apikey_ids: [off.id], action: "disable" });
    const outside = await newKey(account);
    const theirs = await newKey(await newAccount());
    expect((await batch({ filter: { group_id }, action: "disable" })).body).toEqual({
      success: true,
      message: "2 API keys disabled.",
      updated_count: 2,
      unchanged_count: 1,
      failed_count: 0,
      failed: [],
      left_out: [],
      remaining_count: 0,
      remaining_count_is_exact: true,
      next: null,
    });
    expect([(await read(inside.id)).status, (await read(outside.id)).status]).toEqual(["disabled", "active"]);
    expect((await history("key.disabled")).map((event: { key_count: number }) => event.key_count)).toEqual([1, 1]);

    const { body } = await batch({ filter: {}, action: "revoke" });
    expect(body).toMatchObject({
      updated_count: 3,
      left_out: [
        {
          code: "default_key_not_revoked",
          error: "the default API key is never revoked; rotate it instead",
          key_count: 1,
        },
      ],
    });
    expect((await read(ownId())).status).toBe("active");
    expect((await call("GET", "/v1/apikeys", { key: theirs.apikey })).status).toBe(403);
    expect((await batch({ filter: { status: "revoked" }, action: "enable" })).body).toMatchObject({
      updated_count: 0,
      left_out: [{ code: "key_revoked", key_count: 3 }],
    });
  });

  test("dry_run: how many match, would change, would be blocked and would be left out; nothing has changed", async () => {
    const group_id = await newGroup(account);
    const first = await newKey(account, { group_id, name: "a", budget: 10 });
    const off = await newKey(account, { group_id, name: "b" });
    await batch({ apikey_ids: [off.id], action: "disable" });
    await database.pool.query("UPDATE api_key SET spent = 2.5 WHERE account_id = $1 AND id = $2", [
      account.account_id,
      first.id,
    ]);
    const before = await count("true");
    const { status, body } = await batch({ filter: {}, action: "disable", dry_run: true });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "Nothing changed. This would disable 1 API key.",
        updated_count: 0,
        unchanged_count: 0,
        failed_count: 0,
        failed: [],
        left_out: [expect.objectContaining({ code: "default_key_not_disabled", key_count: 1 })],
        remaining_count: 3,
        remaining_count_is_exact: true,
        next: null,
        preview: {
          key_count: 2,
          changed_count: 1,
          blocked_count: 1,
          blocked: [{ apikey_id: first.id, name: "a" }],
          spent: 2.5,
          shared_group_id: group_id,
        },
      },
    ]);
    const moved = await batch({ filter: {}, action: "move", group_id: null, dry_run: true });
    expect(moved.body.preview).toMatchObject({ key_count: 3, changed_count: 2, blocked_count: 0 });
    expect(moved.body.preview).not.toHaveProperty("shared_group_id");
    const named = await batch({ apikey_ids: [first.id, ownId()], action: "revoke", dry_run: true });
    expect(named.body).toMatchObject({
      message: "Nothing changed. This would revoke 1 API key, 1 failed.",
      failed: [{ apikey_id: ownId() }],
      preview: { key_count: 1, blocked_count: 1 },
    });
    expect([await count("true"), await count("disabled_at IS NULL AND revoked_at IS NULL")]).toEqual([before, 1]);
  });

  test("many keys: call by call, in the order of their ids, until next is null; each call is one event", async () => {
    await insertKeys(KEYS_OF_CALL + 1_200);
    const body = { filter: { status: "active", search: "key " }, action: "disable", request_id: "walk" };
    const first = (await batch(body)).body;
    expect(first).toMatchObject({ updated_count: KEYS_OF_CALL, next: idOf(KEYS_OF_CALL), remaining_count: 1_200 });
    // The keys that were changed match no more, and the others are still to come.
    const again = await batch(body);
    expect(again.body).toMatchObject({ replayed: true, next: first.next, remaining_count: 1_200 });
    expect(await count(`disabled_at IS NULL AND id <= '${first.next}'`)).toBe(0);
    expect(await count("disabled_at IS NULL")).toBe(1_200);

    // Whoever comes back later goes on, although keys that were changed match no more.
    const last = (await batch({ ...body, after: first.next })).body;
    expect(last).toMatchObject({ updated_count: 1_200, next: null, remaining_count: 0 });
    expect(await count("disabled_at IS NULL")).toBe(0);
    const events = await history("key.disabled");
    expect(events.map((event: { key_count: number }) => event.key_count)).toEqual([1_200, KEYS_OF_CALL]);
  });
});

describe("400", () => {
  const some = { apikey_ids: ["sk-0000000"] };
  test.each<[object, string]>([
    [{ action: "disable", ...some, filter: {} }, "exactly one of apikey_ids and filter is required"],
    [{ action: "disable", ...some, after: "sk-0000000" }, "after: is only for filter"],
    [{ action: "disable", filter: "all" }, "filter: expected object with nothing but search, group_id, status, look"],
    // A misspelt filter must not mean all keys.
    [
      { action: "revoke", filter: { stauts: "expired" } },
      "filter: must be an object with nothing but search, group_id, status, look",
    ],
    [{ action: "disable", filter: { status: "on" } }, "filter.status: must be one of active, disabled"],
    [{ action: "disable", filter: {}, request_id: "" }, "request_id: must not be empty"],
  ])("batch %j", async (body, error) => {
    const answer = await batch(body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: expect.stringContaining(error) }]);
  });

  test.each<[object, string]>([
    [{ change: {} }, "at least one limit parameter is required"],
    [{ change: 5 }, "change: expected object with nothing but budget, daily_limit"],
    [{ change: { expiry_date: { add: 1 } } }, "change: must be an object with nothing but budget, daily_limit"],
    [{ change: { budget: {} } }, "change.budget: must have exactly one of multiply, add, at_least, at_most"],
    [{ change: { budget: { add: 1, multiply: 2 } } }, "change.budget: must have exactly one of multiply"],
    [{ change: { budget: { multiply: 0 } } }, "change.budget.multiply: must be more than 0"],
    [{ change: { budget: { multiply: 1e7 } } }, "change.budget.multiply: must be 1000000 or less"],
    [
      { change: { budget: { multiply: "2" } } },
      "change.budget.multiply: expected number (int or float), received string",
    ],
    [{ change: { budget: { at_most: 0 } } }, "change.budget.at_most: must be more than 0"],
    [{ change: { budget: { times: 2 } } }, "change.budget: must be an object with nothing but multiply"],
    [{ change: { budget: { add: 1 } }, budget: 5 }, "change: must not name a limit that is also sent by itself"],
  ])("batch_budget %j", async (body, error) => {
    const answer = await setLimits({ filter: {}, ...body });
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: expect.stringContaining(error) }]);
  });

  test("a bound below 0 is told its own rule, and not that 0 means no limit: 0 is refused too", async () => {
    const answer = await setLimits({ filter: {}, change: { budget: { at_most: -1 } } });
    expect([answer.status, answer.body.error]).toEqual([400, "change.budget.at_most: must be more than 0"]);
  });
});
