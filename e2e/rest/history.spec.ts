import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, NOWHERE, newAccount, newGroup, newKey } from "./client";

interface Event {
  id: string;
  at: number;
  action: string;
  actor: { kind: string; name: string };
  address: string | null;
  group_id: string | null;
  group_name: string | null;
  key_count: number;
  keys: { apikey_id: string; name: string; before: unknown; after: unknown }[];
  before: unknown;
  after: unknown;
  reverts: string | null;
  reverted_by: string | null;
}

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const post = (path: string, body: unknown = {}) => call("POST", path, { key: account.apikey, body });
const history = (query: Record<string, string> | string = {}) =>
  call("GET", `/v1/history?${new URLSearchParams(query)}`, { key: account.apikey });

async function events(query: Record<string, string> = {}): Promise<Event[]> {
  const { status, body } = await history({ page_size: "100", ...query });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}

/** The events that a change writes, oldest first. */
async function eventsDuring(change: () => Promise<unknown>): Promise<Event[]> {
  const known = new Set((await events()).map(({ id }) => id));
  await change();
  return (await events()).filter(({ id }) => !known.has(id)).reverse();
}

/** The expected event. All events of these tests have the same actor and the same address. */
function event(fields: Partial<Event>): Event {
  return {
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    at: expect.any(Number),
    action: "",
    actor: { kind: "rest", name: account.apikey.slice(0, 10) },
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    group_id: null,
    group_name: null,
    key_count: 0,
    keys: [],
    before: {},
    after: {},
    reverts: null,
    reverted_by: null,
    ...fields,
  };
}

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

