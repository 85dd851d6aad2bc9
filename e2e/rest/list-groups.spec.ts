import { describe, expect, test } from "vitest";
import { call, database, newAccount, newGroup, newKey } from "./client";

const PATH = "/v1/apikey_groups";

describe("200", () => {
  test("an account without groups", async () => {
    const { apikey } = await newAccount();
    const { status, body } = await call("GET", PATH, { key: apikey });
    expect([status, body]).toEqual([200, { object: "list", data: [] }]);
  });

  test("every group, newest first, with its fields", async () => {
    const account = await newAccount();
    const ids = [];
    for (const name of ["first", "second", "third"]) ids.unshift(await newGroup(account, name));
    const before = Math.floor(Date.now() / 1000) - 60;
    const { body } = await call("GET", PATH, { key: account.apikey });
    expect(body.data.map((group: { id: string }) => group.id)).toEqual(ids);
    const [newest] = body.data;
    expect(newest).toEqual({
      id: ids[0],
      name: "third",
      description: "",
      created_at: expect.any(Number),
      updated_at: newest.created_at,
      apikey_count: 0,
    });
    expect(Number.isInteger(newest.created_at)).toBe(true);
    expect(newest.created_at).toBeGreaterThan(before);
    expect(newest.created_at).toBeLessThan(before + 3600);
  });

  test("apikey_count counts keys that are not revoked", async () => {
    const account = await newAccount();
    const group_id = await newGroup(account);
    await newGroup(account);
    const keys = [
      await newKey(account, { group_id }),
      await newKey(account, { group_id }),
      await newKey(account, { group_id }),
    ];
    await newKey(account);
    const accountId = account.account_id;
    await database.prisma.apiKey.updateMany({
      where: { accountId, id: keys[0]?.id ?? "" },
      data: { revokedAt: new Date() },
    });
    await database.prisma.apiKey.updateMany({
      where: { accountId, id: keys[1]?.id ?? "" },
      data: { disabledAt: new Date() },
    });
    const { body } = await call("GET", PATH, { key: account.apikey });
    const counts = Object.fromEntries(
      body.data.map((group: { id: string; apikey_count: number }) => [group.id, group.apikey_count]),
    );
    expect(counts[group_id]).toBe(2);
    expect(Object.values(counts).sort()).toEqual([0, 2]);
  });

  test("more groups than any page would hold", async () => {
    const account = await newAccount();
    await database.pool.query(
      "INSERT INTO api_key_group (account_id, id, name) SELECT $1, lpad(to_hex(n), 24, '0'), 'group ' || n FROM generate_series(1, 2500) n",
      [account.account_id],
    );
    const { body } = await call("GET", PATH, { key: account.apikey });
    expect(body.data).toHaveLength(2500);
  });

  test("query parameters are ignored", async () => {
    const { apikey } = await newAccount();
    const { status } = await call("GET", `${PATH}?limit=1&group_id=x`, { key: apikey });
    expect(status).toBe(200);
  });
});
