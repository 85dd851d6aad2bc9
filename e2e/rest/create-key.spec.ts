import { beforeAll, describe, expect, inject, test } from "vitest";
import { isKeyValue } from "@/server/keys/key-value";
import { type Account, call, database, newAccount, newGroup } from "./client";
import { UNSET } from "./limits";

const PATH = "/v1/apikeys";
let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

const create = (body: unknown) => call("POST", PATH, { key: account.apikey, body });

describe("201", () => {
  test("with a name alone: the whole key once, and null for all that was not sent", async () => {
    const { status, body } = await create({ name: "production" });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      apikey: expect.stringMatching(/^sk-[0-9A-Za-z]{45}$/),
      name: "production",
      group_id: null,
      ...UNSET,
    });
    expect(isKeyValue(body.apikey)).toBe(true);
  });

  test("with everything: each parameter comes back as sent", async () => {
    const sent = {
      name: "all",
      group_id: await newGroup(account),
      budget: 1000.5,
      expiry_date: "2031-12-31",
      daily_limit: 0,
      monthly_limit: 0.000000001,
      input_price_limit: 1e15,
      output_price_limit: 123456.789,
    };
    const { status, body } = await create(sent);
    expect(status).toBe(201);
    expect(body).toMatchObject(sent);
  });

  test("stores only the SHA-256 of the value", async () => {
    const { body } = await create({ name: "secret" });
    const dump = await database.pool.query(
      "SELECT k::text || s::text AS row FROM api_key k JOIN key_route s ON s.hash = k.value_hash WHERE k.id = $1",
      [body.apikey.slice(0, 10)],
    );
    expect(dump.rows).toHaveLength(1);
    expect(dump.rows[0].row).not.toContain(body.apikey.slice(10));
  });

  test.each([
    ["more than nine decimals round half-even, down", 0.1234567885, 0.123456788],
    ["more than nine decimals round half-even, up", 0.1234567895, 0.12345679],
    ["-0 is 0", -0, 0],
    ["the largest amount", 1e15, 1e15],
    ["fifteen whole digits and a fraction", 123456789012345.12, 123456789012345.12],
    ["an exponent", 2.5e-7, 2.5e-7],
  ])("amounts: %s", async (_, sent, expected) => {
    const { status, body } = await create({ name: "amount", budget: sent });
    expect([status, body.budget]).toEqual([201, expected]);
    expect(Object.is(body.budget, -0)).toBe(false);
  });

  test.each([
    ["0.000000001", "1e-9"],
    ["8388607.999999999", "8388607.999999999"],
    ["12345678.123456789", "12345678.12345679"],
    ["12345678.1234567", "12345678.1234567"],
    ["999999.999999999", "999999.999999999"],
  ])("digits of amounts: %s", async (sent, expected) => {
    // As texts, because this program, too, reads a number as one of 64 bits.
    const answer = await fetch(`${inject("productUrl")}/v1/apikeys`, {
      method: "POST",
      headers: { Authorization: `Bearer ${account.apikey}`, "Content-Type": "application/json" },
      body: `{"name":"digits","budget":${sent}}`,
    });
    expect(await answer.text()).toContain(`"budget":${expected},`);
  });

  test.each([
    ["128 characters", "n".repeat(128)],
    ["128 characters outside the basic plane", "🔑".repeat(128)],
    ["markup", "<script>alert(1)</script>"],
    ["right-to-left text", "مفتاح الإنتاج"],
    ["quotes and a statement", `'; DROP TABLE api_key; --"\\`],
    ["white space around a word", "  padded  "],
  ])("names: %s", async (_, name) => {
    const { status, body } = await create({ name });
    expect([status, body.name]).toEqual([201, name]);
  });

  test("a name is normalised to NFC before it is measured", async () => {
    const { status, body } = await create({ name: "e\u0301".repeat(128) });
    expect([status, body.name]).toEqual([201, "é".repeat(128)]);
    // No letter is composed of more characters than this one.
    const longest = await create({ name: "\u03b1\u0313\u0300\u0345".repeat(128) });
    expect([longest.status, longest.body.name]).toEqual([201, "\u1f82".repeat(128)]);
  });

  test("two keys may share a name", async () => {
    const answers = [await create({ name: "twin" }), await create({ name: "twin" })];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body.apikey).not.toBe(answers[1]?.body.apikey);
  });

  test.each(["2000-02-29", "1000-01-01", "9999-12-31", "1999-12-31"])("expiry_date %s", async (expiry_date) => {
    const { status, body } = await create({ name: "dated", expiry_date });
    expect([status, body.expiry_date]).toEqual([201, expiry_date]);
  });

  test("a group_id in capitals names the same group", async () => {
    const group_id = await newGroup(account);
    const { status, body } = await create({ name: "capitals", group_id: group_id.toUpperCase() });
    expect([status, body.group_id]).toEqual([201, group_id]);
  });

  test("unknown parameters are ignored and reported (docs/api.md#unknown-parameters)", async () => {
    const { status, headers, body } = await create({ name: "misspelt", bugdet: 5, 日限: 1, id: "x", is_default: true });
    expect(status).toBe(201);
    expect(headers.get("ignored-parameters")).toBe("bugdet, %E6%97%A5%E9%99%90, id, is_default");
    expect(body.budget).toBeNull();
  });
});

