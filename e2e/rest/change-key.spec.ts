import { beforeAll, describe, expect, test } from "vitest";
import { countWaiting } from "@/server/testing/waiting";
import { type Account, call, database, NOWHERE, newAccount, newGroup, newKey } from "./client";

const NO_SUCH_KEY = { success: false, error: "apikey_id: the API key does not exist" };
const CHANGED_MEANWHILE = { success: false, error: "version: the API key was changed meanwhile; read it again" };

let account: Account;
let group_id: string;
beforeAll(async () => {
  account = await newAccount();
  group_id = await newGroup(account, "Research");
});

const change = (id: string, action: string, body: unknown = {}) =>
  call("POST", `/v1/apikeys/${id}/${action}`, { key: account.apikey, body });

async function read(id: string) {
  const { body } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
  const { previous_value_until: _, ...key } = body;
  return key;
}

/** The status for a key value: 403 for a valid key that is not the default key, 401 for a value that is not valid. */
const statusOf = async (apikey: string) => (await call("GET", "/v1/apikeys", { key: apikey })).status;

/** Each change, with a body that it accepts. */
const CHANGES: [string, () => Record<string, unknown>][] = [
  ["rename", () => ({ name: "another" })],
  ["move", () => ({ group_id })],
  ["disable", () => ({})],
  ["enable", () => ({})],
  ["revoke", () => ({})],
  ["budget", () => ({ budget: 1 })],
];

describe("200", () => {
  test.each<[string, Record<string, unknown>, string, Record<string, unknown>]>([
    ["rename", { name: "new" }, 'API key renamed to "new".', { name: "new" }],
    ["disable", {}, 'API key "old" disabled.', { status: "disabled" }],
    ["revoke", {}, 'API key "old" revoked.', { status: "revoked" }],
  ])("%s: answers the key as it is now, and leaves the rest of it", async (action, body, message, changed) => {
    const { id } = await newKey(account, { name: "old", group_id, budget: 5, expiry_date: "2031-12-31" });
    const before = await read(id);
    const answer = await change(id, action, body);
    const after = { ...before, ...changed, version: 2 };
    expect([answer.status, answer.body]).toEqual([200, { success: true, message, ...after }]);
    expect(await read(id)).toEqual(after);
  });

  test("a name is normalised to NFC", async () => {
    const { id } = await newKey(account);
    expect((await change(id, "rename", { name: "e\u0301" })).body.name).toBe("é");
  });

  // The indexes of renamings have both names, in capitals too.
  test.each([
    ["three capitals each", "ΐ"],
    ["four bytes each", "🔑"],
  ])("rename: 128 characters of %s, and back", async (_, character) => {
    const { id } = await newKey(account, { name: "short" });
    const name = character.repeat(128);
    expect((await change(id, "rename", { name })).body).toMatchObject({ success: true, name });
    expect((await change(id, "rename", { name: "short" })).status).toBe(200);
    const search = encodeURIComponent(name);
    const { body } = await call("GET", `/v1/history?search=${search}&apikey_id=${id}`, { key: account.apikey });
    expect(body.data.map(({ after }: { after: { name: string } }) => after.name)).toEqual(["short", name]);
  });

  test("move: into a group, into another, into none", async () => {
    const { id } = await newKey(account, { name: "mover", budget: 5 });
    const other = await newGroup(account, "Sales");
    const steps = [
      [group_id.toUpperCase(), group_id, "Research", 'API key "mover" moved to group "Research".'],
      [other, other, "Sales", 'API key "mover" moved to group "Sales".'],
      [null, null, null, 'API key "mover" is in no group now.'],
    ];
    for (const [sent, id_after, group_name, message] of steps) {
      const { status, body } = await change(id, "move", { group_id: sent });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ group_id: id_after, group_name, message, budget: 5 }),
      ]);
    }
  });

  test("move, of a key that another change moves to a new group meanwhile: undoing it goes back to that group", async () => {
    const { id } = await newKey(account);
    const holder = await database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT FROM api_key WHERE id = $1 FOR NO KEY UPDATE", [id]);
      const moving = change(id, "move", { group_id });
      await expect.poll(() => countWaiting(database.pool, holder)).toBe(1);
      const former = await newGroup(account, "Made meanwhile");
      await holder.query("UPDATE api_key SET group_id = $1 WHERE id = $2", [former, id]);
      await holder.query("COMMIT");
      expect((await moving).status).toBe(200);
      const get = { key: account.apikey };
      const { body } = await call("GET", `/v1/history?apikey_id=${id}&action=key.moved`, get);
      expect(body.data[0].keys[0].before).toEqual({ group: "Made meanwhile", group_id: former });
      await call("POST", `/v1/history/${body.data[0].id}/revert`, { ...get, body: {} });
      expect(await read(id)).toMatchObject({ group_id: former, group_name: "Made meanwhile" });
    } finally {
      holder.release();
    }
  });

  test("a disabled key is refused until it is enabled again", async () => {
    const { id, apikey } = await newKey(account);
    await change(id, "disable");
    expect(await statusOf(apikey)).toBe(401);
    const { body } = await change(id, "enable");
    expect(body).toMatchObject({ message: 'API key "a key" enabled.', status: "active", version: 3 });
    expect(await statusOf(apikey)).toBe(403);
  });

  test("an expired key that is enabled stays expired", async () => {
    const { id, apikey } = await newKey(account, { expiry_date: "2020-01-01" });
    expect((await change(id, "disable")).body.status).toBe("disabled");
    expect((await change(id, "enable")).body.status).toBe("expired");
    expect(await statusOf(apikey)).toBe(401);
  });

  test("a revoked key is refused", async () => {
    const { id, apikey } = await newKey(account);
    await change(id, "revoke");
    expect(await statusOf(apikey)).toBe(401);
  });

  test("the default key is renamed, enabled and moved to no group", async () => {
    const id = account.apikey.slice(0, 10);
    expect((await change(id, "rename", { name: "main" })).body.name).toBe("main");
    expect((await change(id, "enable")).status).toBe(200);
    expect((await change(id, "move", { group_id: null })).status).toBe(200);
  });
});

