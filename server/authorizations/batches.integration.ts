import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import type { AccountId } from "../auth/account-id";
import { database, newAccount, newKey } from "../testing/database";
import { type Answer, Authorizer } from "./authorizer";

// Calls of different keys are decided by one transaction. These tests look at what one key does to the others.

let accountId: AccountId;
let authorizer: Authorizer;
let keys: { apikey: string; id: string }[];
const other = new Client({ connectionString: inject("databaseUrl") });
beforeAll(async () => {
  accountId = (await newAccount()).account_id;
  authorizer = new Authorizer(database, { maxOpenHolds: 1000 });
  keys = [];
  for (let i = 0; i < 5; i++) keys.push(await newKey(accountId, { budget: 100 }));
  await other.connect();
});
afterAll(() => other.end());

const authorize = ({ apikey }: { apikey: string }, amount = 10, requestId?: string): Promise<Answer> =>
  authorizer.authorize(
    { apikey, amount, inputPrice: undefined, outputPrice: undefined, requestId, ttlSeconds: 600 },
    accountId,
  );
const capture = ({ authorizationId }: Answer) =>
  authorizer.capture(accountId, { id: authorizationId ?? "", amount: 8 });
const heldOf = async ({ id }: { id: string }): Promise<number> => {
  const { rows } = await other.query("SELECT held::float8 FROM api_key WHERE account_id = $1 AND id = $2", [
    accountId,
    id,
  ]);
  return rows[0].held;
};

test("calls that come together are decided by one transaction", async () => {
  // From here on the process knows which key each value belongs to, so no call waits for that.
  await Promise.all(keys.map((key) => authorize(key)));
  const answers = await Promise.all(keys.flatMap((key) => [authorize(key), authorize(key)]));
  expect(answers.map(({ verdict }) => verdict)).toEqual(Array(10).fill("granted"));
  const { rows } = await other.query(
    `SELECT count(DISTINCT xmin::text)::int AS transactions FROM "authorization" WHERE account_id = $1 AND id = ANY($2)`,
    [accountId, answers.map(({ authorizationId }) => authorizationId)],
  );
  expect(rows).toEqual([{ transactions: 1 }]);
});

test("a call that fails does not harm the others of its batch, nor those of the same key", async () => {
  const [first, broken, last] = keys as [(typeof keys)[number], (typeof keys)[number], (typeof keys)[number]];
  const answers = [await authorize(first), await authorize(broken), await authorize(last)];
  const held = await heldOf(first);
  // The books of this key are wrong: its counter cannot fall below 0, so PostgreSQL refuses the capture.
  await other.query("UPDATE api_key SET held = 0, day_held = 0, month_held = 0 WHERE account_id = $1 AND id = $2", [
    accountId,
    broken.id,
  ]);
  const results = await Promise.allSettled([...answers.map(capture), authorize(broken, 1), authorize(first)]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", ...Array(3).fill("fulfilled")]);
  expect(results[3]).toMatchObject({ value: { verdict: "granted" } });
  expect(await heldOf(first)).toBe(held);
  expect(await heldOf(broken)).toBe(1);
});

test("a request that is repeated behind its own capture, in one batch, is no allowance; the others of the batch are", async () => {
  const [first, second] = [await newKey(accountId, { budget: 100 }), await newKey(accountId, { budget: 100 })];
  const answer = await authorize(first, 10, "r");
  await authorize(second);
  const [settlement, again, another, fresh, other] = await Promise.all([
    capture(answer),
    authorize(first, 10, "r"),
    authorize(first, 1, "s"),
    authorize(first, 1, "s"),
    authorize(second),
  ]);
  expect(settlement).toMatchObject({ isNew: true });
  expect(again).toMatchObject({ verdict: "used", usedState: "captured", authorizationId: null });
  expect([another.verdict, fresh.verdict, other.verdict]).toEqual(["granted", "replayed", "granted"]);
  expect(fresh.authorizationId).toBe(another.authorizationId);
  expect([await heldOf(first), await heldOf(second)]).toEqual([1, 20]);
});

test("a key that another transaction has locked does not keep the others waiting", async () => {
  const [locked, free] = keys as [(typeof keys)[number], (typeof keys)[number]];
  await other.query("BEGIN");
  await other.query("SELECT FROM api_key WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE", [accountId, locked.id]);
  const done = vi.fn();
  const waiting = [authorize(locked, 1), authorize(locked, 2)].map((answer) => answer.finally(done));
  const answers = [await authorize(free), await authorize(free)];
  expect(answers.map(({ verdict }) => verdict)).toEqual(["granted", "granted"]);
  expect(done).not.toHaveBeenCalled();
  await other.query("UPDATE api_key SET budget = 0.5 WHERE account_id = $1 AND id = $2", [accountId, locked.id]);
  await other.query("COMMIT");
  const verdicts = (await Promise.all(waiting)).map(({ verdict }) => verdict);
  expect(verdicts).toEqual(["budget", "budget"]);
});

test("a capture of a hold that has expired, together with a new hold: it is released once", async () => {
  const key = await newKey(accountId, { budget: 100 });
  const expired = await authorize(key, 60);
  const past = "now() - interval '1 second'";
  const values = [accountId, key.id];
  await other.query(`UPDATE "authorization" SET expires_at = ${past} WHERE account_id = $1 AND key_id = $2`, values);
  await other.query(`UPDATE api_key SET held_until = ${past} WHERE account_id = $1 AND id = $2`, values);
  const [settlement, answer] = await Promise.all([capture(expired), authorize(key, 50)]);
  expect(settlement).toMatchObject({ isNew: true, settled: { state: "captured", late: true } });
  expect(answer).toMatchObject({ verdict: "granted", left: { budget: 42 } });
  expect(await heldOf(key)).toBe(50);
});
