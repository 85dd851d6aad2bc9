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

test("two renames based on one version: one 200, one 409, and the name of the 200", async () => {
  const account = await newAccount();
  for (let round = 0; round < 10; round++) {
    const { id } = await newKey(account);
    const answers = await times(2, (i) =>
      call("POST", `/v1/apikeys/${id}/rename`, { key: account.apikey, body: { name: `by ${i}`, version: 1 } }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    const winner = answers.findIndex(({ status }) => status === 200);
    expect([body.name, body.version]).toEqual([`by ${winner}`, 2]);
  }
});

test("one group renamed by many clients at once: each is answered what it made of it, and the history is a chain", async () => {
  const account = await newAccount();
  const group_id = await newGroup(account, "first");
  const answers = await times(40, (i) =>
    call("POST", `/v1/apikey_groups/${group_id}`, { key: account.apikey, body: { name: `by ${i}` } }),
  );
  expect(answers.map(({ status, body }) => [status, body.name, body.message])).toEqual(
    answers.map((_, i) => [200, `by ${i}`, `Group "by ${i}" changed.`]),
  );
  const events = await database.prisma.event.findMany({
    where: { accountId: account.account_id, action: "group.changed" },
  });
  const next = new Map(events.map(({ before, after }) => [Object(before).name, Object(after).name]));
  let name = "first";
  for (let n = 0; n < 40; n++) name = next.get(name);
  const { body } = await call("GET", `/v1/apikey_groups/${group_id}`, { key: account.apikey });
  expect(body.name).toBe(name);
});

test("one key disabled by 20 clients at once: 20 times 200, one event, one new version", async () => {
  const account = await newAccount();
  const { id } = await newKey(account);
  const answers = await times(20, () => call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} }));
  expect(answers.map(({ status, body }) => [status, body.status, body.version])).toEqual(
    Array(20).fill([200, "disabled", 2]),
  );
  const events = await database.prisma.event.count({
    where: { accountId: account.account_id, action: "key.disabled" },
  });
  expect(events).toBe(1);
});

test("one key changed by many clients at once: the history is a chain, each before the other's after", async () => {
  const account = await newAccount();
  const group_id = await newGroup(account);
  const { id } = await newKey(account, { group_id });
  const paths = [
    [`/v1/apikeys/${id}/budget`, {}],
    [`/v1/apikey_groups/${group_id}/batch_budget`, {}],
    ["/v1/apikeys/batch_budget", { apikey_ids: [id] }],
  ] as const;
  const answers = await times(30, (i) => {
    const [path, body] = paths[i % 3] ?? paths[0];
    return call("POST", path, { key: account.apikey, body: { ...body, budget: i + 1 } });
  });
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  const { rows } = await database.pool.query(
    `SELECT (event_key.before ->> 'budget')::numeric::int AS before, (event.after ->> 'budget')::int AS after
      FROM event JOIN event_key ON event_key.account_id = event.account_id AND event_key.event_id = event.id
      WHERE event.account_id = $1 AND event.action = 'key.limits_set'`,
    [account.account_id],
  );
  const next = new Map(rows.map(({ before, after }) => [before, after]));
  const chain: number[] = [];
  for (let value = next.get(null); value !== undefined; value = next.get(value)) chain.push(value);
  expect(chain.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  const { body } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
  expect([body.budget, body.version]).toEqual([chain.at(-1), 31]);
});

test("batches over the same keys in opposite orders: no deadlock", async () => {
  const account = await newAccount();
  const group_id = await newGroup(account);
  const ids = (await times(40, () => newKey(account, { group_id }))).map(({ id }) => id);
  const answers = await times(24, (i) => {
    const apikey_ids = i % 2 ? ids : ids.toReversed();
    const [path, body] = [
      ["/v1/apikeys/batch", { apikey_ids, action: i % 4 ? "disable" : "enable" }] as const,
      ["/v1/apikeys/batch_budget", { apikey_ids, budget: i }] as const,
      [`/v1/apikey_groups/${group_id}/batch_budget`, { daily_limit: i }] as const,
    ][i % 3] ?? ["", {}];
    return call("POST", path, { key: account.apikey, body });
  });
  expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
});
