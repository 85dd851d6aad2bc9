import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { makeKeyValue } from "@/server/keys/key-value";
import { GATEWAY_TOKEN } from "../product";
import { type Account, call, database, ENDPOINTS, NOWHERE, newAccount, newKey, trpc, trpcOutcome } from "./client";

let account: Account;
let stranger: Account;
let key: { apikey: string; id: string };

beforeAll(async () => {
  account = await newAccount();
  stranger = await newAccount();
});
beforeEach(async () => {
  key = await newKey(account, { budget: 100 });
});

const UNLIMITED = { budget: null, daily: null, monthly: null };
const GONE = { status: 404, body: { success: false, error: "authorization_id: the authorization does not exist" } };

const authorize = (body: Record<string, unknown> = {}, as = account.apikey) =>
  call("POST", "/v1/authorizations", { key: as, body: { apikey: key.apikey, amount: 10, ...body } });
const capture = (id: string, amount: unknown, as = account.apikey) =>
  call("POST", `/v1/authorizations/${id}/capture`, { key: as, body: { amount } });
const release = (id: string, as = account.apikey) =>
  call("POST", `/v1/authorizations/${id}/void`, { key: as, body: {} });
const held = async (amount = 10, rest: Record<string, unknown> = {}): Promise<string> =>
  (await authorize({ amount, ...rest })).body.authorization_id;
const setLimits = async (limits: Record<string, unknown>) => {
  const answer = await call("POST", `/v1/apikeys/${key.id}/budget`, { key: account.apikey, body: limits });
  expect(answer.status).toBe(200);
};
const change = (set: string) =>
  database.pool.query(`UPDATE api_key SET ${set} WHERE account_id = $1 AND id = $2`, [account.account_id, key.id]);
/** Ends every hold of the key, as if its time were over. */
const expire = () =>
  database.pool.query(
    `WITH late AS (
        UPDATE "authorization" SET expires_at = now() WHERE account_id = $1 AND key_id = $2 AND state = 'held'
      ) UPDATE api_key SET held_until = now() WHERE account_id = $1 AND id = $2`,
    [account.account_id, key.id],
  );
const counters = async () => {
  const { rows } = await database.pool.query(
    "SELECT spent::text, held::text, day_spent::text, month_spent::text FROM api_key WHERE account_id = $1 AND id = $2",
    [account.account_id, key.id],
  );
  return rows[0];
};

describe("authorize: 200", () => {
  test("allowed: what is held, until when, and what is left", async () => {
    await setLimits({ budget: 100, daily_limit: 50, monthly_limit: 0 });
    const before = Math.floor(Date.now() / 1000);
    const { status, body } = await authorize({ amount: 12.5 });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        allowed: true,
        code: null,
        message: "Held 12.5000 yuan.",
        authorization_id: expect.stringMatching(/^[0-9a-f]{48}$/),
        apikey_id: key.id,
        amount: 12.5,
        model: null,
        prices: null,
        expires_at: expect.any(Number),
        available: { budget: 87.5, daily: 37.5, monthly: null },
        refusal: null,
      },
    ]);
    expect(body.expires_at).toBeGreaterThanOrEqual(before + 600);
    expect(body.expires_at).toBeLessThanOrEqual(Date.now() / 1000 + 601);
  });

  test("ttl_seconds from 1 to a day", async () => {
    for (const ttl_seconds of [1, 86_400]) {
      const before = Math.floor(Date.now() / 1000);
      const { body } = await authorize({ ttl_seconds });
      expect(body.expires_at).toBeGreaterThanOrEqual(before + ttl_seconds);
      expect(body.expires_at).toBeLessThanOrEqual(Date.now() / 1000 + ttl_seconds + 1);
    }
  });

  test("up to the limit, to the last decimal, and not beyond", async () => {
    await setLimits({ budget: 0.3 });
    expect((await authorize({ amount: 0.1 })).body.available.budget).toBe(0.2);
    expect((await authorize({ amount: 0.200000001 })).body).toMatchObject({ allowed: false, code: "budget" });
    expect((await authorize({ amount: 0.199999999 })).body.available.budget).toBe(0.000000001);
    expect((await authorize({ amount: 0.000000001 })).body).toMatchObject({ allowed: true, available: { budget: 0 } });
    expect((await authorize({ amount: 0.000000001 })).body.allowed).toBe(false);
    expect((await authorize({ amount: 0 })).body.allowed).toBe(true);
  });

  test.each([
    ["unset", "budget = NULL, daily_limit = NULL, monthly_limit = NULL"],
    ["0", "budget = 0, daily_limit = 0, monthly_limit = 0, input_price_limit = 0, output_price_limit = 0"],
  ])("limits that are %s are none", async (_, set) => {
    await change(set);
    const { body } = await authorize({ amount: 1e15 });
    expect([body.allowed, body.available]).toEqual([true, UNLIMITED]);
  });

  test("amounts of 1e15, and counters beyond what a double counts exactly", async () => {
    await change("budget = NULL, spent = 12345678901234567.123456789");
    const id = await held(1e15);
    expect((await capture(id, 999_999_999_999_999.9)).body.amount).toBe(999_999_999_999_999.9);
    expect((await capture(await held(1), 0.000000001)).status).toBe(200);
    expect((await counters()).spent).toBe("13345678901234567.023456790");
  });

  test("more than nine decimals are rounded half-even, as limits are", async () => {
    expect((await authorize({ amount: 0.1234567885 })).body.amount).toBe(0.123456788);
    expect((await authorize({ amount: 0.1234567895 })).body.amount).toBe(0.12345679);
  });

  test("the default key itself can be spent of", async () => {
    const { body } = await authorize({ apikey: account.apikey });
    expect([body.allowed, body.apikey_id]).toEqual([true, account.apikey.slice(0, 10)]);
  });

  test("last_used_at is that of the last one that was granted", async () => {
    const usedAt = async () =>
      (await database.prisma.apiKey.findFirst({ where: { accountId: account.account_id, id: key.id } }))?.lastUsedAt;
    expect(await usedAt()).toBe(null);
    await authorize({ amount: 101 });
    expect(await usedAt()).toBe(null);
    const before = Date.now();
    await authorize();
    const used = Number(await usedAt());
    expect([used >= before, used <= Date.now()]).toEqual([true, true]);
  });
});

