import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, database, newAccount, newGroup, newKey } from "./client";

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

const setLimits = (groupId: string, body: unknown) =>
  call("POST", `/v1/apikey_groups/${groupId}/batch_budget`, { key: account.apikey, body });

async function limitsOf(id: string) {
  const row = await database.prisma.apiKey.findFirstOrThrow({ where: { id, accountId: account.account_id } });
  return {
    budget: row.budget?.toNumber() ?? null,
    daily: row.dailyLimit?.toNumber() ?? null,
    output: row.outputPriceLimit?.toNumber() ?? null,
    expires: row.expiryDate?.toISOString().slice(0, 10) ?? null,
  };
}

describe("200", () => {
  test("sets what was sent on every key of the group, and on no other", async () => {
    const group_id = await newGroup(account);
    const inside = [await newKey(account, { group_id, daily_limit: 3 }), await newKey(account, { group_id })];
    const outside = await newKey(account, { budget: 9 });
    const { status, body } = await setLimits(group_id, {
      budget: 100.5,
      output_price_limit: 0,
      expiry_date: "2030-12-31",
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: "Limits updated on 2 API keys.",
      updated_count: 2,
      failed_count: 0,
    });
    const set = { budget: 100.5, output: 0, expires: "2030-12-31" };
    expect(await limitsOf(inside[0]?.id ?? "")).toEqual({ ...set, daily: 3 });
    expect(await limitsOf(inside[1]?.id ?? "")).toEqual({ ...set, daily: null });
    expect(await limitsOf(outside.id)).toEqual({ budget: 9, output: null, expires: null, daily: null });
  });

  test("an omitted expiry_date stays, unlike on a single key", async () => {
    const group_id = await newGroup(account);
    const { id } = await newKey(account, { group_id, expiry_date: "2030-12-31", budget: 1 });
    const { body } = await setLimits(group_id, { daily_limit: 2 });
    expect(body.message).toBe("Limits updated on 1 API key.");
    expect(await limitsOf(id)).toEqual({ budget: 1, daily: 2, output: null, expires: "2030-12-31" });
  });

  test("revoked keys are neither changed nor counted", async () => {
    const group_id = await newGroup(account);
    const kept = await newKey(account, { group_id });
    const revoked = await newKey(account, { group_id });
    await database.prisma.apiKey.updateMany({ where: { id: revoked.id }, data: { revokedAt: new Date() } });
    const { body } = await setLimits(group_id, { budget: 1 });
    expect(body.updated_count).toBe(1);
    expect((await limitsOf(kept.id)).budget).toBe(1);
    expect((await limitsOf(revoked.id)).budget).toBeNull();
  });

  test("a group_id in capitals names the same group", async () => {
    const group_id = await newGroup(account);
    await newKey(account, { group_id });
    expect((await setLimits(group_id.toUpperCase(), { budget: 1 })).status).toBe(200);
  });
});

describe("amounts come back exactly as accepted", () => {
  test.each([123456789012345.12, 33333333333333.336, 123456789.12345679, 0.000000001, 1e15, 0.1, 4.35])(
    "%d, by all three endpoints",
    async (amount) => {
      const group_id = await newGroup(account);
      const created = await newKey(account, { group_id, output_price_limit: amount });
      const single = await call("POST", `/v1/apikeys/${created.id}/budget`, {
        key: account.apikey,
        body: { budget: amount },
      });
      expect(single.body.budget).toBe(amount);
      await setLimits(group_id, { daily_limit: amount });
      const { rows } = await database.pool.query(
        "SELECT budget, daily_limit, output_price_limit FROM api_key WHERE account_id = $1 AND id = $2",
        [account.account_id, created.id],
      );
      expect(Object.values(rows[0]).map(Number)).toEqual([amount, amount, amount]);
      expect(new Set(Object.values(rows[0])).size).toBe(1);
    },
  );
});