describe("filters", () => {
  test("by key, by group, by action, by actor, and all together", async () => {
    const group_id = await newGroup(account, "Research");
    const { id } = await newKey(account, { group_id });
    const { id: other } = await newKey(account);
    await post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 1 });
    await post("/v1/apikeys/batch", { apikey_ids: [id, other], action: "disable" });
    const actionsFor = async (query: Record<string, string>) => (await events(query)).map(({ action }) => action);
    expect(await actionsFor({ apikey_id: id })).toEqual(["key.disabled", "key.limits_set", "key.created"]);
    expect(await actionsFor({ apikey_id: other })).toEqual(["key.disabled", "key.created"]);
    expect(await actionsFor({ group_id: group_id.toUpperCase() })).toEqual([
      "key.limits_set",
      "key.created",
      "group.created",
    ]);
    expect(await actionsFor({ action: "key.created" })).toEqual(["key.created", "key.created"]);
    expect(await actionsFor({ actor: "browser" })).toEqual([]);
    expect((await actionsFor({ actor: "rest" })).length).toBe(5);
    expect(await actionsFor({ apikey_id: id, group_id, action: "key.limits_set", actor: "rest" })).toHaveLength(1);
    expect(await actionsFor({ apikey_id: NOWHERE.apikey_id })).toEqual([]);
    expect(await actionsFor({ group_id: NOWHERE.group_id })).toEqual([]);
  });

  describe("by a search", () => {
    const found = async (search: string, query: Record<string, string> = {}) =>
      (await events({ search, ...query })).map(({ action }) => action);

    test("for names of keys and groups, now and at that time, and for parts of ids", async () => {
      const group_id = await newGroup(account, "Forschung");
      const { id } = await newKey(account, { name: "Überblick-knowledge", group_id });
      const { id: other } = await newKey(account, { name: "知识库" });
      await post(`/v1/apikeys/${id}/rename`, { name: "plain" });
      await post("/v1/apikeys/batch", { apikey_ids: [id, other], action: "disable" });
      await post(`/v1/apikey_groups/${group_id}`, { name: "Lab 100%" });

      expect(await found("überBLICK")).toEqual(["key.renamed", "key.created"]);
      expect(await found("plai")).toEqual(["key.disabled", "key.renamed", "key.created"]);
      expect(await found("知识")).toEqual(["key.disabled", "key.created"]);
      expect(await found("100%")).toEqual(["group.changed", "key.created", "group.created"]);
      expect(await found("100_")).toEqual([]);
      expect(await found("forsch")).toEqual(["group.changed", "key.created", "group.created"]);
      for (const part of [id.slice(3), id.slice(2, 8).toLowerCase()]) {
        expect(await found(part)).toEqual(["key.disabled", "key.renamed", "key.created"]);
      }
      expect(await found(group_id.slice(4))).toEqual(["group.changed", "key.created", "group.created"]);
      const [renamed] = await events({ action: "key.renamed" });
      expect(await found(renamed?.id.slice(0, 23) ?? "")).toContain("key.renamed");
      expect(await found(renamed?.id.toUpperCase() ?? "")).toEqual(["key.renamed"]);
      expect(await found("plai", { action: "key.renamed" })).toEqual(["key.renamed"]);
      expect(await found("plai", { apikey_id: other })).toEqual(["key.disabled"]);
      expect(await found("")).toHaveLength((await events()).length);

      const stranger = await newAccount();
      for (const search of [id, "plai", "forsch", group_id, renamed?.id]) {
        const { body } = await call("GET", `/v1/history?search=${search}`, { key: stranger.apikey });
        expect([body.data, body.total]).toEqual([[], 0]);
      }
    });

    test("for the former name of a group where it had that name, and for the id of one that is deleted", async () => {
      const { id } = await newKey(account);
      const group_id = await newGroup(account, "Forschung");
      await post(`/v1/apikeys/${id}/move`, { group_id });
      await post(`/v1/apikey_groups/${group_id}`, { name: "Lab" });
      await post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 5 });
      await post(`/v1/apikey_groups/${group_id}`, { name: "Werkstatt" });
      await post(`/v1/apikey_groups/${group_id}/delete`, { ungroup_keys: true });

      expect(await found("forsch")).toEqual(["group.changed", "key.moved", "group.created"]);
      expect(await found("lab")).toEqual(["group.changed", "key.limits_set", "group.changed"]);
      expect(await found("werkstatt")).toEqual(["group.deleted", "key.moved", "group.changed"]);
      const all = ["group.deleted", "key.moved", "group.changed", "key.limits_set", "group.changed", "key.moved"];
      expect(await found(group_id.slice(4).toUpperCase())).toEqual([...all, "group.created"]);
      const stranger = await newAccount();
      expect((await call("GET", `/v1/history?search=${group_id}`, { key: stranger.apikey })).body.total).toBe(0);
    });

    test("for names of models, of one price and of many, in any letter case", async () => {
      const price = (name: string) => ({ name, input_price: 1, output_price: 1 });
      await post("/v1/models", { models: [price("Example/Überblick-4o"), price("other*")] });
      const { body: listed } = await call("GET", "/v1/models?search=other", { key: account.apikey });
      // The operator's prices, which specs share, are listed too.
      const other = listed.data.find(({ name }: { name: string }) => name === "other*");
      await post(`/v1/models/${other.model_id}/delete`);
      const content = ["name,input_price,output_price", "知识库,1,1", "example/überblick-4o,2,2"].join("\n");
      await post("/v1/models/import", { format: "csv", content });
      expect(await found("e/überBLICK-4")).toEqual(["models.imported", "models.set"]);
      expect(await found("OTHER*")).toEqual(["models.deleted", "models.set"]);
      expect(await found("知识")).toEqual(["models.imported"]);
      expect(await found("4o", { action: "models.set" })).toEqual(["models.set"]);
      // The names of two models are no name.
      expect(await found("4oother")).toEqual([]);
      // What is no name of a model is not found, wherever it stands in the price.
      expect(await found("created")).toEqual([]);
      // An older version kept the names among the prices alone.
      await database.pool.query("UPDATE event SET models = NULL WHERE account_id = $1", [account.account_id]);
      expect(await found("e/überBLICK-4")).toEqual(["models.imported", "models.set"]);
      expect(await found("created")).toEqual([]);
      const stranger = await newAccount();
      expect((await call("GET", "/v1/history?search=4o", { key: stranger.apikey })).body.total).toBe(0);
    });

    test("for actors: the default key, a command", async () => {
      await newGroup(account);
      expect(await found(account.apikey.slice(3, 10))).toContain("group.created");
      expect(await found("tes")).toEqual(["account.created"]);
      expect((await history({ search: account.apikey.slice(3, 10) })).body).toMatchObject({ total_is_exact: true });
    });

    test("among so many keys with the text that each event is checked, and in large events", async () => {
      const KEYS = 3_100;
      const { account_id } = account;
      const group_id = await newGroup(account, "many");
      await database.pool.query(
        `WITH key AS (
            INSERT INTO api_key (account_id, id, name, group_id)
            SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'crawler ' || n, $2 FROM generate_series(1, $3::int) n RETURNING id, name
          ), made AS (
            INSERT INTO event (account_id, id, at, actor, actor_name, action, key_count)
            SELECT $1, '00000000' || lpad(right(id, 7), 16, '0'), now() - interval '1 day', 'rest', 'x', 'key.created', 1 FROM key
          )
          INSERT INTO event_key SELECT $1, '00000000' || lpad(right(id, 7), 16, '0'), id, name, '{}' FROM key`,
        [account_id, group_id, KEYS],
      );
      await post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 5 });
      await post("/v1/apikeys/sk-0000005/rename", { name: "butterfly" });
      const { body } = await history({ search: "crawl" });
      expect(body).toMatchObject({ total: 300, total_is_exact: false });
      expect(body.data.slice(0, 3).map(({ action }: Event) => action)).toEqual([
        "key.renamed",
        "key.limits_set",
        "key.created",
      ]);
      expect(await found("crawl", { action: "key.limits_set" })).toEqual(["key.limits_set"]);
      expect(await found("butterfl")).toEqual(["key.renamed", "key.limits_set", "key.created"]);
      expect(await found("crawler 31")).toContain("key.limits_set");
    });
  });

  test("of an event of many keys, the one that was asked for is shown", async () => {
    const ids = [];
    for (let i = 0; i < 6; i++) ids.push((await newKey(account)).id);
    await post("/v1/apikeys/batch", { apikey_ids: ids, action: "disable" });
    for (const id of ids) {
      const [disabled] = await events({ apikey_id: id, action: "key.disabled" });
      expect([disabled?.key_count, disabled?.keys.map(({ apikey_id }) => apikey_id)]).toEqual([6, [id]]);
    }
  });

  test.each(["Asia/Shanghai", "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York"])(
    "days are whole, in the account's zone: %s",
    async (zone) => {
      await database.prisma.account.update({ where: { id: account.account_id }, data: { timeZone: zone } });
      const at = async (moment: string) => {
        const id = await newGroup(account);
        await database.pool.query(
          "UPDATE event SET at = $1::timestamp AT TIME ZONE $2 WHERE account_id = $3 AND group_id = $4",
          [moment, zone, account.account_id, id],
        );
        return id;
      };
      // In this night the clocks in New York are set back.
      await at("2026-10-31 23:59:59.999");
      const inside = [await at("2026-11-01 00:00:00"), await at("2026-11-01 23:59:59.999")];
      await at("2026-11-02 00:00:00");
      const groupsFor = async (query: Record<string, string>) =>
        (await events({ action: "group.created", ...query })).map(({ group_id }) => group_id);
      expect(await groupsFor({ from: "2026-11-01", to: "2026-11-01" })).toEqual(inside.toReversed());
      expect(await groupsFor({ from: "2026-11-01" })).toHaveLength(3);
      expect(await groupsFor({ to: "2026-11-01" })).toHaveLength(3);
      expect(await groupsFor({ from: "2026-11-02", to: "2026-11-01" })).toEqual([]);
      expect(await groupsFor({ from: "1000-01-01", to: "9999-12-31" })).toHaveLength(4);
    },
  );

  test("a day begins at the first 00:00 where clocks are put back to it", async () => {
    await database.prisma.account.update({ where: { id: account.account_id }, data: { timeZone: "America/Havana" } });
    const at = async (moment: string) => {
      const id = await newGroup(account);
      await database.pool.query("UPDATE event SET at = $1 WHERE account_id = $2 AND group_id = $3", [
        moment,
        account.account_id,
        id,
      ]);
      return id;
    };
    const eve = await at("2026-11-01T03:59:59Z");
    const first = await at("2026-11-01T04:00:00Z");
    const second = await at("2026-11-01T05:00:00Z");
    const groupsOn = async (day: string) =>
      (await events({ action: "group.created", from: day, to: day })).map(({ group_id }) => group_id);
    expect(await groupsOn("2026-10-31")).toEqual([eve]);
    expect(await groupsOn("2026-11-01")).toEqual([second, first]);
  });

  test("pages: newest first, each event on one page, and the total on each", async () => {
    for (let i = 0; i < 5; i++) await newGroup(account, `g${i}`);
    const names: (string | null)[] = [];
    for (const page of ["1", "2", "3"]) {
      const { body } = await history({ action: "group.created", page, page_size: "2" });
      expect([body.total, body.page, body.page_size]).toEqual([5, Number(page), 2]);
      names.push(...body.data.map(({ group_name }: Event) => group_name));
    }
    expect(names).toEqual(["g4", "g3", "g2", "g1", "g0"]);
  });
});