describe("authorize: 200, refused", () => {
  const NO_DETAILS = { limit: null, available: null, resets_at: null, price: null, ceiling: null };
  const expectRefused = async (
    body: Record<string, unknown>,
    code: string,
    message: string,
    available: object,
    refusal: object = {},
  ) => {
    const answer = await authorize(body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        allowed: false,
        code,
        message,
        authorization_id: null,
        apikey_id: code === "key_not_found" ? null : key.id,
        amount: body.amount ?? 10,
        model: null,
        prices: null,
        expires_at: null,
        available: { ...UNLIMITED, ...available },
        refusal: { ...NO_DETAILS, ...refusal },
      },
    ]);
  };
  const NO_KEY = ["key_not_found", "The API key does not exist.", {}] as const;

  test.each([
    ["a value that no key has", () => makeKeyValue("sk-").value],
    ["no key value at all", () => "hello"],
    ["nothing", () => ""],
    ["an id", () => key.id],
    ["a value with a mistyped end", () => key.apikey.slice(0, -1) + (key.apikey.endsWith("A") ? "B" : "A")],
    ["a value with a space", () => `${key.apikey} `],
    ["letters outside ASCII", () => "sk-钥匙"],
  ])("key_not_found: %s", (_, apikey) => expectRefused({ apikey: apikey() }, ...NO_KEY));

  test("key_not_found: another account's key", async () => {
    const { apikey } = await newKey(stranger);
    await expectRefused({ apikey }, ...NO_KEY);
  });

  test("key_not_found: a revoked key, even where it was known before", async () => {
    await authorize({ request_id: "r" });
    await call("POST", `/v1/apikeys/${key.id}/revoke`, { key: account.apikey, body: {} });
    await expectRefused({}, ...NO_KEY);
    await expectRefused({ request_id: "r" }, ...NO_KEY);
  });

  test("key_disabled, and allowed again once enabled", async () => {
    await call("POST", `/v1/apikeys/${key.id}/disable`, { key: account.apikey, body: {} });
    await expectRefused({}, "key_disabled", "The API key is disabled.", { budget: 100 });
    await call("POST", `/v1/apikeys/${key.id}/enable`, { key: account.apikey, body: {} });
    expect((await authorize()).body.allowed).toBe(true);
  });

  test.each(["Asia/Shanghai", "UTC", "America/New_York", "Pacific/Kiritimati"])(
    "key_expired: after the last valid day in the account's zone: %s",
    async (zone) => {
      const other = await newAccount();
      await database.prisma.account.update({ where: { id: other.account_id }, data: { timeZone: zone } });
      const { apikey } = await newKey(other);
      const verdictAfter = async (days: number) => {
        await database.pool.query(
          "UPDATE api_key SET expiry_date = (now() AT TIME ZONE $1)::date + $2::int WHERE account_id = $3 AND NOT is_default",
          [zone, days, other.account_id],
        );
        return (await authorize({ apikey }, other.apikey)).body.code;
      };
      expect([await verdictAfter(0), await verdictAfter(-1)]).toEqual([null, "key_expired"]);
    },
  );

  test.each(["input", "output"])("%s_price_limit: above the ceiling, or not known", async (kind) => {
    await setLimits({ [`${kind}_price_limit`]: 8 });
    const code = `${kind}_price_limit`;
    const unknown = `The model's ${kind} price is unknown, and the key has a ceiling of 8.0000 yuan per million tokens.`;
    const above = `The model's ${kind} price of 8.000000001 yuan per million tokens is above the key's ceiling of 8.0000.`;
    const left = { budget: 100 };
    await expectRefused({}, code, unknown, left, { ceiling: 8 });
    const other = kind === "input" ? "output_price" : "input_price";
    await expectRefused({ [other]: 1 }, code, unknown, left, { ceiling: 8 });
    const details = { price: 8.000000001, ceiling: 8 };
    await expectRefused({ [`${kind}_price`]: 8.000000001 }, code, above, left, details);
    for (const price of [8, 0]) expect((await authorize({ [`${kind}_price`]: price })).body.allowed).toBe(true);
  });

  test("budget, daily_limit, monthly_limit: with the numbers", async () => {
    await setLimits({ budget: 30, daily_limit: 20, monthly_limit: 25 });
    await authorize({ amount: 8 });
    const { body } = await call("GET", `/v1/apikeys/${key.id}`, { key: account.apikey });
    // An amount above the whole limit does not pass on another day either.
    const never = { resets_at: null };
    const left = { budget: 22, daily: 12, monthly: 17 };
    await expectRefused(
      { amount: 22.5 },
      "budget",
      "The total budget does not allow 22.5000 yuan: 22.0000 yuan are left.",
      left,
      { limit: 30, available: 22, ...never },
    );
    await expectRefused(
      { amount: 22 },
      "daily_limit",
      "The limit of the day does not allow 22.0000 yuan: 12.0000 yuan are left.",
      left,
      { limit: 20, available: 12, ...never },
    );
    await expectRefused(
      { amount: 12.5 },
      "daily_limit",
      "The limit of the day does not allow 12.5000 yuan: 12.0000 yuan are left.",
      left,
      { limit: 20, available: 12, resets_at: body.daily_resets_at },
    );
    await setLimits({ daily_limit: 0 });
    await expectRefused(
      { amount: 17.5 },
      "monthly_limit",
      "The limit of the month does not allow 17.5000 yuan: 17.0000 yuan are left.",
      { ...left, daily: null },
      { limit: 25, available: 17, resets_at: body.monthly_resets_at },
    );
  });

  test("a limit below what is spent and held: what is left is below 0, and 0 yuan are not allowed either", async () => {
    await authorize({ amount: 50 });
    await setLimits({ budget: 20 });
    await expectRefused(
      { amount: 0 },
      "budget",
      "The total budget does not allow 0.0000 yuan: -30.0000 yuan are left.",
      { budget: -30 },
      { limit: 20, available: -30 },
    );
  });

  test("the first obstacle in the order of the codes", async () => {
    await setLimits({ budget: 1, daily_limit: 1, monthly_limit: 1, input_price_limit: 1, output_price_limit: 1 });
    await change("disabled_at = now(), expiry_date = '2020-01-01'");
    const codes = [];
    for (const set of [
      "disabled_at = NULL",
      "expiry_date = NULL",
      "input_price_limit = 0",
      "output_price_limit = 0",
      "budget = 0",
      "daily_limit = 0",
      "monthly_limit = 0",
    ]) {
      codes.push((await authorize()).body.code);
      await change(set);
    }
    codes.push((await authorize()).body.code);
    expect(codes).toEqual([
      "key_disabled",
      "key_expired",
      "input_price_limit",
      "output_price_limit",
      "budget",
      "daily_limit",
      "monthly_limit",
      null,
    ]);
  });

  test("each is counted on its day, by its code; what is allowed or known is not", async () => {
    await setLimits({ budget: 30, daily_limit: 20, input_price_limit: 5 });
    const price = { input_price: 1 };
    for (const body of [{}, {}, { amount: 31, ...price }, { amount: 21, ...price }, { amount: 5, ...price }]) {
      await authorize(body);
    }
    await Promise.all(Array.from({ length: 30 }, () => authorize({ amount: 31, ...price })));
    await authorize({ apikey: "hello" });
    const { rows } = await database.pool.query(
      `SELECT day = (now() AT TIME ZONE 'Asia/Shanghai')::date AS is_today, code, count FROM refusal_day
        WHERE account_id = $1 AND key_id = $2 ORDER BY code`,
      [account.account_id, key.id],
    );
    expect(rows).toEqual([
      { is_today: true, code: "budget", count: 31 },
      { is_today: true, code: "daily_limit", count: 1 },
      { is_today: true, code: "input_price_limit", count: 2 },
    ]);
  });
});

