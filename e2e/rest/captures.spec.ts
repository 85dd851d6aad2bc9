import { describe, expect, test } from "vitest";
import { GATEWAY_TOKEN } from "../product";
import { database, NOWHERE } from "./client";
import { GONE, Holds } from "./holds";

const holds = new Holds();
const { authorize, capture, release, held, change, expire, counters } = holds;

describe("capture", () => {
  test("200: counts what it cost, and releases the rest", async () => {
    const id = await held(10);
    const { status, body } = await capture(id, 7.5);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "Captured 7.5000 yuan.",
        authorization_id: id,
        state: "captured",
        amount: 7.5,
        usage: null,
        prices: null,
        overrun: false,
        late: false,
      },
    ]);
    expect((await authorize({ amount: 0 })).body.available.budget).toBe(92.5);
    const spent = "7.500000000";
    expect(await counters()).toMatchObject({ spent, day_spent: spent, month_spent: spent, held: "0.000000000" });
  });

  test("200: nothing", async () => {
    expect((await capture(await held(), 0)).body).toMatchObject({ amount: 0, overrun: false });
  });

  test("200: the same again counts once, and answers the same", async () => {
    const id = await held();
    const first = await capture(id, 0.1);
    expect((await capture(id, 0.1)).body).toEqual(first.body);
    expect((await counters()).spent).toBe("0.100000000");
  });

  test("200, overrun: recorded whole", async () => {
    expect((await capture(await held(10), 250)).body).toMatchObject({ amount: 250, overrun: true, late: false });
    expect((await authorize({ amount: 1 })).body).toMatchObject({ code: "budget", available: { budget: -150 } });
  });

  test.each([
    ["before anybody noticed", async () => {}],
    ["after it was released", async () => void (await authorize({ amount: 0 }))],
  ])("200, late: after the hold has ended, %s", async (_, meanwhile) => {
    const id = await held(10);
    await expire();
    await meanwhile();
    expect((await capture(id, 4)).body).toMatchObject({ state: "captured", amount: 4, late: true, overrun: false });
    expect((await capture(id, 4)).body).toMatchObject({ state: "captured", late: true });
    expect(await counters()).toMatchObject({ spent: "4.000000000", held: "0.000000000" });
  });

  test("200: on the day of its hold, whenever it comes", async () => {
    const id = await held(10);
    await database.pool.query(
      `WITH held AS (UPDATE "authorization" SET day = day - 40, month = date_trunc('month', (day - 40)::timestamp) WHERE key_id = $1)
        UPDATE api_key SET day = day - 40, month = date_trunc('month', (day - 40)::timestamp) WHERE id = $1`,
      [holds.key.id],
    );
    await authorize({ amount: 1 });
    expect((await capture(id, 4)).status).toBe(200);
    expect(await counters()).toMatchObject({
      spent: "4.000000000",
      day_spent: "0.000000000",
      month_spent: "0.000000000",
    });
    const { rows } = await database.pool.query(
      `SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date - day AS days, spent::float8, captures FROM key_day WHERE key_id = $1`,
      [holds.key.id],
    );
    expect(rows).toEqual([{ days: 40, spent: 4, captures: 1 }]);
  });

  test("works on a key that is disabled or revoked by now: the money is gone", async () => {
    const [one, two] = [await held(1), await held(1)];
    await change("disabled_at = now()");
    expect((await capture(one, 1)).status).toBe(200);
    await change("revoked_at = now()");
    expect((await capture(two, 1)).status).toBe(200);
  });

  test("a hold that has ended gives back its room to the next call", async () => {
    await held(100);
    expect((await authorize({ amount: 100 })).body.code).toBe("budget");
    await expire();
    expect((await authorize({ amount: 100 })).body.allowed).toBe(true);
  });

  test.each<[unknown, string]>([
    [undefined, "amount: exactly one of amount and usage is required"],
    [-1, "amount: must be 0 or more"],
    ["1", "amount: expected number (int or float), received string"],
    [null, "amount: expected number (int or float), received null"],
    [1e-12, "amount: is too small"],
    [2e15, "amount: must be 1e15 or less"],
  ])("400: %j", async (amount, error) => {
    const id = await held();
    const answer = await capture(id, amount);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
    expect((await counters()).held).toBe("10.000000000");
  });

  test.each(["nope", NOWHERE.authorization_id, NOWHERE.authorization_id.toUpperCase(), "%00", "'--", "0".repeat(47)])(
    "404: %s",
    async (id) => {
      expect(await capture(id, 1)).toMatchObject(GONE);
      expect(await release(id)).toMatchObject(GONE);
    },
  );

  test("404: the right authorization under the wrong account's id", async () => {
    const id = await held();
    expect(await capture(holds.stranger.account_id + id.slice(24), 1, GATEWAY_TOKEN)).toMatchObject(GONE);
  });

  test("409: captured with another amount; voided", async () => {
    const id = await held();
    await capture(id, 1);
    const again = await capture(id, 2);
    expect([again.status, again.body.error]).toEqual([
      409,
      "authorization_id: the authorization is captured with another amount",
    ]);
    const voided = await held();
    await release(voided);
    const after = await capture(voided, 1);
    expect([after.status, after.body.error]).toEqual([409, "authorization_id: the authorization is voided"]);
    expect((await counters()).spent).toBe("1.000000000");
  });
});

describe("void", () => {
  test("200: nothing is held any more; again is no error", async () => {
    const id = await held(100);
    const { status, body } = await release(id);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "The authorization is voided; nothing is held.",
        authorization_id: id,
        state: "voided",
        amount: null,
        usage: null,
        prices: null,
        overrun: false,
        late: false,
      },
    ]);
    expect((await release(id)).body).toEqual(body);
    expect((await authorize({ amount: 100 })).body.allowed).toBe(true);
  });

  test("200 after it has ended by itself: expired, and a capture still counts", async () => {
    const id = await held();
    await expire();
    for (let i = 0; i < 2; i++) expect((await release(id)).body.state).toBe("expired");
    expect((await capture(id, 3)).body).toMatchObject({ late: true });
  });

  test("409: captured", async () => {
    const id = await held();
    await capture(id, 1);
    const { status, body } = await release(id);
    expect([status, body.error]).toEqual([409, "authorization_id: the authorization is captured"]);
  });
});
