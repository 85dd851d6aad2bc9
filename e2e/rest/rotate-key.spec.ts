import { beforeAll, describe, expect, test } from "vitest";
import { isKeyValue } from "@/server/keys/key-value";
import { type Account, call, database, NOWHERE, newAccount, newKey } from "./client";

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

const rotate = (id: string, body: unknown = {}, by: Account = account) =>
  call("POST", `/v1/apikeys/${id}/rotate`, { key: by.apikey, body });

/** The status for a key value: 200 for the default key, 403 for another valid key, 401 for a value that is not valid. */
const statusOf = async (apikey: string) => (await call("GET", "/v1/apikeys", { key: apikey })).status;

/** Lets the values of a key end `seconds` earlier, as if the time had passed. */
function letPass(id: string, seconds: number) {
  return database.pool.query(
    "UPDATE key_secret SET expires_at = expires_at - make_interval(secs => $1) WHERE account_id = $2 AND key_id = $3",
    [seconds, account.account_id, id],
  );
}

describe("200", () => {
  test("a new value with the same apikey_id; the old one ends at once", async () => {
    const { id, apikey: old } = await newKey(account, { name: "rotated", budget: 5 });
    const { status, body } = await rotate(id);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "API key rotated; the old value has ended.",
        apikey_id: id,
        apikey: expect.stringMatching(/^sk-[0-9A-Za-z]{45}$/),
        previous_value_until: null,
      },
    ]);
    expect(body.apikey.slice(0, 10)).toBe(id);
    expect(body.apikey).not.toBe(old);
    expect(isKeyValue(body.apikey)).toBe(true);
    expect([await statusOf(old), await statusOf(body.apikey)]).toEqual([401, 403]);
    const { body: key } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    expect(key).toMatchObject({ name: "rotated", budget: 5, version: 2, previous_value_until: null });
  });

  test("of an ended value not even the hash is kept", async () => {
    const { id } = await newKey(account);
    await rotate(id);
    expect(await database.prisma.keySecret.count({ where: { accountId: account.account_id, keyId: id } })).toBe(1);
  });

  test("within the time of grace both values work; then the old one has ended", async () => {
    const { id, apikey: old } = await newKey(account);
    const now = Date.now() / 1000;
    const { body } = await rotate(id, { grace_seconds: 3600 });
    const until = body.previous_value_until;
    expect(Math.abs(until - now - 3600)).toBeLessThan(30);
    const moment = new Date(until * 1000).toISOString().replace(".000Z", "Z");
    expect(body.message).toBe(`API key rotated; the old value works until ${moment}.`);
    const { body: key } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    expect(key.previous_value_until).toBe(until);
    expect([await statusOf(old), await statusOf(body.apikey)]).toEqual([403, 403]);
    await letPass(id, 3540);
    expect([await statusOf(old), await statusOf(body.apikey)]).toEqual([403, 403]);
    await letPass(id, 61);
    expect([await statusOf(old), await statusOf(body.apikey)]).toEqual([401, 403]);
    const { body: later } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    expect(later.previous_value_until).toBeNull();
  });

  test("rotated again, a value that was to end sooner still does", async () => {
    const { id, apikey: first } = await newKey(account);
    const { apikey: second } = (await rotate(id, { grace_seconds: 60 })).body;
    const { apikey: third } = (await rotate(id, { grace_seconds: 3600 })).body;
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual([403, 403, 403]);
    await letPass(id, 61);
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual([401, 403, 403]);
    const { apikey: fourth } = (await rotate(id, { grace_seconds: 0 })).body;
    expect(await Promise.all([first, second, third, fourth].map(statusOf))).toEqual([401, 401, 401, 403]);
  });

  test("the default key: both values manage within the time of grace", async () => {
    const owner = await newAccount();
    const id = owner.apikey.slice(0, 10);
    const { body } = await rotate(id, { grace_seconds: 604_800 }, owner);
    expect(await Promise.all([owner.apikey, body.apikey].map(statusOf))).toEqual([200, 200]);
    const { body: next } = await rotate(id, {}, owner);
    expect(await Promise.all([owner.apikey, body.apikey, next.apikey].map(statusOf))).toEqual([401, 401, 200]);
  });

  test("a disabled or an expired key, which stays what it is", async () => {
    for (const [body, action] of [
      [{ expiry_date: "2020-01-01" }, "enable"],
      [{}, "disable"],
    ] as const) {
      const { id } = await newKey(account, body);
      await call("POST", `/v1/apikeys/${id}/${action}`, { key: account.apikey, body: {} });
      const rotated = await rotate(id);
      expect([rotated.status, await statusOf(rotated.body.apikey)]).toEqual([200, 401]);
    }
  });

  test("10 at once: each value is another, and the last alone stays", async () => {
    const { id, apikey } = await newKey(account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const values = [apikey, ...answers.map(({ body }) => body.apikey)];
    expect(new Set(values).size).toBe(11);
    const statuses = await Promise.all(values.map(statusOf));
    expect(statuses.sort()).toEqual([...Array(10).fill(401), 403]);
  });
});

describe("404", () => {
  test("no such key, another account's, a revoked one", async () => {
    const theirs = await newKey(await newAccount());
    const revoked = await newKey(account);
    await call("POST", `/v1/apikeys/${revoked.id}/revoke`, { key: account.apikey, body: {} });
    for (const id of [NOWHERE.apikey_id, "nope", theirs.id, revoked.id]) {
      const { status, body } = await rotate(id);
      expect([status, body]).toEqual([404, { success: false, error: "apikey_id: the API key does not exist" }]);
    }
    expect(await statusOf(theirs.apikey)).toBe(403);
    expect(await statusOf(revoked.apikey)).toBe(401);
  });
});

describe("400", () => {
  test.each([
    [-1, "must be 0 or more"],
    [604_801, "must be 604800 (7 days) or less"],
    [0.5, "must be a whole number"],
    ["60", "expected number (int), received string"],
    [null, "expected number (int), received null"],
    [true, "expected number (int), received boolean"],
  ])("grace_seconds %j", async (grace_seconds, error) => {
    const { id, apikey } = await newKey(account);
    const { status, body } = await rotate(id, { grace_seconds });
    expect([status, body]).toEqual([400, { success: false, error: `grace_seconds: ${error}` }]);
    expect(await statusOf(apikey)).toBe(403);
  });
});
