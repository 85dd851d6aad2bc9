import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { complaintsIn, GATEWAY_TOKEN, type Product, runToEnd, startProduct } from "../product";
import { type Account, callAt, database, newAccount, newGroup, newKey } from "./client";

// Each of these tries to break a promise of the service with many clients, through two server processes: a single one would
// coalesce the calls and could hide a fault.

const CLIENTS = 32;

let second: Product;
let account: Account;
let key: { apikey: string; id: string };

beforeAll(async () => {
  second = await startProduct({
    env: { DATABASE_URL: inject("databaseUrl"), LOG_LEVEL: "error", GATEWAY_TOKENS: GATEWAY_TOKEN },
  });
});
afterAll(async () => {
  expect(await second.stop()).toBe(0);
  expect(complaintsIn(second.output(), 50)).toEqual([]);
});
beforeEach(async () => {
  account = await newAccount();
  key = await newKey(account, { budget: 1000 });
});

const post = (client: number, path: string, body: Record<string, unknown> = {}) =>
  callAt(client % 2 ? second.url : inject("productUrl"), "POST", path, { key: account.apikey, body });
const authorize = (client: number, amount: number, rest: Record<string, unknown> = {}) =>
  post(client, "/v1/authorizations", { apikey: key.apikey, amount, ...rest });
const capture = (client: number, id: string, amount: number) =>
  post(client, `/v1/authorizations/${id}/capture`, { amount });
const release = (client: number, id: string) => post(client, `/v1/authorizations/${id}/void`);
const setLimits = (client: number, limits: Record<string, number>) =>
  post(client, `/v1/apikeys/${key.id}/budget`, limits);

const atOnce = <T>(count: number, act: (client: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, client) => act(client)));

async function counters(): Promise<{ spent: number; held: number }> {
  const { rows } = await database.pool.query(
    "SELECT spent::float8, held::float8 FROM api_key WHERE account_id = $1 AND id = $2",
    [account.account_id, key.id],
  );
  return rows[0];
}

async function expectBooksInOrder() {
  const { stdout } = await runToEnd("audit-books", [], { env: { DATABASE_URL: inject("databaseUrl") } });
  const [counts, ...differences] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(counts.differences).toBe(differences.length);
  expect(differences.filter(({ account_id }) => account_id === account.account_id)).toEqual([]);
}

