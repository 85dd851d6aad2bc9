import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, newAccount, newKey } from "./client";

// Authorizations by model: the catalogue has the prices, the answer says them, and they stay fixed.

let account: Account;
let key: { apikey: string; id: string };

interface Price {
  input: number;
  output: number;
  cached?: number | null;
  maxOutputTokens?: number | null;
  aliases?: string[];
}

/** Writes prices into the account's catalogue, as a change of it does: its version grows in the same transaction. */
const setPrices = async (prices: Record<string, Price>) => {
  for (const [name, { input, output, cached = null, maxOutputTokens = null, aliases = [] }] of Object.entries(prices)) {
    await database.pool.query(
      `WITH written AS (
          INSERT INTO account_price
            (account_id, id, name, aliases, input_price, output_price, cached_input_price, max_output_tokens)
          VALUES ($1, substr(md5($2), 1, 24), $2, $3, $4, $5, $6, $7)
          ON CONFLICT (account_id, name, valid_from) DO UPDATE SET input_price = EXCLUDED.input_price,
            output_price = EXCLUDED.output_price, cached_input_price = EXCLUDED.cached_input_price,
            max_output_tokens = EXCLUDED.max_output_tokens
        ) UPDATE account SET prices_version = prices_version + 1 WHERE id = $1`,
      [account.account_id, name, aliases, input, output, cached, maxOutputTokens],
    );
  }
};
const forget = async (name: string) => {
  const { account_id: id } = account;
  await database.pool.query("DELETE FROM account_price WHERE account_id = $1 AND name = $2", [id, name]);
  await database.pool.query("UPDATE account SET prices_version = prices_version + 1 WHERE id = $1", [id]);
};

const MODEL = { model: "large", input_tokens: 1_000, max_output_tokens: 500 };
const PRICES = { input: 18, output: 72, cached_input: 9 };

beforeEach(async () => {
  account = await newAccount();
  key = await newKey(account, { budget: 100 });
  await setPrices({
    large: { input: 18, output: 72, cached: 9, maxOutputTokens: 2_000, aliases: ["large-latest"] },
    "small-*": { input: 0.8, output: 2 },
  });
});

const post = (path: string, body: object) => call("POST", path, { key: account.apikey, body });
const authorize = (body: object = {}) => post("/v1/authorizations", { apikey: key.apikey, ...MODEL, ...body });
const capture = (id: string, body: object) => post(`/v1/authorizations/${id}/capture`, body);
const held = async (body: object = {}): Promise<string> => (await authorize(body)).body.authorization_id;
const today = async (): Promise<string> => {
  const { rows } = await database.pool.query("SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date::text AS day");
  return rows[0].day;
};

