import { describe, expect, test } from "vitest";
import { type Account, call, database, newAccount, newKey } from "./client";

const get = async ({ apikey }: Account, path: string) => (await call("GET", `/v1/${path}`, { key: apikey })).body;

/** Authorizes and captures, as a gateway does. */
async function spend({ apikey: key }: Account, apikey: string, amount: number): Promise<void> {
  const { body } = await call("POST", "/v1/authorizations", { key, body: { apikey, amount } });
  const path = `/v1/authorizations/${body.authorization_id}/capture`;
  expect((await call("POST", path, { key, body: { amount } })).status).toBe(200);
}

/** Asks so often for more than the key has left. */
async function refuse({ apikey: key }: Account, apikey: string, times: number, prices = {}): Promise<void> {
  for (let n = 0; n < times; n++) {
    const { body } = await call("POST", "/v1/authorizations", { key, body: { apikey, amount: 1_000, ...prices } });
    expect(body.allowed).toBe(false);
  }
}

/** Books a capture of an earlier day. */
async function bookEarlier({ account_id }: Account, keyId: string, day: string, spent: number): Promise<void> {
  await database.pool.query(
    "INSERT INTO key_day (account_id, key_id, day, spent, captures) VALUES ($1, $2, $3, $4, 1)",
    [account_id, keyId, day, spent],
  );
}

const dayBefore = (day: string, days = 1) => new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