describe("authorize: rotation", () => {
  const rotate = async (grace_seconds: number): Promise<string> =>
    (await call("POST", `/v1/apikeys/${key.id}/rotate`, { key: account.apikey, body: { grace_seconds } })).body.apikey;

  test("without grace the old value is refused at once, and what was held stays on the key", async () => {
    await authorize({ amount: 60 });
    const apikey = await rotate(0);
    expect((await authorize()).body.code).toBe("key_not_found");
    expect((await authorize({ apikey, amount: 41 })).body.code).toBe("budget");
    expect((await authorize({ apikey, amount: 40 })).body).toMatchObject({ allowed: true, apikey_id: key.id });
  });

  test("with grace both values spend of one budget, until the time is over", async () => {
    const apikey = await rotate(3600);
    expect((await authorize({ amount: 60 })).body.allowed).toBe(true);
    expect((await authorize({ apikey, amount: 41 })).body.code).toBe("budget");
    expect((await authorize({ apikey, amount: 40 })).body.allowed).toBe(true);
    // As if it had been rotated an hour ago: a rotation writes the row of the key too.
    await database.pool.query(
      `WITH ended AS (
        UPDATE earlier_value SET expires_at = now() WHERE key_id = $1 RETURNING key_id
      ) UPDATE api_key SET version = version + 1 FROM ended WHERE id = ended.key_id`,
      [key.id],
    );
    expect((await authorize({ amount: 0 })).body.code).toBe("key_not_found");
    expect((await authorize({ apikey, amount: 0 })).body.allowed).toBe(true);
  });
});