describe("a call by model", () => {
  test("holds what its tokens cost at most, and answers with the prices", async () => {
    const { status, body } = await authorize();
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        allowed: true,
        message: "Held 0.0540 yuan.",
        amount: 0.054,
        model: "large",
        prices: PRICES,
        available: { budget: 99.946, daily: null, monthly: null },
      }),
    ]);
    const amount = await post("/v1/authorizations", { apikey: key.apikey, amount: 1 });
    expect(amount.body).toMatchObject({ amount: 1, model: null, prices: null });
  });

  test("a name, a search and a request_id have their most characters, whatever these are", async () => {
    const [model, request_id] = ["🦙".repeat(200), "🦙".repeat(128)];
    const price = { name: model, input_price: 1, output_price: 2, max_output_tokens: 10 };
    expect((await post("/v1/models", { models: [price] })).status).toBe(200);
    expect((await authorize({ model, request_id })).body).toMatchObject({ allowed: true, model });
    const listed = await call("GET", `/v1/models?search=${encodeURIComponent(model)}`, { key: account.apikey });
    expect(listed.body).toMatchObject({ total: 1, data: [{ name: model }] });
    const longer = await authorize({ model: `${model}🦙`, request_id: `${request_id}🦙` });
    expect([longer.status, longer.body.error]).toEqual([
      400,
      "model: must be at most 200 characters long; request_id: must be at most 128 characters long",
    ]);
  });

  test("without max_output_tokens: as many as the catalogue has; 400 where it has none", async () => {
    const { body } = await authorize({ max_output_tokens: undefined });
    expect(body.amount).toBe(0.162);
    const small = await authorize({ model: "small-1", max_output_tokens: undefined });
    // A name that fits a pattern may be anything, so the sentence does not repeat it.
    expect([small.status, small.body.error]).toEqual([
      400,
      "max_output_tokens: is required: the catalogue does not say how many tokens the model answers with",
    ]);
  });

  test("is held at the higher price of the input, and the ceiling of the input judges that one", async () => {
    await setPrices({ odd: { input: 1, output: 1, cached: 3 } });
    expect((await authorize({ model: "odd" })).body).toMatchObject({ amount: 0.0035 });
    const limit = (price: number) =>
      database.pool.query("UPDATE api_key SET input_price_limit = $3 WHERE account_id = $1 AND id = $2", [
        account.account_id,
        key.id,
        price,
      ]);
    await limit(2.9);
    expect((await authorize({ model: "odd" })).body).toMatchObject({ allowed: false, code: "input_price_limit" });
    await limit(3);
    expect((await authorize({ model: "odd" })).body.allowed).toBe(true);
  });

  test("of an unknown model is refused after the key's own state and before its ceilings, counted and listed", async () => {
    const unknown = { model: `none-${randomUUID()}` };
    const { body } = await authorize(unknown);
    expect(body).toMatchObject({
      ...{ allowed: false, code: "unknown_model", message: "The model has no price in the catalogue." },
      ...{ amount: null, prices: null, ...unknown, authorization_id: null, apikey_id: key.id },
    });
    const change = (set: string) =>
      database.pool.query(`UPDATE api_key SET ${set} WHERE account_id = $1 AND id = $2`, [account.account_id, key.id]);
    await change("input_price_limit = 0.1");
    expect((await authorize(unknown)).body.code).toBe("unknown_model");
    expect((await authorize()).body.code).toBe("input_price_limit");
    await change("disabled_at = now()");
    expect((await authorize(unknown)).body.code).toBe("key_disabled");
    await change("disabled_at = NULL, budget = NULL, input_price_limit = NULL");
    expect((await authorize(unknown)).body.code).toBe("unknown_model");
    const day = await today();
    const path = `/v1/apikeys/${key.id}`;
    const refusals = await call("GET", `${path}/refusals?from=${day}&to=${day}`, { key: account.apikey });
    expect(refusals.body.data[0]).toEqual({ code: "unknown_model", count: 3 });
    const { body: activity } = await call("GET", `${path}/activity?kind=refused`, { key: account.apikey });
    expect(activity.data[0]).toMatchObject({ code: "unknown_model", amount: null, ...unknown });
  });

  test.each<[string, object]>([
    ["the catalogue does not say how many tokens it answers with", { model: "small-1", max_output_tokens: undefined }],
    ["it costs more than the largest amount", { model: "dear", input_tokens: 1_000_001 }],
  ])(
    "whose cost is unknown, because %s, is judged by the key first: authorize and check say the same",
    async (_, asked) => {
      await setPrices({ dear: { input: 1e15, output: 0 } });
      const check = () => post("/v1/authorizations/check", { apikey: key.apikey, ...MODEL, ...asked });
      const wrong = await check();
      expect([wrong.status, wrong.body]).toEqual([400, (await authorize(asked)).body]);
      const disabling = "UPDATE api_key SET disabled_at = now() WHERE account_id = $1 AND id = $2";
      await database.pool.query(disabling, [account.account_id, key.id]);
      const refused = { allowed: false, code: "key_disabled", message: "The API key is disabled.", apikey_id: key.id };
      expect((await authorize(asked)).body).toMatchObject({ ...refused, amount: null });
      const { body } = await check();
      expect(body).toMatchObject({ ...refused, change: "Enable the key." });
      expect(body.limits).toContainEqual(expect.objectContaining({ code: "budget", passes: false, needed: null }));
      const { body: activity } = await call("GET", `/v1/apikeys/${key.id}/activity?kind=refused`, {
        key: account.apikey,
      });
      expect(activity.data[0]).toMatchObject({ code: "key_disabled", amount: null });
    },
  );

  test("an alias counts as its model; a pattern as the name that was sent", async () => {
    expect((await authorize({ model: "large-latest" })).body).toMatchObject({ model: "large", amount: 0.054 });
    expect((await authorize({ model: "small-7" })).body).toMatchObject({ model: "small-7", amount: 0.0018 });
  });

  test("costs more than the largest amount: 400", async () => {
    await setPrices({ dear: { input: 1e15, output: 0 } });
    const { status, body } = await authorize({ model: "dear", input_tokens: 1_000_001 });
    expect([status, body.error]).toEqual([400, "input_tokens: costs more than 1e15 yuan, the largest amount"]);
  });

  test.each<[object, string]>([
    [{ amount: 1 }, "amount: exactly one of amount and model is required"],
    [{ model: undefined }, "amount: exactly one of amount and model is required"],
    [{ input_tokens: undefined }, "input_tokens: is required with model"],
    [{ input_price: 1 }, "input_price: must not be sent with model"],
    [{ model: undefined, amount: 1 }, "input_tokens: must not be sent with amount; max_output_tokens: must not be"],
    [{ input_tokens: -1 }, "input_tokens: must be 0 or more"],
    [{ input_tokens: 1.5 }, "input_tokens: must be a whole number"],
    [{ max_output_tokens: 1_000_000_001 }, "max_output_tokens: must be 1000000000 or less"],
    [{ model: "" }, "model: must not be empty"],
  ])("400: %j", async (body, error) => {
    const answer = await authorize(body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
  });
});

