import { beforeAll, describe, expect, test } from "vitest";
import { hashKeyValue, isKeyValue } from "@/server/keys/key-value";
import { type Account, call, database, NOWHERE, newAccount, newKey, trpc } from "./client";

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
    "UPDATE earlier_value SET expires_at = (expires_at AT TIME ZONE 'UTC' - make_interval(secs => $1)) AT TIME ZONE 'UTC' WHERE account_id = $2 AND key_id = $3",
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
    const { body } = await rotate(id);
    const { valueHash } = await database.prisma.apiKey.findFirstOrThrow({
      where: { accountId: account.account_id, id },
    });
    expect(Buffer.from(valueHash ?? [])).toEqual(hashKeyValue(body.apikey));
    expect(await database.prisma.earlierValue.count({ where: { accountId: account.account_id, keyId: id } })).toBe(0);
  });

  test("within the time of grace both values work; then the old one has ended", async () => {
    const { id, apikey: old } = await newKey(account);
    const before = Math.floor(Date.now() / 1000);
    const { body } = await rotate(id, { grace_seconds: 3600 });
    const until = body.previous_value_until;
    expect(until).toBeGreaterThanOrEqual(before + 3600);
    expect(until).toBeLessThanOrEqual(Date.now() / 1000 + 3601);
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

  test("rotated again within the grace, the oldest value ends at once: a key has two values at most", async () => {
    const { id, apikey: first } = await newKey(account);
    const { apikey: second } = (await rotate(id, { grace_seconds: 604_800 })).body;
    const { apikey: third } = (await rotate(id, { grace_seconds: 60 })).body;
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual([401, 403, 403]);
    await letPass(id, 61);
    expect(await Promise.all([second, third].map(statusOf))).toEqual([401, 403]);
    const { apikey: fourth } = (await rotate(id, { grace_seconds: 3600 })).body;
    const { apikey: fifth } = (await rotate(id, { grace_seconds: 0 })).body;
    expect(await Promise.all([third, fourth, fifth].map(statusOf))).toEqual([401, 401, 403]);
  });

  test("with the version of the key: what is sent again after it was made is 409, and both values stay", async () => {
    const { id, apikey: first } = await newKey(account);
    const sent = { grace_seconds: 3600, version: 1 };
    const { status, body } = await rotate(id, sent);
    expect(status).toBe(200);
    const again = await rotate(id, sent);
    const error = "version: the API key was changed meanwhile; read it again";
    expect([again.status, again.body]).toEqual([409, { success: false, error }]);
    expect(await Promise.all([first, body.apikey].map(statusOf))).toEqual([403, 403]);
    expect((await call("GET", `/v1/apikeys/${id}`, { key: account.apikey })).body.version).toBe(2);
    expect((await rotate(id, { version: 2 })).status).toBe(200);
  });

  test("a value that ended holds nothing any more, the two that are valid do", async () => {
    const { id, apikey: first } = await newKey(account);
    const { apikey: second } = (await rotate(id, { grace_seconds: 3600 })).body;
    const { apikey: third } = (await rotate(id, { grace_seconds: 3600 })).body;
    const codes = [];
    for (const apikey of [first, second, third]) {
      const body = { apikey, amount: 1 };
      codes.push((await call("POST", "/v1/authorizations", { key: account.apikey, body })).body.code);
    }
    expect(codes).toEqual(["key_not_found", null, null]);
  });

  test("the default key: rotated with its new value, the oldest ends at once", async () => {
    const owner = await newAccount();
    const id = owner.apikey.slice(0, 10);
    const { apikey: second } = (await rotate(id, { grace_seconds: 604_800 }, owner)).body;
    const { apikey: third } = (await rotate(id, { grace_seconds: 604_800 }, { ...owner, apikey: second })).body;
    expect(await Promise.all([owner.apikey, second, third].map(statusOf))).toEqual([401, 200, 200]);
    const { apikey: last } = (await rotate(id, {}, { ...owner, apikey: third })).body;
    expect(await Promise.all([second, third, last].map(statusOf))).toEqual([401, 401, 200]);
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

  test("10 at once with grace: two values are valid", async () => {
    const { id, apikey } = await newKey(account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(id, { grace_seconds: 3600 })));
    const values = [apikey, ...answers.map(({ body }) => body.apikey)];
    const statuses = await Promise.all(values.map(statusOf));
    expect(statuses.sort()).toEqual([...Array(9).fill(401), 403, 403]);
  });

  test("a key that is revoked within the grace has no value that works", async () => {
    const { id } = await newKey(account);
    const until = (await rotate(id, { grace_seconds: 3600 })).body.previous_value_until;
    const read = async () => (await call("GET", `/v1/apikeys/${id}`, { key: account.apikey })).body;
    expect(await read()).toMatchObject({ status: "active", previous_value_until: until });
    await call("POST", `/v1/apikeys/${id}/revoke`, { key: account.apikey, body: {} });
    expect(await read()).toMatchObject({ status: "revoked", previous_value_until: null });
  });
});

describe("403: a value of the default key that is about to end", () => {
  const REFUSED = {
    status: 403,
    body: {
      success: false,
      error: "a value of the default API key in its time of grace may not rotate keys; use the new value",
    },
  };

  test("reads and authorizes, but rotates no key", async () => {
    const owner = await newAccount();
    const id = owner.apikey.slice(0, 10);
    const other = await newKey(owner);
    const { body } = await rotate(id, { grace_seconds: 604_800 }, owner);
    for (const target of [id, other.id, NOWHERE.apikey_id]) {
      for (const grace_seconds of [0, 60])
        expect(await rotate(target, { grace_seconds }, owner)).toMatchObject(REFUSED);
    }
    // Nothing has changed: all values work as before.
    const asked = { apikey: other.apikey, amount: 1 };
    expect((await call("POST", "/v1/authorizations", { key: owner.apikey, body: asked })).body.allowed).toBe(true);
    expect(await Promise.all([owner.apikey, body.apikey, other.apikey].map(statusOf))).toEqual([200, 200, 403]);
    const { body: key } = await call("GET", `/v1/apikeys/${id}`, { key: owner.apikey });
    expect(key).toMatchObject({ version: 2, previous_value_until: body.previous_value_until });
    // The new value may.
    const as = { ...owner, apikey: body.apikey };
    expect((await rotate(other.id, {}, as)).status).toBe(200);
    expect((await rotate(id, {}, as)).status).toBe(200);
    expect(await statusOf(owner.apikey)).toBe(401);
  });

  test.each([
    [3600, 403],
    [0, 401],
  ])(
    "also when it was recognised before it was replaced (a grace of %i s: %i): of many rotations at once, one is made",
    async (grace_seconds, refused) => {
      const owner = await newAccount();
      const id = owner.apikey.slice(0, 10);
      const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(id, { grace_seconds }, owner)));
      const [made, ...others] = answers.toSorted((a, b) => a.status - b.status);
      expect([made?.status, await statusOf(made?.body.apikey)]).toEqual([200, 200]);
      expect(others.map(({ status }) => status)).toEqual(others.map(() => refused));
    },
  );

  test("before the body is read; over tRPC the same", async () => {
    const owner = await newAccount();
    const id = owner.apikey.slice(0, 10);
    await rotate(id, { grace_seconds: 3600 }, owner);
    const answer = await call("POST", `/v1/apikeys/${id}/rotate`, { key: owner.apikey, raw: "{" });
    expect(answer).toMatchObject(REFUSED);
    const outcome = trpc(owner.apikey).keys.rotate.mutate({ apikey_id: id });
    await expect(outcome).rejects.toMatchObject({
      data: { httpStatus: 403, failure: { code: "value_in_grace" } },
    });
  });

  test("the document says so, beside the reason that all endpoints have", async () => {
    const document = (await call("GET", "/openapi.json")).body;
    const { content } = document.paths["/v1/apikeys/{apikey_id}/rotate"].post.responses[403];
    const said = Object.values<{ value: object }>(content["application/json"].examples).map(({ value }) => value);
    const other = await newKey(account);
    expect(said).toEqual([(await rotate(other.id, {}, { ...account, apikey: other.apikey })).body, REFUSED.body]);
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
