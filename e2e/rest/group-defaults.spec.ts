import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, newAccount, newGroup, newKey } from "./client";
import { EVERY_LIMIT, UNSET } from "./limits";

let account: Account;
let group: string;
beforeEach(async () => {
  account = await newAccount();
  group = await newGroup(account, "Research");
});

const post = (path: string, body: unknown) => call("POST", path, { key: account.apikey, body });
const change = (body: unknown, id = group) => post(`/v1/apikey_groups/${id}`, body);
const read = async (id = group) => (await call("GET", `/v1/apikey_groups/${id}`, { key: account.apikey })).body;
const create = async (body: object) => (await post("/v1/apikeys", { name: "k", group_id: group, ...body })).body;
const limitsOf = (answer: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(UNSET).map((name) => [name, answer[name]]));
const differing = async (query = "") => {
  const { body } = await call("GET", `/v1/apikeys?look=differs_from_group${query}`, { key: account.apikey });
  return [body.total, body.data.map(({ name }: { name: string }) => name).sort()];
};
const eventsOf = (action: string) =>
  database.prisma.event.findMany({ where: { accountId: account.account_id, action }, orderBy: { id: "asc" } });

describe("set, 200", () => {
  test("a group has none at first; each default is set, stays, and is removed by null", async () => {
    expect(await read()).toMatchObject({ defaults: UNSET, apply_defaults: false, differing_key_count: 0 });
    const answer = await change({ defaults: EVERY_LIMIT, apply_defaults: true });
    expect([answer.status, answer.body]).toMatchObject([200, { defaults: EVERY_LIMIT, apply_defaults: true }]);
    const { body } = await change({ defaults: { budget: null, daily_limit: 0, output_price_limit: 0.1234567895 } });
    const expected = { ...EVERY_LIMIT, budget: null, daily_limit: 0, output_price_limit: 0.12345679 };
    expect(body).toMatchObject({ defaults: expected, apply_defaults: true, name: "Research" });
    const found = await call("GET", "/v1/apikey_groups/search", { key: account.apikey });
    expect(found.body.data[0]).toMatchObject({ defaults: expected, apply_defaults: true });
    expect((await change({ apply_defaults: false })).body).toMatchObject({ defaults: expected, apply_defaults: false });
  });

  test("a misspelt default is ignored, and named", async () => {
    const { status, body, headers } = await change({ note: 1, defaults: { bugdet: 5, daily_limit: 10 } });
    expect([status, body.defaults]).toEqual([200, { ...UNSET, daily_limit: 10 }]);
    expect(headers.get("Ignored-Parameters")).toBe("note, defaults.bugdet");
  });

  test("so is a misspelt default that the change is based on", async () => {
    const before = { nam: "Research", defaults: { bugdet: 5, daily_limit: null } };
    const { status, headers } = await change({ defaults: { daily_limit: 10 }, before });
    expect([status, headers.get("Ignored-Parameters")]).toEqual([200, "before.nam, before.defaults.bugdet"]);
  });

  test("the list of the contract has no defaults", async () => {
    await change({ defaults: EVERY_LIMIT, apply_defaults: true });
    const { body } = await call("GET", "/v1/apikey_groups", { key: account.apikey });
    expect(Object.keys(body.data[0]).sort()).toEqual(
      ["apikey_count", "created_at", "description", "id", "name", "updated_at"].sort(),
    );
  });

  test("the history has what changed, before and after; what stays is left out, and a deletion keeps all", async () => {
    await change({ defaults: { budget: 100, expiry_date: "2030-12-31" }, apply_defaults: true });
    await change({ name: "Lab", defaults: { budget: 100, expiry_date: null } });
    await change({ defaults: { budget: 100 } });
    expect((await eventsOf("group.changed")).map(({ before, after }) => [before, after])).toEqual([
      [
        { default_budget: null, default_expiry_date: null, apply_defaults: false },
        { default_budget: 100, default_expiry_date: "2030-12-31", apply_defaults: true },
      ],
      [
        { name: "Research", default_expiry_date: "2030-12-31" },
        { name: "Lab", default_expiry_date: null },
      ],
    ]);
    await post(`/v1/apikey_groups/${group}/delete`, {});
    const [deleted] = await eventsOf("group.deleted");
    expect(deleted?.before).toEqual({ name: "Lab", description: "", default_budget: 100, apply_defaults: true });
  });
});

describe("set, 400", () => {
  test.each([
    [{ defaults: { budget: -1, daily_limit: "5" } }, /^defaults\.budget: must be 0 or more.*; defaults\.daily_limit: /],
    [{ defaults: { expiry_date: "2030/01/01" } }, /^defaults\.expiry_date: must be a date/],
    [{ defaults: 5 }, "defaults: expected object, received number"],
    [{ defaults: null }, "defaults: expected object, received null"],
    [{ apply_defaults: 1 }, "apply_defaults: expected boolean, received number"],
  ])("%j", async (body, error) => {
    const answer = await change(body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(error)]);
    expect(await read()).toMatchObject({ defaults: UNSET, apply_defaults: false });
  });
});

