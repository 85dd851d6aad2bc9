import { createHash } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Account, call, callAt, database, newAccount, newKey, rows, trpc, trpcOutcome } from "./client";

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

/** Asks as a proxy does: with headers alone, and with the gateway's token unless `key` is given. */
function check(headers: Record<string, string>, key: string = inject("gatewayToken")) {
  return call("GET", "/v1/authorizations/check", { key, headers });
}

const asked = (apikey: string, amount: string | number = 1) => ({
  "Allowance-Key": apikey,
  "Allowance-Amount": String(amount),
});

describe("204", () => {
  test("with no body, whether the key comes with its scheme or alone, and nothing is held", async () => {
    const { apikey } = await newKey(account, { budget: 5 });
    const before = await rows(account);
    for (const value of [apikey, `Bearer ${apikey}`, `bearer  ${apikey}`]) {
      const answer = await check(asked(value, 5));
      expect([answer.status, answer.body, answer.headers.get("allowance-code")]).toEqual([204, undefined, null]);
    }
    expect(await rows(account)).toEqual(before);
  });

  test.each(["0", "0.000000001", "4.5", "5", "5e0", "50E-1"])("an amount of %s out of 5", async (amount) => {
    const { apikey } = await newKey(account, { budget: 5 });
    expect((await check(asked(apikey, amount))).status).toBe(204);
  });

  test("with the default key, for a key of its account and for itself", async () => {
    const { apikey } = await newKey(account);
    expect((await check(asked(apikey), account.apikey)).status).toBe(204);
    expect((await check(asked(account.apikey), account.apikey)).status).toBe(204);
  });

  test("prices at the ceilings", async () => {
    const { apikey } = await newKey(account, { input_price_limit: 8, output_price_limit: 0.5 });
    const prices = { "Allowance-Input-Price": "8", "Allowance-Output-Price": "0.5" };
    expect((await check({ ...asked(apikey), ...prices })).status).toBe(204);
  });
});

describe("403 names the first obstacle", () => {
  const PRICES = { "Allowance-Input-Price": "8", "Allowance-Output-Price": "24" };

  test.each<[code: string, limits: object, message: string, refusal: object]>([
    [
      "budget",
      { budget: 0.5 },
      "The total budget does not allow 1.0000 yuan: 0.5000 yuan are left.",
      { limit: 0.5, available: 0.5 },
    ],
    [
      "daily_limit",
      { daily_limit: 0.5 },
      "The limit of the day does not allow 1.0000 yuan: 0.5000 yuan are left.",
      // The amount is above the whole limit, so that it does not pass tomorrow either.
      { limit: 0.5, available: 0.5 },
    ],
    [
      "input_price_limit",
      { input_price_limit: 7.9 },
      "The model's input price of 8.0000 yuan per million tokens is above the key's ceiling of 7.9000.",
      { price: 8, ceiling: 7.9 },
    ],
    [
      "output_price_limit",
      { output_price_limit: 23.9, budget: 0.5 },
      "The model's output price of 24.0000 yuan per million tokens is above the key's ceiling of 23.9000.",
      { price: 24, ceiling: 23.9 },
    ],
  ])("%s, and that waiting does not help", async (code, limits, error, details) => {
    const { apikey } = await newKey(account, { ...limits });
    const answer = await check({ ...asked(apikey), ...PRICES });
    const refusal = { limit: null, available: null, resets_at: null, price: null, ceiling: null, ...details };
    expect([answer.status, answer.body]).toEqual([403, { success: false, error, code, refusal }]);
    expect([answer.headers.get("allowance-code"), answer.headers.get("retry-after")]).toEqual([code, null]);
  });

  test.each([
    ["daily_limit", "daily_resets_at"],
    ["monthly_limit", "monthly_resets_at"],
  ])("%s, and after how many seconds to try again", async (code, resets) => {
    const { apikey, id } = await newKey(account, { [code]: 1.5 });
    await call("POST", "/v1/authorizations", { key: account.apikey, body: { apikey, amount: 1 } });
    const { headers, body } = await check(asked(apikey));
    const { body: key } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    expect(body).toMatchObject({ code, refusal: { limit: 1.5, available: 0.5, resets_at: key[resets] } });
    // Both are by the clock of the database, which is that of this machine. A request may take long.
    const at = Date.now() / 1000 + Number(headers.get("retry-after"));
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(at - key[resets]).toBeLessThan(60);
    // Whoever waits so long never comes too early.
    expect(at).toBeGreaterThanOrEqual(key[resets]);
  });

  test("open_holds: seconds until the first of them ends", async () => {
    const { apikey, id } = await newKey(account);
    await call("POST", "/v1/authorizations", { key: account.apikey, body: { apikey, amount: 1, ttl_seconds: 500 } });
    await database.pool.query("UPDATE api_key SET open_holds = 1000 WHERE account_id = $1 AND id = $2", [
      account.account_id,
      id,
    ]);
    const { headers, body } = await check(asked(apikey));
    expect(body).toMatchObject({ code: "open_holds", refusal: { limit: 1000, available: 0 } });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(300);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(501);
  });

  test.each([
    ["input_price_limit", "Allowance-Input-Price"],
    ["output_price_limit", "Allowance-Output-Price"],
  ])("%s: a price that is not sent, or empty, passes no ceiling", async (code, header) => {
    const { apikey } = await newKey(account, { [code]: 1000 });
    for (const headers of [{}, { [header]: "" }]) {
      const answer = await check({ ...asked(apikey), ...headers });
      expect([answer.status, answer.headers.get("allowance-code")]).toEqual([403, code]);
    }
    expect((await check({ ...asked(apikey), [header]: "1" })).status).toBe(204);
  });

  test("what is held counts", async () => {
    const { apikey } = await newKey(account, { budget: 5 });
    const body = { apikey, amount: 4.5 };
    expect((await call("POST", "/v1/authorizations", { key: account.apikey, body })).body.allowed).toBe(true);
    const answer = await check(asked(apikey, 0.6));
    expect([answer.status, answer.headers.get("allowance-code")]).toEqual([403, "budget"]);
    expect((await check(asked(apikey, 0.5))).status).toBe(204);
  });
});