describe("done twice it is done once", () => {
  test.each<[string, Record<string, unknown>]>([
    ["disable", {}],
    ["enable", {}],
    ["move", { group_id: null }],
    ["rename", { name: "a key" }],
  ])("%s: 200, no new version, no event", async (action, body) => {
    const { id } = await newKey(account);
    if (action === "disable") await change(id, action);
    const before = await read(id);
    const answer = await change(id, action, body);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(before)]);
    expect(await read(id)).toEqual(before);
    const events = await database.prisma.eventKey.count({ where: { accountId: account.account_id, keyId: id } });
    expect(events).toBe(action === "disable" ? 2 : 1);
  });
});

describe("409: the key was changed since the version that was sent", () => {
  test.each(CHANGES)("%s", async (action, body) => {
    const { id } = await newKey(account);
    await change(id, "disable");
    const before = await read(id);
    for (const version of [1, 3, -1, Number.MAX_SAFE_INTEGER]) {
      const answer = await change(id, action, { ...body(), version });
      expect([answer.status, answer.body]).toEqual([409, CHANGED_MEANWHILE]);
    }
    expect(await read(id)).toEqual(before);
  });

  test.each(CHANGES)("%s, with the version that it has: 200", async (action, body) => {
    const { id } = await newKey(account);
    await change(id, "disable");
    expect((await change(id, action, { ...body(), version: 2 })).status).toBe(200);
  });

  test("what is done already is told too", async () => {
    const { id } = await newKey(account);
    await change(id, "disable");
    expect((await change(id, "disable", { version: 1 })).status).toBe(409);
    expect((await change(id, "disable", { version: 2 })).status).toBe(200);
  });
});

describe("404", () => {
  test.each(CHANGES)("%s: no such key, another account's, a revoked one", async (action, body) => {
    const theirs = await newKey(await newAccount());
    const revoked = await newKey(account);
    await change(revoked.id, "revoke");
    const before = await read(revoked.id);
    for (const id of [NOWHERE.apikey_id, "nope", theirs.id, revoked.id]) {
      for (const version of [{}, { version: 2 }]) {
        const answer = await change(id, action, { ...body(), ...version });
        expect([answer.status, answer.body]).toEqual([404, NO_SUCH_KEY]);
      }
    }
    expect(await read(revoked.id)).toEqual(before);
  });
});

describe("400", () => {
  test.each([
    ["disable", {}, "apikey_id: the default API key is never disabled; rotate it instead"],
    ["revoke", {}, "apikey_id: the default API key is never revoked; rotate it instead"],
  ])("%s the default key", async (action, body, error) => {
    const answer = await change(account.apikey.slice(0, 10), action, body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error }]);
    expect(await statusOf(account.apikey)).toBe(200);
  });

  test("move the default key to a group", async () => {
    const { status, body } = await change(account.apikey.slice(0, 10), "move", { group_id });
    expect([status, body.error]).toEqual([400, "apikey_id: the default API key belongs to no group"]);
  });

  test("move to a group that is not there, or is another account's", async () => {
    const { id } = await newKey(account, { group_id });
    const theirs = await newGroup(await newAccount());
    for (const group of [NOWHERE.group_id, theirs]) {
      const { status, body } = await change(id, "move", { group_id: group });
      expect([status, body]).toEqual([400, { success: false, error: "group_id: names no existing group" }]);
    }
    expect((await read(id)).group_id).toBe(group_id);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["rename", {}, "name: expected string, received nothing"],
    ["rename", { name: "" }, "name: must not be empty"],
    ["rename", { name: "n".repeat(129) }, "name: must be at most 128 characters long"],
    ["rename", { name: null }, "name: expected string, received null"],
    ["rename", { name: "a\0b" }, "name: must not contain the character NUL"],
    ["move", {}, "group_id: expected string (ObjectId), received nothing"],
    ["move", { group_id: "" }, "group_id: must be a valid ObjectId of 24 hexadecimal characters"],
    ["move", { group_id: 5 }, "group_id: expected string (ObjectId), received number"],
    ["disable", { version: "1" }, "version: expected number (int), received string"],
    ["disable", { version: 1.5 }, "version: must be a whole number"],
    // Whole, but too large to be exact.
    ["disable", { version: 2 ** 53 }, "version: must be 9007199254740991 or less"],
    ["disable", { version: -(2 ** 53) }, "version: must be -9007199254740991 or more"],
    ["disable", { version: null }, "version: expected number (int), received null"],
    ["enable", { version: true }, "version: expected number (int), received boolean"],
    ["revoke", { version: [] }, "version: expected number (int), received array"],
    ["budget", { budget: 1, version: "1" }, "version: expected number (int), received string"],
  ])("%s %j", async (action, body, error) => {
    const { id } = await newKey(account);
    const answer = await change(id, action, body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error }]);
    expect((await read(id)).version).toBe(1);
  });
});
