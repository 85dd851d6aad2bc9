import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countWaiting } from "@/server/testing/waiting";
import { type Account, call, database, NOWHERE, newAccount, newKey, rows } from "./client";

const PATH = "/v1/models";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const get = (query = "", by = account) => call("GET", PATH + query, { key: by.apikey });
const post = (path: string, body: unknown = {}, by = account) => call("POST", PATH + path, { key: by.apikey, body });
const set = (models: unknown[], more: object = {}) => post("", { models, ...more });
const own = async (query = "") => (await get(`?source=account${query}`)).body.data;
const namesOf = (models: { name: string }[]) => models.map(({ name }) => name);

const PLAIN = { input_price: 3.5, output_price: 12 };

describe("200", () => {
  test("a name has one spelling: a price and a call may compose its accents in another way", async () => {
    const { body } = await set([{ name: "cafe\u0301", aliases: ["the\u0301"], ...PLAIN }]);
    expect(body.changes[0]).toMatchObject({ name: "café", after: { aliases: ["thé"] } });
    expect((await set([{ name: "café", aliases: ["thé"], ...PLAIN }])).body.unchanged_count).toBe(1);
    expect(namesOf(await own(`&name=${encodeURIComponent("cafe\u0301")}`))).toEqual(["café"]);
    const { apikey } = await newKey(account);
    for (const model of ["cafe\u0301", "café", "the\u0301", "thé"]) {
      const asked = { apikey, model, input_tokens: 1, max_output_tokens: 1 };
      const answer = await call("POST", "/v1/authorizations", { key: account.apikey, body: asked });
      expect(answer.body).toMatchObject({ allowed: true, model: "café" });
    }
  });

  test("a price in a currency: set, read, listed, changed, deleted", async () => {
    const price = {
      name: "example-large",
      aliases: ["example-large-latest"],
      currency: "USD",
      rate: 7.2,
      input_price: 0.15,
      output_price: 0.6,
      cached_input_price: 0.075,
      max_output_tokens: 16384,
      valid_from: "2026-01-01",
    };
    const prices = { input: 1.08, output: 4.32, cached_input: 0.54 };
    const created = await set([price]);
    const { name, valid_from, ...fields } = price;
    const after = { ...fields, prices };
    const model_id = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect([created.status, created.body]).toEqual([
      200,
      {
        success: true,
        message: "Prices: 1 created, 0 changed, 0 deleted, 0 unchanged.",
        created_count: 1,
        changed_count: 0,
        unchanged_count: 0,
        deleted_count: 0,
        changes: [{ change: "created", model_id, name, valid_from, before: null, after }],
      },
    ]);
    const id = created.body.changes[0].model_id;
    const entry = {
      model_id: id,
      source: "account",
      ...price,
      prices,
      state: "in_force",
      overrides_operator: false,
      updated_at: expect.any(Number),
    };
    expect((await get(`/${id}`)).body).toEqual(entry);
    expect(await own()).toEqual([entry]);

    const again = await set([price]);
    expect(again.body).toMatchObject({ unchanged_count: 1, changes: [{ change: "unchanged", model_id: id }] });
    const changed = await set([{ name, valid_from, input_price: 2, output_price: 3 }]);
    expect(changed.body.changes).toEqual([
      {
        change: "changed",
        model_id: id,
        name,
        valid_from,
        before: after,
        after: {
          aliases: [],
          currency: "CNY",
          rate: 1,
          input_price: 2,
          output_price: 3,
          cached_input_price: null,
          max_output_tokens: null,
          prices: { input: 2, output: 3, cached_input: 2 },
        },
      },
    ]);
    const deleted = await post(`/${id}/delete`);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { success: true, message: 'Price of "example-large" deleted.' },
    ]);
    expect(await own()).toEqual([]);
    expect((await get(`/${id}`)).status).toBe(404);
  });

  test("a dry run says what would happen, and changes nothing", async () => {
    await set([{ name: "a", ...PLAIN }]);
    const before = await rows(account);
    const csv = "name,input_price,output_price\na,1,2\nb,1,2\n";
    const answers = [
      await set(
        [
          { name: "a", input_price: 1, output_price: 2 },
          { name: "b", ...PLAIN },
        ],
        { dry_run: true },
      ),
      await post("/import", { format: "csv", content: csv, dry_run: true }),
    ];
    for (const { body } of answers) {
      expect(body).toMatchObject({
        message: "Nothing changed. Prices would be: 1 created, 1 changed, 0 deleted, 0 unchanged.",
        changes: [
          { change: "changed", name: "a" },
          { change: "created", name: "b", model_id: null, before: null },
        ],
      });
    }
    expect(await rows(account)).toEqual(before);
  });

  test("the list by name, part of a name or alias, and day", async () => {
    await set([
      { name: "b", ...PLAIN, aliases: ["Omni"] },
      { name: "a-*", ...PLAIN },
      { name: "b", ...PLAIN, valid_from: "2000-01-01" },
      { name: "b", ...PLAIN, valid_from: "9000-01-01" },
      { name: "C", ...PLAIN },
    ]);
    const shown = (models: { name: string; valid_from: string; state: string }[]) =>
      models.map(({ name, valid_from, state }) => `${name} ${valid_from} ${state}`);
    expect(shown(await own())).toEqual([
      "C 1970-01-01 in_force",
      "a-* 1970-01-01 in_force",
      "b 9000-01-01 upcoming",
      "b 2000-01-01 in_force",
      "b 1970-01-01 superseded",
    ]);
    expect(shown(await own("&search=OMNI"))).toEqual(["b 1970-01-01 superseded"]);
    expect(shown(await own("&day=today&search=b"))).toEqual(["b 2000-01-01 in_force"]);
    expect(shown(await own("&day=1999-12-31&search=b"))).toEqual(["b 1970-01-01 superseded"]);
    const page = await get("?source=account&page=2&page_size=2");
    expect([page.body.total, namesOf(page.body.data)]).toEqual([5, ["b", "b"]]);
  });

  test("names in the order of code points, also beyond the first 65,536 of them", async () => {
    const names = ["\u{1F600}", "～", "～\u{1F600}", "～～", "a", "ab"];
    const { body } = await set(names.map((name) => ({ name, ...PLAIN })));
    const ordered = ["a", "ab", "～", "～～", "～\u{1F600}", "\u{1F600}"];
    expect(namesOf(body.changes)).toEqual(ordered);
    expect(namesOf(await own())).toEqual(ordered);
    expect(namesOf(await own("&order=desc"))).toEqual(ordered.toReversed());
    expect(namesOf(await own("&day=today"))).toEqual(ordered);
  });
});

