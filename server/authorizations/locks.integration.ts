import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { openDatabase } from "../db/client";
import { insertGroup, lockGroupToDelete } from "../groups/queries";
import { newAccount, newKey } from "../testing/database";
import { countWaiting } from "../testing/waiting";
import { type Answer, Authorizer } from "./authorizer";
import { releaseExpired } from "./statements/release-expired";

// Two statements need the same key row. The first has locked and changed it; the second began before that. The result must
// be as if the second began after the first.

const BY = { kind: "command_line", name: "test", address: null } as const;

const waiting = openDatabase(inject("databaseUrl"));
const other = openDatabase(inject("databaseUrl"));
let authorizer: Authorizer;
let otherAuthorizer: Authorizer;
let holder: Client;
let watcher: Client;
let accountId: AccountId;
let key: { apikey: string; id: string };

beforeAll(async () => {
  holder = new Client({ connectionString: inject("databaseUrl") });
  watcher = new Client({ connectionString: inject("databaseUrl") });
  await Promise.all([holder.connect(), watcher.connect()]);
  accountId = (await newAccount()).account_id;
});
afterAll(() => Promise.all([holder.end(), watcher.end(), waiting.close(), other.close()]));
beforeEach(async () => {
  key = await newKey(accountId, { budget: 100 });
});

const authorize = (amount: number, rest: { requestId?: string; apikey?: string; at?: Authorizer } = {}) =>
  (rest.at ?? authorizer).authorize(
    {
      apikey: rest.apikey ?? key.apikey,
      amount,
      inputPrice: undefined,
      outputPrice: undefined,
      requestId: rest.requestId,
      ttlSeconds: 600,
    },
    accountId,
  );
const idOf = ({ authorizationId }: Answer) => authorizationId ?? "";
const change = (set: string) =>
  holder.query(`UPDATE api_key SET ${set} WHERE account_id = $1 AND id = $2`, [accountId, key.id]);
const counters = async () => {
  const { rows } = await watcher.query(
    `SELECT spent::float8, held::float8, day_spent::float8, day_held::float8, month_spent::float8, month_held::float8,
        (SELECT coalesce(sum(amount), 0)::float8 FROM ledger WHERE account_id = $1 AND key_id = $2) AS ledger,
        (SELECT coalesce(sum(spent), 0)::float8 FROM key_day WHERE account_id = $1 AND key_id = $2) AS days,
        (SELECT coalesce(sum(amount), 0)::float8 FROM "authorization"
          WHERE account_id = $1 AND key_id = $2 AND state = 'held') AS open,
        open_holds - (SELECT count(*)::int FROM "authorization"
          WHERE account_id = $1 AND key_id = $2 AND state = 'held') AS miscounted
      FROM api_key WHERE account_id = $1 AND id = $2`,
    [accountId, key.id],
  );
  return rows[0];
};
const expectSpentHeld = async (spent: number, held: number) =>
  expect(await counters()).toEqual({
    ...{ spent, held, day_spent: spent, day_held: held, month_spent: spent, month_held: held },
    ...{ ledger: spent, days: spent, open: held, miscounted: 0 },
  });

/**
 * Begins `second` while a transaction has the key's row, does `first` in that transaction, and commits it when so many
 * statements of `second` wait.
 */
async function meet<T>(first: () => Promise<unknown>, second: () => Promise<T>, statements = 1): Promise<T> {
  await holder.query("BEGIN");
  await holder.query("SELECT FROM api_key WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE", [accountId, key.id]);
  const result = second();
  await expect.poll(() => countWaiting(watcher, holder), { interval: 5 }).toBe(statements);
  await first();
  await holder.query("COMMIT");
  return result;
}

/** How long the transaction runs that has waited longest for the row. */
async function secondsOfLongestWait(): Promise<number> {
  const { rows } = await watcher.query(
    `SELECT coalesce(max(date_part('epoch', clock_timestamp() - xact_start)), 0) AS seconds FROM pg_stat_activity
      WHERE $1::int = ANY(pg_blocking_pids(pid))`,
    [(holder as Client & { processID: number }).processID],
  );
  return rows[0].seconds;
}