describe("200", () => {
  test("a new account: nothing spent, nothing refused, and its creation", async () => {
    const body = await get(await newAccount(), "overview");
    expect(body.keys).toEqual({
      total: 1,
      at_limit: { count: 0, is_exact: true },
      near_limit: { count: 0, is_exact: true },
      expiring: { count: 0, is_exact: true },
    });
    expect(body.spend).toMatchObject({ today: { from: body.today, to: body.today, spent: 0 }, days: [] });
    expect(body.refusals).toMatchObject({ from: dayBefore(body.today, 6), to: body.today, data: [], is_exact: true });
    expect(body.changes.map(({ action }: { action: string }) => action)).toEqual(["account.created"]);
  });

  test("keys are counted as their lists find them", async () => {
    const account = await newAccount();
    const { today } = await get(account, "overview");
    const spent = await newKey(account, { budget: 10 });
    await spend(account, spent.apikey, 10);
    const near = await newKey(account, { daily_limit: 10 });
    await spend(account, near.apikey, 8);
    await spend(account, (await newKey(account, { budget: 10 })).apikey, 7.9);
    for (const days of [1, 0, -7, -8]) await newKey(account, { expiry_date: dayBefore(today, days) });
    const { keys } = await get(account, "overview");
    const listed = async (filter: string) => (await get(account, `apikeys?${filter}`)).total;
    expect(keys).toEqual({
      total: await listed(""),
      at_limit: { count: await listed("status=exhausted"), is_exact: true },
      near_limit: { count: await listed("status=active&look=over_80"), is_exact: true },
      expiring: { count: await listed("look=expiring_7_days"), is_exact: true },
    });
    expect([keys.total, keys.at_limit.count, keys.near_limit.count, keys.expiring.count]).toEqual([8, 1, 1, 2]);
  });

  test("each sum of spend is that of its days, and the month's end is what its part so far leads to", async () => {
    const account = await newAccount();
    const { id, apikey } = await newKey(account);
    await spend(account, apikey, 2.5);
    const { today, spend: days } = await get(account, "overview");
    const { last_month, last_month_same_days } = days;
    const earlier = new Map([
      [dayBefore(today), 4],
      [last_month.from, 16],
      [last_month_same_days.to, 32],
      [last_month.to, 64],
      [dayBefore(last_month.from), 128],
    ]);
    for (const [day, amount] of earlier) await bookEarlier(account, id, day, amount);
    const { spend: found } = await get(account, "overview");
    for (const period of ["today", "yesterday", "this_month", "last_month_same_days", "last_month"]) {
      const { from, to, spent } = found[period];
      const { total } = await get(account, `usage?by=key&from=${from}&to=${to}`);
      expect({ period, spent }).toEqual({ period, spent: total });
    }
    expect(found.today.spent).toBe(2.5);
    if (today.endsWith("-01")) expect(found.projected.spent).toBeNull();
    else expect(found.projected.spent).toBeGreaterThanOrEqual(found.this_month.spent);
    expect(found.days.at(-1)).toEqual({ day: today, spent: 2.5 });
  });

  test("a month of very little is no month of nothing", async () => {
    const account = await newAccount();
    await spend(account, (await newKey(account)).apikey, 0.00001);
    const { today, spend: found } = await get(account, "overview");
    if (!today.endsWith("-01")) expect(found.projected.spent).toBeGreaterThanOrEqual(0.00001);
  });

  test("refusals by reason, and the keys behind each", async () => {
    const account = await newAccount();
    const [first, second] = [await newKey(account, { budget: 1 }), await newKey(account, { budget: 1 })];
    const priced = await newKey(account, { input_price_limit: 4 });
    await refuse(account, first.apikey, 3);
    await refuse(account, second.apikey, 1);
    await refuse(account, priced.apikey, 2, { input_price: 5 });
    const { refusals, today } = await get(account, "overview");
    expect(refusals.data).toEqual([
      { code: "budget", count: 4, keys: 2 },
      { code: "input_price_limit", count: 2, keys: 1 },
    ]);
    const path = `refusals?from=${refusals.from}&to=${refusals.to}`;
    const element = (id: string, code: string, count: number) =>
      expect.objectContaining({ apikey_id: id, code, count, last_day: today });
    expect(await get(account, path)).toMatchObject({
      object: "list",
      total: 3,
      total_is_exact: true,
      data: [
        element(first.id, "budget", 3),
        element(priced.id, "input_price_limit", 2),
        element(second.id, "budget", 1),
      ],
    });
    const ofBudget = await get(account, `${path}&code=budget&page=2&page_size=1`);
    expect(ofBudget).toMatchObject({ total: 2, page: 2, data: [element(second.id, "budget", 1)] });
    const before = await get(account, `refusals?from=${dayBefore(refusals.from, 9)}&to=${dayBefore(refusals.from)}`);
    expect(before).toMatchObject({ total: 0, data: [] });
    expect(await get(await newAccount(), path)).toMatchObject({ total: 0, data: [] });
  });

  test("keys that were refused equally often follow by their id, the last one first", async () => {
    const account = await newAccount();
    const { today } = await get(account, "overview");
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { id, apikey } = await newKey(account, { budget: 1 });
      await refuse(account, apikey, 1);
      ids.push(id);
    }
    const pages = [1, 2].map((page) => get(account, `refusals?from=${today}&to=${today}&page=${page}&page_size=3`));
    const listed = (await Promise.all(pages)).flatMap(({ data }) => data);
    expect(listed.map(({ apikey_id }) => apikey_id)).toEqual(ids.sort().reverse());
  });

  test("the newest changes are the newest events that change something", async () => {
    const account = await newAccount();
    for (let n = 0; n < 6; n++) await newKey(account, { budget: n });
    await database.pool.query(
      `INSERT INTO event (account_id, id, at, actor, actor_name, action)
        SELECT $1, lpad(n::text, 24, '0'), now() + interval '1 minute', 'browser', 'x', 'sign_in.signed_in' FROM generate_series(1, 60) n`,
      [account.account_id],
    );
    const { changes } = await get(account, "overview");
    const listed = await get(account, "history?action=key.created&page_size=5");
    expect(changes).toEqual(listed.data);
  });
});

describe("400", () => {
  test.each([
    ["no range", ""],
    ["an unknown reason", "from=2026-11-01&to=2026-11-30&code=mood"],
    ["days out of order", "from=2026-11-30&to=2026-11-01"],
  ])("%s", async (_, query) => {
    const { status, body } = await call("GET", `/v1/refusals?${query}`, { key: (await newAccount()).apikey });
    expect([status, body.success]).toEqual([400, false]);
  });
});
