import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { GATEWAY_TOKEN, type Product, runToEnd, startProduct } from "../product";
import { type Account, call, callAt, database, newAccount, newKey } from "./client";

// MAX_OPEN_HOLDS, with two processes of the same database, so that none can count alone.

const MOST = 5;

let products: Product[];
let account: Account;
let key: { apikey: string; id: string };

beforeAll(async () => {
  const env = { DATABASE_URL: inject("databaseUrl"), LOG_LEVEL: "error", GATEWAY_TOKENS: GATEWAY_TOKEN };
  products = await Promise.all([1, 2].map(() => startProduct({ env: { ...env, MAX_OPEN_HOLDS: String(MOST) } })));
});
afterAll(async () => {
  for (const product of products) expect(await product.stop()).toBe(0);
});
beforeEach(async () => {
  account = await newAccount();
  key = await newKey(account, { budget: 100 });
});

const at = (client: number) => (products[client % 2] as Product).url;
const post = (path: string, body: object = {}, client = 0) =>
  callAt(at(client), "POST", path, { key: account.apikey, body });
const authorize = (rest: object = {}, client = 0) =>
  post("/v1/authorizations", { apikey: key.apikey, amount: 1, ...rest }, client);
const check = (amount = 1) => post("/v1/authorizations/check", { apikey_id: key.id, amount });
const capture = (id: string, amount = 1) => post(`/v1/authorizations/${id}/capture`, { amount });
const release = (id: string) => post(`/v1/authorizations/${id}/void`);
const fill = async (): Promise<string[]> => {
  const ids = [];
  for (let i = 0; i < MOST; i++) ids.push((await authorize({}, i)).body.authorization_id);
  return ids;
};
/** Ends holds of the key, as if their time were over: all, or one of them. */
const expire = (id?: string) =>
  database.pool.query(
    `WITH late AS (
        UPDATE "authorization" SET expires_at = now()
        WHERE account_id = $1 AND key_id = $2 AND state = 'held' AND ($3::text IS NULL OR id = $3)
      ) UPDATE api_key SET held_until = now() WHERE account_id = $1 AND id = $2`,
    [account.account_id, key.id, id?.slice(24) ?? null],
  );
const expectBooksInOrder = async () => {
  const { stdout } = await runToEnd("audit-books", [], { env: { DATABASE_URL: inject("databaseUrl") } });
  expect(stdout).not.toContain(account.account_id);
};

const FULL = "Too many authorizations of the key are open: 5 of at most 5.";

describe("200, refused: open_holds", () => {
  test("with the numbers; the next one is allowed as soon as one is captured, voided or has expired", async () => {
    const [first = "", second = "", third = ""] = await fill();
    const { rows } = await database.pool.query(
      `SELECT ceil(extract(epoch FROM min(expires_at)))::float8 AS ends FROM "authorization" WHERE account_id = $1`,
      [account.account_id],
    );
    const refusal = { limit: MOST, available: 0, resets_at: rows[0].ends, price: null, ceiling: null };
    const refused = await authorize();
    expect([refused.status, refused.body]).toEqual([
      200,
      {
        success: true,
        allowed: false,
        code: "open_holds",
        message: FULL,
        authorization_id: null,
        apikey_id: key.id,
        amount: 1,
        model: null,
        prices: null,
        expires_at: null,
        available: { budget: 95, daily: null, monthly: null },
        refusal,
      },
    ]);
    expect((await check()).body.refusal).toEqual(refusal);
    for (const end of [() => capture(first), () => release(second), () => expire(third)]) {
      expect((await authorize()).body.code).toBe("open_holds");
      await end();
      expect((await authorize()).body.allowed).toBe(true);
    }
    expect((await authorize()).body.code).toBe("open_holds");
    await expectBooksInOrder();
  });

  test("a hold of 0 is allowed, and counts", async () => {
    for (let i = 0; i < MOST; i++) expect((await authorize({ amount: 0 })).body.allowed).toBe(true);
    expect((await authorize({ amount: 0 })).body.code).toBe("open_holds");
    await expectBooksInOrder();
  });

  test("after the price ceilings, before the budget", async () => {
    await fill();
    await post(`/v1/apikeys/${key.id}/budget`, { budget: 1, daily_limit: 1, monthly_limit: 1, output_price_limit: 5 });
    expect((await authorize()).body.code).toBe("output_price_limit");
    expect((await authorize({ output_price: 5 })).body.code).toBe("open_holds");
    expect((await authorize({ output_price: 5, amount: 0 })).body.code).toBe("open_holds");
  });

  test("a repeat of what is held is no new hold", async () => {
    const { body } = await authorize({ request_id: "r" });
    for (let i = 1; i < MOST; i++) await authorize();
    expect((await authorize({ request_id: "r" })).body).toMatchObject({
      allowed: true,
      authorization_id: body.authorization_id,
      replayed: true,
    });
    expect((await authorize({ request_id: "new" })).body.code).toBe("open_holds");
  });

  test("the other keys of the account are not touched", async () => {
    await fill();
    const other = await newKey(account, { budget: 100 });
    expect((await authorize({ apikey: other.apikey })).body.allowed).toBe(true);
  });

  test("each is counted on its day", async () => {
    await fill();
    const today = () => new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" }).format(Date.now());
    const from = today();
    for (let i = 0; i < 3; i++) await authorize({}, i);
    const path = `/v1/apikeys/${key.id}/refusals?from=${from}&to=${today()}`;
    const { body } = await call("GET", path, { key: account.apikey });
    expect(body.data).toEqual([{ code: "open_holds", count: 3 }]);
  });
});

