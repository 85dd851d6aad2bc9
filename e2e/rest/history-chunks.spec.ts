import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, newAccount, newGroup } from "./client";
import { eventsOf } from "./events";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const { post, events, eventsDuring, event } = eventsOf(() => account);

describe("a change of so many keys that they are stored in chunks", () => {
  const COUNT = 1_234;
  const ids = Array.from({ length: COUNT }, (_, n) => `sk-${String(n).padStart(6, "0")}${"aZ"[n % 2]}`);
  // All values of some chunks are the same, others have an unset one among them, or no two alike.
  const budgetOf = (n: number) => (n < 500 ? 0.1 : n === 600 ? null : n);
  const expiryOf = (n: number) => (n % 7 === 0 ? "2031-12-31" : null);
  const keys = ids.map((id, n) => ({ id, name: `key ${n % 3}`, budget: budgetOf(n), expiry: expiryOf(n) }));

  async function newLargeGroup(count = COUNT): Promise<string> {
    const group_id = await newGroup(account, "Large");
    await database.pool.query(
      `INSERT INTO api_key (account_id, id, name, group_id, budget, expiry_date)
        SELECT $1, id, name, $2, budget, expiry FROM json_to_recordset($3) AS key(id text, name text, budget numeric, expiry date)`,
      [account.account_id, group_id, JSON.stringify(keys.slice(0, count))],
    );
    return group_id;
  }

  test("every key has its own values, on the page of its id and when it is asked for", async () => {
    const group_id = await newLargeGroup();
    const [limits, ...more] = await eventsDuring(() =>
      post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 9, daily_limit: 1, expiry_date: "2030-01-01" }),
    );
    expect(more).toEqual([]);
    const shown = keys.map(({ id, name, budget, expiry }) => ({
      apikey_id: id,
      name,
      before: { budget, daily_limit: null, expiry_date: expiry },
      after: {},
    }));
    const after = { budget: 9, daily_limit: 1, expiry_date: "2030-01-01" };
    const about = { action: "key.limits_set", group_id, group_name: "Large", key_count: COUNT, after };
    expect(limits).toEqual(event({ ...about, keys: shown.slice(0, 3) }));
    const page = async (number: number, size: number) => {
      const path = `/v1/history/${limits?.id}/keys?page=${number}&page_size=${size}`;
      return (await call("GET", path, { key: account.apikey })).body;
    };
    const all = [];
    for (let number = 1; number <= 13; number++) all.push(...(await page(number, 100)).data);
    expect(all).toEqual(shown);
    // This page begins in one chunk and ends in the next.
    expect(await page(11, 48)).toMatchObject({ data: shown.slice(480, 528), total: COUNT });
    expect(await page(100, 100)).toMatchObject({ data: [], total: COUNT });
    for (const n of [0, 499, 500, 600, 601, COUNT - 1]) {
      const [found, ...others] = await events({ apikey_id: ids[n] ?? "" });
      expect([found, others]).toEqual([event({ ...about, id: limits?.id ?? "", keys: shown.slice(n, n + 1) }), []]);
    }
    for (const id of ["---0000000", "sk-000123x", "sk-zzzzzzz"]) expect(await events({ apikey_id: id })).toEqual([]);
  });

  test.each([999, 1_000])("each of %i keys is there, one below the first chunks and with them", async (count) => {
    const group_id = await newLargeGroup(count);
    const [limits] = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 9 }));
    const path = `/v1/history/${limits?.id}/keys?page=10&page_size=100`;
    const { body } = await call("GET", path, { key: account.apikey });
    const listed = body.data.map(({ apikey_id }: { apikey_id: string }) => apikey_id);
    expect([limits?.key_count, body.total, listed]).toEqual([count, count, ids.slice(900, count)]);
    const [last] = await events({ apikey_id: ids[count - 1] ?? "" });
    expect(last?.id).toBe(limits?.id);
  });

  test("the move of the keys of a deleted group: each was in this group", async () => {
    const group_id = await newLargeGroup();
    const [moved] = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}/delete`, { ungroup_keys: true }));
    expect(moved).toMatchObject({ action: "key.moved", key_count: COUNT, after: { group: null } });
    const [last] = await events({ apikey_id: ids.at(-1) ?? "" });
    const before = { group: "Large", group_id };
    expect(last?.keys).toEqual([{ apikey_id: ids.at(-1), name: "key 0", before, after: {} }]);
  });

  test("another account sees none of them", async () => {
    const group_id = await newLargeGroup();
    const [limits] = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 9 }));
    const { apikey } = await newAccount();
    const listed = await call("GET", `/v1/history/${limits?.id}/keys`, { key: apikey });
    expect(listed.body).toMatchObject({ data: [], total: 0 });
    const { body } = await call("GET", `/v1/history?apikey_id=${ids[0]}`, { key: apikey });
    expect(body.data).toEqual([]);
  });
});