/** A number from 0 to `below` − 1 that looks random and is the same in every run. */
function drawer(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("1: spent and held stay within the limit", () => {
  test.each([
    ["budget", {}],
    ["daily_limit", { budget: 0, daily_limit: 1000 }],
    ["monthly_limit", { budget: 0, monthly_limit: 1000 }],
  ])("32 clients, a %s of 1000, holds of 5: exactly 200 are granted", async (code, limits) => {
    key = await newKey(account, { budget: 1000, ...limits });
    const answers = (
      await atOnce(CLIENTS, async (client) => {
        const mine = [];
        for (let i = 0; i < 10; i++) mine.push(await authorize(client, 5));
        return mine;
      })
    ).flat();
    const granted = answers.filter(({ body }) => body.allowed);
    const refused = answers.filter(({ body }) => !body.allowed);
    expect([granted.length, refused.length]).toEqual([200, 120]);
    expect(new Set(granted.map(({ body }) => body.authorization_id)).size).toBe(200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set([code]));
    expect(await counters()).toEqual({ spent: 0, held: 1000 });
    // Each refusal is counted exactly once.
    const { rows } = await database.pool.query(
      "SELECT code, count FROM refusal_day WHERE account_id = $1 AND key_id = $2",
      [account.account_id, key.id],
    );
    expect(rows).toEqual([{ code, count: 120 }]);
    await expectBooksInOrder();
  });

  test("amounts of many sizes: a hold is refused only when it does not fit", async () => {
    const answers = (
      await atOnce(CLIENTS, async (client) => {
        const draw = drawer(client);
        const mine = [];
        for (let i = 0; i < 12; i++) mine.push(await authorize(client, [1, 7, 30, 90][draw(4)] ?? 1));
        return mine;
      })
    ).flat();
    const { held } = await counters();
    const sum = answers.filter(({ body }) => body.allowed).reduce((total, { body }) => total + body.amount, 0);
    expect([held, sum <= 1000]).toEqual([sum, true]);
    for (const { body } of answers) if (!body.allowed) expect(body.amount).toBeGreaterThan(1000 - sum);
    await expectBooksInOrder();
  });
});

test("2: holds, captures, voids, expiry and changes of limits at random: the books agree, and nothing above the limit is granted", async () => {
  const counted = new Map<string, number>();
  let watching = true;
  let worst = 0;
  // The limit stays at 1000 and no capture exceeds its hold. So spent + held never exceeds 1000.
  const watch = (async () => {
    while (watching) {
      const { spent, held } = await counters();
      worst = Math.max(worst, spent + held);
    }
  })();
  const expire = () =>
    database.pool.query(
      `WITH key AS (
          UPDATE api_key SET held_until = LEAST(held_until, now()) WHERE account_id = $1 AND id = $2 AND held_until IS NOT NULL
          RETURNING id
        ), few AS (
          SELECT account_id, id FROM "authorization" WHERE account_id = $1 AND key_id = (SELECT id FROM key) AND state = 'held'
          ORDER BY id LIMIT 3 FOR UPDATE
        )
        UPDATE "authorization" late SET expires_at = now() FROM few WHERE late.account_id = few.account_id AND late.id = few.id`,
      [account.account_id, key.id],
    );
  const statuses = new Set<number>();
  await atOnce(CLIENTS, async (client) => {
    const draw = drawer(1000 + client);
    const mine: { id: string; amount: number }[] = [];
    for (let i = 0; i < 25; i++) {
      const each = mine[draw(mine.length)];
      const act = draw(20);
      if (act < 9 || !each) {
        const amount = 1 + draw(40);
        const answer = await authorize(client, amount);
        statuses.add(answer.status);
        if (answer.body.allowed) mine.push({ id: answer.body.authorization_id, amount });
      } else if (act < 14) {
        const amount = draw(2) ? each.amount : each.amount / 8;
        const answer = await capture(client, each.id, amount);
        statuses.add(answer.status);
        if (answer.status === 200) counted.set(each.id, answer.body.amount);
      } else if (act < 17) {
        statuses.add((await release(client, each.id)).status);
      } else if (act < 18) {
        expect((await setLimits(client, { budget: [1000, 500, 20][draw(3)] ?? 1 })).status).toBe(200);
      } else if (act < 19) {
        await expire();
      }
    }
  });
  watching = false;
  await watch;
  expect([...statuses].sort()).toEqual([200, 409]);
  // A late capture may exceed the limit, because the call was made.
  const { rows } = await database.pool.query(
    `SELECT coalesce(sum(amount), 0)::float8 AS spent, coalesce(sum(amount) FILTER (WHERE late), 0)::float8 AS late
      FROM ledger WHERE account_id = $1 AND key_id = $2`,
    [account.account_id, key.id],
  );
  expect(worst).toBeLessThanOrEqual(1000 + rows[0].late);
  expect(rows[0].spent).toBe([...counted.values()].reduce((total, amount) => total + amount, 0));
  expect((await counters()).spent).toBe(rows[0].spent);
  await expectBooksInOrder();
});

describe("3: what was spent is recorded whole", () => {
  test("captures of more than was held, by many clients at once: all of it, flagged", async () => {
    const ids = await atOnce(20, async (client) => (await authorize(client, 50)).body.authorization_id);
    const answers = await atOnce(20, (client) => capture(client, ids[client], 80));
    for (const { body } of answers) {
      expect(body).toMatchObject({ state: "captured", amount: 80, overrun: true, late: false });
    }
    expect(await counters()).toEqual({ spent: 1600, held: 0 });
    const { body } = await authorize(0, 0);
    expect(body).toMatchObject({ allowed: false, code: "budget", available: { budget: -600 } });
    await expectBooksInOrder();
  });

  test("captures after the expiry, while others authorize: all of it, flagged, released once", async () => {
    const ids = await atOnce(20, async (client) => (await authorize(client, 50)).body.authorization_id);
    await database.pool.query(
      `WITH late AS (UPDATE "authorization" SET expires_at = now() WHERE account_id = $1 AND key_id = $2)
        UPDATE api_key SET held_until = now() WHERE account_id = $1 AND id = $2`,
      [account.account_id, key.id],
    );
    const [answers] = await Promise.all([
      atOnce(20, (client) => capture(client, ids[client], 10)),
      atOnce(20, (client) => authorize(client, 1)),
    ]);
    for (const { body } of answers) expect(body).toMatchObject({ state: "captured", amount: 10, late: true });
    expect(await counters()).toEqual({ spent: 200, held: 20 });
    await expectBooksInOrder();
  });
});

describe("4: the same call counts once", () => {
  test("one request_id from 20 clients at once: one authorization", async () => {
    // All 20 would fit in the first round, only one in the second. All are one request, so all are allowed.
    for (const [round, amount] of [40, 900].entries()) {
      key = await newKey(account, { budget: 1000 });
      const answers = await atOnce(20, (client) => authorize(client, amount, { request_id: `r${round}` }));
      expect(answers.map(({ status, body }) => [status, body.allowed])).toEqual(Array(20).fill([200, true]));
      expect(new Set(answers.map(({ body }) => body.authorization_id)).size).toBe(1);
      expect(await counters()).toEqual({ spent: 0, held: amount });
    }
    await expectBooksInOrder();
  });

  test("many request_ids, each from 4 clients at once, on a budget for half of them", async () => {
    const answers = await atOnce(160, (client) => authorize(client, 50, { request_id: `r${client % 40}` }));
    for (let request = 0; request < 40; request++) {
      const same = answers.filter((_, client) => client % 40 === request);
      expect(new Set(same.map(({ body }) => body.authorization_id)).size).toBe(1);
    }
    expect(answers.filter(({ body }) => body.allowed)).toHaveLength(80);
    expect(await counters()).toEqual({ spent: 0, held: 1000 });
  });

  test("one request_id from 32 clients, captured under way: each is the one held authorization or 409, never another", async () => {
    const paid = await authorize(0, 10, { request_id: "r" });
    const [settled, ...answers] = await Promise.all([
      capture(0, paid.body.authorization_id, 8),
      ...Array.from({ length: CLIENTS }, (_, client) => authorize(client, 10, { request_id: "r" })),
    ]);
    expect(settled.status).toBe(200);
    for (const { status, body } of answers) {
      if (status === 409) expect(body.error).toBe("request_id: was used before, and its authorization is captured");
      else expect([body.authorization_id, body.replayed]).toEqual([paid.body.authorization_id, true]);
    }
    // From now on, for everyone.
    const later = await atOnce(CLIENTS, (client) => authorize(client, 10, { request_id: "r" }));
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([409]));
    expect(await counters()).toEqual({ spent: 8, held: 0 });
    await expectBooksInOrder();
  });

  test("one capture from 20 clients at once: counted once; another amount is 409", async () => {
    const { body } = await authorize(0, 10);
    const answers = await atOnce(20, (client) => capture(client, body.authorization_id, 8));
    expect(answers.map(({ status, body }) => [status, body.state, body.amount])).toEqual(
      Array(20).fill([200, "captured", 8]),
    );
    expect((await capture(1, body.authorization_id, 9)).status).toBe(409);
    expect(await counters()).toEqual({ spent: 8, held: 0 });
    await expectBooksInOrder();
  });

  test("each capture meets a void: one of the two, never both", async () => {
    const ids: string[] = await atOnce(60, async (client) => (await authorize(client, 10)).body.authorization_id);
    const [captures, voids] = await Promise.all([
      atOnce(60, (client) => capture(client, ids[client] ?? "", 10)),
      atOnce(60, (client) => release(client + 1, ids[client] ?? "")),
    ]);
    for (const [i, { status }] of captures.entries()) expect([status, voids[i]?.status].sort()).toEqual([200, 409]);
    const captured = captures.filter(({ status }) => status === 200).length;
    expect(await counters()).toEqual({ spent: captured * 10, held: 0 });
    await expectBooksInOrder();
  });
});