describe("exact, whoever asks and whatever ends", () => {
  test("32 clients of two processes: exactly 5 are granted, and again after they were captured", async () => {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, client) => authorize({ amount: client % 2 }, client)),
      );
      const granted = answers.filter(({ body }) => body.allowed);
      expect(granted).toHaveLength(MOST);
      expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([null, "open_holds"]));
      await Promise.all(granted.map(({ body }, i) => (i % 2 ? capture : release)(body.authorization_id)));
    }
    await expectBooksInOrder();
  });

  test("what is captured twice, late or after a void ends one hold at most", async () => {
    const ids = await fill();
    await expire(ids[0]);
    for (const id of ids) await Promise.all([capture(id), release(id), capture(id)]);
    const answers = await Promise.all(Array.from({ length: MOST + 3 }, (_, client) => authorize({}, client)));
    expect(answers.filter(({ body }) => body.allowed)).toHaveLength(MOST);
    await expectBooksInOrder();
  });
});

describe("elsewhere", () => {
  test("a check names it, with the numbers and what to do; what has expired counts no more", async () => {
    expect((await check()).body.limits).toContainEqual({
      ...{ code: "open_holds", passes: true, limit: 5, spent: null, held: 0, available: 5, needed: 1 },
    });
    const [id] = await fill();
    const { body } = await check(1000);
    expect(body).toMatchObject({
      allowed: false,
      code: "open_holds",
      message: FULL,
      change: "Capture or void an open authorization, or wait until one ends.",
    });
    expect(body.limits.map(({ code }: { code: string }) => code)).toEqual([
      ...["key_disabled", "key_expired", "input_price_limit", "output_price_limit"],
      ...["open_holds", "budget", "daily_limit", "monthly_limit"],
    ]);
    expect(body.limits[4]).toEqual({
      ...{ code: "open_holds", passes: false, limit: 5, spent: null, held: 5, available: 0, needed: 6 },
    });
    await expire(id);
    expect((await check()).body).toMatchObject({ allowed: true, limits: { 4: { held: 4, available: 1 } } });
  });

  test("a check by headers is 403", async () => {
    await fill();
    const headers = { "Allowance-Key": key.apikey, "Allowance-Amount": "1" };
    const answer = await callAt(at(0), "GET", "/v1/authorizations/check", { key: GATEWAY_TOKEN, headers });
    expect([answer.status, answer.headers.get("allowance-code"), answer.body.error]).toEqual([403, "open_holds", FULL]);
  });

  test("the list of open authorizations says how many there may be", async () => {
    await fill();
    const path = `/v1/apikeys/${key.id}/authorizations`;
    const { body } = await callAt(at(0), "GET", path, { key: account.apikey });
    expect(body).toMatchObject({ total: 5, max_open_holds: 5 });
    // The shared product has the default.
    expect((await call("GET", path, { key: account.apikey })).body).toMatchObject({ total: 5, max_open_holds: 1000 });
  });

  test("no answer of the five endpoints of keys and groups knows of it", async () => {
    const { body } = await call("POST", "/v1/apikeys", { key: account.apikey, body: { name: "n" } });
    expect(JSON.stringify(body)).not.toContain("open_holds");
  });
});
