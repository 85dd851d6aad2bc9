import { beforeEach, expect, test } from "vitest";
import { type Account, call, newAccount } from "./client";

// Changes of prices that say what they are based on.

const PRICE = { name: "one", input_price: 1, output_price: 2 };
const READ = { input_price: 1, output_price: 2 };
const CHANGED = { success: false, error: "models[0].before: the price was changed meanwhile; read it again" };

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const set = (models: object[], more: object = {}) =>
  call("POST", "/v1/models", { key: account.apikey, body: { models, ...more } });
const own = async () => (await call("GET", "/v1/models?source=account", { key: account.apikey })).body.data;

test("a price is replaced while it is what the change is based on", async () => {
  await set([PRICE]);
  const answer = await set([{ ...PRICE, input_price: 3, before: READ }]);
  expect(answer).toMatchObject({ status: 200, body: { changed_count: 1 } });
  expect(await own()).toMatchObject([{ name: "one", input_price: 3, output_price: 2 }]);
  // The second time, it is what it was to become.
  expect(await set([{ ...PRICE, input_price: 3, before: READ }])).toMatchObject({
    status: 200,
    body: { unchanged_count: 1 },
  });
});

test.each<[string, object]>([
  ["another price", { ...READ, input_price: 5 }],
  ["other names", { ...READ, aliases: ["uno"] }],
  ["another currency", { ...READ, currency: "USD", rate: 1 }],
  ["a price of cached input", { ...READ, cached_input_price: 1 }],
  ["another number of tokens", { ...READ, max_output_tokens: 10 }],
])("based on %s, nothing is changed, not even another price of the request", async (_, before) => {
  await set([PRICE, { ...PRICE, name: "two" }]);
  const stored = await own();
  const models = [
    { ...PRICE, input_price: 4, before },
    { ...PRICE, name: "two", input_price: 4, before: READ },
  ];
  for (const more of [{}, { dry_run: true }]) {
    const { status, body } = await set(models, more);
    expect([status, body]).toEqual([409, CHANGED]);
  }
  expect(await own()).toEqual(stored);
});

test("based on no price, one is created, and none is replaced", async () => {
  expect(await set([{ ...PRICE, before: null }])).toMatchObject({ status: 200, body: { created_count: 1 } });
  const { status, body } = await set([{ ...PRICE, input_price: 3, before: null }]);
  expect([status, body]).toEqual([409, CHANGED]);
  // A price from another day is another one.
  expect((await set([{ ...PRICE, valid_from: "2030-01-01", before: null }])).body.created_count).toBe(1);
  expect(await own()).toMatchObject([
    { input_price: 1, valid_from: "2030-01-01" },
    { input_price: 1, valid_from: "1970-01-01" },
  ]);
});

test("based on a price that was deleted, or that the operator alone has, none is created", async () => {
  await set([PRICE]);
  const [{ model_id }] = await own();
  await call("POST", `/v1/models/${model_id}/delete`, { key: account.apikey });
  const { status, body } = await set([
    { ...PRICE, name: "two" },
    { ...PRICE, before: READ },
  ]);
  expect([status, body]).toEqual([404, { success: false, error: "models[1].before: the price does not exist" }]);
  expect(await own()).toEqual([]);
});

test("a price can be sent as it was read", async () => {
  await set([
    { ...PRICE, aliases: ["uno"], currency: "USD", rate: 7.2, cached_input_price: 0.5, max_output_tokens: 9 },
  ]);
  const [before] = await own();
  expect(await set([{ ...PRICE, before }])).toMatchObject({ status: 200, body: { changed_count: 1 } });
});

test("a misspelt field of the price that a change is based on is ignored, and named", async () => {
  await set([PRICE]);
  const { status, headers } = await set([{ ...PRICE, input_price: 3, before: { ...READ, rat: 1 } }]);
  expect([status, headers.get("Ignored-Parameters")]).toEqual([200, "models.before.rat"]);
});

test("what was read of a price with more digits than a number has is good for a change", async () => {
  const content = "name,input_price,output_price\none,123456789012345.123456789,2\n";
  const imported = await call("POST", "/v1/models/import", {
    key: account.apikey,
    body: { format: "csv", content },
  });
  expect(imported.body.created_count).toBe(1);
  const [{ input_price, output_price }] = await own();
  const answer = await set([{ ...PRICE, before: { input_price, output_price } }]);
  expect(answer).toMatchObject({ status: 200, body: { changed_count: 1 } });
});

test("of changes that are based on the same price, one is made", async () => {
  await set([PRICE]);
  const answers = await Promise.all(
    [11, 12, 13, 14, 15].map((input_price) => set([{ ...PRICE, input_price, before: READ }])),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  const made = answers.find(({ status }) => status === 200)?.body.changes[0].after.input_price;
  expect(await own()).toMatchObject([{ input_price: made }]);
});

test.each<[unknown, string]>([
  ["one", "models[0].before: expected object or null, received string"],
  [{ input_price: 1 }, "models[0].before.output_price: expected number (int or float), received nothing"],
  [
    { ...READ, currency: "yuan" },
    "models[0].before.currency: must be the code of a currency in three letters, for example USD; " +
      "models[0].before.rate: is required, because the prices are not in yuan",
  ],
  [{ ...READ, currency: "USD" }, "models[0].before.rate: is required, because the prices are not in yuan"],
  [{ ...READ, rate: 7 }, "models[0].before.rate: must be 1 or left out, because the prices are in yuan"],
])("based on %j: 400", async (before, error) => {
  const { status, body } = await set([{ ...PRICE, before }]);
  expect([status, body]).toEqual([400, { success: false, error }]);
  expect(await own()).toEqual([]);
});
