import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, newAccount } from "./client";

const PATH = "/v1/apikey_groups";
let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

const create = (body: unknown, key = account.apikey) => call("POST", PATH, { key, body });
const list = async () => (await call("GET", PATH, { key: account.apikey })).body.data;

describe("201", () => {
  test("answers the id and the name", async () => {
    const { status, body } = await create({ name: "Research", description: "for papers" });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      message: 'Group "Research" created.',
      group_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      group_name: "Research",
    });
    expect(await list()).toContainEqual(
      expect.objectContaining({ id: body.group_id, name: "Research", description: "for papers" }),
    );
  });

  test("an omitted description is the empty string", async () => {
    const { body } = await create({ name: "plain" });
    expect(await list()).toContainEqual(expect.objectContaining({ id: body.group_id, description: "" }));
  });

  test.each([
    ["128 characters outside the basic plane", "🗂".repeat(128)],
    ["markup", "<b>group</b>"],
    ["another letter case is another name", "rESEARCH"],
    ["a trailing space is another name", "Research "],
  ])("names: %s", async (_, name) => {
    const { status, body } = await create({ name });
    expect([status, body.group_name]).toEqual([201, name]);
  });

  test("the name of another account's group is free", async () => {
    const other = await newAccount();
    await create({ name: "shared name" });
    expect((await create({ name: "shared name" }, other.apikey)).status).toBe(201);
  });
});

describe("400", () => {
  test.each([
    ["name missing", {}, "name: expected string, received nothing"],
    ["name empty", { name: "" }, "name: must not be empty"],
    ["name of white space", { name: "   " }, "name: must not be empty"],
    ["name too long", { name: "n".repeat(129) }, "name: must be at most 128 characters long"],
    ["name a number", { name: 1 }, "name: expected string, received number"],
    ["name with NUL", { name: "\0" }, "name: must not contain the character NUL"],
    ["description a number", { name: "d", description: 1 }, "description: expected string, received number"],
    ["description null", { name: "d", description: null }, "description: expected string, received null"],
    ["description with NUL", { name: "d", description: "\0" }, "description: must not contain the character NUL"],
  ])("%s", async (_, sent, error) => {
    const { status, body } = await create(sent);
    expect([status, body]).toEqual([400, { success: false, error }]);
  });

  test("name taken, also in another normalisation", async () => {
    await create({ name: "caf\u00e9" });
    for (const name of ["caf\u00e9", "cafe\u0301"]) {
      const { status, body } = await create({ name });
      expect([status, body]).toEqual([400, { success: false, error: "name: a group of this name already exists" }]);
    }
  });
});