describe("authorize: the same request_id", () => {
  const r = (rest: Record<string, unknown> = {}) => authorize({ request_id: "r", ...rest });
  const usedBefore = (state: string) => ({
    status: 409,
    body: { success: false, error: `request_id: was used before, and its authorization is ${state}` },
  });

  describe("while it is held", () => {
    test("gives the same authorization back, held once, and says so", async () => {
      const first = await r();
      expect(first.body).not.toHaveProperty("replayed");
      for (let i = 0; i < 3; i++) expect((await r()).body).toEqual({ ...first.body, replayed: true });
      expect((await counters()).held).toBe("10.000000000");
    });

    test("also where nothing is left for another one: the money is held already", async () => {
      const { body } = await r({ amount: 100 });
      expect((await r({ amount: 100 })).body).toMatchObject({
        authorization_id: body.authorization_id,
        replayed: true,
      });
      await setLimits({ budget: 1, daily_limit: 1, monthly_limit: 1 });
      expect((await r({ amount: 100 })).body).toMatchObject({
        allowed: true,
        authorization_id: body.authorization_id,
        available: { budget: -99, daily: -99, monthly: -99 },
      });
    });

    test("for another amount: 409", async () => {
      await r();
      const { status, body } = await r({ amount: 11 });
      expect([status, body]).toEqual([
        409,
        { success: false, error: "request_id: was used before, for another amount, model or number of tokens" },
      ]);
    });

    test.each([
      ["key_disabled", "disabled_at = now()"],
      ["key_expired", "expiry_date = '2020-01-01'"],
      ["input_price_limit", "input_price_limit = 1"],
      ["output_price_limit", "output_price_limit = 1"],
      ["key_not_found", "revoked_at = now()"],
    ])("is judged by the state of the key first: %s", async (code, set) => {
      await r();
      await change(set);
      const { status, body } = await r();
      expect([status, body]).toMatchObject([200, { allowed: false, code, authorization_id: null, expires_at: null }]);
      expect(body).not.toHaveProperty("replayed");
    });

    test("is judged by its own price", async () => {
      await r({ input_price: 1 });
      await setLimits({ input_price_limit: 5 });
      expect((await r({ input_price: 5 })).body).toMatchObject({ allowed: true, replayed: true });
      for (const rest of [{ input_price: 6 }, {}]) expect((await r(rest)).body.code).toBe("input_price_limit");
    });

    test("with a value that has ended: key_not_found", async () => {
      await r();
      await call("POST", `/v1/apikeys/${key.id}/rotate`, { key: account.apikey, body: {} });
      expect((await r()).body.code).toBe("key_not_found");
    });
  });

  describe("afterwards: 409, and nothing is held", () => {
    test.each<[string, (id: string) => Promise<unknown>]>([
      ["captured", (id) => capture(id, 10)],
      ["captured", (id) => capture(id, 0)],
      ["voided", (id) => release(id)],
      ["expired", () => expire()],
      ["expired", async (id) => [await expire(), await release(id)]],
      ["captured", async (id) => [await expire(), await capture(id, 10)]],
    ])("%s", async (state, settle) => {
      const { body } = await r();
      await settle(body.authorization_id);
      // For any amount: the state is what counts.
      for (const rest of [{}, {}, { amount: 11 }, { amount: 0 }])
        expect(await r(rest)).toMatchObject(usedBefore(state));
      expect((await counters()).held).toBe("0.000000000");
      const { rowCount } = await database.pool.query("SELECT FROM refusal_day WHERE key_id = $1", [key.id]);
      expect(rowCount).toBe(0);
      // The capture of what has expired is late, and a captured request stays captured.
      expect((await r({ request_id: "another" })).body.allowed).toBe(true);
    });

    test("the state of the key comes first here too", async () => {
      const { body } = await r();
      await capture(body.authorization_id, 10);
      await change("disabled_at = now()");
      expect((await r()).body.code).toBe("key_disabled");
      await change("disabled_at = NULL, expiry_date = '2020-01-01'");
      expect((await r()).body.code).toBe("key_expired");
    });

    test("the budget does not: it is 409 where nothing is left", async () => {
      const { body } = await r({ amount: 100 });
      await capture(body.authorization_id, 100);
      expect(await r({ amount: 100 })).toMatchObject(usedBefore("captured"));
    });

    test("with the code for programs, over tRPC", async () => {
      const { body } = await r();
      await release(body.authorization_id);
      const { authorizations } = trpc(account.apikey);
      const again = authorizations.authorize.mutate({ apikey: key.apikey, amount: 10, request_id: "r" });
      await expect(again).rejects.toMatchObject({
        data: { httpStatus: 409, failure: { code: "request_id_used", values: { state: "voided" } } },
      });
    });

    test("one of a batch harms no other: 40 calls of 4 keys at once", async () => {
      const keys = [key, ...(await Promise.all([1, 2, 3].map(() => newKey(account, { budget: 100 }))))];
      for (const { apikey } of keys) {
        const { body } = await r({ apikey });
        await capture(body.authorization_id, 10);
      }
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => {
          const apikey = keys[i % 4]?.apikey;
          return i % 3 === 0 ? r({ apikey }) : authorize({ apikey, amount: 1, request_id: `fresh ${i}` });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i % 3 === 0 ? 409 : 200)));
      for (const [i, { body }] of answers.entries()) if (i % 3 !== 0) expect(body.allowed).toBe(true);
    });
  });

  test("is a new request when its authorization was deleted", async () => {
    const { body } = await r();
    await capture(body.authorization_id, 10);
    await database.pool.query(`DELETE FROM "authorization" WHERE account_id = $1 AND key_id = $2`, [
      account.account_id,
      key.id,
    ]);
    const again = await r();
    expect(again.body.allowed).toBe(true);
    expect(again.body).not.toHaveProperty("replayed");
  });

  test("on another key is another request; a refused one may be granted later", async () => {
    const other = await newKey(account, { budget: 5 });
    const first = await r();
    expect((await r({ apikey: other.apikey })).body.code).toBe("budget");
    await call("POST", `/v1/apikeys/${other.id}/budget`, { key: account.apikey, body: { budget: 50 } });
    const { body } = await r({ apikey: other.apikey });
    expect([body.allowed, body.authorization_id === first.body.authorization_id]).toEqual([true, false]);
  });
});