describe("the operator's prices", () => {
  const prefix = randomUUID();
  const model = `${prefix}-model`;
  let operators: Record<string, string>;
  beforeAll(async () => {
    operators = Object.fromEntries(
      await Promise.all(
        [model, `${prefix}-other`].map(async (name) => {
          const id = randomUUID().replaceAll("-", "").slice(0, 24);
          await database.pool.query(
            "INSERT INTO operator_price (id, name, aliases, input_price, output_price) VALUES ($1, $2, '{}', 1, 2)",
            [id, name],
          );
          return [name, id];
        }),
      ),
    );
    await database.pool.query("UPDATE operator_catalogue SET prices_version = prices_version + 1");
  });

  test("count for every account; an account overrides them for itself alone", async () => {
    const other = await newAccount();
    const states = async (by: Account) =>
      (await get(`?search=${prefix}`, by)).body.data.map(
        ({ name, source, state }: Record<string, string>) => `${name?.slice(37)} ${source} ${state}`,
      );
    await set([{ name: model, input_price: 5, output_price: 5 }]);
    expect(await states(account)).toEqual([
      "model account in_force",
      "model operator overridden",
      "other operator in_force",
    ]);
    expect(await states(other)).toEqual(["model operator in_force", "other operator in_force"]);
    const overrides = async (query: string) =>
      (await get(`?search=${prefix}&${query}`)).body.data.map(
        ({ overrides_operator }: { overrides_operator: boolean }) => overrides_operator,
      );
    expect(await overrides("sort=name")).toEqual([true, false, false]);
    expect(await overrides(`name=${prefix}-other`)).toEqual([false]);
    expect(await overrides("sort=input&order=asc")).toEqual([false, false, true]);
    expect(await overrides("sort=input&order=desc")).toEqual([true, false, false]);
    await set([{ name: `${prefix}*`, input_price: 6, output_price: 6 }]);
    expect((await states(account)).at(-1)).toBe("other operator overridden");
    expect(namesOf((await get(`?search=${prefix}&day=today`)).body.data)).toEqual([`${prefix}*`, model]);
  });

  test("an alias counts as its model, whose price the account may override", async () => {
    const alias = `${prefix}-alias`;
    await database.pool.query("UPDATE operator_price SET aliases = ARRAY[$2] WHERE id = $1", [operators[model], alias]);
    await database.pool.query("UPDATE operator_catalogue SET prices_version = prices_version + 1");
    const { id } = await newKey(account, { input_price_limit: 10 });
    const asked = { apikey_id: id, model: alias, input_tokens: 1_000_000, max_output_tokens: 0 };
    const authorized = async () =>
      (await call("POST", "/v1/authorizations", { key: account.apikey, body: asked })).body;
    const listed = async () =>
      (await call("GET", `/v1/apikeys/${id}/models`, { key: account.apikey })).body.data.filter(
        (one: { id: string }) => one.id === alias,
      );
    expect(await authorized()).toMatchObject({ amount: 1, model, prices: { input: 1 } });
    await set([{ name: model, input_price: 5, output_price: 5 }]);
    expect(await authorized()).toMatchObject({ amount: 5, model, prices: { input: 5 } });
    expect(await listed()).toMatchObject([{ id: alias, owned_by: "account", prices: { input: 5 } }]);
    await set([{ name: model, input_price: 11, output_price: 5 }]);
    expect(await authorized()).toMatchObject({ code: "input_price_limit" });
    expect(await listed()).toEqual([]);
  });

  test("an account reads them, and cannot delete them: 403", async () => {
    expect((await get(`/${operators[model]}`)).body).toMatchObject({ name: model, source: "operator" });
    const answer = await post(`/${operators[model]}/delete`);
    expect([answer.status, answer.body.error]).toEqual([
      403,
      "model_id: is a price of the operator; set a price of the account of the same name to override it",
    ]);
  });
});