describe("a change of so many keys that they are stored in chunks", () => {
  const COUNT = 1_234;
  const ids = Array.from({ length: COUNT }, (_, n) => `sk-${String(n).padStart(6, "0")}${"aZ"[n % 2]}`);
  // All values of some chunks are the same, others have an unset one among them, or no two alike.
  const budgetOf = (n: number) => (n < 500 ? 0.1 : n === 600 ? null : n);
  const expiryOf = (n: number) => (n % 7 === 0 ? "2031-12-31" : null);
  const keys = ids.map((id, n) => ({ id, name: `key ${n % 3}`, budget: budgetOf(n), expiry: expiryOf(n) }));

  async function newLargeGroup(count = COUNT): Promise<string> {
    const group_id = await newGroup(account, "Large");
    await database.pool.query(
      `INSERT INTO api_key (account_id, id, name, group_id, budget, expiry_date)
        SELECT $1, id, name, $2, budget, expiry FROM json_to_recordset($3) AS key(id text, name text, budget numeric, expiry date)`,
      [account.account_id, group_id, JSON.stringify(keys.slice(0, count))],
    );
    return group_id;
  }

  test("every key has its own values, on the page of its id and when it is asked for", async () => {
    const group_id = await newLargeGroup();
    const [limits, ...more] = await eventsDuring(() =>
      post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 9, daily_limit: 1, expiry_date: "2030-01-01" }),
    );
    expect(more).toEqual([]);
    const shown = keys.map(({ id, name, budget, expiry }) => ({
      apikey_id: id,
      name,
      before: { budget, daily_limit: null, expiry_date: expiry },
      after: {},
    }));
    const after = { budget: 9, daily_limit: 1, expiry_date: "2030-01-01" };
    const about = { action: "key.limits_set", group_id, group_name: "Large", key_count: COUNT, after };
    expect(limits).toEqual(event({ ...about, keys: shown.slice(0, 3) }));
    const page = async (number: number, size: number) => {
      const path = `/v1/history/${limits?.id}/keys?page=${number}&page_size=${size}`;
      return (await call("GET", path, { key: account.apikey })).body;
    };
    const all = [];
    for (let number = 1; number <= 13; number++) all.push(...(await page(number, 100)).data);
    expect(all).toEqual(shown);
    // This page begins in one chunk and ends in the next.
    expect(await page(11, 48)).toMatchObject({ data: shown.slice(480, 528), total: COUNT });
    expect(await page(100, 100)).toMatchObject({ data: [], total: COUNT });
    for (const n of [0, 499, 500, 600, 601, COUNT - 1]) {
      const [found, ...others] = await events({ apikey_id: ids[n] ?? "" });
      expect([found, others]).toEqual([event({ ...about, id: limits?.id ?? "", keys: shown.slice(n, n + 1) }), []]);
    }
    for (const id of ["---0000000", "sk-000123x", "sk-zzzzzzz"]) expect(await events({ apikey_id: id })).toEqual([]);
  });

  test.each([999, 1_000])("each of %i keys is there, one below the first chunks and with them", async (count) => {
    const group_id = await newLargeGroup(count);
    const [limits] = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 9 }));
    const path = `/v1/history/${limits?.id}/keys?page=10&page_size=100`;
    const { body } = await call("GET", path, { key: account.apikey });
    const listed = body.data.map(({ apikey_id }: { apikey_id: string }) => apikey_id);
    expect([limits?.key_count, body.total, listed]).toEqual([count, count, ids.slice(900, count)]);
    const [last] = await events({ apikey_id: ids[count - 1] ?? "" });
    expect(last?.id).toBe(limits?.id);
  });

  test("the move of the keys of a deleted group: each was in this group", async () => {
    const group_id = await newLargeGroup();
    const [moved] = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}/delete`, { ungroup_keys: true }));
    expect(moved).toMatchObject({ action: "key.moved", key_count: COUNT, after: { group: null } });
    const [last] = await events({ apikey_id: ids.at(-1) ?? "" });
    const before = { group: "Large", group_id };
    expect(last?.keys).toEqual([{ apikey_id: ids.at(-1), name: "key 0", before, after: {} }]);
  });

  test("another account sees none of them", async () => {
    const group_id = await newLargeGroup();
    const [limits] = await eventsDuring(() => post(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 9 }));
    const { apikey } = await newAccount();
    const listed = await call("GET", `/v1/history/${limits?.id}/keys`, { key: apikey });
    expect(listed.body).toMatchObject({ data: [], total: 0 });
    const { body } = await call("GET", `/v1/history?apikey_id=${ids[0]}`, { key: apikey });
    expect(body.data).toEqual([]);
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
    ["from=2026-02-30", /^from: must be a date in the format YYYY-MM-DD$/],
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