describe("authorize: 400", () => {
  const number = "expected number (int or float), received";
  test.each<[Record<string, unknown>, string]>([
    [{ apikey: undefined }, "apikey: exactly one of apikey, apikey_hash and apikey_id is required"],
    [{ apikey: null }, "apikey: expected string, received null"],
    [{ apikey: 5 }, "apikey: expected string, received number"],
    [{ amount: undefined }, "amount: exactly one of amount and model is required"],
    [{ amount: -1 }, "amount: must be 0 or more"],
    [{ amount: -0.000000001 }, "amount: must be 0 or more"],
    [{ amount: "10" }, `amount: ${number} string`],
    [{ amount: "NaN" }, `amount: ${number} string`],
    [{ amount: null }, `amount: ${number} null`],
    [{ amount: true }, `amount: ${number} boolean`],
    [{ amount: [1] }, `amount: ${number} array`],
    [{ amount: {} }, `amount: ${number} object`],
    [{ amount: 1.1e15 }, "amount: must be 1e15 or less"],
    [{ amount: 1e-10 }, "amount: is too small: it would round to 0; the smallest positive amount is 0.000000001"],
    [{ input_price: -1 }, "input_price: must be 0 or more"],
    [{ input_price: null }, `input_price: ${number} null`],
    [{ output_price: "8" }, `output_price: ${number} string`],
    [{ request_id: "" }, "request_id: must not be empty"],
    [{ request_id: "x".repeat(129) }, "request_id: must be at most 128 characters long"],
    [{ request_id: 5 }, "request_id: expected string, received number"],
    [{ request_id: "a\u0000" }, "request_id: "],
    [{ ttl_seconds: 0 }, "ttl_seconds: must be 1 or more"],
    [{ ttl_seconds: -5 }, "ttl_seconds: must be 1 or more"],
    [{ ttl_seconds: 86_401 }, "ttl_seconds: must be 86400 (24 hours) or less"],
    [{ ttl_seconds: 1.5 }, "ttl_seconds: must be a whole number"],
    [{ ttl_seconds: "60" }, "ttl_seconds: expected number (int), received string"],
    [{ ttl_seconds: null }, "ttl_seconds: expected number (int), received null"],
  ])("%j", async (body, error) => {
    const answer = await authorize(body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: expect.stringContaining(error) }]);
    expect((await counters()).held).toBe("0.000000000");
  });

  test.each(["1e999", "-1e999", "1e-400", "-1e-400", "NaN", "Infinity", "0x10"])("an amount of %s", async (amount) => {
    const { status } = await call("POST", "/v1/authorizations", {
      key: account.apikey,
      raw: `{"apikey":"${key.apikey}","amount":${amount}}`,
      headers: { "content-type": "application/json" },
    });
    expect(status).toBe(400);
  });

  test("a request_id of 128 characters is good, whatever they are", async () => {
    expect((await authorize({ request_id: "𝄞".repeat(128) })).body.allowed).toBe(true);
  });

  test("-0 is 0", async () => {
    const { status, body } = await call("POST", "/v1/authorizations", {
      key: account.apikey,
      raw: `{"apikey":"${key.apikey}","amount":-0}`,
      headers: { "content-type": "application/json" },
    });
    expect([status, body.allowed, body.amount]).toEqual([200, true, 0]);
  });
});

