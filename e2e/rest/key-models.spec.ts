import { beforeAll, describe, expect, test } from "vitest";
import { GATEWAY_TOKEN } from "../product";
import { type Account, call, newAccount, newGroup, newKey } from "./client";
import { addPrices, REST } from "./prices";

let account: Account;
beforeAll(async () => {
  account = await newAccount();
  await addPrices(account, [
    REST,
    { name: "small", aliases: ["small-2026", "large"], input: 1.5, output: 6, cached: 0.3, maxOutputTokens: 16_384 },
    { name: "large", input: 20, output: 80, validFrom: "2026-01-15" },
    { name: "cached-dear", input: 1, output: 2, cached: 8 },
    { name: "fine*", input: 7.999999999, output: 24 },
  ]);
});

const models = (path: string, key = account.apikey) => call("GET", `/v1/apikeys/${path}`, { key });
const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);
const limited = async (limits: Record<string, unknown>) => (await newKey(account, limits)).id;

describe("GET /v1/apikeys/{apikey_id}/models: 200", () => {
  test("names and aliases that the ceilings allow, in OpenAI's form, and the patterns apart", async () => {
    const { status, body } = await models(`${await limited({ input_price_limit: 8, output_price_limit: 24 })}/models`);
    const small = {
      object: "model",
      created: 0,
      owned_by: "account",
      prices: { input: 1.5, output: 6, cached_input: 0.3 },
      max_output_tokens: 16_384,
    };
    expect([status, body]).toEqual([
      200,
      {
        object: "list",
        data: [
          {
            ...small,
            id: "cached-dear",
            prices: { input: 1, output: 2, cached_input: 8 },
            max_output_tokens: null,
          },
          { ...small, id: "small" },
          { ...small, id: "small-2026" },
        ],
        patterns: [
          {
            pattern: "fine*",
            owned_by: "account",
            prices: { input: 7.999999999, output: 24, cached_input: 7.999999999 },
            max_output_tokens: null,
          },
        ],
        allowed: 3,
        total: 5,
        reason: null,
      },
    ]);
  });

  test("0 and unset are no ceiling; a name counts before an alias; created is the first day of the price", async () => {
    const found = await models(`${await limited({ input_price_limit: 0 })}/models`);
    expect(idsOf(found)).toEqual(["cached-dear", "large", "small", "small-2026"]);
    expect(found.body.data[1]).toMatchObject({ created: Date.UTC(2026, 0, 15) / 1000, prices: { input: 20 } });
    expect([found.body.allowed, found.body.patterns.length]).toEqual([5, 2]);
  });

  test("a ceiling that is equal to a price allows it; the higher price of the input counts", async () => {
    const found = async (limits: Record<string, unknown>) => idsOf(await models(`${await limited(limits)}/models`));
    expect(await found({ input_price_limit: 7.999999999, output_price_limit: 6 })).toEqual(["small", "small-2026"]);
    expect(await found({ input_price_limit: 8, output_price_limit: 2 })).toEqual(["cached-dear"]);
  });

  test("a key that may call nothing: an empty list with the reason", async () => {
    const { id } = await newKey(account, { expiry_date: "2020-01-01" });
    const none = { data: [], patterns: [], allowed: 0, total: 5 };
    expect((await models(`${id}/models`)).body).toMatchObject({ ...none, reason: "key_expired" });
    await call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} });
    expect((await models(`${id}/models`)).body).toMatchObject({ ...none, reason: "key_disabled" });
  });

  test("a gateway's token names the account; the default key may", async () => {
    const id = await limited({ input_price_limit: 2 });
    const { account_id } = account;
    expect(idsOf(await models(`${id}/models?account_id=${account_id}`, GATEWAY_TOKEN))).toEqual([
      "small",
      "small-2026",
    ]);
    expect((await models(`${id}/models?account_id=${account_id}`)).status).toBe(200);
    const { account_id: other } = await newAccount();
    for (const [key, named] of [
      [GATEWAY_TOKEN, other],
      [account.apikey, other],
    ] as const) {
      expect((await models(`${id}/models?account_id=${named}`, key)).status).toBe(404);
    }
  });
});

describe("GET /v1/apikeys/{apikey_id}/models: failures", () => {
  test("400: a token without an account, an account that is no id", async () => {
    const id = await limited({});
    const { status, body } = await models(`${id}/models`, GATEWAY_TOKEN);
    expect([status, body.error]).toEqual([
      400,
      "account_id: is required with a gateway's token, which names no account",
    ]);
    expect((await models(`${id}/models?account_id=Research`)).status).toBe(400);
  });

  test("404: no such key, a revoked one, a text that is no id", async () => {
    const id = await limited({});
    await call("POST", `/v1/apikeys/${id}/revoke`, { key: account.apikey, body: {} });
    for (const none of [id, "sk-0000000", "nothing"]) expect((await models(`${none}/models`)).status).toBe(404);
  });
});

describe("GET /v1/models/in_force: 200", () => {
  test("what counts today, once for each name or pattern", async () => {
    const own = await newAccount();
    await addPrices(own, [REST, { name: "m", aliases: ["n"], input: 2, output: 3 }]);
    await addPrices(own, [
      { name: "m", input: 1, output: 3, validFrom: "2026-01-01" },
      { name: "later", input: 1, output: 1, validFrom: "9999-01-01" },
    ]);
    const { status, body } = await call("GET", "/v1/models/in_force", { key: own.apikey });
    expect([
      status,
      body.data.map(({ name, prices }: { name: string; prices: { input: number } }) => [name, prices.input]),
    ]).toEqual([
      200,
      [
        ["*", 1_000],
        ["m", 1],
      ],
    ]);
  });
});

describe("dry runs of price ceilings", () => {
  test("which models come and go: one key, and the keys of a group that have different ceilings", async () => {
    const group_id = await newGroup(account);
    const open = await newKey(account, { group_id });
    await newKey(account, { group_id, input_price_limit: 2, output_price_limit: 24 });
    await newKey(account, { group_id, input_price_limit: 2, output_price_limit: 1 });
    const dry = async (path: string, body: object) =>
      (await call("POST", path, { key: account.apikey, body: { ...body, dry_run: true } })).body.preview;

    const of = await dry("/v1/apikeys/batch_budget", { apikey_ids: [open.id], output_price_limit: 24 });
    const gone = [
      { name: "*", key_count: 1 },
      { name: "large", key_count: 1 },
    ];
    expect(of.models).toEqual({
      total: 5,
      allowed: { least: 3, most: 3 },
      coming_count: 0,
      coming: [],
      going_count: 2,
      going: gone,
    });

    const path = `/v1/apikey_groups/${group_id}/batch_budget`;
    expect((await dry(path, { input_price_limit: 8 })).models).toEqual({
      total: 5,
      allowed: { least: 0, most: 3 },
      coming_count: 2,
      coming: [
        { name: "cached-dear", key_count: 1 },
        { name: "fine*", key_count: 1 },
      ],
      going_count: 2,
      going: gone,
    });
    // 2 becomes 10; a key without a ceiling keeps none.
    expect((await dry(path, { change: { input_price_limit: { multiply: 5 } } })).models).toMatchObject({
      allowed: { least: 0, most: 5 },
      coming_count: 2,
      going_count: 0,
    });
    const lifted = await dry("/v1/apikeys/batch_budget", {
      filter: { group_id },
      input_price_limit: 0,
      output_price_limit: 0,
    });
    expect(lifted.models).toMatchObject({ allowed: { least: 5, most: 5 }, coming_count: 5, going_count: 0 });
    expect(await dry(path, { budget: 5 })).not.toHaveProperty("models");
  });
});
