import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createGateway, revokeGateway } from "@/server/auth/gateway-queries";
import { type Product, startProduct } from "../product";
import { type Account, callAt, database, newAccount, newKey } from "./client";
import { FastClient } from "./raw";

// Two server processes on one database. Callers are recognised in batches, or proved by the decision: what one
// process has changed holds for the next request at the other.

const ROUNDS = 12;
const CLIENTS = 16;

let second: Product;
let account: Account;
beforeAll(async () => {
  second = await startProduct({ env: { DATABASE_URL: inject("databaseUrl"), LOG_LEVEL: "error" } });
  account = await newAccount();
});
afterAll(async () => {
  expect(await second.stop()).toBe(0);
});

const change = (path: string, body: object = {}) =>
  callAt(inject("productUrl"), "POST", path, { key: account.apikey, body });
/** 403: the key is valid, but is not the default key. 401: it is not valid. */
const statusAtSecond = async (key: string) => (await callAt(second.url, "GET", "/v1/apikey_groups", { key })).status;

test.each([
  ["revoked", (id: string) => change(`/v1/apikeys/${id}/revoke`)],
  ["disabled", (id: string) => change(`/v1/apikeys/${id}/disable`)],
  ["rotated without grace", (id: string) => change(`/v1/apikeys/${id}/rotate`, { grace_seconds: 0 })],
  ["expired", (id: string) => change(`/v1/apikeys/${id}/budget`, { expiry_date: "2020-01-01" })],
])("a key that one process has %s is refused by the other at once, under load", async (_, end) => {
  for (let round = 0; round < ROUNDS; round++) {
    const { apikey, id } = await newKey(account, {});
    let isEnded = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (let seenEnd = false; !seenEnd; ) {
        const askedAfterEnd = isEnded;
        const status = await statusAtSecond(apikey);
        if (askedAfterEnd) expect(status).toBe(401);
        else expect([401, 403]).toContain(status);
        seenEnd = askedAfterEnd;
      }
    });
    expect(await statusAtSecond(apikey)).toBe(403);
    expect((await end(id)).status).toBe(200);
    isEnded = true;
    expect(await statusAtSecond(apikey)).toBe(401);
    await Promise.all(clients);
  }
});

test("a key that one process has enabled again is accepted by the other at once", async () => {
  const { apikey, id } = await newKey(account, {});
  for (let round = 0; round < ROUNDS; round++) {
    await change(`/v1/apikeys/${id}/disable`);
    expect(await statusAtSecond(apikey)).toBe(401);
    await change(`/v1/apikeys/${id}/enable`);
    expect(await statusAtSecond(apikey)).toBe(403);
  }
});

describe("whose credential one process has ended may spend no more at the other at once, under load", () => {
  const client = new FastClient();
  afterAll(() => client.close());

  const authorizeAtSecond = (key: string, apikey: string) =>
    client.send(second.url, "POST", "/v1/authorizations", key, { body: { apikey, amount: 1 } });
  const rotate = ({ apikey }: Account) => {
    const path = `/v1/apikeys/${apikey.slice(0, 10)}/rotate`;
    return callAt(inject("productUrl"), "POST", path, { key: apikey, body: { grace_seconds: 0 } });
  };

  test.each([
    ["a default key", async (owner: Account) => ({ key: owner.apikey, end: () => rotate(owner) })],
    [
      "a gateway's token",
      async ({ account_id: name }: Account) => {
        const key = await createGateway(database, { name, accountIds: [name], expiresOn: undefined });
        return { key, end: () => revokeGateway(database, name) };
      },
    ],
  ])("%s", async (_, make) => {
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await newAccount();
      const { apikey } = await newKey(owner);
      const { key, end } = await make(owner);
      let isEnded = false;
      let granted = 0;
      const clients = Array.from({ length: CLIENTS }, async () => {
        for (let seenEnd = false; !seenEnd; ) {
          const askedAfterEnd = isEnded;
          const { status } = await authorizeAtSecond(key, apikey);
          if (askedAfterEnd) expect(status).toBe(401);
          else expect([200, 401]).toContain(status);
          if (status === 200) granted++;
          seenEnd = askedAfterEnd;
        }
      });
      while (granted < 2 * CLIENTS)
        await authorizeAtSecond(key, apikey).then(({ status }) => (granted += Number(status === 200)));
      await end();
      isEnded = true;
      await Promise.all(clients);
      const { rows } = await database.pool.query(
        `SELECT count(*)::int AS held FROM "authorization" WHERE account_id = $1`,
        [owner.account_id],
      );
      expect(rows).toEqual([{ held: granted }]);
    }
  });
});