describe("who may", () => {
  test("401 and 403 before the body is read", async () => {
    for (const path of ["/v1/authorizations", `/v1/authorizations/${NOWHERE.authorization_id}/capture`]) {
      expect((await call("POST", path, { raw: "{" })).status).toBe(401);
      expect((await call("POST", path, { key: key.apikey, raw: "{" })).status).toBe(403);
    }
  });

  test("a gateway's token: every account's keys, and their authorizations", async () => {
    const theirs = await newKey(stranger, { budget: 100 });
    for (const apikey of [key.apikey, theirs.apikey]) {
      const { status, body } = await authorize({ apikey }, GATEWAY_TOKEN);
      expect([status, body.allowed, body.apikey_id]).toEqual([200, true, apikey.slice(0, 10)]);
      expect((await capture(body.authorization_id, 4, GATEWAY_TOKEN)).body).toMatchObject({ state: "captured" });
    }
    expect((await release(await held(), GATEWAY_TOKEN)).body.state).toBe("voided");
    expect((await authorize({ apikey: makeKeyValue("sk-").value }, GATEWAY_TOKEN)).body.code).toBe("key_not_found");
    expect(await capture(NOWHERE.authorization_id, 1, GATEWAY_TOKEN)).toMatchObject(GONE);
  });

  test("a token that is not quite one: 401", async () => {
    for (const token of [GATEWAY_TOKEN.slice(1), `${GATEWAY_TOKEN}x`, GATEWAY_TOKEN.toUpperCase(), "x".repeat(43)]) {
      expect((await authorize({}, token)).status).toBe(401);
    }
  });

  test.each(ENDPOINTS.filter(([, path]) => !/^\/v1\/authorizations|\/models$/.test(path)))(
    "a gateway's token is nothing at %s %s",
    async (method, path) => {
      const body = method === "POST" ? { name: "n", budget: 1 } : undefined;
      expect((await call(method, path, { key: GATEWAY_TOKEN, body })).status).toBe(401);
    },
  );

  test("a gateway's token does not read pages' procedures either", async () => {
    const { status } = await trpcOutcome(trpc(GATEWAY_TOKEN).groups.list.query());
    expect(status).toBe(401);
  });

  test("an account: its own keys and authorizations alone", async () => {
    const id = await held();
    for (const answer of [await capture(id, 1, stranger.apikey), await release(id, stranger.apikey)]) {
      expect(answer).toMatchObject(GONE);
    }
    // The first half of an id names the account. A forged half must not help.
    const forged = stranger.account_id + id.slice(24);
    expect(await capture(forged, 1, stranger.apikey)).toMatchObject(GONE);
    expect((await capture(id, 1)).status).toBe(200);
  });

  test("a token or a key never stands in an answer", async () => {
    const answers = [
      await authorize({}, GATEWAY_TOKEN),
      await authorize({ amount: 101 }),
      await authorize({ amount: -1 }),
    ];
    expect(JSON.stringify(answers)).not.toContain(key.apikey.slice(10));
    expect(JSON.stringify(answers)).not.toContain(GATEWAY_TOKEN);
  });
});