describe("400", () => {
  const noKey = "group_id: no matching key found in the group";

  test.each([
    ["no limit parameter", {}, /^at least one limit parameter is required: budget, expiry_date,/],
    ["only parameters it does not know", { bugdet: 1 }, /^at least one limit parameter is required/],
    ["a numeric string", { budget: "5" }, /^budget: expected number \(int or float\), received string$/],
    ["null", { output_price_limit: null }, /^output_price_limit: expected number \(int or float\), received null$/],
    ["a negative value", { daily_limit: -0.5 }, /^daily_limit: must be 0 or more; 0 means no limit$/],
    ["a wrong date format", { expiry_date: "2030/12/31" }, /^expiry_date: must be a date in the format YYYY-MM-DD$/],
    [
      "a bare number as a date",
      { expiry_date: 20301231 },
      /^expiry_date: expected string \(YYYY-MM-DD\), received number$/,
    ],
  ])("%s", async (_, sent, error) => {
    const group_id = await newGroup(account);
    const { id } = await newKey(account, { group_id, budget: 4 });
    const { status, body } = await setLimits(group_id, sent);
    expect([status, body]).toEqual([400, { success: false, error: expect.stringMatching(error) }]);
    expect((await limitsOf(id)).budget).toBe(4);
  });

  test("a group that does not exist", async () => {
    const { status, body } = await setLimits("0123456789abcdef01234567", { budget: 1 });
    expect([status, body.error]).toEqual([400, noKey]);
  });

  test("a group without keys, and one whose keys are all revoked", async () => {
    const group_id = await newGroup(account);
    expect((await setLimits(group_id, { budget: 1 })).body.error).toBe(noKey);
    const { id } = await newKey(account, { group_id });
    await database.prisma.apiKey.updateMany({ where: { id }, data: { revokedAt: new Date() } });
    expect((await setLimits(group_id, { budget: 1 })).body.error).toBe(noKey);
  });

  test.each(["nope", "%E4%A"])("a group_id that is no ObjectId: %j", async (id) => {
    const { status, body } = await setLimits(id, { budget: 1 });
    expect([status, body.error]).toEqual([400, "group_id: must be a valid ObjectId of 24 hexadecimal characters"]);
  });
});

