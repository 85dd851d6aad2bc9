import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { Browser } from "../browser";
import { type Account, call, database, newAccount, newKey, trpc } from "./client";
import { addPrices, REST } from "./prices";

let account: Account;
let key: { apikey: string; id: string };
beforeAll(async () => {
  account = await newAccount();
  await addPrices(account, [
    { name: "example-small", aliases: ["small"], input: 1, output: 2, cached: 0.5, maxOutputTokens: 4096 },
    { name: "example-large", input: 9, output: 24 },
    { name: "family-*", input: 2, output: 4 },
    // It is above each ceiling, so that prices of other specs in the operator's catalogue do not count.
    REST,
  ]);
});
beforeEach(async () => {
  key = await newKey(account, { budget: 100, daily_limit: 0, input_price_limit: 8, expiry_date: "2099-12-31" });
});

const read = (apikey: string | undefined) => call("GET", "/v1/allowance", apikey === undefined ? {} : { key: apikey });
const spend = async (amount: number, captured?: number) => {
  const post = (path: string, body: object) => call("POST", `/v1/authorizations${path}`, { key: account.apikey, body });
  const { body } = await post("", { apikey_id: key.id, amount, input_price: 0 });
  if (captured !== undefined) await post(`/${body.authorization_id}/capture`, { amount: captured });
};

describe("200", () => {
  test("a key reads its limits as they are set, its windows, and the models that it may call", async () => {
    await spend(3, 2.5);
    await spend(4.25);
    const { status, body } = await read(key.apikey);
    const { body: managed } = await call("GET", `/v1/apikeys/${key.id}`, { key: account.apikey });
    const used = { spent: 2.5, held: 4.25 };
    expect([status, body]).toEqual([
      200,
      {
        apikey_id: key.id,
        name: "a key",
        budget: 100,
        expiry_date: "2099-12-31",
        daily_limit: 0,
        monthly_limit: null,
        input_price_limit: 8,
        output_price_limit: null,
        windows: {
          budget: { limit: 100, ...used, available: 93.25, resets_at: null },
          daily: { limit: null, ...used, available: null, resets_at: managed.daily_resets_at },
          monthly: { limit: null, ...used, available: null, resets_at: managed.monthly_resets_at },
        },
        models: [
          { name: "example-small", prices: { input: 1, output: 2, cached_input: 0.5 }, max_output_tokens: 4096 },
          { name: "small", prices: { input: 1, output: 2, cached_input: 0.5 }, max_output_tokens: 4096 },
        ],
        model_patterns: [
          { pattern: "family-*", prices: { input: 2, output: 4, cached_input: 2 }, max_output_tokens: null },
        ],
      },
    ]);
  });

  test("what is left may be below 0; a hold that has expired counts no more", async () => {
    await spend(50);
    await call("POST", `/v1/apikeys/${key.id}/budget`, { key: account.apikey, body: { budget: 20 } });
    expect((await read(key.apikey)).body.windows.budget).toMatchObject({ limit: 20, held: 50, available: -30 });
    await database.pool.query(
      `WITH late AS (
        UPDATE "authorization" SET expires_at = now() WHERE account_id = $1 AND key_id = $2
      ) UPDATE api_key SET held_until = now() WHERE account_id = $1 AND id = $2`,
      [account.account_id, key.id],
    );
    expect((await read(key.apikey)).body.windows.budget).toMatchObject({ held: 0, available: 20 });
  });

  test("the default key reads its own, and a value in its time of grace that of its key", async () => {
    expect((await read(account.apikey)).body).toMatchObject({ apikey_id: account.apikey.slice(0, 10), budget: null });
    const body = { grace_seconds: 3600 };
    const rotated = await call("POST", `/v1/apikeys/${key.id}/rotate`, { key: account.apikey, body });
    for (const value of [key.apikey, rotated.body.apikey]) {
      expect((await read(value)).body).toMatchObject({ apikey_id: key.id, budget: 100 });
    }
  });

  test("the same over tRPC, and nothing that names another key", async () => {
    const other = await newKey(account, { budget: 777 });
    const { body } = await read(key.apikey);
    const text = JSON.stringify([body, await trpc(key.apikey).allowance.get.query()]);
    expect(JSON.parse(text)[1]).toEqual(body);
    for (const strange of [other.id, "777", account.account_id, account.apikey.slice(0, 10)]) {
      expect(text).not.toContain(strange);
    }
  });

  test("parameters name no other key", async () => {
    const other = await newKey(account, { budget: 777 });
    const path = `/v1/allowance?apikey_id=${other.id}&apikey=${other.apikey}&account_id=${account.account_id}`;
    expect((await call("GET", path, { key: key.apikey })).body.apikey_id).toBe(key.id);
  });
});

describe("401", () => {
  test("a key that is disabled, expired, revoked or unknown; a gateway's token; a browser", async () => {
    const change = (path: string, body: object = {}) =>
      call("POST", `/v1/apikeys/${key.id}/${path}`, { key: account.apikey, body });
    const refused = { success: false, error: "API key missing or invalid" };
    const expectRefused = async (value: string | undefined) => {
      const { status, body } = await read(value);
      expect([status, body]).toEqual([401, refused]);
    };
    for (const value of [undefined, "nonsense", inject("gatewayToken")]) await expectRefused(value);
    await change("disable");
    await expectRefused(key.apikey);
    await change("enable");
    await change("budget", { expiry_date: "2020-01-01" });
    await expectRefused(key.apikey);
    await change("budget", { expiry_date: "2099-01-01" });
    expect((await read(key.apikey)).status).toBe(200);
    await change("revoke");
    await expectRefused(key.apikey);
    const nobody = new Browser(inject("productUrl"));
    expect((await nobody.get("/api/trpc/allowance.get")).status).toBe(401);
  });
});

test("the other endpoints stay for the default key alone", async () => {
  expect((await call("GET", "/v1/apikeys", { key: key.apikey })).status).toBe(403);
});
