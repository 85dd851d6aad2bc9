import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { makeKeyValue } from "@/server/keys/key-value";
import { type Account, call, newAccount, newKey } from "./client";

// A gateway that keeps hashes of keys, or their ids, authorizes by these.

let account: Account;
let stranger: Account;
let key: { apikey: string; id: string };
let theirs: { apikey: string; id: string };
beforeAll(async () => {
  [account, stranger] = await Promise.all([newAccount(), newAccount()]);
  theirs = await newKey(stranger);
});
beforeEach(async () => {
  key = await newKey(account, { budget: 10 });
});

const token = inject("gatewayToken");
const hashOf = (apikey: string) => createHash("sha256").update(apikey).digest("hex");
const authorize = (names: object, as = token) =>
  call("POST", "/v1/authorizations", { key: as, body: { amount: 1, ...names } });
const check = (names: object, as = token) =>
  call("POST", "/v1/authorizations/check", { key: as, body: { amount: 1, ...names } });
const change = (action: string, body: object = {}) =>
  call("POST", `/v1/apikeys/${key.id}/${action}`, { key: account.apikey, body });

/** The code of each: null is allowed. */
const codes = async (names: object, as = token) => [
  (await authorize(names, as)).body.code,
  (await check(names, as)).body.code,
];
const ALLOWED = [null, null];
const NOT_FOUND = ["key_not_found", "key_not_found"];

describe("200, by apikey_hash", () => {
  test("holds on the key of the value, in any letter case, for a gateway and for the account", async () => {
    const hash = hashOf(key.apikey);
    const held = await authorize({ apikey_hash: hash, request_id: "r" });
    expect(held.body).toMatchObject({ allowed: true, apikey_id: key.id, available: { budget: 9 } });
    const path = `/v1/authorizations/${held.body.authorization_id}/capture`;
    expect((await call("POST", path, { key: token, body: { amount: 0.5 } })).status).toBe(200);
    expect(await codes({ apikey_hash: hash.toUpperCase() })).toEqual(ALLOWED);
    expect(await codes({ apikey_hash: hash }, account.apikey)).toEqual(ALLOWED);
    expect(await codes({ apikey_hash: hash, account_id: account.account_id })).toEqual(ALLOWED);
  });

  test("a request that is repeated is the same one, however it names the key", async () => {
    const first = await authorize({ apikey: key.apikey, request_id: "r" });
    for (const names of [{ apikey_hash: hashOf(key.apikey) }, { apikey_id: key.id, account_id: account.account_id }]) {
      const { body } = await authorize({ ...names, request_id: "r" });
      expect(body).toMatchObject({ replayed: true, authorization_id: first.body.authorization_id });
    }
  });

  test("of a value that has ended: not found; of one in its time of grace: good", async () => {
    const before = hashOf(key.apikey);
    const graced = (await change("rotate", { grace_seconds: 3600 })).body.apikey;
    expect(await codes({ apikey_hash: before })).toEqual(ALLOWED);
    const last = (await change("rotate", { grace_seconds: 0 })).body.apikey;
    expect(await codes({ apikey_hash: before })).toEqual(NOT_FOUND);
    expect(await codes({ apikey_hash: hashOf(graced) })).toEqual(NOT_FOUND);
    expect(await codes({ apikey_hash: hashOf(last) })).toEqual(ALLOWED);
  });

  test("disabled, and over its budget: as with the value", async () => {
    expect((await authorize({ apikey_hash: hashOf(key.apikey), amount: 11 })).body.code).toBe("budget");
    await change("disable");
    expect(await codes({ apikey_hash: hashOf(key.apikey) })).toEqual(["key_disabled", "key_disabled"]);
  });
});

describe("200, by apikey_id", () => {
  test("names the key whatever its values are", async () => {
    const names = { apikey_id: key.id, account_id: account.account_id };
    expect((await authorize(names)).body).toMatchObject({ allowed: true, apikey_id: key.id, available: { budget: 9 } });
    await change("rotate", { grace_seconds: 0 });
    expect(await codes(names)).toEqual(ALLOWED);
    expect(await codes({ apikey: key.apikey })).toEqual(NOT_FOUND);
    await change("disable");
    expect(await codes(names)).toEqual(["key_disabled", "key_disabled"]);
    await change("revoke");
    expect(await codes(names)).toEqual(NOT_FOUND);
  });

  test("with the default key alone, for its own account", async () => {
    expect(await codes({ apikey_id: key.id }, account.apikey)).toEqual(ALLOWED);
    expect(await codes({ apikey_id: key.id, account_id: account.account_id }, account.apikey)).toEqual(ALLOWED);
  });
});

describe("200, refused: nobody learns of a key of another account", () => {
  test("by its hash, its id, its value: the answer is that of a key that does not exist", async () => {
    const unknown = makeKeyValue("sk-");
    const { account_id } = stranger;
    for (const ask of [authorize, check]) {
      const { body: none } = await ask({ apikey: unknown.value }, account.apikey);
      expect(none).toMatchObject({ code: "key_not_found", apikey_id: null });
      for (const names of [
        { apikey: theirs.apikey },
        { apikey_hash: hashOf(theirs.apikey) },
        { apikey_hash: hashOf(unknown.value) },
        { apikey_id: theirs.id },
        { apikey_id: theirs.id, account_id },
        { apikey_id: unknown.id, account_id },
        { apikey_id: key.id, account_id },
        { apikey: key.apikey, account_id },
        { apikey_hash: hashOf(key.apikey), account_id },
        { apikey_id: "nonsense" },
      ]) {
        const { status, body } = await ask(names, account.apikey);
        expect([status, body]).toEqual([200, none]);
      }
    }
  });

  test("a gateway: an id of another account than it says, or of none", async () => {
    for (const account_id of [stranger.account_id, "0".repeat(24)]) {
      expect(await codes({ apikey_id: key.id, account_id })).toEqual(NOT_FOUND);
    }
  });
});

describe("400", () => {
  const ONE = "apikey: exactly one of apikey, apikey_hash and apikey_id is required";
  const HASH = "apikey_hash: must be the SHA-256 of a key value, in 64 hexadecimal digits";

  test.each<[string, () => object, string]>([
    ["none", () => ({}), ONE],
    ["two", () => ({ apikey: key.apikey, apikey_hash: hashOf(key.apikey) }), ONE],
    ["a value and an id", () => ({ apikey: key.apikey, apikey_id: key.id, account_id: account.account_id }), ONE],
    ["a hash of 63 digits", () => ({ apikey_hash: hashOf(key.apikey).slice(1) }), HASH],
    ["the value for its hash", () => ({ apikey_hash: key.apikey }), HASH],
    ["a hash that is null", () => ({ apikey_hash: null }), "apikey_hash: expected string, received null"],
    [
      "no account",
      () => ({ apikey_id: key.id }),
      "account_id: is required with a gateway's token, which names no account",
    ],
    [
      "no id of an account",
      () => ({ apikey_id: key.id, account_id: "me" }),
      "account_id: must be a valid ObjectId of 24 hexadecimal characters",
    ],
  ])("%s", async (_, names, error) => {
    for (const ask of [authorize, check]) {
      const answer = await ask(names());
      expect([answer.status, answer.body]).toEqual([400, { success: false, error }]);
      expect(answer.body.error).not.toContain(key.apikey);
    }
  });
});

test("GET /v1/account says the account_id", async () => {
  const { body } = await call("GET", "/v1/account", { key: account.apikey });
  expect(await codes({ apikey_id: key.id, account_id: body.account_id })).toEqual(ALLOWED);
});