describe("the history", () => {
  const lastEvent = async () => (await call("GET", "/v1/history", { key: account.apikey })).body.data[0];
  const ofEvent = async (id: string, query = "") =>
    (await call("GET", `/v1/history/${id}/models${query}`, { key: account.apikey })).body;

  test("one price: what of it differs, before and after", async () => {
    await set([{ name: "m", input_price: 4, output_price: 12, aliases: ["n"] }]);
    const model = { price_count: 1, model: "m" };
    expect(await lastEvent()).toMatchObject({
      action: "models.set",
      before: {},
      after: { ...model, input_price: 4, output_price: 12, aliases: ["n"], cached_input_price: null },
    });
    await set([{ name: "m", input_price: 3.5, output_price: 12, aliases: ["n"] }]);
    const changed = await lastEvent();
    expect([changed.before, changed.after]).toEqual([{ input_price: 4 }, { ...model, input_price: 3.5 }]);
    // What changes nothing is no event.
    await set([{ name: "m", input_price: 3.5, output_price: 12, aliases: ["n"] }]);
    expect((await lastEvent()).id).toBe(changed.id);
    const [{ model_id }] = await own();
    await post(`/${model_id}/delete`);
    const deleted = await lastEvent();
    expect(deleted).toMatchObject({ action: "models.deleted", before: { input_price: 3.5 }, after: model });
  });

  test("an import of several: how many, and a page of all with the price before and after", async () => {
    await set([{ name: "a", ...PLAIN }]);
    const csv = "name,input_price,output_price\nb,1,2\nc,1,2\n";
    await post("/import", { format: "csv", content: csv, replace: true });
    const { id, action, before, after } = await lastEvent();
    expect({ action, before, after }).toEqual({
      action: "models.imported",
      before: {},
      after: { price_count: 3, created_count: 2, changed_count: 0, deleted_count: 1 },
    });
    expect(await ofEvent(id)).toMatchObject({
      total: 3,
      data: [
        { change: "deleted", name: "a", before: { input_price: 3.5, prices: { input: 3.5 } }, after: null },
        { change: "created", name: "b", before: null, after: { input_price: 1 } },
        { change: "created", name: "c" },
      ],
    });
    expect(namesOf((await ofEvent(id, "?page=2&page_size=2")).data)).toEqual(["c"]);
    expect(await ofEvent(NOWHERE.event_id)).toMatchObject({ total: 0, data: [] });
    const other = await newAccount();
    expect((await call("GET", `/v1/history/${id}/models`, { key: other.apikey })).body.total).toBe(0);
  });
});