describe("dry_run", () => {
  /** All rows that a change of limits could change. */
  async function everything() {
    const { rows } = await database.pool.query(
      `SELECT (SELECT json_agg(key ORDER BY id) FROM api_key key WHERE account_id = $1) AS keys,
        (SELECT json_agg(api_key_group ORDER BY id) FROM api_key_group WHERE account_id = $1) AS groups,
        (SELECT count(*) FROM event WHERE account_id = $1) AS events`,
      [account.account_id],
    );
    return rows;
  }

  const preview = async (groupId: string, body: object) => (await setLimits(groupId, { ...body, dry_run: true })).body;

  test("says each limit before and after, and on how many keys it changes; nothing changes", async () => {
    const group_id = await newGroup(account);
    for (const budget of [5, 5, 5, 100]) await newKey(account, { group_id, budget, expiry_date: "2031-12-31" });
    await newKey(account, { group_id });
    await newKey(account, { budget: 777 });
    const before = await everything();
    const { status, body } = await setLimits(group_id, {
      budget: 100,
      output_price_limit: 0.1,
      expiry_date: "2031-12-31",
      dry_run: true,
    });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "Nothing changed. Limits would be set on 5 API keys.",
        updated_count: 0,
        failed_count: 0,
        preview: {
          key_count: 5,
          changes: [
            {
              parameter: "budget",
              before: [
                { value: 5, key_count: 3 },
                { value: 100, key_count: 1 },
                { value: null, key_count: 1 },
              ],
              distinct_count: 3,
              unset_count: 1,
              after: 100,
              changed_count: 4,
            },
            {
              parameter: "expiry_date",
              before: [
                { value: "2031-12-31", key_count: 4 },
                { value: null, key_count: 1 },
              ],
              distinct_count: 2,
              unset_count: 1,
              after: "2031-12-31",
              changed_count: 1,
            },
            {
              parameter: "output_price_limit",
              before: [{ value: null, key_count: 5 }],
              distinct_count: 1,
              unset_count: 5,
              after: 0.1,
              changed_count: 5,
            },
          ],
          blocked_count: 0,
          blocked: [],
          models: expect.any(Object),
        },
      },
    ]);
    expect(await everything()).toEqual(before);
  });

  test("what it says comes true", async () => {
    const group_id = await newGroup(account);
    for (const daily_limit of [1, 2, 0.3]) await newKey(account, { group_id, daily_limit });
    const said = (await preview(group_id, { daily_limit: 0.3 })).preview;
    const done = (await setLimits(group_id, { daily_limit: 0.3 })).body;
    expect([said.key_count, said.changes[0].changed_count]).toEqual([done.updated_count, 2]);
    const again = (await preview(group_id, { daily_limit: 0.3 })).preview;
    expect(again.changes[0]).toMatchObject({ before: [{ value: 0.3, key_count: 3 }], changed_count: 0 });
  });

  test("more than five values: the five most frequent, and how many there are", async () => {
    const group_id = await newGroup(account);
    for (const budget of [1, 2, 3, 4, 5, 6, 7, 7]) await newKey(account, { group_id, budget });
    await newKey(account, { group_id });
    const [change] = (await preview(group_id, { budget: 7 })).preview.changes;
    expect(change.before).toEqual([
      { value: 7, key_count: 2 },
      ...[1, 2, 3, 4].map((value) => ({ value, key_count: 1 })),
    ]);
    expect([change.distinct_count, change.unset_count, change.changed_count]).toEqual([8, 1, 7]);
  });

  test("keys that work now and would be refused at once are counted and named", async () => {
    const group_id = await newGroup(account);
    const first = await newKey(account, { name: "a", group_id, expiry_date: "2031-12-31" });
    const second = await newKey(account, { name: "b", group_id });
    await newKey(account, { name: "expired already", group_id, expiry_date: "2020-01-01" });
    const disabled = await newKey(account, { name: "disabled already", group_id });
    await call("POST", `/v1/apikeys/${disabled.id}/disable`, { key: account.apikey, body: {} });
    const blocked = await preview(group_id, { expiry_date: "2020-01-01" });
    expect(blocked.preview).toMatchObject({
      key_count: 4,
      blocked_count: 2,
      blocked: [
        { apikey_id: first.id, name: "a" },
        { apikey_id: second.id, name: "b" },
      ],
    });
    const { rows } = await database.pool.query(
      `SELECT (now() AT TIME ZONE time_zone)::date::text AS today FROM account WHERE id = $1`,
      [account.account_id],
    );
    expect((await preview(group_id, { expiry_date: rows[0].today })).preview.blocked_count).toBe(0);
    expect((await preview(group_id, { budget: 0.01 })).preview.blocked_count).toBe(0);
  });

  test("at most 20 of them by name", async () => {
    const group_id = await newGroup(account);
    await database.pool.query(
      "INSERT INTO api_key (account_id, id, name, group_id) SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n' || n, $2 FROM generate_series(1, 25) n",
      [account.account_id, group_id],
    );
    const { blocked, blocked_count } = (await preview(group_id, { expiry_date: "2020-01-01" })).preview;
    expect([blocked_count, blocked.length]).toEqual([25, 20]);
  });

  test("revoked keys do not count", async () => {
    const group_id = await newGroup(account);
    await newKey(account, { group_id });
    const { id } = await newKey(account, { group_id, budget: 3 });
    await call("POST", `/v1/apikeys/${id}/revoke`, { key: account.apikey, body: {} });
    expect((await preview(group_id, { budget: 1 })).preview).toMatchObject({
      key_count: 1,
      changes: [{ distinct_count: 1, changed_count: 1 }],
    });
  });

  test("dry_run false is a run", async () => {
    const group_id = await newGroup(account);
    await newKey(account, { group_id });
    const { body } = await setLimits(group_id, { budget: 1, dry_run: false });
    expect(body).toEqual({
      success: true,
      message: "Limits updated on 1 API key.",
      updated_count: 1,
      failed_count: 0,
    });
  });

  test.each([
    ["no limit parameter", {}],
    ["a numeric string", { budget: "5" }],
    ["a negative value", { daily_limit: -0.5 }],
    ["a wrong date format", { expiry_date: "2030/12/31" }],
    ["null", { budget: null }],
  ])("400, in the same words as without it: %s", async (_, sent) => {
    const group_id = await newGroup(account);
    await newKey(account, { group_id });
    const run = await setLimits(group_id, sent);
    const dry = await setLimits(group_id, { ...sent, dry_run: true });
    expect(run.status).toBe(400);
    expect([dry.status, dry.body]).toEqual([400, run.body]);
  });

  test("400, in the same words as without it: no matching key", async () => {
    const theirs = await newGroup(await newAccount());
    for (const group_id of ["0123456789abcdef01234567", theirs, await newGroup(account), "nope"]) {
      const run = await setLimits(group_id, { budget: 1 });
      const dry = await setLimits(group_id, { budget: 1, dry_run: true });
      expect([run.status, dry.status, dry.body]).toEqual([400, 400, run.body]);
    }
  });

  test.each(["true", 1, null, {}])("400: dry_run %j changes nothing", async (dry_run) => {
    const group_id = await newGroup(account);
    const { id } = await newKey(account, { group_id, budget: 4 });
    const { status, body } = await setLimits(group_id, { budget: 1, dry_run });
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^dry_run: expected boolean, received /)]);
    expect((await limitsOf(id)).budget).toBe(4);
  });
});