describe("the same request again", () => {
  test("has the same hold at the same prices, whatever became of the catalogue; other tokens and another name are 409", async () => {
    const request_id = randomUUID();
    const first = await authorize({ request_id });
    expect((await authorize({ request_id, model: "large-latest" })).status).toBe(409);
    await setPrices({ large: { input: 36, output: 144 } });
    expect((await authorize({ request_id })).body).toEqual({ ...first.body, replayed: true });
    await forget("large");
    expect((await authorize({ request_id })).body).toEqual({ ...first.body, replayed: true });
    await setPrices({ large: { input: 18, output: 72 } });
    for (const other of [{ input_tokens: 999 }, { max_output_tokens: 501 }, { max_output_tokens: 0 }]) {
      expect((await authorize({ request_id, ...other })).status).toBe(409);
    }
    expect((await authorize({ request_id, model: "small-1" })).status).toBe(409);
    const byAmount = await post("/v1/authorizations", { apikey: key.apikey, amount: 0.054, request_id });
    expect(byAmount.status).toBe(409);
    const { body } = await call("GET", `/v1/apikeys/${key.id}/authorizations`, { key: account.apikey });
    expect(body.data).toEqual([
      expect.objectContaining({ amount: 0.054, model: "large", input_tokens: 1_000, max_output_tokens: 500 }),
    ]);
  });
});

