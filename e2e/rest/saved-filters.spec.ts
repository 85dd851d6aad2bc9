import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, database, NOWHERE, newAccount, newGroup } from "./client";

const PATH = "/v1/saved_filters";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const post = (path: string, body: unknown = {}) => call("POST", PATH + path, { key: account.apikey, body });
const names = async () =>
  (await call("GET", PATH, { key: account.apikey })).body.data.map(({ name }: { name: string }) => name);

describe("200 and 201", () => {
  test("a filter of keys and one of the history: saved, listed by name, renamed, deleted", async () => {
    const group_id = await newGroup(account);
    const keys = { search: "prod", group_id, status: "active", look: "over_80", sort: "spent", order: "asc" };
    const saved = await post("", { name: "Near", keys });
    expect([saved.status, saved.body]).toEqual([
      201,
      {
        success: true,
        message: 'Filter "Near" saved.',
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: "Near",
        keys,
        history: null,
        created_at: expect.any(Number),
      },
    ]);
    const history = { action: "key.revoked", from: "2026-01-01" };
    await post("", { name: "A revoked key", history });
    const { success: _, message: __, ...element } = saved.body;
    const list = await call("GET", PATH, { key: account.apikey });
    expect(list.body).toEqual({ object: "list", data: [expect.objectContaining({ keys: null, history }), element] });

    const renamed = await post(`/${element.id}/rename`, { name: "Almost used up" });
    expect([renamed.status, renamed.body]).toEqual([
      200,
      { success: true, message: 'Saved filter renamed to "Almost used up".', ...element, name: "Almost used up" },
    ]);
    const deleted = await post(`/${element.id}/delete`);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { success: true, message: 'Saved filter "Almost used up" deleted.' },
    ]);
    expect(await names()).toEqual(["A revoked key"]);
  });

  test("what another version has stored and this one does not know is left out", async () => {
    const { body } = await post("", { name: "f", keys: { look: "over_80" } });
    await database.pool.query(
      `UPDATE saved_filter SET query = '{"look":"over_80","status":"asleep","colour":"red"}' WHERE account_id = $1`,
      [account.account_id],
    );
    const list = await call("GET", PATH, { key: account.apikey });
    expect(list.body.data).toMatchObject([{ id: body.id, keys: { look: "over_80" } }]);
    expect(list.body.data[0].keys).toEqual({ look: "over_80" });
  });
});

describe("400", () => {
  test.each([
    [{ keys: {} }, "name: expected string, received nothing"],
    [{ name: " ", keys: {} }, "name: must not be empty"],
    [{ name: "f" }, "exactly one of keys and history is required"],
    [{ name: "f", keys: {}, history: {} }, "exactly one of keys and history is required"],
    [{ name: "f", keys: "?status=active" }, "keys: expected object, received string"],
    [{ name: "f", keys: { stauts: "active" } }, "keys: has a parameter that the list does not know"],
    [{ name: "f", keys: { page: 2 } }, "keys: has a parameter that the list does not know"],
    [{ name: "f", history: { from: "yesterday" } }, "history.from: must be a date in the format YYYY-MM-DD"],
  ])("%j", async (body, error) => {
    const answer = await post("", body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error }]);
  });

  test("a name that another one has, in the account; in another account it is free", async () => {
    const error = { success: false, error: "name: a saved filter of this name already exists" };
    await post("", { name: "one", keys: {} });
    const { body } = await post("", { name: "two", history: {} });
    const again = await post("", { name: "one", history: {} });
    expect([again.status, again.body]).toEqual([400, error]);
    const renamed = await post(`/${body.id}/rename`, { name: "one" });
    expect([renamed.status, renamed.body]).toEqual([400, error]);
    expect((await post(`/${body.id}/rename`, { name: "two" })).status).toBe(200);
    const other = await newAccount();
    expect((await call("POST", PATH, { key: other.apikey, body: { name: "one", keys: {} } })).status).toBe(201);
  });
});

describe("404", () => {
  test.each(["rename", "delete"])("%s of one that does not exist", async (action) => {
    const answer = await post(`/${NOWHERE.filter_id}/${action}`, { name: "n" });
    expect([answer.status, answer.body]).toEqual([
      404,
      { success: false, error: "filter_id: the saved filter does not exist" },
    ]);
  });
});

describe("409", () => {
  test("50 are the most, also when they are saved at once", async () => {
    await database.pool.query(
      `INSERT INTO saved_filter (account_id, id, list, name, query)
        SELECT $1, lpad(to_hex(n), 24, '0'), 'keys', 'filter ' || n, '{}' FROM generate_series(1, 47) n`,
      [account.account_id],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => post("", { name: `another ${n}`, keys: {} })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      success: false,
      error: "an account may have at most 50 saved filters; delete one first",
    });
    expect(await names()).toHaveLength(50);
  });
});
