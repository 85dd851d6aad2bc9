import { beforeAll, describe, expect, test } from "vitest";
import { makeKeyValue } from "@/server/keys/key-value";
import { type Account, call, database, ENDPOINTS, newAccount, newKey } from "./client";

const UNAUTHORIZED = { success: false, error: "API key missing or invalid" };
const FORBIDDEN = { success: false, error: "only the default API key of the account may perform this operation" };

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

/** A key with another last character: its form is right, its checksum is wrong. */
function mistyped(value: string): string {
  return value.slice(0, -1) + (value.endsWith("A") ? "B" : "A");
}

describe.each(ENDPOINTS)("%s %s", (method, path) => {
  const body = method === "POST" ? { name: "n", budget: 1 } : undefined;

  describe("401", () => {
    test.each([
      ["no header", undefined],
      ["an empty header", ""],
      ["another scheme", "Basic c2s6c2s="],
      ["the scheme alone", "Bearer"],
      ["no key", "Bearer "],
      ["a key without a scheme", makeKeyValue("sk-").value],
      ["an unknown key", `Bearer ${makeKeyValue("sk-").value}`],
      ["something else than a key", "Bearer null"],
      ["an injection", "Bearer ' OR 1=1 --"],
      ["a very long key", `Bearer sk-${"A".repeat(8000)}`],
      ["letters outside ASCII", "Bearer sk-\u00e9\u00e9\u00e9"],
    ])("%s", async (_, authorization) => {
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await call(method, path, { headers, body });
      expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    });

    test("a mistyped key, and one in another letter case", async () => {
      for (const key of [mistyped(account.apikey), account.apikey.toLowerCase()]) {
        const answer = await call(method, path, { key, body });
        expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
      }
    });

    test("comes before the body is read", async () => {
      if (method === "GET") return;
      const answer = await call(method, path, { raw: "{not json", headers: { "content-type": "text/plain" } });
      expect(answer.status).toBe(401);
    });
  });

  // Any key reads its own allowance.
  describe.skipIf(path === "/v1/allowance")("403", () => {
    test("another key of the account", async () => {
      const { apikey } = await newKey(account);
      const answer = await call(method, path, { key: apikey, body });
      expect([answer.status, answer.body]).toEqual([403, FORBIDDEN]);
    });

    test("comes before the body is read", async () => {
      if (method === "GET") return;
      const { apikey } = await newKey(account);
      const answer = await call(method, path, { key: apikey, raw: "{not json" });
      expect(answer.status).toBe(403);
    });
  });
});

describe("a key that is not valid any more is 401", () => {
  const LIST = ["GET", "/v1/apikey_groups"] as const;
  const statusOf = async (key: string) => (await call(...LIST, { key })).status;

  test("disabled, and valid again once enabled", async () => {
    const { apikey, id } = await newKey(account);
    await database.prisma.apiKey.updateMany({ where: { id }, data: { disabledAt: new Date() } });
    expect(await statusOf(apikey)).toBe(401);
    await database.prisma.apiKey.updateMany({ where: { id }, data: { disabledAt: null } });
    expect(await statusOf(apikey)).toBe(403);
  });

  test("revoked", async () => {
    const { apikey, id } = await newKey(account);
    await database.prisma.apiKey.updateMany({ where: { id }, data: { revokedAt: new Date() } });
    expect(await statusOf(apikey)).toBe(401);
  });

  test("a rotated value after its grace time", async () => {
    const { apikey, id } = await newKey(account);
    const path = `/v1/apikeys/${id}/rotate`;
    expect((await call("POST", path, { key: account.apikey, body: { grace_seconds: 3600 } })).status).toBe(200);
    expect(await statusOf(apikey)).toBe(403);
    await database.prisma.earlierValue.updateMany({
      where: { keyId: id },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    expect(await statusOf(apikey)).toBe(401);
  });

  test("a past expiry date is accepted, and the default key is out with it", async () => {
    const other = await newAccount();
    const path = `/v1/apikeys/${other.apikey.slice(0, 10)}/budget`;
    expect((await call("POST", path, { key: other.apikey, body: { expiry_date: "2020-01-01" } })).status).toBe(200);
    expect(await statusOf(other.apikey)).toBe(401);
  });

  test.each(["Asia/Shanghai", "UTC", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago"])(
    "the last valid day is whole, in the account's zone: %s",
    async (zone) => {
      const other = await newAccount();
      await database.prisma.account.update({ where: { id: other.account_id }, data: { timeZone: zone } });
      const setExpiry = (daysFromToday: number) =>
        database.pool.query(
          "UPDATE api_key SET expiry_date = (now() AT TIME ZONE $1)::date + $2::int WHERE account_id = $3",
          [zone, daysFromToday, other.account_id],
        );
      await setExpiry(0);
      expect(await statusOf(other.apikey)).toBe(200);
      await setExpiry(-1);
      expect(await statusOf(other.apikey)).toBe(401);
    },
  );

  test("a key stays in the day of its counters when the account's zone moves west", async () => {
    const other = await newAccount();
    await database.pool.query(
      "UPDATE api_key SET day = (now() AT TIME ZONE 'UTC')::date + 2, expiry_date = (now() AT TIME ZONE 'UTC')::date + 1 WHERE account_id = $1",
      [other.account_id],
    );
    expect(await statusOf(other.apikey)).toBe(401);
  });
});

test("the scheme's name may be in any letter case", async () => {
  for (const scheme of ["bearer", "BEARER", "Bearer "]) {
    const answer = await call("GET", "/v1/apikey_groups", {
      headers: { authorization: `${scheme} ${account.apikey}` },
    });
    expect(answer.status).toBe(200);
  }
});