describe("a capture by usage", () => {
  const USAGE = { input_tokens: 900, cached_input_tokens: 400, output_tokens: 100 };

  test("is priced as it was held, and counts once", async () => {
    const id = await held();
    await setPrices({ large: { input: 1, output: 1 } });
    for (let i = 0; i < 2; i++) {
      const { status, body } = await capture(id, { usage: USAGE });
      expect([status, body]).toEqual([
        200,
        {
          ...{ success: true, message: "Captured 0.0198 yuan.", authorization_id: id, state: "captured" },
          ...{ amount: 0.0198, usage: USAGE, prices: PRICES, overrun: false, late: false },
        },
      ]);
    }
    for (const differs of [{ input_tokens: 901 }, { cached_input_tokens: 401 }, { output_tokens: 101 }]) {
      const other = await capture(id, { usage: { ...USAGE, ...differs } });
      expect([other.status, other.body.error]).toEqual([
        409,
        "authorization_id: the authorization is captured with another usage",
      ]);
    }
    const { body } = await call("GET", `/v1/apikeys/${key.id}/activity`, { key: account.apikey });
    expect(body.data[0]).toMatchObject({ kind: "captured", captured: 0.0198, model: "large", usage: USAGE });
  });

  test("above the estimate is recorded whole; cached tokens are 0 when they are not sent", async () => {
    const { body } = await capture(await held(), { usage: { input_tokens: 2_000, output_tokens: 500 } });
    expect(body).toMatchObject({ amount: 0.072, overrun: true, usage: { cached_input_tokens: 0 } });
  });

  test("a misspelt kind of tokens is ignored, and named", async () => {
    const answer = await capture(await held(), {
      usage: { input_tokens: 900, output_tokens: 100, cached_tokens: 400 },
    });
    expect(answer.body).toMatchObject({ usage: { input_tokens: 900, cached_input_tokens: 0, output_tokens: 100 } });
    expect(answer.headers.get("Ignored-Parameters")).toBe("usage.cached_tokens");
  });

  test("of an authorization by amount: 409; an amount of one by model is counted without tokens", async () => {
    const { body: byAmount } = await post("/v1/authorizations", { apikey: key.apikey, amount: 1 });
    const answer = await capture(byAmount.authorization_id, { usage: USAGE });
    expect([answer.status, answer.body.error]).toEqual([
      409,
      "usage: the authorization was asked for by an amount; capture an amount",
    ]);
    expect((await capture(await held(), { amount: 0.01 })).body).toMatchObject({
      ...{ amount: 0.01, usage: null, prices: PRICES },
    });
  });

  test.each<[object, string]>([
    [{}, "amount: exactly one of amount and usage is required"],
    [{ amount: 1, usage: USAGE }, "amount: exactly one of amount and usage is required"],
    [
      { usage: { ...USAGE, cached_input_tokens: 901 } },
      "usage.cached_input_tokens: must not be more than input_tokens",
    ],
    [{ usage: { input_tokens: 1 } }, "usage.output_tokens: expected number"],
    [{ usage: 1 }, "usage: expected object, received number"],
  ])("400: %j", async (body, error) => {
    const answer = await capture(await held(), body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
  });

  test("400: a wrong number of input tokens says nothing of cached ones that were not sent", async () => {
    const answer = await capture(await held(), { usage: { input_tokens: -1, output_tokens: 1 } });
    expect([answer.status, answer.body.error]).toEqual([400, "usage.input_tokens: must be 0 or more"]);
  });
});

test("a check prices a call too: in a body and in headers", async () => {
  const check = (body: object) => post("/v1/authorizations/check", { apikey: key.apikey, ...MODEL, ...body });
  expect((await check({})).body).toMatchObject({ allowed: true, message: "0.0540 yuan would be allowed." });
  const unknown = await check({ model: "none" });
  expect(unknown.body).toMatchObject({
    ...{ allowed: false, code: "unknown_model", change: "Put a price of the model into the catalogue." },
    limits: expect.arrayContaining([
      expect.objectContaining({ code: "unknown_model", passes: false }),
      expect.objectContaining({ code: "budget", passes: false, needed: null }),
    ]),
  });
  const byHeaders = (model: string, maxOutputTokens = "500") =>
    call("GET", "/v1/authorizations/check", {
      key: account.apikey,
      headers: {
        ...{ "Allowance-Key": key.apikey, "Allowance-Model": model },
        ...{ "Allowance-Input-Tokens": "1000", "Allowance-Max-Output-Tokens": maxOutputTokens },
      },
    });
  expect((await byHeaders("large")).status).toBe(204);
  const refused = await byHeaders("none");
  expect([refused.status, refused.headers.get("allowance-code")]).toEqual([403, "unknown_model"]);
  // The header has the bytes of UTF-8, as curl and nginx send them.
  const name = "\u5343\u95ee";
  await setPrices({ [name]: { input: 1, output: 2 } });
  expect((await byHeaders(Buffer.from(name).toString("latin1"))).status).toBe(204);
  expect((await byHeaders("\u00e9")).status).toBe(403);
  const unbounded = await byHeaders("small-1", "");
  expect([unbounded.status, unbounded.body.error]).toEqual([
    400,
    "Allowance-Max-Output-Tokens: is required: the catalogue does not say how many tokens the model answers with",
  ]);
});

test("usage by model adds up to the spend of the account: days, totals and file", async () => {
  await capture(await held(), { usage: { input_tokens: 1_000, cached_input_tokens: 500, output_tokens: 100 } });
  await capture(await held({ model: "large-latest" }), { amount: 0.0293 });
  await capture(await held({ model: "small-1" }), { usage: { input_tokens: 1_000, output_tokens: 0 } });
  const { body: byAmount } = await post("/v1/authorizations", { apikey: key.apikey, amount: 1 });
  await capture(byAmount.authorization_id, { amount: 0.5 });
  const range = `from=${await today()}&to=${await today()}&by=model`;
  const get = async (path: string) => (await call("GET", `${path}?${range}`, { key: account.apikey })).body;
  const tokens = (input: number | null, cached: number | null, output: number | null) => ({
    ...{ input_tokens: input, cached_input_tokens: cached, output_tokens: output },
  });
  const row = { group_id: null, group_name: null };
  const totals = await get("/v1/usage/totals");
  expect(totals).toMatchObject({ total: 3, captures: 4, spent: 0.5508 });
  expect(totals.data).toEqual([
    { id: null, name: null, ...row, spent: 0.5, captures: 1, ...tokens(null, null, null) },
    { id: "large", name: "large", ...row, spent: 0.05, captures: 2, ...tokens(1_000, 500, 100) },
    { id: "small-1", name: "small-1", ...row, spent: 0.0008, captures: 1, ...tokens(1_000, 0, 0) },
  ]);
  const { data, total } = await get("/v1/usage");
  expect([total, data.map(({ id, total }: { id: string; total: number }) => [id, total])]).toEqual([
    0.5508,
    [
      [null, 0.5],
      ["large", 0.05],
      ["small-1", 0.0008],
    ],
  ]);
  const file = await get("/v1/usage/export");
  expect(file.trim().split("\r\n").slice(1)).toEqual([
    "(no model),1,0.5,,,",
    "large,2,0.05,1000,500,100",
    "small-1,1,0.0008,1000,0,0",
  ]);
});
