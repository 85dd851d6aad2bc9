import { beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { countWaiting } from "@/server/testing/waiting";
import { clockAhead, startProduct } from "../product";
import { type Account, call, callAt, database, NOWHERE, newAccount, newGroup, newKey } from "./client";

const NO_SUCH_GROUP = { success: false, error: "group_id: the group does not exist" };

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const update = (id: string, body: unknown) => call("POST", `/v1/apikey_groups/${id}`, { key: account.apikey, body });
const remove = (id: string, body: unknown = {}) =>
  call("POST", `/v1/apikey_groups/${id}/delete`, { key: account.apikey, body });
const read = (id: string) => call("GET", `/v1/apikey_groups/${id}`, { key: account.apikey });
const eventsOf = (action: string) =>
  database.prisma.event.findMany({ where: { accountId: account.account_id, action }, orderBy: { id: "asc" } });

describe("update, 200", () => {
  test("name and description; what is omitted stays", async () => {
    const id = await newGroup(account, "Research");
    const answer = await update(id, { name: "Lab", description: "white coats" });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ success: true, message: 'Group "Lab" changed.', id, name: "Lab" }),
    ]);
    expect((await update(id, { description: "" })).body).toMatchObject({ name: "Lab", description: "" });
    expect((await update(id, { name: "Labs" })).body).toMatchObject({ name: "Labs", description: "" });
    const { success: _, message: __, ...shown } = (await update(id, { name: "Labs" })).body;
    expect((await read(id)).body).toEqual(shown);
  });

  test("updated_at grows, created_at stays", async () => {
    const id = await newGroup(account);
    await database.pool.query(
      "UPDATE api_key_group SET created_at = now() - interval '1 day', updated_at = now() - interval '1 day' WHERE id = $1",
      [id],
    );
    const { created_at } = (await read(id)).body;
    const { body } = await update(id, { description: "d" });
    expect(body.created_at).toBe(created_at);
    expect(body.updated_at).toBeGreaterThan(created_at + 86_000);
  });

  test("updated_at is that of the database's clock, where that of a process is behind", async () => {
    const env = { DATABASE_URL: inject("databaseUrl"), LOG_LEVEL: "error", NODE_OPTIONS: clockAhead(-3600) };
    const product = await startProduct({ env });
    onTestFinished(async () => expect(await product.stop()).toBe(0));
    const id = await newGroup(account);
    for (const body of [{ name: "Labs" }, { defaults: { budget: 5 } }]) {
      const answer = await callAt(product.url, "POST", `/v1/apikey_groups/${id}`, { key: account.apikey, body });
      expect(answer.status).toBe(200);
      expect(answer.body.updated_at).toBeGreaterThanOrEqual(answer.body.created_at);
    }
  });

  test("a name in another letter case, or with a decomposed letter that is stored composed", async () => {
    const id = await newGroup(account, "lab");
    expect((await update(id, { name: "LAB" })).body.name).toBe("LAB");
    expect((await update(id, { name: "e\u0301" })).body.name).toBe("é");
  });

  test("to what it is already: 200, no event", async () => {
    const id = await newGroup(account, "Research");
    const before = (await read(id)).body;
    const { status, body } = await update(id, { name: "Research", description: "" });
    expect([status, body]).toEqual([200, expect.objectContaining(before)]);
    expect(await eventsOf("group.changed")).toEqual([]);
  });

  test("the name that a deleted group had is free again", async () => {
    await remove(await newGroup(account, "taken"));
    expect((await update(await newGroup(account), { name: "taken" })).status).toBe(200);
  });
});