describe("capture", () => {
  test("200: counts what it cost, and releases the rest", async () => {
    const id = await held(10);
    const { status, body } = await capture(id, 7.5);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "Captured 7.5000 yuan.",
        authorization_id: id,
        state: "captured",
        amount: 7.5,
        usage: null,
        prices: null,
        overrun: false,
        late: false,
      },
    ]);
    expect((await authorize({ amount: 0 })).body.available.budget).toBe(92.5);
    const spent = "7.500000000";
    expect(await counters()).toMatchObject({ spent, day_spent: spent, month_spent: spent, held: "0.000000000" });
  });

  test("200: nothing", async () => {
    expect((await capture(await held(), 0)).body).toMatchObject({ amount: 0, overrun: false });
  });

  test("200: the same again counts once, and answers the same", async () => {
    const id = await held();
    const first = await capture(id, 0.1);
    expect((await capture(id, 0.1)).body).toEqual(first.body);
    expect((await counters()).spent).toBe("0.100000000");
  });

  test("200, overrun: recorded whole", async () => {
    expect((await capture(await held(10), 250)).body).toMatchObject({ amount: 250, overrun: true, late: false });
    expect((await authorize({ amount: 1 })).body).toMatchObject({ code: "budget", available: { budget: -150 } });
  });

  test.each([
    ["before anybody noticed", async () => {}],
    ["after it was released", async () => void (await authorize({ amount: 0 }))],
  ])("200, late: after the hold has ended, %s", async (_, meanwhile) => {
    const id = await held(10);
    await expire();
    await meanwhile();
    expect((await capture(id, 4)).body).toMatchObject({ state: "captured", amount: 4, late: true, overrun: false });
    expect((await capture(id, 4)).body).toMatchObject({ state: "captured", late: true });
    expect(await counters()).toMatchObject({ spent: "4.000000000", held: "0.000000000" });
  });

  test("200: on the day of its hold, whenever it comes", async () => {
    const id = await held(10);
    await database.pool.query(
      `WITH held AS (UPDATE "authorization" SET day = day - 40, month = date_trunc('month', (day - 40)::timestamp) WHERE key_id = $1)
        UPDATE api_key SET day = day - 40, month = date_trunc('month', (day - 40)::timestamp) WHERE id = $1`,
      [key.id],
    );
    await authorize({ amount: 1 });
    expect((await capture(id, 4)).status).toBe(200);
    expect(await counters()).toMatchObject({
      spent: "4.000000000",
      day_spent: "0.000000000",
      month_spent: "0.000000000",
    });
    const { rows } = await database.pool.query(
      `SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date - day AS days, spent::float8, captures FROM key_day WHERE key_id = $1`,
      [key.id],
    );
    expect(rows).toEqual([{ days: 40, spent: 4, captures: 1 }]);
  });

  test("works on a key that is disabled or revoked by now: the money is gone", async () => {
    const [one, two] = [await held(1), await held(1)];
    await change("disabled_at = now()");
    expect((await capture(one, 1)).status).toBe(200);
    await change("revoked_at = now()");
    expect((await capture(two, 1)).status).toBe(200);
  });

  test("a hold that has ended gives back its room to the next call", async () => {
    await held(100);
    expect((await authorize({ amount: 100 })).body.code).toBe("budget");
    await expire();
    expect((await authorize({ amount: 100 })).body.allowed).toBe(true);
  });

  test.each<[unknown, string]>([
    [undefined, "amount: exactly one of amount and usage is required"],
    [-1, "amount: must be 0 or more"],
    ["1", "amount: expected number (int or float), received string"],
    [null, "amount: expected number (int or float), received null"],
    [1e-12, "amount: is too small"],
    [2e15, "amount: must be 1e15 or less"],
  ])("400: %j", async (amount, error) => {
    const id = await held();
    const answer = await capture(id, amount);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
    expect((await counters()).held).toBe("10.000000000");
  });

  test.each(["nope", NOWHERE.authorization_id, NOWHERE.authorization_id.toUpperCase(), "%00", "'--", "0".repeat(47)])(
    "404: %s",
    async (id) => {
      expect(await capture(id, 1)).toMatchObject(GONE);
      expect(await release(id)).toMatchObject(GONE);
    },
  );

  test("404: the right authorization under the wrong account's id", async () => {
    const id = await held();
    expect(await capture(stranger.account_id + id.slice(24), 1, GATEWAY_TOKEN)).toMatchObject(GONE);
  });

  test("409: captured with another amount; voided", async () => {
    const id = await held();
    await capture(id, 1);
    const again = await capture(id, 2);
    expect([again.status, again.body.error]).toEqual([
      409,
      "authorization_id: the authorization is captured with another amount",
    ]);
    const voided = await held();
    await release(voided);
    const after = await capture(voided, 1);
    expect([after.status, after.body.error]).toEqual([409, "authorization_id: the authorization is voided"]);
    expect((await counters()).spent).toBe("1.000000000");
  });
});

