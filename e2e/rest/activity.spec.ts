import { beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { clockAhead, GATEWAY_TOKEN, startProduct } from "../product";
import { type Account, type Answer, call, callAt, database, NOWHERE, newAccount, newKey } from "./client";

const DAY = 86_400;

let account: Account;
let key: { apikey: string; id: string };
beforeEach(async () => {
  account = await newAccount();
  key = await newKey(account, { budget: 100 });
});

const list = (query = "", id = key.id): Promise<Answer> =>
  call("GET", `/v1/apikeys/${id}/activity${query}`, { key: account.apikey });
const authorize = async (body: object = {}, credential = account.apikey): Promise<string> => {
  const answer = await call("POST", "/v1/authorizations", {
    key: credential,
    body: { apikey: key.apikey, amount: 10, ...body },
  });
  expect(answer.status).toBe(200);
  return answer.body.authorization_id;
};
const settle = (id: string, how: "capture" | "void", amount?: number) =>
  call("POST", `/v1/authorizations/${id}/${how}`, { key: account.apikey, body: { amount } });
/** Calls follow each other in the order of their seconds, so those of a test are put into seconds of their own. */
const putBack = async (id: string, seconds: number): Promise<string> => {
  const time = (Math.floor(Date.now() / 1000) - seconds).toString(16).padStart(8, "0");
  const { rows } = await database.pool.query<{ id: string }>(
    `WITH held AS (
        UPDATE "authorization" SET id = $3 || substr(id, 9), settled_at = (settled_at AT TIME ZONE 'UTC' - make_interval(secs => $4)) AT TIME ZONE 'UTC'
        WHERE account_id = $1 AND id = $2 RETURNING id
      ), refused AS (
        UPDATE refusal SET id = $3 || substr(id, 9), recorded_on = (now() AT TIME ZONE 'UTC' - make_interval(secs => $4))::date
        WHERE account_id = $1 AND id = $2 RETURNING id
      ) SELECT id FROM held UNION ALL SELECT id FROM refused`,
    [account.account_id, id, time, seconds],
  );
  return rows[0]?.id ?? "";
};
/** One call of each kind, the newest first, a minute between them. */
const oneOfEach = async (): Promise<void> => {
  const captured = await authorize({ request_id: "call-1" });
  const voided = await authorize({}, GATEWAY_TOKEN);
  const expired = await authorize({ ttl_seconds: 1 });
  await authorize({ amount: 95, request_id: "call-4" });
  await settle(captured, "capture", 12.5);
  await settle(voided, "void");
  await database.pool.query(
    "UPDATE \"authorization\" SET state = 'expired', settled_at = now() WHERE account_id = $1 AND id = $2",
    [account.account_id, expired.slice(24)],
  );
  for (const [i, id] of [captured, voided, expired].entries()) await putBack(id.slice(24), 240 - 60 * i);
};
const kinds = ({ body }: Answer): string[] => body.data.map(({ kind }: { kind: string }) => kind);

describe("200", () => {
  test("what became of each call, the newest first, with what was asked for and what refused it", async () => {
    await oneOfEach();
    const { status, body } = await list();
    const facts = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      at: expect.any(Number),
      settled_at: expect.any(Number),
      amount: 10,
      model: null,
      usage: null,
      captured: null,
      overrun: false,
      late: false,
      code: null,
      price: null,
      ceiling: null,
      request_id: null,
      gateway: null,
      authorization_id: expect.stringMatching(/^[0-9a-f]{48}$/),
    };
    const unsettled = { settled_at: null, authorization_id: null };
    expect([status, body]).toEqual([
      200,
      {
        object: "list",
        data: [
          { ...facts, ...unsettled, kind: "refused", amount: 95, code: "budget", request_id: "call-4" },
          { ...facts, kind: "expired" },
          { ...facts, kind: "voided", gateway: "GATEWAY_TOKENS" },
          { ...facts, kind: "captured", captured: 12.5, overrun: true, request_id: "call-1" },
        ],
        next: null,
        retention_days: 14,
      },
    ]);
    expect(Math.abs(body.data[0].at - Date.now() / 1000)).toBeLessThan(60);
    expect(body.data[0].at - body.data[3].at).toBeGreaterThanOrEqual(239);
  });

  test("a refused price, exactly, with the ceiling at that time; an unknown one is null", async () => {
    const limits = (ceiling: number) =>
      call("POST", `/v1/apikeys/${key.id}/budget`, {
        key: account.apikey,
        body: { budget: 100, output_price_limit: ceiling },
      });
    await limits(8);
    const refused = await call("POST", "/v1/authorizations", {
      key: account.apikey,
      body: { apikey: key.apikey, amount: 1, input_price: 1, output_price: 8.000000001 },
    });
    await authorize();
    await limits(9);
    const { body } = await list();
    const code = "output_price_limit";
    expect(refused.body.refusal).toMatchObject({ price: 8.000000001, ceiling: 8 });
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code, amount: 1, price: 8.000000001, ceiling: 8 }),
        expect.objectContaining({ code, amount: 10, price: null, ceiling: 8 }),
      ]),
    );
  });

  test.each([
    ["behind", -20 * DAY],
    ["ahead", DAY],
  ])("the time of each call by the database's clock, where that of a process is %s", async (_, seconds) => {
    const env = { DATABASE_URL: inject("databaseUrl"), LOG_LEVEL: "error", NODE_OPTIONS: clockAhead(seconds) };
    const product = await startProduct({ env });
    onTestFinished(async () => expect(await product.stop()).toBe(0));
    const send = (path: string, body: object) =>
      callAt(product.url, "POST", `/v1/authorizations${path}`, { key: account.apikey, body });
    // The first is decided by what is read, and the others by what is known then.
    for (const amount of [10, 101, 10, 101]) {
      const { authorization_id: id } = (await send("", { apikey: key.apikey, amount })).body;
      if (id) await send(`/${id}/capture`, { amount: 1 });
    }
    const listed = await list();
    expect(kinds(listed).sort()).toEqual(["captured", "captured", "refused", "refused"]);
    for (const { at } of listed.body.data) expect(Math.abs(at - Date.now() / 1000)).toBeLessThan(60);
  });

  test.each(["captured", "refused", "voided", "expired"])("of the kind %s alone", async (kind) => {
    await oneOfEach();
    expect(kinds(await list(`?kind=${kind}`))).toEqual([kind]);
  });

  test("page by page, each call once, also when more come meanwhile", async () => {
    await oneOfEach();
    const first = await list("?page_size=3");
    await authorize({ amount: 500 });
    const last = await list(`?page_size=3&after=${first.body.next}`);
    expect([kinds(first), kinds(last), last.body.next]).toEqual([["refused", "expired", "voided"], ["captured"], null]);
  });

  test.each([
    ["is not released yet", async () => {}],
    ["was released by the next call", () => authorize()],
    ["was voided afterwards", (id: string) => settle(id, "void")],
  ])("a call that has expired and %s is listed as expired, at the moment its hold ended", async (_, find) => {
    const id = await authorize({ request_id: "lost" });
    // The hold of ten minutes has ended an hour ago, and no upkeep has come since.
    const { rows } = await database.pool.query<{ ended: number }>(
      `WITH ended AS (
          UPDATE "authorization" SET expires_at = expires_at - interval '70 minutes' WHERE account_id = $1 AND id = $2
          RETURNING account_id, key_id, expires_at
        ), noted AS (
          UPDATE api_key SET held_until = ended.expires_at, version = version + 1 FROM ended
          WHERE api_key.account_id = ended.account_id AND api_key.id = ended.key_id
        ) SELECT floor(extract(epoch FROM expires_at))::float8 AS ended FROM ended`,
      [account.account_id, id.slice(24)],
    );
    await find(id);
    const expected = {
      kind: "expired",
      settled_at: rows[0]?.ended,
      amount: 10,
      request_id: "lost",
      authorization_id: id,
    };
    expect((await list()).body.data).toEqual([expect.objectContaining(expected)]);
    expect(kinds(await list("?kind=expired"))).toEqual(["expired"]);
    expect(kinds(await list("?kind=captured"))).toEqual([]);
  });

  test("what goes back further than ACTIVITY_RETENTION_DAYS is left out", async () => {
    await authorize({ amount: 500, request_id: "old" });
    await authorize({ amount: 500, request_id: "kept" });
    for (const held of await Promise.all([authorize({ request_id: "old" }), authorize({ request_id: "kept" })])) {
      await settle(held, "capture", 1);
    }
    const { body } = await list();
    for (const { id, request_id } of body.data) await putBack(id, (request_id === "old" ? 14.01 : 13.99) * DAY);
    const left = await list();
    expect(left.body.data.map(({ request_id }: { request_id: string }) => request_id)).toEqual(["kept", "kept"]);
    expect(kinds(left).sort()).toEqual(["captured", "refused"]);
  });

  test("nothing of a call that is held, of one that is asked for again, or of a key that is not the account's", async () => {
    await authorize({ request_id: "again" });
    await authorize({ request_id: "again" });
    await authorize({ apikey: "hello" });
    const other = await newAccount();
    const foreign = await newKey(other, { budget: 1 });
    await call("POST", "/v1/authorizations", { key: other.apikey, body: { apikey: foreign.apikey, amount: 5 } });
    for (const id of [key.id, foreign.id, NOWHERE.apikey_id]) {
      expect((await list("", id)).body).toEqual({ object: "list", data: [], next: null, retention_days: 14 });
    }
  });
});