test("5: no job resets a day: its limit is there again on the next call of the next day", async () => {
  key = await newKey(account, { daily_limit: 100, monthly_limit: 150 });
  expect((await authorize(0, 100)).body.allowed).toBe(true);
  expect((await authorize(1, 1)).body).toMatchObject({ allowed: false, code: "daily_limit" });
  // Moves today's hold to yesterday, and its month with it.
  const { rows } = await database.pool.query(
    `WITH held AS (UPDATE "authorization" SET day = day - 1, month = date_trunc('month', (day - 1)::timestamp) WHERE account_id = $1)
      UPDATE api_key SET day = day - 1, month = date_trunc('month', (day - 1)::timestamp) WHERE account_id = $1 AND id = $2
      RETURNING date_trunc('month', day::timestamp) = date_trunc('month', (day + 1)::timestamp) AS same_month`,
    [account.account_id, key.id],
  );
  const answers = await atOnce(CLIENTS, (client) => authorize(client, 10));
  const fits = rows[0].same_month ? 5 : 10;
  expect(answers.filter(({ body }) => body.allowed)).toHaveLength(fits);
  expect(answers.find(({ body }) => !body.allowed)?.body.code).toBe(
    rows[0].same_month ? "monthly_limit" : "daily_limit",
  );
  await expectBooksInOrder();
});