describe("void", () => {
  test("200: nothing is held any more; again is no error", async () => {
    const id = await held(100);
    const { status, body } = await release(id);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "The authorization is voided; nothing is held.",
        authorization_id: id,
        state: "voided",
        amount: null,
        usage: null,
        prices: null,
        overrun: false,
        late: false,
      },
    ]);
    expect((await release(id)).body).toEqual(body);
    expect((await authorize({ amount: 100 })).body.allowed).toBe(true);
  });

  test("200 after it has ended by itself: expired, and a capture still counts", async () => {
    const id = await held();
    await expire();
    for (let i = 0; i < 2; i++) expect((await release(id)).body.state).toBe("expired");
    expect((await capture(id, 3)).body).toMatchObject({ late: true });
  });

  test("409: captured", async () => {
    const id = await held();
    await capture(id, 1);
    const { status, body } = await release(id);
    expect([status, body.error]).toEqual([409, "authorization_id: the authorization is captured"]);
  });
});

test("over tRPC the same", async () => {
  const { authorizations } = trpc(GATEWAY_TOKEN);
  const answer = await authorizations.authorize.mutate({ apikey: key.apikey, amount: 10 });
  expect(answer).toMatchObject({ allowed: true, apikey_id: key.id });
  const authorization_id = answer.authorization_id ?? "";
  expect(await authorizations.capture.mutate({ authorization_id, amount: 4 })).toMatchObject({ state: "captured" });
  const outcome = await trpcOutcome(authorizations.void.mutate({ authorization_id }));
  expect(outcome).toEqual({
    status: 409,
    value: { success: false, error: "authorization_id: the authorization is captured" },
  });
});

test("the document has the three, with every status", async () => {
  const { paths } = await (await fetch(`${inject("productUrl")}/openapi.json`)).json();
  const path = "/v1/authorizations/{authorization_id}";
  for (const [name, statuses] of [
    ["/v1/authorizations", ["200", "400", "401", "403", "409", "413", "429", "503"]],
    [`${path}/capture`, ["200", "400", "401", "403", "404", "409", "413", "429", "503"]],
    [`${path}/void`, ["200", "401", "403", "404", "409", "429", "503"]],
  ] as const) {
    expect(Object.keys(paths[name].post.responses).sort()).toEqual(statuses);
  }
});