describe("Allowance-Scope asks less, and takes no amount", () => {
  const left = (apikey: string) => check({ "Allowance-Key": apikey, "Allowance-Scope": "left" });
  const good = (apikey: string) => check({ "Allowance-Key": apikey, "Allowance-Scope": "key" });

  test("whether the key is good; whether anything is left", async () => {
    const { apikey } = await newKey(account, { budget: 1, input_price_limit: 1 });
    expect([(await good(apikey)).status, (await left(apikey)).status]).toEqual([204, 204]);
    await call("POST", "/v1/authorizations", { key: account.apikey, body: { apikey, amount: 1, input_price: 0 } });
    const none = await left(apikey);
    expect([none.status, none.headers.get("allowance-code")]).toEqual([403, "budget"]);
    expect(none.body.error).toBe("Nothing is left of the total budget of 1.0000 yuan.");
    expect((await good(apikey)).status).toBe(204);
    expect((await good("sk-nonsense")).status).toBe(401);
  });

  test("400: a caller whose header reaches the check beside an amount narrows nothing", async () => {
    const { apikey } = await newKey(account);
    const answer = await check({ ...asked(apikey), "Allowance-Scope": "key" });
    const fault = "is not judged with the scope key; leave it out";
    expect([answer.status, answer.body.error]).toEqual([400, `Allowance-Amount: ${fault}`]);
  });
});

describe("Allowance-Key-Hash", () => {
  const hashOf = (apikey: string) => createHash("sha256").update(apikey).digest("hex");

  test("names the key in place of Allowance-Key", async () => {
    const { apikey } = await newKey(account, { budget: 1 });
    const byHash = (amount: string, value = apikey) =>
      check({ "Allowance-Key-Hash": hashOf(value), "Allowance-Amount": amount });
    expect((await byHash("1")).status).toBe(204);
    expect((await byHash("2")).headers.get("allowance-code")).toBe("budget");
    expect((await byHash("1", "sk-nonsense")).headers.get("allowance-code")).toBe("key_not_found");
  });

  test("400: both, or no hash", async () => {
    const { apikey } = await newKey(account);
    const both = await check({ ...asked(apikey), "Allowance-Key-Hash": hashOf(apikey) });
    const ONE = "Allowance-Key: exactly one of Allowance-Key and Allowance-Key-Hash is required";
    expect([both.status, both.body.error]).toEqual([400, ONE]);
    const wrong = await check({ "Allowance-Key-Hash": "abc", "Allowance-Amount": "1" });
    expect([wrong.status, wrong.body.error]).toEqual([
      400,
      "Allowance-Key-Hash: must be the SHA-256 of a key value, in 64 hexadecimal digits",
    ]);
  });
});