describe("many refusals", () => {
  const refuse = (count: number) => Promise.all(Array.from({ length: count }, () => authorize({ amount: 500 })));
  const countAs = (count: number) =>
    database.pool.query(
      `INSERT INTO refusal_day (account_id, key_id, day, code, count)
        VALUES ($1, $2, (now() AT TIME ZONE 'Asia/Shanghai')::date, 'budget', $3)
        ON CONFLICT (account_id, key_id, day, code) DO UPDATE SET count = $3`,
      [account.account_id, key.id, count],
    );
  const listed = async (): Promise<number> => (await list("?page_size=100")).body.data.length;

  test("of the first 1,000 of a day each is listed, then every tenth, then every hundredth", async () => {
    await refuse(40);
    expect(await listed()).toBe(40);
    await countAs(980);
    await refuse(40);
    expect(await listed()).toBe(40 + 20 + 2);
    await countAs(9_980);
    await refuse(40);
    expect(await listed()).toBe(62 + 2);
    await countAs(10_090);
    await refuse(10);
    expect(await listed()).toBe(64 + 1);
  });

  test("the count stays exact, and each reason is counted for itself", async () => {
    await countAs(5_000);
    await refuse(9);
    expect(await listed()).toBe(0);
    await authorize({ amount: 500, apikey: (await newKey(account, { budget: 1 })).apikey });
    await database.pool.query("UPDATE api_key SET disabled_at = now() WHERE account_id = $1 AND id = $2", [
      account.account_id,
      key.id,
    ]);
    await authorize();
    const { body } = await list();
    expect(body.data.map(({ code }: { code: string }) => code)).toEqual(["key_disabled"]);
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" }).format(Date.now());
    const counts = await call("GET", `/v1/apikeys/${key.id}/refusals?from=${today}&to=${today}`, {
      key: account.apikey,
    });
    expect(counts.body.data).toEqual([
      { code: "budget", count: 5_009 },
      { code: "key_disabled", count: 1 },
    ]);
  });
});

describe("400", () => {
  test.each([
    ["kind=open", "kind: must be one of captured, refused, voided, expired"],
    ["after=1", "after: must be a valid ObjectId of 24 hexadecimal characters"],
    ["page_size=101", "page_size: must be 100 or less"],
  ])("%s", async (query, error) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body]).toEqual([400, { success: false, error }]);
  });

  test.each([
    "activity",
    "authorizations",
    "usage?from=2026-11-01&to=2026-11-30",
    "refusals?from=2026-11-01&to=2026-11-30",
  ])("a text that is no id of a key: %s", async (of) => {
    const { status, body } = await call("GET", `/v1/apikeys/nonsense/${of}`, { key: account.apikey });
    const error = "apikey_id: must be the first 10 characters of a key value";
    expect([status, body]).toEqual([400, { success: false, error }]);
  });
});