describe.each([2, 7, 64])("in batches of %i", (mostAtOnce) => {
  beforeAll(() => {
    authorizer = new Authorizer(waiting, { mostAtOnce, maxOpenHolds: 1000 });
    otherAuthorizer = new Authorizer(other, { mostAtOnce, maxOpenHolds: 1000 });
  });

  describe("an authorization that waits", () => {
    test.each([
      ["a lowered budget", "budget = 10", "budget"],
      ["a lowered limit of the day", "daily_limit = 10", "daily_limit"],
      ["a lowered limit of the month", "monthly_limit = 10", "monthly_limit"],
      ["a counter that has grown", "held = 95, day_held = 95, month_held = 95", "budget"],
      ["a counter of open holds that has grown", "open_holds = 1000", "open_holds"],
      ["a ceiling", "input_price_limit = 1", "input_price_limit"],
      ["a key disabled", "disabled_at = now()", "key_disabled"],
      ["a key revoked", "revoked_at = now()", "key_not_found"],
      ["a key that has expired", "expiry_date = '2020-01-01'", "key_expired"],
    ])("meets %s", async (_, set, verdict) => {
      expect(
        (
          await meet(
            () => change(set),
            () => authorize(11),
          )
        ).verdict,
      ).toBe(verdict);
    });

    test("meets a raised limit, and counts what was held meanwhile", async () => {
      const answer = await meet(
        () => change("budget = 200, spent = 30"),
        () => authorize(150),
      );
      expect([answer.verdict, answer.left.budget]).toEqual(["granted", 20]);
    });

    test("meets a new day: what was counted is of another day", async () => {
      const answer = await meet(
        () =>
          change("daily_limit = 10, day = '2999-12-31', month = '2999-12-01', day_held = 4, month_held = 4, held = 4"),
        () => authorize(7),
      );
      expect([answer.verdict, answer.left.daily_limit]).toEqual(["daily_limit", 6]);
    });

    test("meets holds of another process on the same row: all or none is lost", async () => {
      const answers = await meet(
        async () => {},
        () => Promise.all([authorize(60), authorize(60, { at: otherAuthorizer })]),
        2,
      );
      expect(answers.map(({ verdict }) => verdict).sort()).toEqual(["budget", "granted"]);
      await expectSpentHeld(0, 60);
    });
  });

  test("a hold that has waited lasts from the moment on at which it is decided", async () => {
    let released = 0;
    const answer = await meet(
      async () => {
        await expect.poll(secondsOfLongestWait, { interval: 50, timeout: 10_000 }).toBeGreaterThan(1.1);
        const { rows } = await watcher.query("SELECT floor(date_part('epoch', clock_timestamp())) AS now");
        released = rows[0].now;
      },
      () => authorize(11),
    );
    expect(answer.verdict).toBe("granted");
    expect(answer.expiresAt).toBeGreaterThanOrEqual(released + 600);
  });

  test("calls of many locked keys of one account keep nobody else waiting", async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, () => newKey(accountId)));
    const stranger = (await newAccount()).account_id;
    const theirs = await newKey(stranger, { budget: 100 });
    const lockOf = "SELECT FROM api_key WHERE account_id = $1 AND id = ANY($2) FOR NO KEY UPDATE";
    await holder.query("BEGIN");
    await holder.query(lockOf, [accountId, keys.map(({ id }) => id)]);
    const calls = keys.map(({ apikey }) => authorize(1, { apikey }));
    await expect.poll(() => countWaiting(watcher, holder), { interval: 5 }).toBeGreaterThanOrEqual(2);
    await watcher.query("BEGIN");
    await watcher.query(lockOf, [stranger, [theirs.id]]);
    const ask = (names: { apikey: string } | { apikeyId: string }, owner: AccountId) =>
      authorizer.authorize(
        { ...names, amount: 1, inputPrice: undefined, outputPrice: undefined, requestId: undefined, ttlSeconds: 60 },
        owner,
      );
    const met = ask({ apikey: theirs.apikey }, stranger);
    expect((await ask({ apikeyId: "sk-0000000" }, accountId)).verdict).toBe("key_not_found");
    await watcher.query("COMMIT");
    expect((await met).verdict).toBe("granted");
    await holder.query("COMMIT");
    expect((await Promise.all(calls)).map(({ verdict }) => verdict)).toEqual(keys.map(() => "granted"));
  });

  describe("one request in two processes", () => {
    // Both wait for the lock. The second reads requests from before the first wrote its own.
    test.each([
      ["that fits once", 60],
      ["that fits twice", 20],
      ["of nothing", 0],
    ])("%s: one authorization, given to both", async (_, amount) => {
      const requestId = randomUUID();
      const answers = await meet(
        async () => {},
        () => Promise.all([authorize(amount, { requestId }), authorize(amount, { requestId, at: otherAuthorizer })]),
        2,
      );
      expect(answers.map(({ verdict }) => verdict).sort()).toEqual(["granted", "replayed"]);
      expect(new Set(answers.map(idOf)).size).toBe(1);
      await expectSpentHeld(0, amount);
      const { rowCount } = await watcher.query("SELECT FROM refusal_day WHERE account_id = $1 AND key_id = $2", [
        accountId,
        key.id,
      ]);
      expect(rowCount).toBe(0);
    });
  });

  const settle = (state: string) =>
    holder.query(
      `UPDATE "authorization" SET state = '${state}', settled_at = now() WHERE account_id = $1 AND key_id = $2`,
      [accountId, key.id],
    );
  const release = "held = 0, day_held = 0, month_held = 0, open_holds = 0";

  describe("a repeated request that waits", () => {
    test.each(["voided", "expired"])("meets the end of its hold: %s", async (state) => {
      const requestId = randomUUID();
      await authorize(10, { requestId });
      const answer = await meet(
        async () => {
          await settle(state);
          await change(release);
        },
        () => authorize(10, { requestId, at: otherAuthorizer }),
      );
      expect(answer).toMatchObject({ verdict: "used", usedState: state, authorizationId: null });
      await expectSpentHeld(0, 0);
    });

    test("meets a lowered budget: the money is held already", async () => {
      const requestId = randomUUID();
      const first = await authorize(10, { requestId });
      const again = await meet(
        () => change("budget = 1"),
        () => authorize(10, { requestId }),
      );
      expect(again).toMatchObject({ verdict: "replayed", authorizationId: first.authorizationId });
      await expectSpentHeld(0, 10);
    });
  });

  describe("a capture that waits", () => {
    test("meets a void: it does not count", async () => {
      const id = idOf(await authorize(10));
      const settlement = await meet(
        async () => {
          await settle("voided");
          await change(release);
        },
        () => authorizer.capture(accountId, { id, amount: 8 }),
      );
      expect(settlement).toMatchObject({ isNew: false, settled: { state: "voided" } });
      await expectSpentHeld(0, 0);
    });

    test("meets the expiry: it is late, and releases nothing twice", async () => {
      const id = idOf(await authorize(10));
      const settlement = await meet(
        async () => {
          await settle("expired");
          await change(release);
        },
        () => authorizer.capture(accountId, { id, amount: 8 }),
      );
      expect(settlement).toMatchObject({ isNew: true, settled: { state: "captured", late: true } });
      await expectSpentHeld(8, 0);
    });

    test("meets other counters: it adds to them", async () => {
      const id = idOf(await authorize(10));
      await meet(
        () => change("budget = 5"),
        () => authorizer.capture(accountId, { id, amount: 8 }),
      );
      await expectSpentHeld(8, 0);
      expect((await authorize(1)).verdict).toBe("budget");
    });

    test("meets the same capture of another process: it counts once", async () => {
      const id = idOf(await authorize(10));
      const settlements = await meet(
        async () => {},
        () =>
          Promise.all(
            [authorizer, otherAuthorizer, authorizer, otherAuthorizer].map((at) =>
              at.capture(accountId, { id, amount: 8 }),
            ),
          ),
        2,
      );
      expect(settlements.map((each) => [each.ok && each.isNew, each.ok && each.settled.state]).sort()).toEqual([
        ...Array(3).fill([false, "captured"]),
        [true, "captured"],
      ]);
      await expectSpentHeld(8, 0);
    });
  });

  test("a void that waits meets the expiry: nothing is released twice", async () => {
    const id = idOf(await authorize(10));
    const settlement = await meet(
      async () => {
        await holder.query(
          `UPDATE "authorization" SET state = 'expired', settled_at = now() WHERE account_id = $1 AND key_id = $2`,
          [accountId, key.id],
        );
        await change(release);
      },
      () => authorizer.void(accountId, id),
    );
    expect(settlement).toMatchObject({ settled: { state: "expired" } });
    await expectSpentHeld(0, 0);
  });
});