describe("401", () => {
  const NOT_FOUND = {
    success: false,
    error: "The API key does not exist.",
    code: "key_not_found",
    refusal: { limit: null, available: null, resets_at: null, price: null, ceiling: null },
  };

  test.each([
    ["no key", {}],
    ["an empty one", { "Allowance-Key": "" }],
    ["a scheme alone", { "Allowance-Key": "Bearer " }],
    ["another scheme", { "Allowance-Key": "Basic c2s6c2s=" }],
    ["no key's value", { "Allowance-Key": "Bearer sk-nonsense" }],
  ])("of the caller: %s", async (_, headers) => {
    const answer = await check({ "Allowance-Amount": "1", ...headers });
    expect([answer.status, answer.body]).toEqual([401, NOT_FOUND]);
    expect(answer.headers.get("allowance-code")).toBe("key_not_found");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("of the caller: the key of another account, for a default key; a gateway's token knows it", async () => {
    const { apikey } = await newKey(await newAccount());
    const answer = await check(asked(apikey), account.apikey);
    expect([answer.status, answer.headers.get("allowance-code")]).toEqual([401, "key_not_found"]);
    expect((await check(asked(apikey))).status).toBe(204);
  });

  test("of the caller: the document names each field of the body", async () => {
    const { body } = await check({ "Allowance-Amount": "1", "Allowance-Key": "Bearer sk-nonsense" });
    const { components } = await (await fetch(`${inject("productUrl")}/openapi.json`)).json();
    const { properties, required } = components.schemas.RefusedCheck;
    expect(Object.keys(properties)).toEqual(Object.keys(body));
    expect(Object.keys(properties.refusal.properties)).toEqual(Object.keys(body.refusal));
    expect(required).toEqual(["success", "error"]);
  });

  test("of the caller: disabled, expired", async () => {
    const { apikey, id } = await newKey(account);
    await call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} });
    const disabled = await check(asked(apikey));
    expect([disabled.status, disabled.headers.get("allowance-code")]).toEqual([401, "key_disabled"]);
    const past = await newKey(account, { expiry_date: "2020-01-01" });
    const expired = await check(asked(past.apikey));
    expect([expired.status, expired.headers.get("allowance-code")]).toEqual([401, "key_expired"]);
  });

  test("of the gateway: names no obstacle, before any header is read", async () => {
    const { apikey } = await newKey(account);
    for (const [key, status] of [
      ["nonsense", 401],
      [apikey, 403],
    ] as const) {
      const answer = await check({ "Allowance-Amount": "much" }, key);
      expect([answer.status, answer.headers.get("allowance-code")]).toEqual([status, null]);
    }
  });
});

describe("400 names the header", () => {
  const TYPE = "expected number (int or float), received string";

  test.each([
    ["much", TYPE],
    ["NaN", TYPE],
    ["Infinity", TYPE],
    ["0x10", TYPE],
    ["1,5", TYPE],
    ["1 5", TYPE],
    [".5", TYPE],
    ["+1", TYPE],
    ["1e999", "expected number (int or float), received a number that is not finite"],
    ["-1", "must be 0 or more"],
    ["1e16", "must be 1e15 or less"],
    ["1e-10", "is too small: it would round to 0; the smallest positive amount is 0.000000001"],
    ["1e-400", "is too small: it would round to 0; the smallest positive amount is 0.000000001"],
    ["-1e-400", "must be 0 or more"],
    ["", "exactly one of Allowance-Amount and Allowance-Model is required"],
  ])("an amount of %j", async (amount, fault) => {
    const { apikey } = await newKey(account);
    const answer = await check(asked(apikey, amount));
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: `Allowance-Amount: ${fault}` }]);
  });

  test("no amount; prices; several faults together; one that is there twice", async () => {
    const { apikey } = await newKey(account);
    const faults = async (headers: Record<string, string>) => {
      const { status, body } = await check({ "Allowance-Key": apikey, ...headers });
      return [status, body.error];
    };
    expect(await faults({})).toEqual([
      400,
      "Allowance-Amount: exactly one of Allowance-Amount and Allowance-Model is required",
    ]);
    expect(
      await faults({ "Allowance-Amount": "1", "Allowance-Input-Price": "-2", "Allowance-Output-Price": "x" }),
    ).toEqual([400, `Allowance-Input-Price: must be 0 or more; Allowance-Output-Price: ${TYPE}`]);
    expect(await faults({ "Allowance-Amount": "1, 0" })).toEqual([400, `Allowance-Amount: ${TYPE}`]);
  });

  test("the query says nothing", async () => {
    const { apikey } = await newKey(account);
    const path = `/v1/authorizations/check?Allowance-Amount=1&Allowance-Key=${apikey}`;
    const { status } = await callAt(inject("productUrl"), "GET", path, { key: inject("gatewayToken") });
    expect(status).toBe(400);
  });
});

test.each<[number, Record<string, unknown>]>([
  [204, { "Allowance-Amount": 1 }],
  [403, { "Allowance-Amount": 6 }],
  [400, { "Allowance-Amount": -1 }],
  [400, { "Allowance-Amount": 1, "Allowance-Output-Price": "x" }],
  [401, { "Allowance-Amount": 1, "Allowance-Key": "Bearer sk-nonsense" }],
])("%i over REST and tRPC: %j", async (status, input) => {
  const asking = { "Allowance-Key": (await newKey(account, { budget: 5 })).apikey, ...input };
  const rest = await check(Object.fromEntries(Object.entries(asking).map(([name, value]) => [name, String(value)])));
  const { checkByHeaders } = trpc(inject("gatewayToken")).authorizations;
  const outcome = await trpcOutcome(checkByHeaders.query(asking as never));
  expect(rest.status).toBe(status);
  const value = rest.body && { success: rest.body.success, error: rest.body.error };
  expect(outcome).toEqual({ status: status === 204 ? 200 : status, value });
});

test("the check by body is where it was", async () => {
  const { apikey } = await newKey(account, { budget: 1 });
  const body = { apikey, amount: 2 };
  const answer = await call("POST", "/v1/authorizations/check", { key: inject("gatewayToken"), body });
  expect([answer.status, answer.body.allowed, answer.body.code]).toEqual([200, false, "budget"]);
});