describe("400", () => {
  test("of many wrong numbers the first 100 are told and the others counted, within seconds", async () => {
    const models = Array.from({ length: 10_000 }, (_, i) => ({ name: `m${i}`, ...PLAIN, max_output_tokens: 1e300 }));
    const faults = models.map((_, i) => `models[${i}].max_output_tokens: must be 2147483647 or less`);
    const errorOf = async (count: number) => (await set(models.slice(0, count))).body.error;
    expect(await errorOf(100)).toBe(faults.slice(0, 100).join("; "));
    expect(await errorOf(101)).toBe([...faults.slice(0, 100), "and 1 more fault"].join("; "));
    expect(await errorOf(10_000)).toBe([...faults.slice(0, 100), "and 9900 more faults"].join("; "));
  });

  test("lists and objects, also in a text: 200,000 are read and no more, over REST and tRPC", async () => {
    // The body itself is two of them.
    const lists = (count: number) => `${"[".repeat(count)}${"]".repeat(count)}`;
    const raw = (text: string, path = PATH) =>
      call("POST", path, { key: account.apikey, raw: text, headers: { "Content-Type": "application/json" } });
    const error = "body: must have at most 200000 lists and objects";
    const expected = "models[0]: expected object, received array";
    expect((await raw(`{"models":[${lists(199_998)}]}`)).body.error).toBe(expected);
    const { status, body } = await raw(`{"models":[${lists(199_999)}]}`);
    expect([status, body]).toEqual([400, { success: false, error }]);
    const inText = JSON.stringify({ format: "litellm", content: lists(200_000) });
    expect((await raw(inText, `${PATH}/import`)).body.error).toBe(error);

    const overTrpc = await raw(`{"models":[${lists(199_998)}]}`, "/api/trpc/models.set");
    expect([overTrpc.status, overTrpc.body.error.message]).toEqual([400, expected]);
    const refused = await raw(`{"models":[${lists(199_999)}]}`, "/api/trpc/models.set");
    expect([refused.status, refused.body.error, refused.body.code]).toEqual([400, error, "body_of_too_many_parts"]);
  });

  const missing = "rate: is required, because the prices are not in yuan";
  test.each<[string, object, string]>([
    ["no list", {}, "models: expected array of objects, received nothing"],
    ["nothing", { models: [] }, "models: must have at least one price"],
    ["a text for a price", { models: ["m"] }, "models[0]: expected object, received string"],
    [
      "no price",
      { models: [{ name: "m", output_price: -1 }] },
      "models[0].input_price: expected number (int or float), received nothing; models[0].output_price: must be 0 or more",
    ],
    [
      "a negative price",
      { models: [{ name: "m", ...PLAIN, input_price: -1 }] },
      "models[0].input_price: must be 0 or more",
    ],
    [
      "a price below 0 by less than can be stored",
      { models: [{ name: "m", ...PLAIN, input_price: -3.3e-9, currency: "USD", rate: 1 }] },
      "models[0].input_price: must be 0 or more",
    ],
    ["no name", { models: [{ name: " ", ...PLAIN }] }, "models[0].name: must not be empty"],
    [
      "a long name",
      { models: [{ name: "é".repeat(201), ...PLAIN }] },
      "models[0].name: must be at most 200 characters long",
    ],
    ["no rate", { models: [{ name: "m", ...PLAIN, currency: "USD" }] }, `models[0].${missing}`],
    [
      "a rate of yuan",
      { models: [{ name: "m", ...PLAIN, rate: 2 }] },
      "models[0].rate: must be 1 or left out, because the prices are in yuan",
    ],
    [
      "a price that is 0 in yuan",
      { models: [{ name: "m", ...PLAIN, input_price: 1e-9, currency: "VND", rate: 0.0003 }] },
      "models[0].input_price: is too small: in yuan it would round to 0",
    ],
    [
      "a price that cannot be held in yuan",
      { models: [{ name: "m", ...PLAIN, input_price: 1e15, currency: "USD", rate: 7.2 }] },
      "models[0].input_price: must be 1e15 or less in yuan",
    ],
    [
      "a pattern as alias",
      { models: [{ name: "m", ...PLAIN, aliases: ["m*"] }] },
      "models[0].aliases[0]: must not contain *: only a name can be a pattern",
    ],
    [
      "the same twice",
      {
        models: [
          { name: "m", ...PLAIN },
          { name: " m ", ...PLAIN, valid_from: "1970-01-01" },
        ],
      },
      "models[1]: has the name and the first day of models[0]",
    ],
    [
      "no day",
      { models: [{ name: "m", ...PLAIN, valid_from: "2026-02-30" }] },
      "models[0].valid_from: is not a day of the calendar",
    ],
  ])("%s", async (_, body, error) => {
    const answer = await post("", body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error }]);
  });
});

