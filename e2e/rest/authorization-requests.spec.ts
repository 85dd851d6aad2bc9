import { describe, expect, inject, test } from "vitest";
import { makeKeyValue } from "@/server/keys/key-value";
import { GATEWAY_TOKEN } from "../product";
import { call, ENDPOINTS, NOWHERE, newKey, trpc, trpcOutcome } from "./client";
import { GONE, Holds } from "./holds";

const holds = new Holds();
const { authorize, capture, release, held, counters } = holds;

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

  test.each([
    [2 ** 53, "ttl_seconds: must be 86400 (24 hours) or less", "too_large"],
    [-1e300, "ttl_seconds: must be 1 or more", "too_small"],
  ])(
    "a ttl_seconds of %d, which is too large to be exact, is told its own bound alone",
    async (ttl_seconds, error, code) => {
      expect((await authorize({ ttl_seconds })).body).toEqual({ success: false, error });
      const asked = { apikey: holds.key.apikey, amount: 1, ttl_seconds };
      await expect(trpc(holds.account.apikey).authorizations.authorize.mutate(asked)).rejects.toMatchObject({
        data: { failure: { faults: [{ parameter: "ttl_seconds", code }] } },
      });
    },
  );

  test.each(["1e999", "-1e999", "1e-400", "-1e-400", "NaN", "Infinity", "0x10"])("an amount of %s", async (amount) => {
    const { status } = await call("POST", "/v1/authorizations", {
      key: holds.account.apikey,
      raw: `{"apikey":"${holds.key.apikey}","amount":${amount}}`,
      headers: { "content-type": "application/json" },
    });
    expect(status).toBe(400);
  });

  test("a request_id of 128 characters is good, whatever they are", async () => {
    expect((await authorize({ request_id: "𝄞".repeat(128) })).body.allowed).toBe(true);
  });

  test("-0 is 0", async () => {
    const { status, body } = await call("POST", "/v1/authorizations", {
      key: holds.account.apikey,
      raw: `{"apikey":"${holds.key.apikey}","amount":-0}`,
      headers: { "content-type": "application/json" },
    });
    expect([status, body.allowed, body.amount]).toEqual([200, true, 0]);
  });
});

describe("who may", () => {
  test("401 and 403 before the body is read", async () => {
    for (const path of ["/v1/authorizations", `/v1/authorizations/${NOWHERE.authorization_id}/capture`]) {
      expect((await call("POST", path, { raw: "{" })).status).toBe(401);
      expect((await call("POST", path, { key: holds.key.apikey, raw: "{" })).status).toBe(403);
    }
  });

  test("a gateway's token: every account's keys, and their authorizations", async () => {
    const theirs = await newKey(holds.stranger, { budget: 100 });
    for (const apikey of [holds.key.apikey, theirs.apikey]) {
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
    for (const answer of [await capture(id, 1, holds.stranger.apikey), await release(id, holds.stranger.apikey)]) {
      expect(answer).toMatchObject(GONE);
    }
    // The first half of an id names the account. A forged half must not help.
    const forged = holds.stranger.account_id + id.slice(24);
    expect(await capture(forged, 1, holds.stranger.apikey)).toMatchObject(GONE);
    expect((await capture(id, 1)).status).toBe(200);
  });

  test("a token or a key never stands in an answer", async () => {
    const answers = [
      await authorize({}, GATEWAY_TOKEN),
      await authorize({ amount: 101 }),
      await authorize({ amount: -1 }),
    ];
    expect(JSON.stringify(answers)).not.toContain(holds.key.apikey.slice(10));
    expect(JSON.stringify(answers)).not.toContain(GATEWAY_TOKEN);
  });
});

test("over tRPC the same", async () => {
  const { authorizations } = trpc(GATEWAY_TOKEN);
  const answer = await authorizations.authorize.mutate({ apikey: holds.key.apikey, amount: 10 });
  expect(answer).toMatchObject({ allowed: true, apikey_id: holds.key.id });
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
