import { describe, expect, test } from "vitest";
import { call, database, newAccount, newGroup, newKey } from "./client";

/** Another account must get the same answer for the owner's thing as for a thing that does not exist. */
async function twoAccounts() {
  const owner = await newAccount();
  const group_id = await newGroup(owner, "owner's group");
  const key = await newKey(owner, { group_id, budget: 5 });
  return { owner, group_id, key, stranger: await newAccount() };
}

describe("another account's thing is answered like one that does not exist", () => {
  test("its key", async () => {
    const { key, stranger } = await twoAccounts();
    const [theirs, none] = await Promise.all(
      [key.id, "sk-0000000"].map((id) =>
        call("POST", `/v1/apikeys/${id}/budget`, { key: stranger.apikey, body: { budget: 1 } }),
      ),
    );
    expect([theirs?.status, theirs?.body]).toEqual([404, none?.body]);
    const row = await database.prisma.apiKey.findFirstOrThrow({ where: { id: key.id } });
    expect(row.budget?.toNumber()).toBe(5);
  });

  test("its group, as a place for a key", async () => {
    const { group_id, stranger } = await twoAccounts();
    const [theirs, none] = await Promise.all(
      [group_id, "0123456789abcdef01234567"].map((id) =>
        call("POST", "/v1/apikeys", { key: stranger.apikey, body: { name: "n", group_id: id } }),
      ),
    );
    expect([theirs?.status, theirs?.body]).toEqual([400, none?.body]);
  });

  test("its group, as a target of limits", async () => {
    const { group_id, key, stranger } = await twoAccounts();
    const [theirs, none] = await Promise.all(
      [group_id, "0123456789abcdef01234567"].map((id) =>
        call("POST", `/v1/apikey_groups/${id}/batch_budget`, { key: stranger.apikey, body: { budget: 1 } }),
      ),
    );
    expect([theirs?.status, theirs?.body]).toEqual([400, none?.body]);
    const row = await database.prisma.apiKey.findFirstOrThrow({ where: { id: key.id } });
    expect(row.budget?.toNumber()).toBe(5);
  });

  test("its groups are not listed", async () => {
    const { stranger } = await twoAccounts();
    const { body } = await call("GET", "/v1/apikey_groups", { key: stranger.apikey });
    expect(body.data).toEqual([]);
  });

  test("two accounts may hold keys of one id, and each reaches its own", async () => {
    const { owner, key, stranger } = await twoAccounts();
    await database.prisma.apiKey.create({ data: { accountId: stranger.account_id, id: key.id, name: "same id" } });
    const path = `/v1/apikeys/${key.id}/budget`;
    expect((await call("POST", path, { key: stranger.apikey, body: { budget: 7 } })).status).toBe(200);
    const { body } = await call("POST", path, { key: owner.apikey, body: { daily_limit: 1 } });
    expect(body.budget).toBe(5);
  });
});

describe("the database refuses a wrong state by itself", () => {
  test.each([
    [
      "two default keys",
      "INSERT INTO api_key (account_id, id, name, is_default) VALUES ($1, 'sk-AAAAAAA', 'n', true)",
      "api_key_one_default",
    ],
    [
      "a key in another account's group",
      "INSERT INTO api_key (account_id, id, name, group_id) VALUES ($1, 'sk-AAAAAAB', 'n', $2)",
      "api_key_account_id_group_id_fkey",
    ],
    [
      "a negative limit",
      "UPDATE api_key SET daily_limit = -0.000000001 WHERE account_id = $1",
      "api_key_limits_in_range",
    ],
    [
      "a limit that is no number",
      "UPDATE api_key SET output_price_limit = 'NaN' WHERE account_id = $1",
      "api_key_limits_in_range",
    ],
    [
      "a limit above 1e15",
      "UPDATE api_key SET budget = 1e15 + 0.000000001 WHERE account_id = $1",
      "api_key_limits_in_range",
    ],
    [
      "a counter below 0",
      "UPDATE api_key SET month_held = -0.000000001 WHERE account_id = $1",
      "api_key_counters_not_negative",
    ],
    [
      "a key whose id is too short",
      "INSERT INTO api_key (account_id, id, name) VALUES ($1, 'sk-AAAAAA', 'n')",
      "api_key_id_length",
    ],
    [
      "a value of a key whose id has another form",
      "INSERT INTO key_route (account_id, key_id, hash) VALUES ($1, 'sk-AAAA-AA', sha256('a'))",
      "key_route_key_id_form",
    ],
    ...[
      ["capitals", "0123456789ABCDEF01234567", "authorization_id_form"],
      ["too few digits", "0123456789abcdef012345", "authorization_id_form"],
      ["another letter", "0123456789abcdef0123456g", "invalid hexadecimal digit"],
    ].map(([what, id, constraint = ""]) => [
      `an authorization with ${what} in its id`,
      `INSERT INTO "authorization" (account_id, id, key_id, amount, day, month, expires_at)
        VALUES ($1, '${id}', 'sk-AAAAAAA', 1, '2026-01-01', '2026-01-01', now())`,
      constraint,
    ]),
    [
      "a default key in a group",
      "UPDATE api_key SET group_id = '0123456789abcdef01234567' WHERE account_id = $1",
      "api_key_default_ungrouped",
    ],
    [
      "a default key that is revoked",
      "UPDATE api_key SET revoked_at = now() WHERE account_id = $1",
      "api_key_default_kept",
    ],
    [
      "a default key that is deleted",
      "DELETE FROM api_key WHERE account_id = $1",
      "the default key of an account is rotated, never deleted",
    ],
    ["an empty name", "UPDATE api_key SET name = '' WHERE account_id = $1", "api_key_name_length"],
  ])("%s", async (_, statement, constraint) => {
    const { group_id, stranger } = await twoAccounts();
    const values = statement.includes("$2") ? [stranger.account_id, group_id] : [stranger.account_id];
    await expect(database.pool.query(statement, values)).rejects.toThrow(constraint);
  });

  test("two groups of one name", async () => {
    const { owner } = await twoAccounts();
    const insert = database.pool.query(
      "INSERT INTO api_key_group (account_id, id, name) VALUES ($1, 'aaaaaaaaaaaaaaaaaaaaaaaa', $2)",
      [owner.account_id, "owner's group"],
    );
    await expect(insert).rejects.toThrow("api_key_group_name_in_account");
  });
});
