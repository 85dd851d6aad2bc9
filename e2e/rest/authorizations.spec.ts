import { describe, expect, test } from "vitest";
import { makeKeyValue } from "@/server/keys/key-value";
import { call, database, newAccount, newKey } from "./client";
import { Holds } from "./holds";

const holds = new Holds();
const { authorize, capture, held, setLimits, change, counters } = holds;

const UNLIMITED = { budget: null, daily: null, monthly: null };

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
        apikey_id: holds.key.id,
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
    const { body } = await authorize({ apikey: holds.account.apikey });
    expect([body.allowed, body.apikey_id]).toEqual([true, holds.account.apikey.slice(0, 10)]);
  });

  test("last_used_at is that of the last one that was granted", async () => {
    const usedAt = async () =>
      (await database.prisma.apiKey.findFirst({ where: { accountId: holds.account.account_id, id: holds.key.id } }))
        ?.lastUsedAt;
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
        apikey_id: code === "key_not_found" ? null : holds.key.id,
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
    ["an id", () => holds.key.id],
    ["a value with a mistyped end", () => holds.key.apikey.slice(0, -1) + (holds.key.apikey.endsWith("A") ? "B" : "A")],
    ["a value with a space", () => `${holds.key.apikey} `],
    ["letters outside ASCII", () => "sk-钥匙"],
  ])("key_not_found: %s", (_, apikey) => expectRefused({ apikey: apikey() }, ...NO_KEY));

  test("key_not_found: another account's key", async () => {
    const { apikey } = await newKey(holds.stranger);
    await expectRefused({ apikey }, ...NO_KEY);
  });

  test("key_not_found: a revoked key, even where it was known before", async () => {
    await authorize({ request_id: "r" });
    await call("POST", `/v1/apikeys/${holds.key.id}/revoke`, { key: holds.account.apikey, body: {} });
    await expectRefused({}, ...NO_KEY);
    await expectRefused({ request_id: "r" }, ...NO_KEY);
  });

  test("key_disabled, and allowed again once enabled", async () => {
    await call("POST", `/v1/apikeys/${holds.key.id}/disable`, { key: holds.account.apikey, body: {} });
    await expectRefused({}, "key_disabled", "The API key is disabled.", { budget: 100 });
    await call("POST", `/v1/apikeys/${holds.key.id}/enable`, { key: holds.account.apikey, body: {} });
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
    const { body } = await call("GET", `/v1/apikeys/${holds.key.id}`, { key: holds.account.apikey });
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
    // The whole limit fits into the next day, and no more than that.
    const whole = (await authorize({ amount: 20 })).body;
    expect(whole).toMatchObject({ code: "daily_limit", refusal: { resets_at: body.daily_resets_at } });
    const more = (await authorize({ amount: 20.000000001 })).body;
    expect(more).toMatchObject({ code: "daily_limit", refusal: never });
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
      [holds.account.account_id, holds.key.id],
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
    (await call("POST", `/v1/apikeys/${holds.key.id}/rotate`, { key: holds.account.apikey, body: { grace_seconds } }))
      .body.apikey;

  test("without grace the old value is refused at once, and what was held stays on the key", async () => {
    await authorize({ amount: 60 });
    const apikey = await rotate(0);
    expect((await authorize()).body.code).toBe("key_not_found");
    expect((await authorize({ apikey, amount: 41 })).body.code).toBe("budget");
    expect((await authorize({ apikey, amount: 40 })).body).toMatchObject({ allowed: true, apikey_id: holds.key.id });
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
      [holds.key.id],
    );
    expect((await authorize({ amount: 0 })).body.code).toBe("key_not_found");
    expect((await authorize({ apikey, amount: 0 })).body.allowed).toBe(true);
  });
});