/** Lets the time of all holds of the key be over. */
const expire = () =>
  watcher.query(
    `WITH ended AS (UPDATE "authorization" SET expires_at = now() WHERE account_id = $1 AND key_id = $2 AND state = 'held')
      UPDATE api_key SET held_until = now() WHERE account_id = $1 AND id = $2`,
    [accountId, key.id],
  );

test("the upkeep leaves a locked key to its next run", async () => {
  const release = () => releaseExpired(waiting.lookUpPool, { accountId, keyId: key.id });
  await authorize(10, { at: new Authorizer(waiting, { maxOpenHolds: 1 }) });
  await expire();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM api_key WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE", [accountId, key.id]);
  await release();
  await expectSpentHeld(0, 10);
  await holder.query("COMMIT");
  await release();
  await expectSpentHeld(0, 0);
});

test("expired holds are released without a wait for the group of the key, which is being deleted", async () => {
  const at = new Authorizer(waiting, { maxOpenHolds: 1 });
  const groupId = randomUUID().replaceAll("-", "").slice(0, 24);
  await insertGroup(waiting, accountId, BY, { id: groupId, name: groupId, description: "" });
  await watcher.query("UPDATE api_key SET group_id = $3 WHERE account_id = $1 AND id = $2", [
    accountId,
    key.id,
    groupId,
  ]);
  await authorize(100, { at });
  await expire();
  // Before it changes the keys of the group, which it may have to wait for.
  await waiting.prisma.$transaction(async (transaction) => {
    await lockGroupToDelete(transaction, accountId, groupId);
    expect((await authorize(60, { at })).verdict).toBe("granted");
    await expectSpentHeld(0, 60);
    await expire();
    expect(await releaseExpired(waiting.lookUpPool, { accountId, keyId: key.id })).toBe(true);
    await expectSpentHeld(0, 0);
  });
});
