import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, newAccount, newGroup, newKey } from "./client";

let account: Account;
const ids: string[] = [];
const groups: string[] = [];

beforeAll(async () => {
  account = await newAccount();
  for (let n = 0; n < 3; n++) {
    const group_id = await newGroup(account);
    const { id, apikey } = await newKey(account, { name: "alike", group_id });
    const held = await call("POST", "/v1/authorizations", { key: account.apikey, body: { apikey, amount: 2 } });
    const path = `/v1/authorizations/${held.body.authorization_id}/capture`;
    await call("POST", path, { key: account.apikey, body: { amount: 2 } });
    ids.push(id);
    groups.push(group_id);
  }
  ids.sort();
  groups.sort();
});

describe("what keys and groups spent", () => {
  test.each([
    ["key", "spent", ids],
    ["key", "captures", ids],
    ["key", "name", ids],
    ["group", "spent", groups],
  ])("by %s, those with the same %s follow by their id, in the same direction", async (by, sort, inOrder) => {
    // Around today, whatever the zone of the account is.
    const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    const listed = async (order: string) => {
      const query = `by=${by}&from=${day(-2)}&to=${day(2)}&sort=${sort}&order=${order}`;
      const { body } = await call("GET", `/v1/usage/totals?${query}`, { key: account.apikey });
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await listed("asc")).toEqual(inOrder);
    expect(await listed("desc")).toEqual(inOrder.toReversed());
  });
});

describe("400", () => {
  test.each([
    [
      "",
      "from: expected string (YYYY-MM-DD), received nothing; to: expected string (YYYY-MM-DD), received nothing; by: expected one of group, key, model, received nothing",
    ],
    ["from=2026-02-30&to=2026-03-01&by=key", "from: is not a day of the calendar"],
    ["from=&to=2026-03-01&by=key", "from: must be a date in the format YYYY-MM-DD"],
    ["from=2026-02-01&to=2026-03-01&by=all", "by: must be one of group, key, model"],
  ])("%s", async (query, error) => {
    const { apikey: key } = await newAccount();
    for (const path of ["/v1/usage", "/v1/usage/totals", "/v1/usage/export"]) {
      const { status, body } = await call("GET", `${path}?${query}`, { key });
      expect([path, status, body]).toEqual([path, 400, { success: false, error }]);
    }
  });
});
