import { beforeEach, describe, expect, test } from "vitest";
import { countWaiting } from "@/server/testing/waiting";
import { changesOf } from "./changes";
import { type Account, database, newAccount, newGroup } from "./client";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const { post, get, key, newest, revert, change } = changesOf(() => account);

describe("200", () => {
  test("more keys than one transaction takes: each has its limits back, in one event", async () => {
    const KEYS = 5_600;
    const group_id = await newGroup(account, "large");
    await database.pool.query(
      `INSERT INTO api_key (account_id, id, name, group_id, budget, expiry_date)
        SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n' || n, $2, n, CASE WHEN n % 2 = 0 THEN DATE '2026-12-31' END
        FROM generate_series(1, $3::int) n`,
      [account.account_id, group_id, KEYS],
    );
    const written = { budget: 0, expiry_date: "2027-06-01" };
    const event = await change(`/v1/apikey_groups/${group_id}/batch_budget`, written);
    await post("/v1/apikeys/sk-0000007/budget", { budget: 7.5 });
    expect((await revert(event, { dry_run: true })).body).toMatchObject({
      skipped_count: 1,
      preview: { key_count: KEYS - 1, changes: [{ distinct_count: KEYS - 1 }, { distinct_count: 2 }] },
    });
    expect((await revert(event)).body).toMatchObject({ updated_count: KEYS - 1, skipped_count: 1 });
    const { rows } = await database.pool.query(
      `SELECT count(*)::int FROM api_key WHERE account_id = $1 AND group_id = $2 AND budget = substr(name, 2)::int
        AND expiry_date IS NOT DISTINCT FROM CASE WHEN substr(name, 2)::int % 2 = 0 THEN DATE '2026-12-31' END`,
      [account.account_id, group_id],
    );
    expect(rows).toEqual([{ count: KEYS - 1 }]);
    const undoing = await newest();
    expect(undoing).toMatchObject({ key_count: KEYS - 1, reverts: event.id, group_id, after: {} });
    expect((await get(`/v1/history?apikey_id=sk-0005600&action=key.limits_set`)).data[0].keys).toEqual([
      { apikey_id: "sk-0005600", name: "n5600", before: written, after: { budget: 5600, expiry_date: "2026-12-31" } },
    ]);
    // One of more than 100,000 keys is undone in parts. None of them needs to be there for that.
    await database.pool.query("UPDATE event SET key_count = 100001 WHERE account_id = $1 AND id = $2", [
      account.account_id,
      undoing.id,
    ]);
    expect((await revert(undoing)).body).toMatchObject({ updated_count: KEYS - 1, failed_count: 0 });
    expect(await newest()).toMatchObject({ key_count: KEYS - 1, reverts: undoing.id, after: written });
    expect(await key("sk-0005600")).toMatchObject(written);
  });

  test("more keys than one transaction takes, forced, while one of them spends", async () => {
    const KEYS = 5_100;
    const group_id = await newGroup(account, "busy");
    await database.pool.query(
      `INSERT INTO api_key (account_id, id, name, group_id, budget)
        SELECT $1, 'sk-' || 1000000 + n, 'n' || n, $2, n FROM generate_series(1, $3::int) n`,
      [account.account_id, group_id, KEYS],
    );
    const event = await change(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 50, expiry_date: "2027-06-01" });
    await post("/v1/apikeys/sk-1000007/budget", { budget: 7.5, expiry_date: "2027-07-01" });
    const spending = await database.pool.connect();
    try {
      await spending.query("BEGIN");
      await spending.query("UPDATE api_key SET spent = 2 WHERE account_id = $1 AND id = 'sk-1000008'", [
        account.account_id,
      ]);
      const reverting = revert(event, { force: true });
      await expect.poll(() => countWaiting(database.pool, spending)).toBe(1);
      await spending.query("COMMIT");
      expect((await reverting).body).toMatchObject({ updated_count: KEYS, failed_count: 0 });
    } finally {
      spending.release();
    }
    expect(await key("sk-1000007")).toMatchObject({ budget: 7, expiry_date: null });
    expect(await key("sk-1000008")).toMatchObject({ budget: 8, expiry_date: null, spent: 2 });
    expect((await get("/v1/history?apikey_id=sk-1000007&action=key.limits_set")).data[0].keys).toEqual([
      {
        apikey_id: "sk-1000007",
        name: "n7",
        before: { budget: 7.5, expiry_date: "2027-07-01" },
        after: { budget: 7, expiry_date: null },
      },
    ]);
  });
});