describe("update, 400", () => {
  test.each<[Record<string, unknown>, string]>([
    [{}, "at least one parameter is required: name, description, defaults, apply_defaults"],
    [{ nmae: "x" }, "at least one parameter is required: name, description, defaults, apply_defaults"],
    [{ name: "" }, "name: must not be empty"],
    [{ name: "n".repeat(129) }, "name: must be at most 128 characters long"],
    [{ name: null }, "name: expected string, received null"],
    [{ description: 5 }, "description: expected string, received number"],
    [{ description: null }, "description: expected string, received null"],
    [{ description: "a\0b" }, "description: must not contain the character NUL"],
  ])("%.80j", async (sent, error) => {
    const id = await newGroup(account, "Research");
    const { status, body } = await update(id, sent);
    expect([status, body]).toEqual([400, { success: false, error }]);
    expect((await read(id)).body.name).toBe("Research");
  });

  test("a name that another group has; nothing is changed, the description neither", async () => {
    await newGroup(account, "taken");
    const id = await newGroup(account, "Research");
    const { status, body } = await update(id, { name: "taken", description: "d" });
    expect([status, body]).toEqual([400, { success: false, error: "name: a group of this name already exists" }]);
    expect((await read(id)).body).toMatchObject({ name: "Research", description: "" });
    expect(await eventsOf("group.changed")).toEqual([]);
  });

  test("two groups to one name at once: one 200, one 400", async () => {
    const ids = [await newGroup(account), await newGroup(account)];
    const answers = await Promise.all(ids.map((id) => update(id, { name: "wanted" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe("update with before", () => {
  test.each([
    ["name", "Research", "Science", "Lab"],
    ["description", "", "theirs", "mine"],
    ["defaults", { budget: null }, { budget: 0.1 }, { budget: 5 }],
  ])("409, %s has another value by now; nothing is changed", async (field, before, theirs, mine) => {
    const id = await newGroup(account, "Research");
    const { success: _, message: __, ...stored } = (await update(id, { [field]: theirs })).body;
    const { status, body } = await update(id, { apply_defaults: true, [field]: mine, before: { [field]: before } });
    const error = "before: the group was changed meanwhile; read it again";
    expect([status, body]).toEqual([409, { success: false, error }]);
    expect((await read(id)).body).toEqual(stored);
    expect(await eventsOf("group.changed")).toHaveLength(1);
    expect((await update(id, { [field]: mine, before: { [field]: theirs } })).status).toBe(200);
  });

  test("200, only another field was changed, or the value is there already", async () => {
    const id = await newGroup(account, "Research");
    await update(id, { name: "Science", defaults: { budget: 3 } });
    const before = { name: "Research", description: "", defaults: { budget: null, daily_limit: null } };
    expect((await update(id, { description: "mine", defaults: { daily_limit: 1 }, before })).body).toMatchObject({
      name: "Science",
      description: "mine",
      defaults: { budget: 3, daily_limit: 1 },
    });
    expect((await update(id, { name: "Science", before })).status).toBe(200);
  });

  test.each([
    [{ before: { name: "x" } }, "at least one parameter is required: name, description, defaults, apply_defaults"],
    [{ name: "x", before: "y" }, "before: expected object, received string"],
    [{ name: "x", before: { name: 5 } }, "before.name: expected string, received number"],
  ])("400, %j", async (sent, error) => {
    const { status, body } = await update(await newGroup(account), sent);
    expect([status, body]).toEqual([400, { success: false, error }]);
  });
});

describe("delete, 200", () => {
  test("a group without keys", async () => {
    const id = await newGroup(account, "Research");
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([200, { success: true, message: 'Group "Research" deleted.', ungrouped_count: 0 }]);
    expect((await read(id)).status).toBe(404);
  });

  test("with ungroup_keys its keys stay, in no group, with their limits", async () => {
    const id = await newGroup(account, "Research");
    const keys = [await newKey(account, { group_id: id, budget: 5 }), await newKey(account, { group_id: id })];
    const { status, body } = await remove(id, { ungroup_keys: true });
    expect([status, body]).toEqual([
      200,
      { success: true, message: 'Group "Research" deleted; 2 API keys are in no group now.', ungrouped_count: 2 },
    ]);
    for (const key of keys) {
      expect((await call("GET", `/v1/apikeys/${key.id}`, { key: account.apikey })).body).toMatchObject({
        group_id: null,
        group_name: null,
        version: 2,
      });
      expect((await call("GET", "/v1/apikeys", { key: key.apikey })).status).toBe(403);
    }
    expect((await eventsOf("key.moved")).map(({ keyCount, groupName }) => [keyCount, groupName])).toEqual([
      [2, "Research"],
    ]);
  });

  test("revoked keys do not hold it", async () => {
    const group_id = await newGroup(account);
    const { id } = await newKey(account, { group_id });
    await call("POST", `/v1/apikeys/${id}/revoke`, { key: account.apikey, body: {} });
    expect((await remove(group_id)).body).toMatchObject({ success: true, ungrouped_count: 0 });
    expect((await call("GET", `/v1/apikeys/${id}`, { key: account.apikey })).body).toMatchObject({
      status: "revoked",
      group_id: null,
    });
  });

  test("twice at once: one 200, one 404", async () => {
    const id = await newGroup(account);
    const answers = await Promise.all([remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await eventsOf("group.deleted")).toHaveLength(1);
  });

  test("while keys are created in it and moved to it: each ends in no group, or is refused", async () => {
    const group_id = await newGroup(account);
    const movers = await Promise.all(Array.from({ length: 10 }, () => newKey(account)));
    const [deleted, ...others] = await Promise.all([
      remove(group_id, { ungroup_keys: true }),
      ...Array.from({ length: 20 }, () =>
        call("POST", "/v1/apikeys", { key: account.apikey, body: { name: "n", group_id } }),
      ),
      ...movers.map(({ id }) => call("POST", `/v1/apikeys/${id}/move`, { key: account.apikey, body: { group_id } })),
    ]);
    expect(deleted?.status).toBe(200);
    for (const { status, body } of others) {
      if (status !== 200 && status !== 201) {
        expect([status, body.error]).toEqual([400, "group_id: names no existing group"]);
      }
    }
    const done = others.filter(({ status }) => status < 300).length;
    expect(deleted?.body.ungrouped_count).toBe(done);
    expect(await database.prisma.apiKey.count({ where: { accountId: account.account_id, groupId: group_id } })).toBe(0);
  });
});

test("delete, 200: a key that is revoked meanwhile is not counted among those that were ungrouped", async () => {
  const group_id = await newGroup(account, "Research");
  const keys = [await newKey(account, { group_id }), await newKey(account, { group_id })];
  const revoked = keys[0]?.id ?? "";
  const holder = await database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM api_key WHERE id = $1 FOR NO KEY UPDATE", [revoked]);
    const revoking = call("POST", `/v1/apikeys/${revoked}/revoke`, { key: account.apikey, body: {} });
    await expect.poll(() => countWaiting(database.pool, holder)).toBe(1);
    // It has counted the keys, and waits for the revocation.
    const removing = remove(group_id, { ungroup_keys: true });
    await expect.poll(() => countWaiting(database.pool, holder)).toBe(2);
    await holder.query("COMMIT");
    expect((await revoking).status).toBe(200);
    expect((await removing).body).toEqual({
      success: true,
      message: 'Group "Research" deleted; 1 API key is in no group now.',
      ungrouped_count: 1,
    });
  } finally {
    holder.release();
  }
  expect((await eventsOf("key.moved")).map(({ keyCount }) => keyCount)).toEqual([1]);
});

describe("delete, 409: the group has keys, and leave to ungroup them was not given", () => {
  test.each([{}, { ungroup_keys: false }])("%j", async (sent) => {
    const group_id = await newGroup(account);
    const { id } = await newKey(account, { group_id });
    const { status, body } = await remove(group_id, sent);
    expect([status, body]).toEqual([
      409,
      { success: false, error: "ungroup_keys: must be true, because the group has 1 API key" },
    ]);
    expect((await call("GET", `/v1/apikeys/${id}`, { key: account.apikey })).body.group_id).toBe(group_id);
    expect(await eventsOf("group.deleted")).toEqual([]);
  });
});

test.each(["true", 1, null])("delete, 400: ungroup_keys %j", async (ungroup_keys) => {
  const id = await newGroup(account);
  const { status, body } = await remove(id, { ungroup_keys });
  expect([status, body.error]).toEqual([400, expect.stringMatching(/^ungroup_keys: expected boolean, received /)]);
  expect((await read(id)).status).toBe(200);
});

test("404: a group that is not there, and another account's, in the same words", async () => {
  const theirs = await newGroup(await newAccount());
  for (const id of [NOWHERE.group_id, theirs]) {
    for (const { status, body } of [await update(id, { name: "n" }), await remove(id, { ungroup_keys: true })]) {
      expect([status, body]).toEqual([404, NO_SUCH_GROUP]);
    }
  }
});

test("400: a group_id that is no ObjectId", async () => {
  for (const { status, body } of [await update("nope", { name: "n" }), await remove("nope")]) {
    expect([status, body.error]).toEqual([400, "group_id: must be a valid ObjectId of 24 hexadecimal characters"]);
  }
});