describe("400", () => {
  const limits = ["budget", "daily_limit", "monthly_limit", "input_price_limit", "output_price_limit"];
  const numbers = "expected number (int or float), received";

  test.each([
    ["name missing", {}, "name: expected string, received nothing"],
    ["name empty", { name: "" }, "name: must not be empty"],
    ["name of white space", { name: " \t\u3000\n" }, "name: must not be empty"],
    ["name too long", { name: "n".repeat(129) }, "name: must be at most 128 characters long"],
    ["name a number", { name: 5 }, "name: expected string, received number"],
    ["name null", { name: null }, "name: expected string, received null"],
    ["name an array", { name: ["n"] }, "name: expected string, received array"],
    ["name with NUL", { name: "a\0b" }, "name: must not contain the character NUL"],
    ["name with a lone surrogate", { name: "a\ud800b" }, "name: must not contain half of a surrogate pair"],
    ["group_id no ObjectId", { group_id: "nope" }, "group_id: must be a valid ObjectId of 24 hexadecimal characters"],
    ["group_id a number", { group_id: 5 }, "group_id: expected string (ObjectId), received number"],
    ["group_id null", { group_id: null }, "group_id: expected string (ObjectId), received null"],
    ["group_id of no group", { group_id: "0123456789abcdef01234567" }, "group_id: names no existing group"],
    ...limits.flatMap((limit): [string, object, string][] => [
      [`${limit} negative`, { [limit]: -0.01 }, `${limit}: must be 0 or more; 0 means no limit`],
      [`${limit} a numeric string`, { [limit]: "100" }, `${limit}: ${numbers} string`],
      [`${limit} a boolean`, { [limit]: true }, `${limit}: ${numbers} boolean`],
      [`${limit} null`, { [limit]: null }, `${limit}: ${numbers} null`],
      [`${limit} an empty string`, { [limit]: "" }, `${limit}: ${numbers} string`],
      [`${limit} an array`, { [limit]: [1] }, `${limit}: ${numbers} array`],
      [`${limit} an object`, { [limit]: { amount: 1 } }, `${limit}: ${numbers} object`],
      [`${limit} too large`, { [limit]: 1.000001e15 }, `${limit}: must be 1e15 or less`],
      [
        `${limit} that rounds to 0`,
        { [limit]: 5e-10 },
        `${limit}: is too small: it would round to 0, which means no limit; the smallest positive amount is 0.000000001`,
      ],
    ]),
    ["expiry_date with slashes", { expiry_date: "2030/01/01" }, "expiry_date: must be a date in the format YYYY-MM-DD"],
    [
      "expiry_date with a time",
      { expiry_date: "2030-01-01T00:00:00Z" },
      "expiry_date: must be a date in the format YYYY-MM-DD",
    ],
    ["expiry_date unpadded", { expiry_date: "2030-1-1" }, "expiry_date: must be a date in the format YYYY-MM-DD"],
    [
      "expiry_date with a newline",
      { expiry_date: "2030-01-01\n" },
      "expiry_date: must be a date in the format YYYY-MM-DD",
    ],
    ["expiry_date empty", { expiry_date: "" }, "expiry_date: must be a date in the format YYYY-MM-DD"],
    ["expiry_date a number", { expiry_date: 20300101 }, "expiry_date: expected string (YYYY-MM-DD), received number"],
    ["expiry_date null", { expiry_date: null }, "expiry_date: expected string (YYYY-MM-DD), received null"],
    ["expiry_date no day", { expiry_date: "2030-02-30" }, "expiry_date: is not a day of the calendar"],
    ["expiry_date no leap year", { expiry_date: "2100-02-29" }, "expiry_date: is not a day of the calendar"],
    [
      "expiry_date before the year 1000",
      { expiry_date: "0999-12-31" },
      "expiry_date: must be of the year 1000 or later",
    ],
  ] as [string, object, string][])("%s", async (_, wrong, error) => {
    const sent = "name" in wrong || Object.keys(wrong).length === 0 ? wrong : { name: "refused", ...wrong };
    const { status, body } = await create(sent);
    expect(body).toEqual({ success: false, error });
    expect(status).toBe(400);
  });

  test("several faults are listed together", async () => {
    const { status, body } = await create({ budget: "1", expiry_date: 5 });
    expect(status).toBe(400);
    expect(body.error.split("; ")).toEqual([
      "name: expected string, received nothing",
      "budget: expected number (int or float), received string",
      "expiry_date: expected string (YYYY-MM-DD), received number",
    ]);
  });

  test("1e999 is not a number", async () => {
    const { status, body } = await call("POST", PATH, {
      key: account.apikey,
      raw: '{"name":"huge","budget":1e999}',
      headers: { "content-type": "application/json" },
    });
    expect([status, body.error]).toEqual([
      400,
      "budget: expected number (int or float), received a number that is not finite",
    ]);
  });

  test("nothing is written", async () => {
    const count = () => database.prisma.apiKey.count({ where: { accountId: account.account_id } });
    const before = await count();
    await create({ name: "refused", budget: -1 });
    await create({ name: "refused", group_id: "0123456789abcdef01234567" });
    expect(await count()).toBe(before);
  });
});
