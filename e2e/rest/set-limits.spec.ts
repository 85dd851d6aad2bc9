import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, database, newAccount, newKey } from "./client";
import { EVERY_LIMIT, NO_LIMIT_GIVEN, UNSET } from "./limits";

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

const setLimits = (id: string, body: unknown) =>
  call("POST", `/v1/apikeys/${id}/budget`, { key: account.apikey, body });

describe("200", () => {
  test("answers all six limits as they stand then", async () => {
    const { id } = await newKey(account);
    const { status, body } = await setLimits(id, EVERY_LIMIT);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: expect.any(String), ...EVERY_LIMIT });
  });

  test("an omitted limit stays as it is", async () => {
    const { id } = await newKey(account, EVERY_LIMIT);
    const { body } = await setLimits(id, { budget: 7, expiry_date: "2031-01-01" });
    expect(body).toMatchObject({ ...EVERY_LIMIT, budget: 7, expiry_date: "2031-01-01" });
  });

  test("an omitted expiry_date is cleared", async () => {
    const { id } = await newKey(account, EVERY_LIMIT);
    const { body } = await setLimits(id, { daily_limit: 3 });
    expect(body).toMatchObject({ ...EVERY_LIMIT, daily_limit: 3, expiry_date: null });
  });

  test("expiry_date counts as a limit parameter", async () => {
    const { id } = await newKey(account);
    const { status, body } = await setLimits(id, { expiry_date: "2030-12-31" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...UNSET, expiry_date: "2030-12-31" });
  });

  test("0 is kept as 0, which is not unset", async () => {
    const { id } = await newKey(account);
    const { body } = await setLimits(id, { budget: 0, input_price_limit: 0 });
    expect(body).toMatchObject({ ...UNSET, budget: 0, input_price_limit: 0 });
  });

  test.each([
    [
      "all that it states",
      EVERY_LIMIT,
      "budget 100.0000 yuan, expiry date 2030-12-31, daily limit 10.0000 yuan, monthly limit 50.0000 yuan.",
    ],
    ["budget and date even when unset", { input_price_limit: 1 }, "budget not set, expiry date none."],
    [
      "0 as no limit",
      { budget: 0, daily_limit: 0 },
      "budget 0.0000 yuan (no limit), expiry date none, daily limit 0.0000 yuan (no limit).",
    ],
    [
      "four decimals, rounded half-even",
      { budget: 1.00005, monthly_limit: 2.00015 },
      "budget 1.0000 yuan, expiry date none, monthly limit 2.0002 yuan.",
    ],
  ])("message: %s", async (_, limits, summary) => {
    const { id } = await newKey(account);
    const { body } = await setLimits(id, limits);
    expect(body.message).toBe(`Limits of ${id} updated: ${summary}`);
  });

  test("the default key takes limits like any other", async () => {
    const other = await newAccount();
    const { status, body } = await call("POST", `/v1/apikeys/${other.apikey.slice(0, 10)}/budget`, {
      key: other.apikey,
      body: { budget: 5 },
    });
    expect([status, body.budget]).toEqual([200, 5]);
  });

  test("an ignored parameter is reported, and apikey_id of the path wins over the body's", async () => {
    const { id } = await newKey(account);
    const other = await newKey(account);
    const { headers, body } = await setLimits(id, { budget: 5, apikey_id: other.id, dayly_limit: 1 });
    expect(headers.get("ignored-parameters")).toBe("apikey_id, dayly_limit");
    expect(body.message).toContain(id);
  });
});

describe("400", () => {
  test.each([
    ["no limit parameter", {}, NO_LIMIT_GIVEN],
    ["only parameters it does not know", { name: "new", bugdet: 5 }, NO_LIMIT_GIVEN],
    ["a numeric string", { budget: "5" }, "budget: expected number (int or float), received string"],
    ["null", { daily_limit: null }, "daily_limit: expected number (int or float), received null"],
    ["a boolean", { monthly_limit: false }, "monthly_limit: expected number (int or float), received boolean"],
    ["a negative value", { input_price_limit: -1 }, "input_price_limit: must be 0 or more; 0 means no limit"],
    ["a wrong date format", { expiry_date: "31.12.2030" }, "expiry_date: must be a date in the format YYYY-MM-DD"],
    ["a day that does not exist", { expiry_date: "2030-04-31" }, "expiry_date: is not a day of the calendar"],
    [
      "a good and a bad one",
      { budget: 1, daily_limit: [] },
      "daily_limit: expected number (int or float), received array",
    ],
  ])("%s", async (_, sent, error) => {
    const { id } = await newKey(account, EVERY_LIMIT);
    const { status, body } = await setLimits(id, sent);
    expect(body).toEqual({ success: false, error });
    expect(status).toBe(400);
    const row = await database.prisma.apiKey.findFirstOrThrow({ where: { id } });
    expect([row.budget?.toNumber(), row.dailyLimit?.toNumber()]).toEqual([100, 10]);
  });

  test.each([
    ["1e-400", "is too small: it would round to 0, which means no limit; the smallest positive amount is 0.000000001"],
    ["-1e-400", "must be 0 or more; 0 means no limit"],
  ])("%s, which JavaScript reads as 0", async (amount, fault) => {
    const { id } = await newKey(account, { budget: 100 });
    const { status, body } = await call("POST", `/v1/apikeys/${id}/budget`, {
      key: account.apikey,
      raw: `{"budget":${amount}}`,
      headers: { "content-type": "application/json" },
    });
    expect([status, body]).toEqual([400, { success: false, error: `budget: ${fault}` }]);
    const row = await database.prisma.apiKey.findFirstOrThrow({ where: { id } });
    expect(row.budget?.toNumber()).toBe(100);
  });
});

describe("404", () => {
  const missing = { success: false, error: "apikey_id: the API key does not exist" };

  test.each([
    ["unknown", "sk-0000000"],
    ["too short", "sk-1"],
    ["a percent-encoded NUL", "sk-00000%00"],
    ["wrongly percent-encoded", "%E4%A"],
    ["not in the alphabet", "sk-%E4%BD%A0%E5%A5%BD%20%20%20"],
    ["another letter case", "SK-0000000"],
  ])("an id that is %s", async (_, id) => {
    const { status, body } = await setLimits(id, { budget: 1 });
    expect([status, body]).toEqual([404, missing]);
  });

  test("a whole key value is no id", async () => {
    const { apikey } = await newKey(account);
    const { status, body } = await setLimits(apikey, { budget: 1 });
    expect([status, body]).toEqual([404, missing]);
  });

  test("a revoked key", async () => {
    const { id } = await newKey(account);
    await database.prisma.apiKey.updateMany({ where: { id }, data: { revokedAt: new Date() } });
    const { status, body } = await setLimits(id, { budget: 1 });
    expect([status, body]).toEqual([404, missing]);
  });

  test("comes after the check of the body", async () => {
    const { status } = await setLimits("sk-0000000", { budget: -1 });
    expect(status).toBe(400);
  });
});
