import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, NOWHERE, newAccount, newGroup, newKey } from "./client";
import { eventsOf } from "./events";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const { post, history, events, eventsDuring, event } = eventsOf(() => account);

/** The fields of an event about one key. */
const ofKey = (apikey_id: string, before: object = {}, name = "a key") => ({
  key_count: 1,
  keys: [{ apikey_id, name, before, after: {} }],
});

describe("each change writes one event: who, from where, before and after", () => {
  test("a key is created", async () => {
    let id = "";
    const group_id = await newGroup(account, "Research");
    const begun = Math.floor(Date.now() / 1000);
    const written = await eventsDuring(async () => {
      ({ id } = await newKey(account, { group_id, budget: 0.1, daily_limit: 0, expiry_date: "2031-12-31" }));
    });
    const after = { name: "a key", budget: 0.1, daily_limit: 0, expiry_date: "2031-12-31" };
    expect(written).toEqual([event({ action: "key.created", group_id, group_name: "Research", ...ofKey(id), after })]);
    expect(written[0]?.at).toBeGreaterThanOrEqual(begun);
    expect(written[0]?.at).toBeLessThanOrEqual(Date.now() / 1000);
  });

  test.each<[string, string, Record<string, unknown>, object, object]>([
    ["renamed", "rename", { name: "new" }, { name: "a key" }, { name: "new" }],
    ["disabled", "disable", {}, {}, {}],
    ["revoked", "revoke", {}, {}, {}],
    ["rotated", "rotate", { grace_seconds: 60 }, {}, { grace_seconds: 60 }],
    [
      "limits_set",
      "budget",
      { budget: 0.000000001, daily_limit: 2 },
      { budget: 5, daily_limit: null, expiry_date: "2031-12-31" },
      { budget: 0.000000001, daily_limit: 2, expiry_date: null },
    ],
  ])("a key is %s", async (name, action, body, before, after) => {
    const { id } = await newKey(account, { budget: 5, expiry_date: "2031-12-31" });
    const written = await eventsDuring(() => post(`/v1/apikeys/${id}/${action}`, body));
    expect(written).toEqual([event({ action: `key.${name}`, ...ofKey(id, before), after })]);
  });

  test("a key is enabled", async () => {
    const { id } = await newKey(account);
    await post(`/v1/apikeys/${id}/disable`);
    const written = await eventsDuring(() => post(`/v1/apikeys/${id}/enable`));
    expect(written).toEqual([event({ action: "key.enabled", ...ofKey(id) })]);
  });

  test("a key is moved to a group, to another, to none", async () => {
    const { id } = await newKey(account);
    const [first, second] = [await newGroup(account, "first"), await newGroup(account, "second")];
    const move = (group_id: string | null) => eventsDuring(() => post(`/v1/apikeys/${id}/move`, { group_id }));
    const inNone = { group: null, group_id: null };
    const inFirst = { group: "first", group_id: first };
    const inSecond = { group: "second", group_id: second };
    const moved = (from: object, to: { group: string | null; group_id: string | null }) => [
      event({ action: "key.moved", group_id: to.group_id, group_name: to.group, ...ofKey(id, from), after: to }),
    ];
    expect(await move(first)).toEqual(moved(inNone, inFirst));
    expect(await move(second)).toEqual(moved(inFirst, inSecond));
    expect(await move(null)).toEqual(moved(inSecond, inNone));
  });

  test("a group is created, changed, deleted", async () => {
    let group_id = "";
    const created = await eventsDuring(async () => {
      const { body } = await post("/v1/apikey_groups", { name: "Research", description: "d" });
      group_id = body.group_id;
    });
    const group = { group_id, group_name: "Research" };
    expect(created).toEqual([
      event({ action: "group.created", ...group, after: { name: "Research", description: "d" } }),
    ]);
    const changed = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}`, { name: "Lab", description: "d" }));
    expect(changed).toEqual([
      event({
        action: "group.changed",
        group_id,
        group_name: "Lab",
        before: { name: "Research" },
        after: { name: "Lab" },
      }),
    ]);
    const deleted = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}/delete`));
    const before = { name: "Lab", description: "d" };
    expect(deleted).toEqual([event({ action: "group.deleted", group_id, group_name: "Lab", before })]);
  });

  test("a group is deleted with its keys ungrouped: the move, then the deletion", async () => {
    const group_id = await newGroup(account, "Research");
    const { id } = await newKey(account, { group_id });
    const written = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}/delete`, { ungroup_keys: true }));
    const group = { group_id, group_name: "Research" };
    expect(written).toEqual([
      event({
        action: "key.moved",
        ...group,
        ...ofKey(id, { group: "Research", group_id }),
        after: { group: null, group_id: null },
      }),
      event({ action: "group.deleted", ...group, before: { name: "Research", description: "" } }),
    ]);
  });

  test("settings of the account are changed", async () => {
    const written = await eventsDuring(() => post("/v1/account", { time_zone: "UTC", language: "zh-CN" }));
    expect(written).toEqual([
      event({
        action: "account.settings_changed",
        before: { time_zone: "Asia/Shanghai", language: null },
        after: { time_zone: "UTC", language: "zh-CN" },
      }),
    ]);
  });

  test("limits of a group, of many keys, an action on many: one event that names its keys", async () => {
    const group_id = await newGroup(account, "Research");
    const keys = [];
    for (let i = 0; i < 5; i++) keys.push(await newKey(account, { name: `n${i}`, group_id, budget: i }));
    const apikey_ids = keys.map(({ id }) => id);
    const sorted = keys.map(({ id }, i) => ({ id, i })).sort((a, b) => (a.id < b.id ? -1 : 1));
    const named = (before: (i: number) => object) =>
      sorted.map(({ id, i }) => ({ apikey_id: id, name: `n${i}`, before: before(i), after: {} }));

    const [ofGroup, ...more] = await eventsDuring(() =>
      post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 9 }),
    );
    expect(more).toEqual([]);
    expect(ofGroup).toEqual(
      event({
        action: "key.limits_set",
        group_id,
        group_name: "Research",
        key_count: 5,
        keys: named((i) => ({ budget: i })).slice(0, 3),
        after: { budget: 9 },
      }),
    );
    const all = await call("GET", `/v1/history/${ofGroup?.id}/keys`, { key: account.apikey });
    expect([all.status, all.body]).toEqual([
      200,
      { object: "list", data: named((i) => ({ budget: i })), total: 5, total_is_exact: true, page: 1, page_size: 50 },
    ]);
    const second = await call("GET", `/v1/history/${ofGroup?.id}/keys?page=2&page_size=2`, { key: account.apikey });
    expect(second.body).toMatchObject({ data: named((i) => ({ budget: i })).slice(2, 4), total: 5, page: 2 });

    const [ofMany, ...none] = await eventsDuring(() => post("/v1/apikeys/batch_budget", { apikey_ids, budget: 1 }));
    expect(none).toEqual([]);
    expect(ofMany).toMatchObject({ action: "key.limits_set", group_id: null, key_count: 5, after: { budget: 1 } });
    expect(ofMany?.keys).toEqual(named(() => ({ budget: 9 })).slice(0, 3));

    const [disabled, ...others] = await eventsDuring(() =>
      post("/v1/apikeys/batch", { apikey_ids, action: "disable" }),
    );
    expect(others).toEqual([]);
    expect(disabled).toMatchObject({ action: "key.disabled", key_count: 5, keys: named(() => ({})).slice(0, 3) });
  });

  test("a key and a group keep the names that they had", async () => {
    const group_id = await newGroup(account, "old group");
    const { id } = await newKey(account, { name: "old name", group_id });
    await post(`/v1/apikeys/${id}/rename`, { name: "new name" });
    await post(`/v1/apikey_groups/${group_id}`, { name: "new group" });
    const [created] = await events({ action: "key.created" });
    expect(created).toMatchObject({ group_name: "old group", keys: [{ apikey_id: id, name: "old name" }] });
  });
});

describe("nothing is written", () => {
  test("when a change fails, or changes nothing, or is only tried", async () => {
    const group_id = await newGroup(account, "Research");
    const { id } = await newKey(account, { group_id });
    const own = account.apikey.slice(0, 10);
    const written = await eventsDuring(async () => {
      const expected: [Promise<{ status: number }>, number][] = [
        [post("/v1/apikeys", { name: "n", group_id: NOWHERE.group_id }), 400],
        [post("/v1/apikeys", { name: "" }), 400],
        [post(`/v1/apikeys/${NOWHERE.apikey_id}/budget`, { budget: 1 }), 404],
        [post(`/v1/apikeys/${id}/budget`, { budget: 1, version: 9 }), 409],
        [post(`/v1/apikeys/${id}/rename`, { name: "n", version: 9 }), 409],
        [post(`/v1/apikeys/${id}/enable`), 200],
        [post(`/v1/apikeys/${id}/move`, { group_id }), 200],
        [post(`/v1/apikeys/${own}/revoke`), 400],
        [post(`/v1/apikeys/${NOWHERE.apikey_id}/rotate`), 404],
        [post("/v1/apikeys/batch", { apikey_ids: [NOWHERE.apikey_id, own], action: "revoke" }), 200],
        [post("/v1/apikeys/batch_budget", { apikey_ids: [id], budget: 1, dry_run: true }), 200],
        [post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 1, dry_run: true }), 200],
        [post(`/v1/apikey_groups/${NOWHERE.group_id}/batch_budget`, { budget: 1 }), 400],
        [post("/v1/apikey_groups", { name: "Research" }), 400],
        [post(`/v1/apikey_groups/${group_id}`, { name: "Research" }), 200],
        [post(`/v1/apikey_groups/${group_id}/delete`), 409],
        [post("/v1/account", { time_zone: "Asia/Shanghai" }), 200],
        [post("/v1/account", { time_zone: "Nowhere/Land" }), 400],
      ];
      const statuses = await Promise.all(expected.map(async ([answer]) => (await answer).status));
      expect(statuses).toEqual(expected.map(([, status]) => status));
    });
    expect(written).toEqual([]);
  });

  test("of a key value: not in an event, not a hash of it, not a part of it", async () => {
    const { id, apikey } = await newKey(account);
    const { body } = await post(`/v1/apikeys/${id}/rotate`, { grace_seconds: 60 });
    const { body: own } = await post(`/v1/apikeys/${account.apikey.slice(0, 10)}/rotate`, { grace_seconds: 60 });
    const { rows } = await database.pool.query(
      `SELECT event::text AS text FROM event WHERE account_id = $1
        UNION ALL SELECT event_key::text FROM event_key WHERE account_id = $1`,
      [account.account_id],
    );
    const { rows: hashes } = await database.pool.query(
      "SELECT encode(hash, 'hex') AS hex, encode(hash, 'base64') AS base64 FROM key_route WHERE account_id = $1",
      [account.account_id],
    );
    expect([rows.length >= 6, hashes.length]).toEqual([true, 4]);
    const text = rows.map((row) => row.text).join("\n");
    for (const value of [apikey, account.apikey, body.apikey, own.apikey]) {
      for (let i = 10; i + 8 <= value.length; i += 8) expect(text).not.toContain(value.slice(i, i + 8));
    }
    for (const { hex, base64 } of hashes) {
      expect(text).not.toContain(hex);
      expect(text).not.toContain(base64);
    }
  });
});

describe("another account", () => {
  test("sees nothing of it, not even with its ids", async () => {
    const group_id = await newGroup(account);
    const { id } = await newKey(account, { group_id });
    const [created] = await events({ action: "key.created" });
    const { apikey } = await newAccount();
    for (const query of [`group_id=${group_id}`, `apikey_id=${id}`]) {
      const { body } = await call("GET", `/v1/history?${query}`, { key: apikey });
      expect([body.data, body.total]).toEqual([[], 0]);
    }
    const [theirs, none] = await Promise.all(
      [created?.id, NOWHERE.event_id].map((event) => call("GET", `/v1/history/${event}/keys`, { key: apikey })),
    );
    expect(theirs?.body).toMatchObject({ data: [], total: 0 });
    expect([theirs?.status, theirs?.body]).toEqual([none?.status, none?.body]);
  });
});

describe("400", () => {
  test.each([
    ["action=key.gone", /^action: must be one of account\.created, /],
    ["actor=robot", /^actor: must be one of browser, rest, command_line$/],
    ["from=2026-02-30", /^from: is not a day of the calendar$/],
    ["to=2026/01/01", /^to: must be a date in the format YYYY-MM-DD$/],
    ["from=0999-12-31", /^from: must be of the year 1000 or later$/],
    ["group_id=nope", /^group_id: must be a valid ObjectId of 24 hexadecimal characters$/],
    ["apikey_id=%00", /^apikey_id: must be the first 10 characters of a key value$/],
    ["apikey_id=a&apikey_id=b", /^apikey_id: expected string, received array$/],
    [`search=${"n".repeat(201)}`, /^search: must be at most 200 characters long$/],
    ["page=0", /^page: must be 1 or more$/],
    ["page_size=101", /^page_size: must be 100 or less$/],
  ])("%s", async (query, error) => {
    const { status, body } = await history(query);
    expect([status, body]).toEqual([400, { success: false, error: expect.stringMatching(error) }]);
  });

  test("keys of an event_id that is no ObjectId", async () => {
    const { status, body } = await call("GET", "/v1/history/nope/keys", { key: account.apikey });
    expect([status, body.error]).toEqual([400, "event_id: must be a valid ObjectId of 24 hexadecimal characters"]);
  });
});