test.each(["tomorrow", "2026-02-30", ""])("400 for the prices of the day %j", async (day) => {
  const { status, body } = await get(`?day=${day}`);
  expect([status, body.error]).toEqual([400, "day: must be today, or a day of the calendar as YYYY-MM-DD"]);
});

test("404 to delete a price that was deleted meanwhile, also where there is another one of its name by then", async () => {
  const { body } = await set([{ name: "a", ...PLAIN }]);
  const first = body.changes[0].model_id;
  const holder = await database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [account.account_id]);
    const under: ReturnType<typeof post>[] = [];
    for (const change of [
      () => post(`/${first}/delete`),
      () => set([{ name: "a", ...PLAIN }]),
      () => post(`/${first}/delete`),
    ]) {
      under.push(change());
      await expect.poll(() => countWaiting(database.pool, holder)).toBe(under.length);
    }
    await holder.query("COMMIT");
    const answers = await Promise.all(under);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    expect((await own()).map(({ model_id }: { model_id: string }) => model_id)).toEqual([
      answers[1]?.body.changes[0].model_id,
    ]);
  } finally {
    holder.release();
  }
});

test("404 for the price of another account, which nobody learns of", async () => {
  const other = await newAccount();
  const name = randomUUID();
  const { body } = await post("", { models: [{ name, ...PLAIN }] }, other);
  const id = body.changes[0].model_id;
  const before = await rows(other);
  for (const answer of [await get(`/${id}`), await post(`/${id}/delete`)]) {
    expect([answer.status, answer.body.error]).toEqual([404, "model_id: the price does not exist"]);
  }
  expect((await get(`?search=${name}`)).body.data).toEqual([]);
  expect(await rows(other)).toEqual(before);
  expect((await get(`/${NOWHERE.model_id}`)).status).toBe(404);
});

test("409 for more than 10,000 prices of an account", async () => {
  const { account_id } = account;
  await database.pool.query(
    `INSERT INTO account_price (account_id, id, name, aliases, input_price, output_price)
     SELECT $1, lpad(i::text, 24, '0'), 'model ' || i, '{}', 1, 2 FROM generate_series(1, 9999) AS i`,
    [account_id],
  );
  expect((await set([{ name: "the last one", ...PLAIN }])).status).toBe(200);
  const answer = await set([{ name: "one too many", ...PLAIN }]);
  expect([answer.status, answer.body.error]).toEqual([
    409,
    "models: a catalogue may have at most 10000 prices; delete some first",
  ]);
  expect((await set([{ name: "model 1", input_price: 9, output_price: 9 }])).body.changed_count).toBe(1);
});

test("403 with a key that is not the default key", async () => {
  const { apikey } = await newKey(account);
  expect((await call("GET", PATH, { key: apikey })).status).toBe(403);
});
