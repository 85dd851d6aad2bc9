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

  test("a group_id that is no ObjectId", async () => {
    const { status, body } = await setLimits("nope", { budget: 1 });
    expect([status, body.error]).toEqual([400, "group_id: must be a valid ObjectId of 24 hexadecimal characters"]);
  });
});