describe("creation of a key", () => {
  const DEFAULTS = { budget: 100, daily_limit: 10.5, output_price_limit: 0, expiry_date: "2030-12-31" };

  test("without apply_defaults: what is omitted is unset, as the contract says", async () => {
    await change({ defaults: DEFAULTS });
    expect(limitsOf(await create({ daily_limit: 7 }))).toEqual({ ...UNSET, daily_limit: 7 });
  });

  test("with apply_defaults: what is omitted takes the default, what is sent stays; event and list have the limits", async () => {
    await change({ defaults: DEFAULTS, apply_defaults: true });
    const answer = await create({ name: "mixed", daily_limit: 0, monthly_limit: 50 });
    const expected = { ...UNSET, ...DEFAULTS, daily_limit: 0, monthly_limit: 50 };
    expect(limitsOf(answer)).toEqual(expected);
    const { body } = await call("GET", `/v1/apikeys/${answer.apikey.slice(0, 10)}`, { key: account.apikey });
    expect(limitsOf(body)).toEqual(expected);
    const event = (await eventsOf("key.created")).at(-1);
    const { input_price_limit: _, ...set } = expected;
    expect(event?.after).toEqual({ name: "mixed", ...set });
    expect(limitsOf((await post("/v1/apikeys", { name: "in no group" })).body)).toEqual(UNSET);
  });

  test("the body decides for itself with apply_defaults", async () => {
    await change({ defaults: DEFAULTS, apply_defaults: true });
    expect(limitsOf(await create({ apply_defaults: false, budget: 5 }))).toEqual({ ...UNSET, budget: 5 });
    await change({ apply_defaults: false });
    expect(limitsOf(await create({ apply_defaults: true }))).toEqual({ ...UNSET, ...DEFAULTS });
    const { status, body } = await post("/v1/apikeys", { name: "k", apply_defaults: "yes" });
    expect([status, body.error]).toEqual([400, "apply_defaults: expected boolean, received string"]);
  });

  test("keys that are created at once take each its own group's", async () => {
    const other = await newGroup(account, "Other");
    await change({ defaults: { budget: 1 }, apply_defaults: true });
    await change({ defaults: { budget: 2 }, apply_defaults: true }, other);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => create({ name: `k${i}`, group_id: i % 2 ? other : group })),
    );
    expect(answers.map(({ budget }) => budget)).toEqual(answers.map((_, i) => 1 + (i % 2)));
  });

  test("neither a move nor a change of the defaults changes a key", async () => {
    const { id } = await newKey(account, { name: "moved", budget: 5 });
    await change({ defaults: DEFAULTS, apply_defaults: true });
    await post(`/v1/apikeys/${id}/move`, { group_id: group });
    await change({ defaults: { budget: 7 } });
    const { body } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    expect(limitsOf(body)).toEqual({ ...UNSET, budget: 5 });
  });
});

describe("keys that differ from their group", () => {
  test("by the defaults that there are; unset and 0 are alike; the batch of the group makes them equal", async () => {
    const other = await newGroup(account, "Without defaults");
    await create({ name: "equal", budget: 100, daily_limit: 3 });
    await create({ name: "no budget" });
    await create({ name: "dated", budget: 100, expiry_date: "2030-01-01" });
    await create({ name: "priced", budget: 100, input_price_limit: 2 });
    await create({ name: "elsewhere", group_id: other });
    await post("/v1/apikeys", { name: "in no group" });
    const { apikey } = await create({ name: "revoked" });
    await post(`/v1/apikeys/${apikey.slice(0, 10)}/revoke`, {});
    expect(await differing()).toEqual([0, []]);

    await change({ defaults: { budget: 100, input_price_limit: 0 } });
    expect(await differing()).toEqual([2, ["no budget", "priced"]]);
    expect(await differing(`&group_id=${group}`)).toEqual([2, ["no budget", "priced"]]);
    expect(await differing(`&group_id=${other}`)).toEqual([0, []]);
    expect(await differing("&search=pric")).toEqual([1, ["priced"]]);
    expect((await read()).differing_key_count).toBe(2);

    await change({ defaults: { budget: null, input_price_limit: null, expiry_date: "2030-01-01" } });
    expect(await differing()).toEqual([3, ["equal", "no budget", "priced"]]);
    await post(`/v1/apikey_groups/${group}/batch_budget`, { expiry_date: "2030-01-01" });
    expect(await differing()).toEqual([0, []]);
    expect((await read()).differing_key_count).toBe(0);
  });
});
