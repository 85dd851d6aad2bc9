import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type Product, startProduct } from "../product";
import { type Account, call, callAt, database, newAccount, newKey } from "./client";

// MAX_CAPTURE_FACTOR: captures of far more than was held are refused, for those who want it.

let product: Product;
let account: Account;
let key: { apikey: string; id: string };

beforeAll(async () => {
  product = await startProduct({
    env: { DATABASE_URL: inject("databaseUrl"), LOG_LEVEL: "error", MAX_CAPTURE_FACTOR: "1.5" },
  });
});
afterAll(async () => expect(await product.stop()).toBe(0));
beforeEach(async () => {
  account = await newAccount();
  key = await newKey(account, { budget: 1000 });
});

const post = (path: string, body: object = {}) => callAt(product.url, "POST", path, { key: account.apikey, body });
const held = async (amount: number): Promise<string> =>
  (await post("/v1/authorizations", { apikey: key.apikey, amount })).body.authorization_id;
const capture = (id: string, amount: number) => post(`/v1/authorizations/${id}/capture`, { amount });
const counters = async () => {
  const { rows } = await database.pool.query(
    "SELECT spent::float8, held::float8, open_holds FROM api_key WHERE account_id = $1 AND id = $2",
    [account.account_id, key.id],
  );
  return rows[0];
};

describe("409", () => {
  test("above 1.5 times the hold: nothing changes, and less is still counted", async () => {
    const id = await held(10);
    const answer = await capture(id, 15.000000001);
    expect([answer.status, answer.body]).toEqual([
      409,
      { success: false, error: "amount: must be at most 15.0000 yuan, 1.5 times what was held" },
    ]);
    expect(await counters()).toEqual({ spent: 0, held: 10, open_holds: 1 });
    expect((await capture(id, 15)).body).toMatchObject({ state: "captured", amount: 15, overrun: true });
    expect(await counters()).toEqual({ spent: 15, held: 0, open_holds: 0 });
  });

  test("by usage: named, and as much as the sentence says can be captured", async () => {
    await call("POST", "/v1/models", {
      key: account.apikey,
      body: { models: [{ name: "m", input_price: 1, output_price: 1 }] },
    });
    const asked = { apikey: key.apikey, model: "m", input_tokens: 1_000_003, max_output_tokens: 0 };
    const { authorization_id: id } = (await post("/v1/authorizations", asked)).body;
    const usage = { input_tokens: 2_000_000, output_tokens: 0 };
    const answer = await post(`/v1/authorizations/${id}/capture`, { usage });
    expect([answer.status, answer.body.error]).toEqual([
      409,
      "usage: must be at most 1.5000045 yuan, 1.5 times what was held",
    ]);
    expect((await capture(id, 1.5000045)).status).toBe(200);
  });

  test("any amount above 0 of a hold of 0", async () => {
    const id = await held(0);
    expect((await capture(id, 0.000000001)).status).toBe(409);
    expect((await capture(id, 0)).status).toBe(200);
  });

  test("to the last decimal, of the largest and the smallest hold", async () => {
    await database.pool.query("UPDATE api_key SET budget = NULL WHERE account_id = $1 AND id = $2", [
      account.account_id,
      key.id,
    ]);
    const large = await held(600_000_000_000_000);
    expect((await capture(large, 900_000_000_000_000.2)).status).toBe(409);
    expect((await capture(large, 900_000_000_000_000)).status).toBe(200);
    const small = await held(0.000000001);
    expect((await capture(small, 0.000000002)).status).toBe(409);
    expect((await capture(small, 0.000000001)).status).toBe(200);
  });

  test("after the hold has ended by itself too", async () => {
    const id = await held(10);
    await database.pool.query(
      `WITH late AS (UPDATE "authorization" SET expires_at = now() WHERE account_id = $1 AND key_id = $2)
        UPDATE api_key SET held_until = now() WHERE account_id = $1 AND id = $2`,
      [account.account_id, key.id],
    );
    expect((await capture(id, 16)).status).toBe(409);
    await held(1);
    expect((await capture(id, 16)).status).toBe(409);
    expect((await capture(id, 15)).body).toMatchObject({ late: true, overrun: true });
  });

  test("what was settled before keeps its own answer", async () => {
    const id = await held(10);
    await capture(id, 12);
    expect((await capture(id, 100)).body.error).toBe(
      "authorization_id: the authorization is captured with another amount",
    );
    const voided = await held(10);
    await post(`/v1/authorizations/${voided}/void`);
    expect((await capture(voided, 100)).body.error).toBe("authorization_id: the authorization is voided");
  });

  test("one among many captures at once harms no other", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => held(1)));
    const answers = await Promise.all(ids.map((id, i) => capture(id, i % 4 === 0 ? 2 : 1)));
    expect(answers.map(({ status }) => status)).toEqual(ids.map((_, i) => (i % 4 === 0 ? 409 : 200)));
    expect(await counters()).toEqual({ spent: 9, held: 3, open_holds: 3 });
  });
});

test("without the setting every amount is counted: the money is gone", async () => {
  const asked = { apikey: key.apikey, amount: 1 };
  const { body } = await call("POST", "/v1/authorizations", { key: account.apikey, body: asked });
  const path = `/v1/authorizations/${body.authorization_id}/capture`;
  expect((await call("POST", path, { key: account.apikey, body: { amount: 1e6 } })).body.overrun).toBe(true);
});
