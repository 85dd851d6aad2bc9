import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, newAccount, newKey } from "./client";

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

const hold = async (apikey_id: string, amount: number) => {
  const answer = await call("POST", "/v1/authorizations", {
    key: account.apikey,
    body: { apikey_id, amount, input_price: 0 },
  });
  expect(answer.body.allowed).toBe(true);
};
const check = (body: object) => call("POST", "/v1/authorizations/check", { key: account.apikey, body });

describe("200", () => {
  test("a call that would pass: nothing stands in its way, and nothing is held", async () => {
    const { id } = await newKey(account, { budget: 10 });
    const { status, body } = await check({ apikey_id: id, amount: 2.5 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ allowed: true, code: null, message: "2.5000 yuan would be allowed.", change: null });
    expect(body.refusal).toBe(null);
    const key = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    expect(key.body).toMatchObject({ held: 0, available: { budget: 10 } });
  });

  test("every limit is answered, in the order in which an authorization judges them", async () => {
    const { id } = await newKey(account, { budget: 10, input_price_limit: 4 });
    const { body } = await check({ apikey_id: id, amount: 2.5, input_price: 8 });
    const none = { limit: null, spent: null, held: null, available: null, needed: null };
    const unlimited = { passes: true, limit: null, spent: 0, held: 0, available: null, needed: 2.5 };
    expect(body.limits).toEqual([
      { code: "key_disabled", passes: true, ...none },
      { code: "key_expired", passes: true, ...none },
      { code: "input_price_limit", passes: false, ...none, limit: 4, needed: 8 },
      { code: "output_price_limit", passes: true, ...none },
      { code: "open_holds", passes: true, limit: 1000, spent: null, held: 0, available: 1000, needed: 1 },
      { code: "budget", passes: true, limit: 10, spent: 0, held: 0, available: 10, needed: 2.5 },
      { code: "daily_limit", ...unlimited },
      { code: "monthly_limit", ...unlimited },
    ]);
  });

  test.each([
    ["budget", { budget: 10 }, {}, "Raise the total budget from 10.0000 to 11.0000 yuan."],
    ["daily_limit", { daily_limit: 10 }, {}, "Raise the limit per day from 10.0000 to 11.0000 yuan."],
    ["monthly_limit", { monthly_limit: 10 }, {}, "Raise the limit per month from 10.0000 to 11.0000 yuan."],
    [
      "input_price_limit",
      { input_price_limit: 4 },
      { input_price: 8 },
      "Raise the input price ceiling from 4.0000 to 8.0000 yuan per million tokens.",
    ],
    [
      "input_price_limit",
      { input_price_limit: 4 },
      {},
      "Say the model's price: the input price ceiling refuses an unknown one.",
    ],
    [
      "output_price_limit",
      { output_price_limit: 4 },
      { output_price: 4.00001 },
      "Raise the output price ceiling from 4.0000 to 4.00001 yuan per million tokens.",
    ],
    ["key_expired", { expiry_date: "2020-01-01" }, {}, "Set a later expiry date, or none."],
  ])("%s with %j, asked %j: the smallest change that removes the obstacle", async (code, limits, prices, change) => {
    const { id } = await newKey(account, limits);
    expect((await check({ apikey_id: id, amount: 11, ...prices })).body).toMatchObject({
      allowed: false,
      code,
      change,
    });
  });

  test("the scope key asks whether the key is good, whatever is left and whatever its ceilings are", async () => {
    const { id } = await newKey(account, { budget: 1, input_price_limit: 4 });
    await hold(id, 1);
    const good = await check({ apikey_id: id, scope: "key" });
    expect(good.body).toMatchObject({ allowed: true, code: null, message: "The API key is good.", refusal: null });
    expect(good.body.limits.map(({ code }: { code: string }) => code)).toEqual(["key_disabled", "key_expired"]);
    await call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} });
    expect((await check({ apikey_id: id, scope: "key" })).body).toMatchObject({ allowed: false, code: "key_disabled" });
  });

  test.each([
    ["budget", "total budget", null],
    ["daily_limit", "limit of the day", "daily_resets_at"],
    ["monthly_limit", "limit of the month", "monthly_resets_at"],
  ])("the scope left asks whether anything is left: %s", async (code, name, resets) => {
    const { id } = await newKey(account, { [code]: 0.3, input_price_limit: 4 });
    await hold(id, 0.299999999);
    const left = await check({ apikey_id: id, scope: "left" });
    expect(left.body).toMatchObject({
      allowed: true,
      message: "The API key is good, and something is left of each limit.",
    });
    await hold(id, 0.000000001);
    const { body } = await check({ apikey_id: id, scope: "left" });
    const key = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    expect(body).toMatchObject({
      allowed: false,
      code,
      message: `Nothing is left of the ${name} of 0.3000 yuan.`,
      change: expect.stringMatching(/^Raise the .+ above 0\.3000 yuan\.$/),
      refusal: { limit: 0.3, available: 0, resets_at: resets && key.body[resets], price: null, ceiling: null },
    });
    expect((await check({ apikey_id: id, scope: "key" })).body.allowed).toBe(true);
    await call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} });
    expect((await check({ apikey_id: id, scope: "left" })).body.code).toBe("key_disabled");
  });

  test("a disabled key is to be enabled, an unknown one has no limits", async () => {
    const { id } = await newKey(account);
    await call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} });
    expect((await check({ apikey_id: id, amount: 1 })).body).toMatchObject({
      code: "key_disabled",
      change: "Enable the key.",
    });
    expect((await check({ apikey_id: "sk-0000000", amount: 1 })).body).toMatchObject({
      allowed: false,
      code: "key_not_found",
      apikey_id: null,
      limits: [],
      change: null,
    });
  });
});

describe("400", () => {
  const ONE_KEY = "apikey: exactly one of apikey, apikey_hash and apikey_id is required";
  const unjudged = (scope: string) => `is not judged with the scope ${scope}; leave it out`;
  test.each([
    ["no key", { amount: 1 }, ONE_KEY],
    ["two keys", { amount: 1, apikey: "a", apikey_id: "b" }, ONE_KEY],
    ["no amount", { apikey_id: "b" }, "amount: exactly one of amount and model is required"],
    ["no such scope", { apikey_id: "b", scope: "all" }, "scope: must be one of call, left, key"],
    ["no scope at all", { apikey_id: "b", scope: 1 }, "scope: expected one of call, left, key, received number"],
    ["an amount beside a scope without one", { apikey_id: "b", scope: "key", amount: 1 }, `amount: ${unjudged("key")}`],
    ["prices too", { apikey_id: "b", scope: "left", input_price: 1 }, `input_price: ${unjudged("left")}`],
  ])("%s", async (_, body, error) => {
    const answer = await check(body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });
});
