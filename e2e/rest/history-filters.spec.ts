import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, NOWHERE, newAccount, newGroup, newKey } from "./client";
import { type Event, eventsOf } from "./events";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const { post, history, events } = eventsOf(() => account);

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