test("6: where nothing is known, nothing is allowed: no price against a ceiling, from anyone", async () => {
  key = await newKey(account, { input_price_limit: 5, output_price_limit: 20 });
  const prices = [{}, { input_price: 5 }, { output_price: 20 }, { input_price: 5.000000001, output_price: 20 }];
  const answers = await atOnce(CLIENTS, (client) => authorize(client, 1, prices[client % prices.length]));
  expect(answers.filter(({ body }) => body.allowed)).toEqual([]);
  expect((await authorize(0, 1, { input_price: 5, output_price: 20 })).body.allowed).toBe(true);
});

describe("7: a changed limit or value holds at once", () => {
  test("lowered under load: what is granted after the answer fits under it", async () => {
    let lowered = false;
    const after: unknown[] = [];
    const load = atOnce(CLIENTS, async (client) => {
      for (let i = 0; i < 20; i++) {
        const began = lowered;
        const { body } = await authorize(client, 1);
        if (began && body.allowed) after.push(body);
      }
    });
    await expect.poll(async () => (await counters()).held, { interval: 1 }).toBeGreaterThan(100);
    expect((await setLimits(0, { budget: 50 })).status).toBe(200);
    lowered = true;
    await load;
    expect(after).toEqual([]);
  });

  test("a rotation without grace: the old value holds nothing, the new one does", async () => {
    expect((await authorize(1, 1)).body.allowed).toBe(true);
    const rotation = await post(0, `/v1/apikeys/${key.id}/rotate`, { grace_seconds: 0 });
    expect(rotation.status).toBe(200);
    expect((await authorize(1, 1)).body).toMatchObject({ allowed: false, code: "key_not_found" });
    key.apikey = rotation.body.apikey;
    expect((await authorize(1, 1)).body.allowed).toBe(true);
  });

  test("raised: the next call fits", async () => {
    for (let budget = 1; budget <= 40; budget++) {
      expect((await setLimits(budget, { budget })).status).toBe(200);
      expect((await authorize(budget + 1, 1)).body.allowed).toBe(true);
      expect((await authorize(budget, 1)).body.allowed).toBe(false);
    }
  });
});

test("everything at once on the keys of one group, through both processes: no deadlock, no error, books in order", async () => {
  const group_id = await newGroup(account);
  const keys = await atOnce(8, () => newKey(account, { group_id, budget: 100_000 }));
  const statuses = new Map<number, number>();
  const count = ({ status }: { status: number }) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const open: string[] = [];
  await atOnce(CLIENTS, async (client) => {
    const draw = drawer(2000 + client);
    for (let i = 0; i < 20; i++) {
      const each = keys[draw(keys.length)];
      if (client < 20) {
        const answer = await post(client, "/v1/authorizations", { apikey: each?.apikey, amount: 1, ttl_seconds: 1 });
        count(answer);
        if (answer.body.allowed) open.push(answer.body.authorization_id);
        const id = open.splice(draw(open.length), 1)[0];
        if (id) count(await (draw(3) ? capture(client, id, 0.5) : release(client, id)));
      } else if (client < 24) {
        count(
          await post(client, `/v1/apikey_groups/${group_id}/batch_budget`, {
            budget: 100_000 + i,
            daily_limit: 90_000,
          }),
        );
      } else if (client < 27) {
        const apikey_ids = keys.map(({ id }) => id);
        if (client % 2) apikey_ids.reverse();
        count(await post(client, "/v1/apikeys/batch_budget", { apikey_ids, monthly_limit: 90_000 + i }));
      } else if (client < 29 && each) {
        const answer = await post(client, `/v1/apikeys/${each.id}/rotate`, { grace_seconds: 60 });
        count(answer);
        if (answer.status === 200 && draw(2)) each.apikey = answer.body.apikey;
      } else if (client < 31) {
        await database.pool.query(
          `WITH key AS (
              SELECT account_id, id FROM api_key WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE
            ), changed AS (
              UPDATE api_key SET held_until = LEAST(api_key.held_until, now()) FROM key
              WHERE api_key.account_id = key.account_id AND api_key.id = key.id AND api_key.held_until IS NOT NULL
            )
            UPDATE "authorization" late SET expires_at = now() FROM key
            WHERE late.account_id = key.account_id AND late.key_id = key.id AND late.state = 'held'`,
          [account.account_id, each?.id],
        );
      } else count(await post(client, `/v1/apikeys/${each?.id}/rename`, { name: `n${i}` }));
    }
  });
  expect([...statuses.keys()]).toEqual([200]);
  await expectBooksInOrder();
});
