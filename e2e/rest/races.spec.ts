import { expect, test } from "vitest";
import { call, database, newAccount, newGroup, newKey } from "./client";

const times = <T>(n: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)));

test("one group name by 20 clients at once: one 201", async () => {
  const { apikey } = await newAccount();
  const answers = await times(20, () => call("POST", "/v1/apikey_groups", { key: apikey, body: { name: "wanted" } }));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(400)]);
});

test("100 keys at once: 100 different ids, all counted", async () => {
  const account = await newAccount();
  const group_id = await newGroup(account);
  const keys = await times(100, () => newKey(account, { group_id }));
  expect(new Set(keys.map(({ id }) => id)).size).toBe(100);
  const { body } = await call("GET", "/v1/apikey_groups", { key: account.apikey });
  expect(body.data[0].apikey_count).toBe(100);
});

test("limits of one group by many clients at once: every call succeeds, and one of them wins whole", async () => {
  const account = await newAccount();
  const group_id = await newGroup(account);
  await database.pool.query(
    "INSERT INTO api_key (account_id, id, name, group_id) SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n', $2 FROM generate_series(1, 2000) n",
    [account.account_id, group_id],
  );
  const answers = await times(12, (i) =>
    call("POST", `/v1/apikey_groups/${group_id}/batch_budget`, {
      key: account.apikey,
      body: { budget: i + 1, daily_limit: i + 1 },
    }),
  );
  expect(answers.map(({ status, body }) => [status, body.updated_count])).toEqual(Array(12).fill([200, 2000]));
  const { rows } = await database.pool.query(
    "SELECT DISTINCT budget, daily_limit FROM api_key WHERE account_id = $1 AND group_id = $2",
    [account.account_id, group_id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].budget).toBe(rows[0].daily_limit);
});

test("limits of one key by many clients at once: no update is lost", async () => {
  const account = await newAccount();
  const { id } = await newKey(account);
  const names = ["budget", "daily_limit", "monthly_limit", "input_price_limit", "output_price_limit"];
  await times(25, (i) =>
    call("POST", `/v1/apikeys/${id}/budget`, {
      key: account.apikey,
      body: { [names[i % 5] ?? ""]: 42, expiry_date: "2030-12-31" },
    }),
  );
  const { body } = await call("POST", `/v1/apikeys/${id}/budget`, {
    key: account.apikey,
    body: { expiry_date: "2030-12-31" },
  });
  expect(names.map((name) => body[name])).toEqual([42, 42, 42, 42, 42]);
});
