import { describe, expect, test } from "vitest";
import { call, database, newKey, trpc } from "./client";
import { Holds } from "./holds";

const holds = new Holds();
const { authorize, capture, release, setLimits, change, expire, counters } = holds;

describe("authorize: the same request_id", () => {
  const r = (rest: Record<string, unknown> = {}) => authorize({ request_id: "r", ...rest });
  const usedBefore = (state: string) => ({
    status: 409,
    body: { success: false, error: `request_id: was used before, and its authorization is ${state}` },
  });

  describe("while it is held", () => {
    test("gives the same authorization back, held once, and says so", async () => {
      const first = await r();
      expect(first.body).not.toHaveProperty("replayed");
      for (let i = 0; i < 3; i++) expect((await r()).body).toEqual({ ...first.body, replayed: true });
      expect((await counters()).held).toBe("10.000000000");
    });

    test("also where nothing is left for another one: the money is held already", async () => {
      const { body } = await r({ amount: 100 });
      expect((await r({ amount: 100 })).body).toMatchObject({
        authorization_id: body.authorization_id,
        replayed: true,
      });
      await setLimits({ budget: 1, daily_limit: 1, monthly_limit: 1 });
      expect((await r({ amount: 100 })).body).toMatchObject({
        allowed: true,
        authorization_id: body.authorization_id,
        available: { budget: -99, daily: -99, monthly: -99 },
      });
    });

    test("for another amount: 409", async () => {
      await r();
      const { status, body } = await r({ amount: 11 });
      expect([status, body]).toEqual([
        409,
        { success: false, error: "request_id: was used before, for another amount, model or number of tokens" },
      ]);
    });

    test.each([
      ["key_disabled", "disabled_at = now()"],
      ["key_expired", "expiry_date = '2020-01-01'"],
      ["input_price_limit", "input_price_limit = 1"],
      ["output_price_limit", "output_price_limit = 1"],
      ["key_not_found", "revoked_at = now()"],
    ])("is judged by the state of the key first: %s", async (code, set) => {
      await r();
      await change(set);
      const { status, body } = await r();
      expect([status, body]).toMatchObject([200, { allowed: false, code, authorization_id: null, expires_at: null }]);
      expect(body).not.toHaveProperty("replayed");
    });

    test("is judged by its own price", async () => {
      await r({ input_price: 1 });
      await setLimits({ input_price_limit: 5 });
      expect((await r({ input_price: 5 })).body).toMatchObject({ allowed: true, replayed: true });
      for (const rest of [{ input_price: 6 }, {}]) expect((await r(rest)).body.code).toBe("input_price_limit");
    });

    test("with a value that has ended: key_not_found", async () => {
      await r();
      await call("POST", `/v1/apikeys/${holds.key.id}/rotate`, { key: holds.account.apikey, body: {} });
      expect((await r()).body.code).toBe("key_not_found");
    });
  });

  describe("afterwards: 409, and nothing is held", () => {
    test.each<[string, (id: string) => Promise<unknown>]>([
      ["captured", (id) => capture(id, 10)],
      ["captured", (id) => capture(id, 0)],
      ["voided", (id) => release(id)],
      ["expired", () => expire()],
      ["expired", async (id) => [await expire(), await release(id)]],
      ["captured", async (id) => [await expire(), await capture(id, 10)]],
    ])("%s", async (state, settle) => {
      const { body } = await r();
      await settle(body.authorization_id);
      // For any amount: the state is what counts.
      for (const rest of [{}, {}, { amount: 11 }, { amount: 0 }])
        expect(await r(rest)).toMatchObject(usedBefore(state));
      expect((await counters()).held).toBe("0.000000000");
      const { rowCount } = await database.pool.query("SELECT FROM refusal_day WHERE key_id = $1", [holds.key.id]);
      expect(rowCount).toBe(0);
      // The capture of what has expired is late, and a captured request stays captured.
      expect((await r({ request_id: "another" })).body.allowed).toBe(true);
    });

    test("the state of the key comes first here too", async () => {
      const { body } = await r();
      await capture(body.authorization_id, 10);
      await change("disabled_at = now()");
      expect((await r()).body.code).toBe("key_disabled");
      await change("disabled_at = NULL, expiry_date = '2020-01-01'");
      expect((await r()).body.code).toBe("key_expired");
    });

    test("the budget does not: it is 409 where nothing is left", async () => {
      const { body } = await r({ amount: 100 });
      await capture(body.authorization_id, 100);
      expect(await r({ amount: 100 })).toMatchObject(usedBefore("captured"));
    });

    test("with the code for programs, over tRPC", async () => {
      const { body } = await r();
      await release(body.authorization_id);
      const { authorizations } = trpc(holds.account.apikey);
      const again = authorizations.authorize.mutate({ apikey: holds.key.apikey, amount: 10, request_id: "r" });
      await expect(again).rejects.toMatchObject({
        data: { httpStatus: 409, failure: { code: "request_id_used", values: { state: "voided" } } },
      });
    });

    test("one of a batch harms no other: 40 calls of 4 keys at once", async () => {
      const keys = [holds.key, ...(await Promise.all([1, 2, 3].map(() => newKey(holds.account, { budget: 100 }))))];
      for (const { apikey } of keys) {
        const { body } = await r({ apikey });
        await capture(body.authorization_id, 10);
      }
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => {
          const apikey = keys[i % 4]?.apikey;
          return i % 3 === 0 ? r({ apikey }) : authorize({ apikey, amount: 1, request_id: `fresh ${i}` });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i % 3 === 0 ? 409 : 200)));
      for (const [i, { body }] of answers.entries()) if (i % 3 !== 0) expect(body.allowed).toBe(true);
    });
  });

  test("is a new request when its authorization was deleted", async () => {
    const { body } = await r();
    await capture(body.authorization_id, 10);
    await database.pool.query(`DELETE FROM "authorization" WHERE account_id = $1 AND key_id = $2`, [
      holds.account.account_id,
      holds.key.id,
    ]);
    const again = await r();
    expect(again.body.allowed).toBe(true);
    expect(again.body).not.toHaveProperty("replayed");
  });

  test("on another key is another request; a refused one may be granted later", async () => {
    const other = await newKey(holds.account, { budget: 5 });
    const first = await r();
    expect((await r({ apikey: other.apikey })).body.code).toBe("budget");
    await call("POST", `/v1/apikeys/${other.id}/budget`, { key: holds.account.apikey, body: { budget: 50 } });
    const { body } = await r({ apikey: other.apikey });
    expect([body.allowed, body.authorization_id === first.body.authorization_id]).toEqual([true, false]);
  });
});
